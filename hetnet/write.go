package hetnet

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

// Files that Write writes.
const (
	PapersFile     = "papers.tsv.gz"
	CandidatesFile = "candidates.tsv.gz"
)

// Write writes a bibliography into a folder, which it makes if there is none, as PapersFile and CandidatesFile, each whole or
// not at all. Read gives the same bibliography back, up to the order of its authors, venues and words: if these are in the
// order of their first appearance, as Read and Planted have them, they stay so. Authors who are in no training paper, and
// venues and words that are in no paper, are lost.
//
// It returns an error if the bibliography does not pass Check, if there is a name that could not be read back, such as an
// author with a comma or a word with a space, or if a file cannot be written.
func Write(dir string, b *Bibliography) error {
	if err := b.Check(); err != nil {
		return err
	}
	if err := b.writable(); err != nil {
		return err
	}
	write := func(name string, fill func(w *bufio.Writer)) error {
		return atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error {
			z := gzip.NewWriter(w) // without a time in its header: equal bibliographies give equal files
			text := bufio.NewWriter(z)
			fill(text)
			if err := text.Flush(); err != nil { // a bufio.Writer keeps its first error
				return err
			}
			return z.Close()
		})
	}
	// Candidates first: where papers are, candidates are theirs.
	if err := write(CandidatesFile, b.writeCandidates); err != nil {
		return fmt.Errorf("hetnet: Write: %w", err)
	}
	if err := write(PapersFile, b.writePapers); err != nil {
		return fmt.Errorf("hetnet: Write: %w", err)
	}
	return nil
}

func (b *Bibliography) writePapers(w *bufio.Writer) {
	fmt.Fprintf(w, "#%s\n", tableColumns)
	test := b.tests()
	for i := range b.Papers {
		p := &b.Papers[i]
		w.WriteString(p.Name)
		if test[i] {
			w.WriteString("\ttest\t")
		} else {
			w.WriteString("\ttrain\t")
		}
		if p.Venue >= 0 {
			w.WriteString(b.Venues[p.Venue])
		}
		writeList(w, "\t", ",", p.Authors, func(a int32) string { return b.Authors[a] })
		writeList(w, "\t", ",", p.Cites, func(q int32) string { return b.Papers[q].Name })
		writeList(w, "\t", " ", p.Tokens, func(t int32) string { return b.Words[t] })
		w.WriteByte('\n')
	}
}

func (b *Bibliography) writeCandidates(w *bufio.Writer) {
	w.WriteString("#test paper\tcandidates\n")
	for _, i := range b.Test {
		w.WriteString(b.Papers[i].Name)
		writeList(w, "\t", ",", b.Papers[i].Candidates, func(a int32) string { return b.Authors[a] })
		w.WriteByte('\n')
	}
}

// writeList writes a column of names.
func writeList(w *bufio.Writer, before, between string, list []int32, name func(int32) string) {
	w.WriteString(before)
	for i, x := range list {
		if i > 0 {
			w.WriteString(between)
		}
		w.WriteString(name(x))
	}
}

// tests says of each paper whether it is a test paper.
func (b *Bibliography) tests() []bool {
	test := make([]bool, len(b.Papers))
	for _, p := range b.Test {
		test[p] = true
	}
	return test
}

// writable returns which name could not be read back.
func (b *Bibliography) writable() error {
	check := func(what, name, without string, used map[string]bool) error {
		err := network.CheckID([]byte(name))
		switch {
		case err != nil:
		case strings.ContainsAny(name, without):
			err = fmt.Errorf("has one of %q", without)
		case strings.TrimSpace(name) != name:
			err = errors.New("starts or ends with a space")
		case used[name]:
			err = errors.New("is there twice")
		}
		if err != nil {
			return fmt.Errorf("hetnet: Write: %s %.60q cannot be written: it %w", what, name, err)
		}
		used[name] = true
		return nil
	}
	papers := map[string]bool{}
	for i := range b.Papers {
		name := b.Papers[i].Name
		if err := check("paper", name, ",", papers); err != nil {
			return err
		}
		if name[0] == '#' {
			return fmt.Errorf("hetnet: Write: paper %.60q cannot be written: its line would be a comment", name)
		}
	}
	for _, list := range []struct {
		what, without string
		names         []string
	}{{"author", ",", b.Authors}, {"venue", "", b.Venues}, {"word", "", b.Words}} {
		used := map[string]bool{}
		for _, name := range list.names {
			if err := check(list.what, name, list.without, used); err != nil {
				return err
			}
			if list.what == "word" && len(strings.Fields(name)) != 1 {
				return fmt.Errorf("hetnet: Write: word %.60q cannot be written: it has a blank", name)
			}
		}
	}
	return nil
}
