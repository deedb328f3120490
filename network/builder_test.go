package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// More vertices or links than there is memory for are an error, at a line.
func TestTooLarge(t *testing.T) {
	var text strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&text, "%d %d\n", i, i+1)
	}
	_, _, err := ReadFrom(strings.NewReader(text.String()), "links", ReadOptions{Memory: 6 << 20})
	if err == nil || !strings.Contains(err.Error(), "links:65535: ") || !strings.Contains(err.Error(), "MiB of memory") {
		t.Errorf("%v", err)
	}
	if _, _, err := ReadFrom(strings.NewReader(text.String()), "links", ReadOptions{Memory: 100 << 20}); err != nil {
		t.Error(err)
	}
	// So are those of a split, whose file may repeat itself.
	files := plainSplit()
	files["train.tsv"] = strings.Repeat(files["train.tsv"], 100_000)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadSplitWithin(ctx, writeFolder(t, files), false, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := ReadSplitWithin(t.Context(), writeFolder(t, files), false, 1<<20); err == nil || !strings.Contains(err.Error(), "train.tsv:65536: ") || !strings.Contains(err.Error(), "MiB of memory") {
		t.Errorf("split: %v", err)
	}
}
