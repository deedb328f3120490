package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

func sample() Content {
	long := make([]float32, 3*chunk+1)
	for i := range long {
		long[i] = float32(i) / 7
	}
	return Content{
		Identity: []Fact{{"program", "abc"}, {"seed", "1"}}, State: json.RawMessage(`{"epoch":3}`),
		Numbers: [][]float32{{1, float32(math.Inf(-1)), math.SmallestNonzeroFloat32}, {}, long},
	}
}

func TestWriteRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.checkpoint")
	want := sample()
	if err := Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: read another content than was written", err)
	}
	if _, err := Read(filepath.Dir(path)); err == nil {
		t.Error("a folder was read")
	}
	if _, err := Read(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v: want one that says there is no file", err)
	}
}

// Whatever bit or length is not as it was written, is noticed.
func TestDamage(t *testing.T) {
	var b bytes.Buffer
	if err := encode(&b, sample()); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	read := func(text []byte) error {
		_, err := decode(bytes.NewReader(text), int64(len(text)))
		return err
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/500 {
		changed := slices.Clone(whole)
		changed[at] ^= 0x10
		if err := read(changed); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v", at, err)
		}
		if err := read(whole[:at]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut off at %d: %v", at, err)
		}
	}
	if err := read(append(slices.Clone(whole), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

func TestDifferences(t *testing.T) {
	then := []Fact{{"seed", "1"}, {"dim", "20"}, {"gone", "x"}}
	now := []Fact{{"seed", "2"}, {"dim", "20"}, {"new", "y"}}
	want := []string{"seed: 1 then, 2 now", "new: nothing then, y now", "gone: x then, nothing now"}
	if got := Differences(then, now); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Differences(then, then); len(got) > 0 {
		t.Errorf("%q of the same", got)
	}
}

// sealed returns a text with its checksum behind it.
func sealed(text []byte) []byte {
	sum := sha256.Sum256(text)
	return append(slices.Clone(text), sum[:]...)
}

// FuzzRead has files that bear the right checksum of any content, as somebody could make them: they are read or refused, within memory
// in proportion to their length.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := encode(&b, sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes()[:400])
	f.Add([]byte(magic + `{"identity":[],"state":{},"lengths":[1000000000000]}` + "\n"))
	f.Add([]byte(magic + `{"identity":null,"state":null,"lengths":[-1,2]}` + "\nabcdefgh"))
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := sealed(text)
		c, err := decode(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			return
		}
		numbers := 0
		for _, x := range c.Numbers {
			numbers += len(x)
		}
		if 4*numbers > len(text) {
			t.Errorf("%d numbers from %d bytes", numbers, len(text))
		}
	})
}
