package compressed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// pack compresses a text.
func pack(t *testing.T, kind, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch kind {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	case "xz":
		w, err = xz.NewWriter(&b)
	default: // of printf '1 2\n' | bzip2
		return []byte("BZh91AY&SY}\xf4\xa6m\x00\x00\x01X\x00\x00\x10@\x000\x00 \x00!\x9ah3M\x17<]\xc9\x14\xe1BA\xf7\xd2\x99\xb4")
	}
	if err != nil {
		t.Fatal(err)
	}
	call.Of(w.Write([]byte(text)))(t)
	call.OK(t, w.Close())
	return b.Bytes()
}

func read(data []byte) (string, string, error) {
	r, err := NewReader(bufio.NewReader(bytes.NewReader(data)))
	if err != nil {
		return "", "", err
	}
	text, err := io.ReadAll(r)
	return string(text), r.Kind, err
}

func TestKinds(t *testing.T) {
	for _, kind := range []string{"gzip", "bzip2", "zstd", "xz"} {
		data := pack(t, kind, "1 2\n")
		if text, got, err := read(data); err != nil || text != "1 2\n" || got != kind {
			t.Errorf("%s: %q of kind %q, error %v", kind, text, got, err)
		}
		if text, _, err := read(slices.Concat(data, data)); kind != "xz" && (err != nil || text != "1 2\n1 2\n") {
			t.Errorf("%s in two parts: %q, error %v", kind, text, err)
		}
		var damaged *Error
		if _, _, err := read(data[:len(data)-3]); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "the "+kind+" data stop in the middle: expected the whole file") {
			t.Errorf("%s, cut off: error %v", kind, err)
		}
		if _, _, err := read(slices.Concat(data, []byte("garbage"))); !errors.As(err, &damaged) || !strings.Contains(err.Error(), kind+" data") {
			t.Errorf("%s, with more behind: error %v", kind, err)
		}
		flipped := slices.Clone(data)
		flipped[len(data)/2] ^= 0xff
		if _, _, err := read(flipped); !errors.As(err, &damaged) || !strings.Contains(err.Error(), kind+" data") {
			t.Errorf("%s, damaged: error %v", kind, err)
		}
	}
	for _, text := range []string{"", "1 2\n", "BZhang Wei\n", "\x1f"} {
		if got, kind, err := read([]byte(text)); err != nil || got != text || kind != "" {
			t.Errorf("%q: %q of kind %q, error %v", text, got, kind, err)
		}
	}
	if _, kind, err := read([]byte("BZh91AY&SYxx")); err == nil || !strings.Contains(err.Error(), "bzip2 data") {
		t.Errorf("bzip2: kind %q, error %v", kind, err)
	}
}

// A window that the data only claim takes no memory.
func TestClaimedWindow(t *testing.T) {
	// magic, descriptor without single segment, window descriptor of 2 GiB, an empty last block
	data := []byte("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00")
	call.Refused(t, "want a window of more than 128 MiB")(read(data))
}
