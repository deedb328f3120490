package eval

import (
	"fmt"

	"github.com/asp2vec/asp2vec/network"
)

// list is one of the lists of links of a split.
type list struct {
	name  string
	links []network.Link
}

// testLists returns the test links, the random negatives, and for a directed network those with the reversed arcs.
func testLists(s *network.Split) []list {
	lists := []list{{"test", s.Test}, {"test_neg", s.TestNeg}}
	if s.Directed {
		lists = append(lists, list{"test_neg_directed", s.TestNegDirected})
	}
	return lists
}

// checkSplit reports what of a split does not fit the vectors of n vertices, and lists without links.
func checkSplit(caller string, n int, s *network.Split, lists []list) error {
	if len(s.Names) != 0 && len(s.Names) != n {
		return fmt.Errorf("eval: %s: vectors of %d vertices for a network of %d vertices: expected those of the same", caller, n, len(s.Names))
	}
	for _, l := range lists {
		if len(l.links) == 0 {
			return fmt.Errorf("eval: %s: no links in %s: expected at least one", caller, l.name)
		}
		if err := checkLinks(l.name, l.links, n); err != nil {
			return err
		}
	}
	return nil
}

func checkLinks(name string, links []network.Link, n int) error {
	for i, l := range links {
		if l.From < 0 || int(l.From) >= n || l.To < 0 || int(l.To) >= n {
			return fmt.Errorf("eval: link %d of %s is (%d,%d): expected vertices from 0 to %d", i, name, l.From, l.To, n-1)
		}
	}
	return nil
}
