package bibfile

import (
	"slices"
	"testing"
)

// Names that are missing between two "and" are empty, and braces hold names together.
func TestSplitAnd(t *testing.T) {
	for names, want := range map[string][]string{
		"A and B":           {"A", "B"},
		"A and and B":       {"A", "", "B"},
		"A and and and B":   {"A", "", "", "B"},
		" and ":             {"", ""},
		"A and":             {"A and"},
		"{A and B} AND\tC}": {"{A and B}", "C}"},
	} {
		if got := splitAnd(names); !slices.Equal(got, want) {
			t.Errorf("%q: %q, expected %q", names, got, want)
		}
	}
}
