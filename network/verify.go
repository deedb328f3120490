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

func (f *findings) size(what string, got, want int) {
	if want > 0 {
		*f = append(*f, Finding{what, got == want, fmt.Sprint(got), fmt.Sprint(want)})
	}
}

func (f *findings) none(what string, got int) {
	*f = append(*f, Finding{what, got == 0, fmt.Sprint(got), "0"})
}

// Verify reads the files of a data set under dataDir and compares them with what is known of it: the size of the largest
// component, the sizes of the split if it is the published one, that the split is sound, and that it belongs to the links. It
// fails when a file cannot be read, or for a data set with vertices of several types; whatever else is wrong is in the findings.
func (d Dataset) Verify(dataDir string) ([]Finding, error) {
	switch {
	case d.Typed:
		return nil, fmt.Errorf("network: data set %s has vertices of several types: want hetnet.Verify", d.Name)
	case d.Schema != "":
		return nil, fmt.Errorf("network: data set %s has vertices of several types: want typed.ReadAs with its schema", d.Name)
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
			f = append(f, Finding{"self-loops", n.loops == d.SelfLoops, fmt.Sprint(n.loops), fmt.Sprint(d.SelfLoops)})
		}
	}
	if split == "" {
		return f, nil
	}
	s, err := ReadSplit(split, d.Directed) // and its Check
	if err != nil {
		return nil, err
	}
	err = d.verifySplit(&f, s, n)
	return f, err
}

// verifySplit looks at a split; n is the largest component that it was made from, or nil.
func (d Dataset) verifySplit(f *findings, s *Split, n *Network) error {
	f.size("split: vertices", len(s.Names), d.Vertices)
	components := 1
	if s.Options.Rule == "" { // made elsewhere: it must be the published one
		f.size("split: training links", len(s.Train), d.Train)
		f.size("split: test links", len(s.Test), d.Test)
		used := len(s.TestNeg)
		if s.Directed {
			used = len(s.TestNegDirected)
		}
		f.size("split: test negatives", used, d.TestNeg)
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
	if n == nil {
		return nil
	}
	vertex := make([]int32, len(s.Names)) // in n
	unknown := 0
	for v, name := range s.Names {
		var ok bool
		if vertex[v], ok = n.Index(name); !ok {
			vertex[v] = -1
			unknown++
		}
	}
	f.none("split: vertices that are not in the network", unknown)
	has := func(l Link) bool {
		u, v := vertex[l.From], vertex[l.To]
		return u >= 0 && v >= 0 && n.Has(u, v)
	}
	outside, linked := 0, 0
	for _, list := range [][]Link{s.Train, s.Test} {
		for _, l := range list {
			if !has(l) {
				outside++
			}
		}
	}
	for _, list := range [][]Link{s.TrainNeg, s.TestNeg} {
		for _, l := range list {
			if has(l) {
				linked++
			}
		}
	}
	f.none("split: links that are not in the network", outside)
	f.none("split: random negatives that are links of the network", linked)
	return nil
}
