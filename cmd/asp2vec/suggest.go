package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// nearest returns which of names word was probably meant for; where none is near all of them, or of many how many there are.
func nearest(word string, names []string) string {
	const few, near = 30, .8
	likeness := func(name string) float64 { return smetrics.JaroWinkler(word, name, .7, 4) }
	best := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(likeness(a), likeness(b)) })
	switch {
	case word == "engine": // an option that there was
		return "none: there is one engine now"
	case likeness(best) >= near:
		return best
	case len(names) > few:
		return fmt.Sprintf("one of %s, such as %s", count(len(names)), strings.Join(names[:3], ", "))
	}
	return "one of " + strings.Join(names, ", ")
}
