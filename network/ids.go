package network

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// interner numbers ids in the order in which they come. Ids that are plain integers, as most are, are looked up by value.
type interner struct {
	names []string
	text  map[string]int32 // of ids that are no plain integers
	small []int32          // of a small plain integer, its number + 1, or 0
	large map[uint64]int32 // of the other plain integers
	last  int32            // files are often sorted by their first column: the last id looked up is likely the next one
}

func newInterner() *interner {
	return &interner{text: make(map[string]int32), large: make(map[uint64]int32), last: -1}
}

// intern returns the number of an id, and whether it is a new one.
func (t *interner) intern(id []byte) (v int32, isNew bool) {
	if x, ok := plainInteger(id); ok {
		return t.integer(x)
	}
	if t.last >= 0 && t.names[t.last] == string(id) {
		return t.last, false
	}
	v, ok := t.text[string(id)]
	if !ok {
		v = int32(len(t.names))
		name := string(id)
		t.names = append(t.names, name)
		t.text[name] = v
	}
	return v, !ok
}

// integer is intern for a plain integer.
func (t *interner) integer(x uint64) (v int32, isNew bool) {
	if x < uint64(len(t.small)) && t.small[x] > 0 {
		return t.small[x] - 1, false
	}
	if v, ok := t.large[x]; ok {
		return v, false
	}
	v = int32(len(t.names))
	t.names = append(t.names, strconv.FormatUint(x, 10))
	const least = 1 << 16 // numbers that the table may always have
	if x >= max(least, 8*uint64(len(t.names))) {
		t.large[x] = v
		return v, true
	}
	for x >= uint64(len(t.small)) {
		t.small = append(t.small, make([]int32, max(1024, len(t.small)))...)
	}
	t.small[x] = v + 1
	return v, true
}

// lookup returns the number of an id that is there.
func (t *interner) lookup(id string) (v int32, ok bool) {
	x, plain := plainInteger([]byte(id))
	switch {
	case !plain:
		v, ok = t.text[id]
	case x < uint64(len(t.small)) && t.small[x] > 0:
		return t.small[x] - 1, true
	default:
		v, ok = t.large[x]
	}
	return v, ok
}

// forget lets go of what only finds numbers of ids.
func (t *interner) forget() { t.text, t.small, t.large = nil, nil, nil }

// plainInteger returns the value of an id that is a whole number from 0 on written in the one usual way, of 18 digits or fewer.
func plainInteger(id []byte) (x uint64, ok bool) {
	if len(id) == 0 || len(id) > 18 || id[0] == '0' && len(id) > 1 {
		return 0, false
	}
	for _, b := range id {
		d := b - '0'
		if d > 9 {
			return 0, false
		}
		x = 10*x + uint64(d)
	}
	return x, true
}

// full says whether no further id can be numbered.
func (t *interner) full() bool { return len(t.names) == math.MaxInt32 }

// ranked returns the ids sorted, and the rank of each number: numerically if every id is a decimal integer, else by bytes.
// Integers of equal value, such as 7 and 007, come shortest first.
func (t *interner) ranked() (sorted []string, rank []int32) {
	order := seq.Upto(int32(len(t.names)))
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
