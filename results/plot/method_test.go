package plot

import (
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// A method keeps its look whichever others are drawn and in which order; a second series of it has another look than all others.
func TestCurveLooks(t *testing.T) {
	of := func(methods ...string) (series []CurveSeries) {
		for _, m := range methods {
			s := CurveSeries{Name: m}
			if m != "" {
				s.Records = []results.Record{{Method: m}}
			}
			series = append(series, s)
		}
		return series
	}
	for _, test := range []struct {
		methods []string
		want    []int // of looks
	}{
		{[]string{"asp2vec", "deepwalk", "splitter"}, []int{0, 1, 4}},
		{[]string{"splitter", "node2vec", "polydw", "dgi", "deepwalk", "asp2vec"}, []int{4, 5, 3, 2, 1, 0}},
		{[]string{"deepwalk", "deepwalk", "asp2vec"}, []int{1, 2, 0}},
		{[]string{"camel", "", "asp2vec", "deepwalk"}, []int{2, 3, 0, 1}},
		{[]string{"", "", "", "", "", "", "", ""}, []int{0, 1, 2, 3, 4, 5, 6, 0}},
	} {
		for i, l := range curveLooks(of(test.methods...)) {
			if l.color != lookOf(test.want[i]).color {
				t.Errorf("%v: series %d has %v, want look %d", test.methods, i, l.color, test.want[i])
			}
		}
	}
}
