package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
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

// Links that repeat others are left out as they come, where there are many, and the network and its notes are
// those of all links.
func TestRepeatsAreLeftOut(t *testing.T) {
	was := manyLinks
	defer func() { manyLinks = was }()
	r := rng.New(1, "repeats")
	for n := range 200 {
		var file strings.Builder
		vertices, weights, kinds := 2+r.Intn(30), 1+r.Intn(3), r.Intn(2)
		fmt.Fprintf(&file, "v0 v1%s\n", strings.Repeat(" 2", kinds)) // which might be names of columns
		for range r.Intn(300) {
			fmt.Fprintf(&file, "v%d v%d%s\n", r.Intn(vertices), r.Intn(vertices), strings.Repeat(fmt.Sprint(" ", 1+r.Intn(weights)), kinds))
		}
		var all []string
		for _, many := range []int{1 << 22, 1 + r.Intn(20)} {
			manyLinks = many
			net, notes, err := ReadFrom(strings.NewReader(file.String()), "links", ReadOptions{Directed: n%2 == 0})
			said := fmt.Sprint(notes, err)
			if err == nil {
				said += net.Checksum()
			}
			all = append(all, said)
		}
		if all[0] != all[1] {
			t.Fatalf("%s\n%s\nof all links: %s", file.String(), all[1], all[0])
		}
	}
	// A billion lines would be as few.
	manyLinks = 100
	b := NewBuilder()
	u, _, _ := b.Integer(0)
	v, _, _ := b.Integer(1)
	for i := range 100000 {
		call.OK(t, b.AddWeighted(u, v, float64(1+i%2)))
	}
	if b.Links() > 110 {
		t.Errorf("%d links are kept", b.Links())
	}
	if _, notes, err := b.Build(false); err != nil || !strings.Contains(fmt.Sprint(notes), "99999") || !strings.Contains(fmt.Sprint(notes), "50000") {
		t.Errorf("%v, %v", notes, err)
	}
}
