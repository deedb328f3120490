package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// nearest asks whether one of names was meant by word; where none is near it lists all of them, or of many says how many there are.
func nearest(word string, names []string) string {
	const few, near = 30, .8
	likeness := func(name string) float64 { return smetrics.JaroWinkler(word, name, .7, 4) }
	best := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(likeness(a), likeness(b)) })
	switch {
	case likeness(best) >= near:
		return fmt.Sprintf("did you mean %s?", best)
	case len(names) > few:
		return fmt.Sprintf("expected one of %s, such as %s", count(len(names)), strings.Join(names[:3], ", "))
	}
	return "expected one of " + strings.Join(names, ", ")
}
