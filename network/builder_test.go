package network

import (
	"fmt"
	"strings"
	"testing"
)

// Links that are repeated are dropped as they come, and counted as if they had not been; the first weight stays.
func TestRepeatedLinks(t *testing.T) {
	var text strings.Builder
	const lines = 3*piece + 17
	for i := range lines {
		fmt.Fprintf(&text, "%d %d %d\n", i%100, i%101+1000, 1+i%7)
	}
	n, r, err := ReadFrom(strings.NewReader(text.String()), "links", ReadOptions{Memory: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	first := map[Link]int{}
	conflicting := 0
	for i := range lines {
		l := Link{int32(i % 100), int32(i % 101)}
		if w, there := first[l]; !there {
			first[l] = 1 + i%7
		} else if w != 1+i%7 {
			conflicting++
		}
	}
	if r.Links != lines || r.Repeated != lines-len(first) || r.Conflicting != conflicting || n.Links() != len(first) {
		t.Errorf("%+v of %d links, want %d, %d repeated, %d of them with another weight", r, n.Links(), len(first), lines-len(first), conflicting)
	}
	var b Builder
	b.ids = newInterner()
	for i := range lines {
		if err := b.Add(int32(i%7), int32(i%5)); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.links.links) != 1 {
		t.Errorf("%d pieces of 35 links that are repeated: want one", len(b.links.links))
	}
}

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
}
