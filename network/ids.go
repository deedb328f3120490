package network

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// interner numbers ids in the order in which they come.
type interner struct {
	number map[string]int32
	names  []string
	last   int32 // files are often sorted by their first column: the last id looked up is likely the next one
}

func newInterner() *interner { return &interner{number: make(map[string]int32), last: -1} }

// intern returns the number of an id, and false when it is new and there are too many.
func (t *interner) intern(id []byte) (v int32, isNew bool) {
	if t.last >= 0 && t.names[t.last] == string(id) {
		return t.last, false
	}
	v, ok := t.number[string(id)]
	if !ok {
		v = int32(len(t.names))
		name := string(id)
		t.names = append(t.names, name)
		t.number[name] = v
	}
	return v, !ok
}

// full says whether no further id can be numbered.
func (t *interner) full() bool { return len(t.names) == math.MaxInt32 }

// ranked returns the ids sorted, and the rank of each number: numerically if every id is a decimal integer, else by bytes.
// Integers of equal value, such as 7 and 007, come shortest first.
func (t *interner) ranked() (sorted []string, rank []int32) {
	order := make([]int32, len(t.names))
	for i := range order {
		order[i] = int32(i)
	}
	compare := strings.Compare
	if !slices.ContainsFunc(t.names, func(s string) bool { return !isDecimal(s) }) {
		compare = compareDecimal
	}
	if keys, ok := plainIntegers(t.names); ok { // the common case, several times faster
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	} else {
		slices.SortFunc(order, func(a, b int32) int { return compare(t.names[a], t.names[b]) })
	}
	sorted, rank = make([]string, len(order)), make([]int32, len(order))
	for i, v := range order {
		sorted[i], rank[v] = t.names[v], int32(i)
	}
	return sorted, rank
}

// plainIntegers returns the values of the names if all are integers written in the one usual way.
func plainIntegers(names []string) ([]int64, bool) {
	keys := make([]int64, len(names))
	for i, s := range names {
		if !isDecimal(s) || len(s) > 18 || (s[0] == '0' && len(s) > 1) || strings.HasPrefix(s, "-0") {
			return nil, false
		}
		keys[i], _ = strconv.ParseInt(s, 10, 64) // at most 18 characters: no overflow
	}
	return keys, true
}

// isDecimal says whether s is digits, with or without a minus before them.
func isDecimal(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return digits != ""
}

// compareDecimal orders decimal integers of any length by value, then by length, then by bytes.
func compareDecimal(a, b string) int {
	x, y := strings.TrimLeft(strings.TrimPrefix(a, "-"), "0"), strings.TrimLeft(strings.TrimPrefix(b, "-"), "0")
	negX, negY := x != "" && a[0] == '-', y != "" && b[0] == '-'
	switch {
	case negX != negY && negX:
		return -1
	case negX != negY:
		return 1
	}
	c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	if negX {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
