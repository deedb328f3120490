package network

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/internal/compressed"
	"github.com/asp2vec/asp2vec/internal/pickle"
)

// Files of a data set.
const (
	LinksFile   = "edges.tsv.gz"
	LabelsFile  = "labels.tsv.gz"
	SplitFolder = "split"
)

// Pickled is a split as the authors' code pickles it (data_remove_percent_0.5.pkl), and the labels of vertices where it has some.
type Pickled struct {
	Split  Split   // its lists are in the order of the file
	Labels [][]int // of each vertex, ascending; nil if there are none

	path string
}

// pickledLists are the names that the authors' code gives to the lists of listNames.
var pickledLists = [len(listNames)]string{"train_edges", "train_edges_neg", "test_edges", "test_edges_neg", "test_edges_neg_directed"}

// ReadPickled reads a split that the authors' code, or a fork of it, pickled: a dict with isDirected; index, a dict from ids to
// numbers from 0; train_edges, train_edges_neg, test_edges, test_edges_neg and, of directed networks, test_edges_neg_directed,
// arrays of pairs of such numbers; and maybe label_matrix, an array with a row for each vertex. No code in the file is run.
//
// Errors name the file: it cannot be read, is no such pickle, lacks one of these, has a number that no id has, an id that no
// file of links could hold, or a split that does not pass Check or strands more vertices than ReadSplit lets pass.
func ReadPickled(path string) (*Pickled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	return readPickled(f, path)
}

func readPickled(r io.Reader, path string) (*Pickled, error) {
	v, err := pickle.Read(r, path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	p := &Pickled{path: path}
	if err := p.take(v); err != nil {
		return nil, fmt.Errorf("network: %s: %w", path, err)
	}
	return p, nil
}

func (p *Pickled) take(v any) error {
	entries, ok := pickle.Entries(v)
	if !ok {
		return fmt.Errorf("contains %s: expected a split, a dict with index, train_edges and others", pickle.Kind(v))
	}
	values := map[string]any{}
	for _, e := range entries {
		if key, ok := pickle.Text(e.Key); ok {
			values[key] = e.Value
		}
	}
	s := &p.Split
	if v, given := values["isDirected"]; given {
		if s.Directed, ok = v.(bool); !ok {
			return fmt.Errorf("isDirected is %s: expected a bool", pickle.Kind(v))
		}
	} else {
		_, s.Directed = values[pickledLists[len(pickledLists)-1]]
	}
	names, err := pickledNames(values["index"])
	if err != nil {
		return err
	}
	var rank []int32 // of the numbers in the file among the names in their order
	s.Names, rank = (&interner{names: names}).ranked()
	for i, list := range s.lists() {
		v, given := values[pickledLists[i]]
		if !given {
			return fmt.Errorf("has no %s: expected a split as the authors' code pickles it", pickledLists[i])
		}
		if *list.links, err = pickledPairs(v, rank); err != nil {
			return fmt.Errorf("%s: %w", pickledLists[i], err)
		}
	}
	if err := p.check(); err != nil {
		return err
	}
	if v, given := values["label_matrix"]; given {
		p.Labels, err = pickledLabels(v, rank)
	}
	return err
}

// check returns what is wrong with the split.
func (p *Pickled) check() error {
	if err := cmp.Or(checkNames(p.Split.Names), p.Split.Check()); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "network: "))
	}
	if v := p.Split.unnamed(); v >= 0 {
		return fmt.Errorf("vertex %.60q is in no pair: expected each vertex in some", p.Split.Names[v])
	}
	return nil
}

// pickledNames returns the ids of the vertices in the order of their numbers.
func pickledNames(v any) ([]string, error) {
	entries, ok := pickle.Entries(v)
	if !ok || len(entries) == 0 {
		return nil, fmt.Errorf("index is %s: expected a dict from ids to numbers", pickle.Kind(v))
	}
	names, given := make([]string, len(entries)), make([]bool, len(entries))
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		id, ok := pickle.Text(e.Key)
		if !ok || seen[id] {
			return nil, fmt.Errorf("index: the id of a vertex is %s %.60q: expected numbers or strings, each once", pickle.Kind(e.Key), id)
		}
		i, ok := e.Value.(int)
		if !ok {
			return nil, fmt.Errorf("index: id %.60q has %s: expected a number from 0 to %d", id, pickle.Kind(e.Value), len(names)-1)
		}
		if i < 0 || i >= len(names) || given[i] {
			return nil, fmt.Errorf("index: id %.60q is number %d: expected each number from 0 to %d once", id, i, len(names)-1)
		}
		names[i], given[i], seen[id] = id, true, true
	}
	return names, nil
}

// pickledPairs returns the links of an array of pairs of numbers, of vertices by their ranks.
func pickledPairs(v any, rank []int32) ([]Link, error) {
	array, ok := v.(*pickle.Array)
	if !ok {
		return nil, fmt.Errorf("is %s: expected an array of pairs", pickle.Kind(v))
	}
	pairs, err := array.Pairs()
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, errors.New("contains no pair: expected at least one")
	}
	links := make([]Link, len(pairs))
	for i, pair := range pairs {
		if min(pair[0], pair[1]) < 0 || int(max(pair[0], pair[1])) >= len(rank) {
			return nil, fmt.Errorf("row %d is %d, %d: expected numbers from 0 to %d", i, pair[0], pair[1], len(rank)-1)
		}
		links[i] = Link{rank[pair[0]], rank[pair[1]]}
	}
	return links, nil
}

// pickledLabels returns the columns of each row that are not zero, of vertices in the order of their ranks.
func pickledLabels(v any, rank []int32) ([][]int, error) {
	array, ok := v.(*pickle.Array)
	if !ok || len(array.Shape) != 2 || array.Shape[0] != len(rank) {
		return nil, fmt.Errorf("label_matrix is %s: expected an array with a row for each of %d vertices", pickle.Kind(v), len(rank))
	}
	labels := make([][]int, len(rank))
	for i, v := range rank {
		for j := range array.Shape[1] {
			if array.At(i, j) != 0 {
				labels[v] = append(labels[v], j)
			}
		}
	}
	return labels, nil
}

// FillDataset writes the files of a data set into a folder that is there: edges.tsv.gz, which is the file of links if there is one and
// else the links of the split; split, its lists in their order; and labels.tsv.gz, if there are labels, a vertex and one of its labels
// a line. links is "" for none. It returns an error where a file cannot be written, and where links lacks a link of the split.
func (p *Pickled) FillDataset(dir, links string) error {
	s := &p.Split
	if links != "" {
		n, err := CopyLinks(links, filepath.Join(dir, LinksFile), s.Directed)
		if err != nil {
			return err
		}
		for _, list := range [][]Link{s.Train, s.Test} {
			for _, l := range list {
				from, here := n.Index(s.Names[l.From])
				to, there := n.Index(s.Names[l.To])
				if !here || !there || !n.Has(from, to) {
					return fmt.Errorf("network: %s: the link %s to %s is not in %s: expected the split of these links", p.path, s.Names[l.From], s.Names[l.To], links)
				}
			}
		}
	} else if err := writeList(filepath.Join(dir, LinksFile), s.Names, append(s.Train[:len(s.Train):len(s.Train)], s.Test...), nil); err != nil {
		return err
	}
	folder := filepath.Join(dir, SplitFolder)
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	for _, list := range s.lists() {
		if err := writeList(filepath.Join(folder, list.name+".tsv.gz"), s.Names, *list.links, nil); err != nil {
			return err
		}
	}
	if p.Labels == nil {
		return nil
	}
	return writeZipped(filepath.Join(dir, LabelsFile), func(w io.Writer) error { return p.writeLabels(w) })
}

// writeLabels writes a line for each vertex and each of its labels.
func (p *Pickled) writeLabels(w io.Writer) error {
	b := bufio.NewWriter(w)
	for v, labels := range p.Labels {
		name := p.Split.Names[v]
		if name[0] == '#' || name[0] == '%' {
			name = " " + name // else its line would be a comment
		}
		for _, label := range labels {
			fmt.Fprintf(b, "%s\t%d\n", name, label)
		}
	}
	return b.Flush()
}

// CopyLinks copies a file of links, plain or compressed, to a gzip file with the same text, and returns the network that Read reads
// from it. It fails if either file cannot be read or written, or if the text is not what Read reads.
func CopyLinks(from, to string, directed bool) (*Network, error) {
	n, _, err := Read(from, ReadOptions{Directed: directed})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(from)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	text, err := compressed.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("network: %s: %w", from, err)
	}
	return n, writeZipped(to, func(w io.Writer) error {
		_, err := io.Copy(w, text)
		return err
	})
}

// writeZipped writes a gzip file without a time in its header: equal texts give equal files.
func writeZipped(path string, fill func(w io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("network: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := gzip.NewWriter(f)
	if err := fill(z); err != nil {
		return fmt.Errorf("network: %s: %w", path, err)
	}
	return z.Close()
}
