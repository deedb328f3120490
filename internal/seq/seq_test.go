package seq_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/internal/seq"
)

func Example() {
	even := func(n int) bool { return n%2 == 0 }
	s := seq.Upto(5)
	fmt.Println(s, seq.Map(s, strconv.Itoa), seq.Filter(s, even), seq.Count(s, even))
	fmt.Println(seq.Flat(s[:3], func(n int) []int { return slices.Repeat([]int{n}, n) }))
	fmt.Println(seq.Set(s, even), seq.Places[string, int32]([]string{"a", "b", "a"}))
	// Output:
	// [0 1 2 3 4] [0 1 2 3 4] [0 2 4] 3
	// [1 2 2]
	// map[false:true true:true] map[a:2 b:1]
}

func TestNone(t *testing.T) {
	if s := seq.Map([]int{}, strconv.Itoa); s != nil {
		t.Errorf("Map of no elements: %#v, not nil", s)
	}
}

func TestEvenly(t *testing.T) {
	if got := seq.Evenly([]int32{1, 2, 3, 4, 5, 6, 7}, 3); !slices.Equal(got, []int32{1, 3, 5}) {
		t.Errorf("three of seven: %v", got)
	}
	if got := seq.Evenly([]int32{1, 2}, 3); len(got) != 2 {
		t.Errorf("three of two: %v", got)
	}
}
