package formats

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// cancelling cancels a context when it is read from.
type cancelling struct {
	io.Reader
	cancel context.CancelFunc
}

func (c cancelling) Read(p []byte) (int, error) {
	defer c.cancel()
	return c.Reader.Read(p)
}

// A cancelled reader stops, also where what it has read already would unpack into very much.
func TestReadStops(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := io.WriteString(w, strings.Repeat("1\t2\n", 1<<20)); err != nil {
		t.Fatal(err)
	}
	call.OK(t, w.Close())
	if z.Len() > 1<<15 {
		t.Fatalf("%d bytes: expected few, which are read at once", z.Len())
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, _, err := ReadFrom(ctx, cancelling{&z, cancel}, "bomb.gz", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that it was cancelled", err)
	}
}
