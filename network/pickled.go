package network

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/internal/pickle"
)

// Files of a folder that Pickled.WriteDataset writes.
const (
	LinksFile   = "edges.tsv.gz"
	LabelsFile  = "labels.tsv.gz"
	SplitFolder = "split"
)

// Pickled is a split as the authors' code pickles it (data_remove_percent_0.5.pkl): pairs of vertices in their order there, and
// the labels of vertices where it has some.
type Pickled struct {
	Split  Split   // its lists are in the order of the file, and its names in that of the vertices' numbers there
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

func (p *Pickled) take(v pickle.Value) error {
	entries, ok := pickle.Entries(v)
	if !ok {
		return fmt.Errorf("contains %s: want a split, a dict with index, train_edges and others", pickle.Kind(v))
	}
	values := map[string]pickle.Value{}
	for _, e := range entries {
		if key, ok := pickle.Text(e.Key); ok {
			values[key] = e.Value
		}
	}
	s := &p.Split
	if v, given := values["isDirected"]; given {
		if s.Directed, ok = v.(bool); !ok {
			return fmt.Errorf("isDirected is %s: want a bool", pickle.Kind(v))
		}
	} else {
		_, s.Directed = values[pickledLists[len(pickledLists)-1]]
	}
	var err error
	if s.Names, err = pickledNames(values["index"]); err != nil {
		return err
	}
	for i, list := range s.lists() {
		v, given := values[pickledLists[i]]
		if !given {
			return fmt.Errorf("has no %s: want a split as the authors' code pickles it", pickledLists[i])
		}
		if *list.links, err = pickledPairs(v, len(s.Names)); err != nil {
			return fmt.Errorf("%s: %w", pickledLists[i], err)
		}
	}
	if err := s.Check(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "network: "))
	}
	used := make([]bool, len(s.Names))
	for _, list := range s.lists() {
		for _, l := range *list.links {
			used[l.From], used[l.To] = true, true
		}
	}
	if v := slices.Index(used, false); v >= 0 {
		return fmt.Errorf("vertex %.60q is in no pair: want each vertex in some", s.Names[v])
	}
	if n := len(s.Stranded()); n > maxStranded {
		return fmt.Errorf("%d vertices have no training link: want at most %d", n, maxStranded)
	}
	if v, given := values["label_matrix"]; given {
		p.Labels, err = pickledLabels(v, len(s.Names))
	}
	return err
}

// pickledNames returns the ids of the vertices in the order of their numbers.
func pickledNames(v pickle.Value) ([]string, error) {
	entries, ok := pickle.Entries(v)
	if !ok || len(entries) == 0 {
		return nil, fmt.Errorf("index is %s: want a dict from ids to numbers", pickle.Kind(v))
	}
	names := make([]string, len(entries))
	number := make(map[string]int, len(entries))
	for _, e := range entries {
		id, ok := pickle.Text(e.Key)
		if !ok {
			return nil, fmt.Errorf("index: the id of a vertex is %s: want a number or a string", pickle.Kind(e.Key))
		}
		i, ok := pickle.Int(e.Value)
		if !ok {
			return nil, fmt.Errorf("index: id %.60q has %s: want a number from 0 to %d", id, pickle.Kind(e.Value), len(names)-1)
		}
		if i < 0 || i >= len(names) {
			return nil, fmt.Errorf("index: id %.60q is number %d: want numbers from 0 to %d", id, i, len(names)-1)
		}
		if before, ok := number[id]; ok {
			return nil, fmt.Errorf("index: id %.60q is number %d and %d: want each id once", id, before, i)
		}
		if names[i] != "" {
			return nil, fmt.Errorf("index: %.60q and %.60q are both number %d: want numbers of their own", names[i], id, i)
		}
		if id == "" {
			return nil, errors.New("index: an id is empty")
		}
		names[i], number[id] = id, i
	}
	if err := checkNames(names); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "network: "))
	}
	return names, nil
}

// pickledPairs returns the pairs of an array, all of numbers below n.
func pickledPairs(v pickle.Value, n int) ([]Link, error) {
	array, ok := v.(*pickle.Array)
	if !ok {
		return nil, fmt.Errorf("is %s: want an array of pairs", pickle.Kind(v))
	}
	pairs, err := array.Pairs()
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, errors.New("contains no pair: want at least one")
	}
	links := make([]Link, len(pairs))
	for i, pair := range pairs {
		if min(pair[0], pair[1]) < 0 || int(max(pair[0], pair[1])) >= n {
			return nil, fmt.Errorf("row %d is %d, %d: want numbers from 0 to %d", i, pair[0], pair[1], n-1)
		}
		links[i] = Link{pair[0], pair[1]}
	}
	return links, nil
}

// pickledLabels returns the columns of each row that are not zero.
func pickledLabels(v pickle.Value, n int) ([][]int, error) {
	array, ok := v.(*pickle.Array)
	if !ok || len(array.Shape) != 2 || array.Shape[0] != n {
		return nil, fmt.Errorf("label_matrix is %s: want an array with a row for each of %d vertices", pickle.Kind(v), n)
	}
	labels := make([][]int, n)
	for i := range labels {
		for j := range array.Shape[1] {
			if x := array.At(i, j); x != 0 && x != 0.0 && x != false {
				labels[i] = append(labels[i], j)
			}
		}
	}
	return labels, nil
}

// WriteDataset writes a folder with the layout of a data set: edges.tsv.gz, which is the file of links if there is one and else
// the links of the split; split, its lists in their order; and labels.tsv.gz, if there are labels, a vertex and one of its labels
// a line. links is "" for none, and must hold all links of the split. Nothing is left of the folder if something fails; it must
// be new or empty, or with force it is replaced.
func (p *Pickled) WriteDataset(dir, links string, force bool) error {
	if err := atomicfile.Dir(dir, force, func(tmp string) error { return p.FillDataset(tmp, links) }); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	return nil
}

// FillDataset writes the files of WriteDataset into a folder that is there. It returns an error where a file cannot be written, where
// links lacks a link of the split, and where what was written does not read as the same split.
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
					return fmt.Errorf("network: %s: the link %s to %s is not in %s: want the split of these links", p.path, s.Names[l.From], s.Names[l.To], links)
				}
			}
		}
	} else if err := writeList(filepath.Join(dir, LinksFile), s.Names, append(s.Train[:len(s.Train):len(s.Train)], s.Test...), nil); err != nil {
		return err
	}
	folder := filepath.Join(dir, SplitFolder)
	if err := disk.Mkdir(folder, 0o777); err != nil {
		return err
	}
	for _, list := range s.lists() {
		if err := writeList(filepath.Join(folder, list.name+".tsv.gz"), s.Names, *list.links, nil); err != nil {
			return err
		}
	}
	again, err := ReadSplit(folder, s.Directed)
	if err != nil {
		return err
	}
	if got, want := again.Checksum(), p.Checksum(); got != want {
		return fmt.Errorf("network: %s: written and read the split has another checksum, %s for %s", p.path, got, want)
	}
	if p.Labels == nil {
		return nil
	}
	return writeZipped(filepath.Join(dir, LabelsFile), func(w io.Writer) error { return p.writeLabels(w) })
}

// Checksum returns that of the split as ReadSplit reads it, with its vertices in the order of their ids.
func (p *Pickled) Checksum() string {
	s := p.Split
	names, rank := (&interner{names: s.Names}).ranked()
	s.Names = names
	for _, list := range s.lists() {
		*list.links = slices.Clone(*list.links)
		for i, l := range *list.links {
			(*list.links)[i] = Link{rank[l.From], rank[l.To]}
		}
	}
	return s.Checksum()
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

// CopyLinks copies a file of links, plain or gzip, to a gzip file with the same text, and returns the network that Read reads
// from it. It fails if either file cannot be read or written, or if the text is not what Read reads.
func CopyLinks(from, to string, directed bool) (*Network, error) {
	f, err := os.Open(from)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	n, _, err := ReadFrom(f, from, ReadOptions{Directed: directed})
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	text := bufio.NewReader(f)
	var r io.Reader = text
	if head, _ := text.Peek(2); string(head) == "\x1f\x8b" {
		if r, err = gzip.NewReader(text); err != nil {
			return nil, fmt.Errorf("network: %s: %w", from, err)
		}
	}
	return n, writeZipped(to, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// writeZipped writes a gzip file without a time in its header: equal texts give equal files.
func writeZipped(path string, fill func(w io.Writer) error) (err error) {
	f, err := disk.Create(path)
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
