package network

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadSplit reads a split from a folder with the files train, train_neg, test, test_neg and, for directed networks,
// test_neg_directed, each as .tsv.gz or .tsv of lines of two ids, in train also of a weight if links have some, and split.json
// where Write made it.
//
// split.json tells whether the network is directed; without it the presence of test_neg_directed does. directed = true asks
// for a directed one and fails if split.json says otherwise.
//
// The vertices are those of all lists, numbered as ReadFrom does, and the lists are sorted. Stranded returns
// those that are not in train. ReadSplit fails when these are the most, when a file is missing or holds no
// pair, when split.json does not match the files, and when the split does not pass Check.
func ReadSplit(dir string, directed bool) (*Split, error) {
	return ReadSplitWithin(context.Background(), dir, directed, 0)
}

// ReadSplitWithin is ReadSplit that returns an error, with file and line, where the split needs more than so many bytes of memory, and where ctx ends.
func ReadSplitWithin(ctx context.Context, dir string, directed bool, memory uint64) (*Split, error) {
	if fi, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("network: split: %w", err)
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("network: split: %s is a file: expected a folder", dir)
	}
	info, err := readSplitInfo(dir)
	if err != nil {
		return nil, err
	}
	s := &Split{Directed: directed}
	if info != nil {
		if directed && !info.Directed {
			return nil, fmt.Errorf("network: split: %s says undirected, but directed is asked for: expected the same", filepath.Join(dir, splitInfoFile))
		}
		s.Directed, s.Sides, s.Lost = info.Directed, info.Sides, info.Lost
		s.Options = SplitOptions{Remove: info.Remove, Rule: info.Rule, Seed: info.Seed, AsPublished: info.AsPublished}
	} else if !directed {
		found, err := findList(dir, listNames[len(listNames)-1])
		if err != nil {
			return nil, err
		}
		s.Directed = found != ""
	}
	r := splitReader{dir: dir, memory: memory, ids: newInterner()}
	for _, list := range s.lists() {
		if *list.links, err = r.list(ctx, list.name); err != nil {
			return nil, err
		}
	}
	names, rank := r.ids.ranked()
	s.Names = names
	for _, list := range s.lists() {
		for i, l := range *list.links {
			(*list.links)[i] = Link{rank[l.From], rank[l.To]}
		}
		if list.links == &s.Train {
			for i, w := range r.weights {
				s.setWeight(s.Train[i], w)
			}
		}
		*list.links = s.canonical(*list.links) // so that the order in a file does not matter
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, dir)
	}
	if info != nil {
		if got := s.Checksum(); got != info.Checksum {
			return nil, fmt.Errorf("network: split: %s: the files have the checksum %s: expected %q; were they changed? Without %s they are read as they are",
				filepath.Join(dir, splitInfoFile), got, info.Checksum, splitInfoFile)
		}
	}
	return s, nil
}

// readSplitInfo returns nil if there is no split.json.
func readSplitInfo(dir string) (*splitInfo, error) {
	path := filepath.Join(dir, splitInfoFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("network: split: %w", err)
	}
	var info splitInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, fmt.Errorf("network: split: %s: %w: expected what Split.Write writes", path, err)
	}
	if info.Format != splitFormat {
		return nil, fmt.Errorf("network: split: %s: format %d: expected %d", path, info.Format, splitFormat)
	}
	return &info, nil
}

// findList returns the path of a list of the split, or "" if there is none.
func findList(dir, list string) (string, error) {
	var found []string
	for _, ending := range []string{".tsv.gz", ".tsv"} {
		path := filepath.Join(dir, list+ending)
		if _, err := os.Stat(path); err == nil {
			found = append(found, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("network: split: %w", err)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("network: split: %s and %s are both there: expected one of them", found[0], found[1])
}

// splitReader reads the lists of one split, train first.
type splitReader struct {
	dir     string
	memory  uint64 // bytes that there may be, 0 for no matter
	named   uint64 // bytes of all ids
	links   int    // of all lists
	ids     *interner
	trained int       // vertices of train
	weights []float32 // of its links, if it has such a column
	other   error     // about the first vertex that is not in train
}

func (r *splitReader) list(ctx context.Context, name string) ([]Link, error) {
	path, err := findList(r.dir, name)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("network: split: %s is missing: expected it, or %s.tsv", filepath.Join(r.dir, name+".tsv.gz"), name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: split: %w", err)
	}
	defer f.Close()
	l, err := newLines(f, path)
	if err != nil {
		return nil, err
	}
	c := columns{lines: l}
	limit := 2
	if name == "train" {
		limit = 3
	}
	var links []Link
	for err = c.next(limit); err == nil; err = c.next(limit) {
		var ends [2]int32
		for i := range ends {
			if ends[i], err = r.vertex(&c, c.field[i]); err != nil {
				return nil, err
			}
		}
		links = append(links, Link{ends[0], ends[1]})
		if c.count == 3 {
			w, err := ParseWeight(string(c.field[2]))
			if err != nil {
				return nil, c.errorf("%w in the third column", err)
			}
			r.weights = append(r.weights, float32(w))
		}
		if r.links++; r.links%piece == 0 {
			if err := cmp.Or(ctx.Err(), fits(r.memory, r.named, len(r.ids.names), r.links, r.weights != nil)); err != nil {
				return nil, c.errorf("%w", err)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(links) == 0 {
		return nil, &ParseError{path, 0, errors.New("contains no pair: expected lines of two ids")}
	}
	if r.trained = cmp.Or(r.trained, len(r.ids.names)); len(r.ids.names) > 2*r.trained {
		return nil, r.other
	}
	return links, nil
}

func (r *splitReader) vertex(c *columns, id []byte) (int32, error) {
	v, isNew := r.ids.intern(id)
	if !isNew {
		return v, nil
	}
	if err := c.check(id); err != nil {
		return 0, err
	}
	if r.named += uint64(len(id)); r.ids.full() {
		return 0, c.errorf("more vertices than an int32 can number: expected fewer")
	}
	if r.trained > 0 && r.other == nil {
		r.other = c.errorf("vertex %s is not in train, like most others: expected most vertices there", quote(id))
	}
	return v, nil
}
