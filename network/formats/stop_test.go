package formats

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/gz"
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
	bomb := gz.Of(strings.Repeat("1\t2\n", 1<<20))
	if len(bomb) > 1<<15 {
		t.Fatalf("%d bytes: expected few, which are read at once", len(bomb))
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, _, err := ReadFrom(ctx, cancelling{strings.NewReader(bomb), cancel}, "bomb.gz", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that it was cancelled", err)
	}
}
