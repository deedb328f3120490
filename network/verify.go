package network

import "fmt"

// Finding is one thing that Verify looked at.
type Finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

// findings collects what Verify finds.
type findings []Finding

func (f *findings) same(what string, got, want int) {
	*f = append(*f, Finding{what, got == want, fmt.Sprint(got), fmt.Sprint(want)})
}

// size is same for a size that is known if it is not 0.
func (f *findings) size(what string, got, want int) {
	if want > 0 {
		f.same(what, got, want)
	}
}

// Verify reads the files of a data set under dataDir and compares them with what is known of it: the size of the largest
// component, the sizes of the split if it is the published one, that the split is sound, and that it belongs to the links. It
// fails when a file cannot be read, or for a data set with vertices of several types; whatever else is wrong is in the findings.
func (d Dataset) Verify(dataDir string) ([]Finding, error) {
	if d.Typed || d.Schema != "" {
		return nil, fmt.Errorf("network: data set %s has vertices of several types: want it verified by package hetnet", d.Name)
	}
	edges, split, err := d.Find(dataDir)
	if err != nil {
		return nil, err
	}
	var f findings
	var n *Network
	if edges != "" {
		if n, _, err = Read(edges, ReadOptions{Directed: d.Directed}); err != nil {
			return nil, err
		}
		n = n.LargestComponent()
		f.size("vertices of the largest component", n.Vertices(), d.Vertices)
		f.size("links of the largest component", n.Links(), d.Links)
		if d.Links > 0 {
			f.same("self-loops", n.loops, d.SelfLoops)
		}
	}
	if split == "" {
		return f, nil
	}
	s, err := ReadSplit(split, d.Directed) // and its Check
	if err != nil {
		return nil, err
	}
	if err := d.verifySizes(&f, s); err != nil {
		return nil, err
	}
	if n != nil {
		f.verifyLinks(s, n)
	}
	return f, nil
}

// verifySizes compares the sizes of a split with those of the published one, unless it was made here.
func (d Dataset) verifySizes(f *findings, s *Split) error {
	f.size("split: vertices", len(s.Names), d.Vertices)
	components := 1
	if s.Options.Rule == "" {
		f.size("split: training links", len(s.Train), d.Train)
		f.size("split: test links", len(s.Test), d.Test)
		used := s.TestNeg
		if s.Directed {
			used = s.TestNegDirected
		}
		f.size("split: test negatives", len(used), d.TestNeg)
		components = d.TrainComponents
	}
	f.size("split: training negatives", len(s.TrainNeg), len(s.Train))
	f.size("split: random test negatives", len(s.TestNeg), len(s.Test))
	train, err := s.TrainNetwork()
	if err != nil {
		return err
	}
	_, parts := train.components()
	f.size("split: parts of the training network", parts, components)
	return nil
}

// verifyLinks looks whether a split belongs to the largest component that it was made from.
func (f *findings) verifyLinks(s *Split, n *Network) {
	unknown := 0
	for _, name := range s.Names {
		if _, ok := n.Index(name); !ok {
			unknown++
		}
	}
	linked := func(lists ...[]Link) (count int) {
		for _, list := range lists {
			for _, l := range list {
				from, here := n.Index(s.Names[l.From])
				to, there := n.Index(s.Names[l.To])
				if here && there && n.Has(from, to) {
					count++
				}
			}
		}
		return count
	}
	f.same("split: vertices that are not in the network", unknown, 0)
	f.same("split: links that are not in the network", len(s.Train)+len(s.Test)-linked(s.Train, s.Test), 0)
	f.same("split: random negatives that are links of the network", linked(s.TrainNeg, s.TestNeg), 0)
}
