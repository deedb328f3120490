package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// More vertices or links than there is memory for are an error, at a line.
func TestTooLarge(t *testing.T) {
	var text strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&text, "%d %d\n", i, i+1)
	}
	_, _, err := ReadFrom(strings.NewReader(text.String()), "links", ReadOptions{Memory: 6 << 20})
	call.Refused(t, "links:65535: ", "MiB of memory")(err)
	call.First(ReadFrom(strings.NewReader(text.String()), "links", ReadOptions{Memory: 100 << 20}))(t)
	// So are those of a split, whose file may repeat itself.
	files := plainSplit()
	files["train.tsv"] = strings.Repeat(files["train.tsv"], 100_000)
	ctx := call.Stopped(t)
	if _, err := ReadSplitWithin(ctx, writeFolder(t, files), false, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	call.Refused(t, "train.tsv:65536: ", "MiB of memory")(ReadSplitWithin(t.Context(), writeFolder(t, files), false, 1<<20))
}
