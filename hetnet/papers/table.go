package papers

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
	"github.com/asp2vec/asp2vec/network"
)

// Files of a table of papers, also without .gz.
const (
	PapersFile     = "papers.tsv.gz"
	CandidatesFile = "candidates.tsv.gz"
)

// Row is a paper as a table has it.
type Row struct {
	Name                  string
	Test                  bool
	Venue                 string // "" where there is none
	Authors, Cites, Words []string
	Line                  int // where it stands, from 1
}

// Listed are the candidates of a test paper, by name.
type Listed struct {
	Paper   string
	Authors []string
	where   string // file and line, for errors
}

// Table is papers by their names: what a folder holds before it becomes a bibliography.
type Table struct {
	Rows       []Row
	Candidates []Listed
	Draw       Draw          // of test papers without candidates
	Notes      network.Notes // of reading it

	place map[string]int // of a paper by its name
}

// NewTable returns a table without papers, for whose test papers 100 candidates are drawn under seed 1, with their authors.
func NewTable() *Table {
	return &Table{place: map[string]int{}, Draw: Draw{Total: 100, Seed: 1}}
}

// Add adds a paper. It returns an error for one whose name is there already.
func (t *Table) Add(r Row) error {
	if i, ok := t.place[r.Name]; ok {
		return fmt.Errorf("paper %.60q again, after line %d: expected each paper once", r.Name, t.Rows[i].Line)
	}
	t.place[r.Name] = len(t.Rows)
	t.Rows = append(t.Rows, r)
	return nil
}

// tableColumns are those of papers.tsv, which Write writes as a comment.
const tableColumns = "paper\tsplit\tvenue\tauthors\treferences\ttokens"

// readTable reads papers.tsv and candidates.tsv of a folder.
func readTable(dir, papers string) (*Table, error) {
	t := NewTable()
	o := network.TableOptions{Separator: '\t', Columns: 6, Want: "a paper: its name, split, venue, authors, references and words"}
	err := eachRow(filepath.Join(dir, papers), o, func(row line) error {
		r, err := row.paper()
		if err != nil || r.Name == "" {
			return err
		}
		return row.at(t.Add(r))
	})
	if err != nil {
		return nil, err
	}
	candidates, err := findTable(dir, CandidatesFile)
	if err != nil || candidates == "" {
		return t, err
	}
	o = network.TableOptions{Separator: '\t', Columns: 2, Want: "a test paper, and authors"}
	return t, eachRow(filepath.Join(dir, candidates), o, func(row line) error { return t.addCandidates(row) })
}

// addCandidates adds the candidates of a paper, which are those of a line.
func (t *Table) addCandidates(row line) error {
	paper, err := row.Name(row.columns[0], "paper")
	if err != nil {
		return err
	}
	authors, err := row.names(row.columns[1], "candidate")
	if err != nil {
		return err
	}
	if len(authors) == 0 {
		return row.Errorf("paper %q has no candidates: expected at least one", paper)
	}
	if i := slices.IndexFunc(t.Candidates, func(l Listed) bool { return l.Paper == paper }); i >= 0 {
		return row.Errorf("candidates of paper %q again, after %s: expected them once", paper, t.Candidates[i].where)
	}
	t.Candidates = append(t.Candidates, Listed{paper, authors, fmt.Sprintf("%s:%d", row.path, row.Line())})
	return nil
}

// line is a line of a table with its columns.
type line struct {
	*network.TableReader
	path    string
	columns [][]byte
}

// eachRow calls do for each line of a table, until it returns an error.
func eachRow(path string, o network.TableOptions, do func(row line) error) error {
	table, err := network.OpenTable(path, o)
	if err != nil {
		return err
	}
	defer table.Close()
	for {
		columns, err := table.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(line{table, path, columns})
		}
		if err != nil {
			return err
		}
	}
}

// at returns an error, if any, as one about the line.
func (l line) at(err error) error {
	if err == nil {
		return nil
	}
	return l.Errorf("%w", err)
}

// paper returns the paper of a line of papers.tsv; one without a name for a first line that has the names of columns.
func (l line) paper() (r Row, err error) {
	r.Line = l.Line()
	switch split := string(l.columns[1]); {
	case split == "train", split == "test":
		r.Test = split == "test"
	case split == "split" && r.Line == 1:
		return r, nil
	default:
		return r, l.Errorf("split %.60q: expected train or test", split)
	}
	if r.Name, err = l.Name(l.columns[0], "paper"); err != nil {
		return r, err
	}
	if len(strings.TrimSpace(string(l.columns[2]))) > 0 {
		if r.Venue, err = l.Name(l.columns[2], "venue"); err != nil {
			return r, err
		}
	}
	if r.Authors, err = l.names(l.columns[3], "author"); err != nil {
		return r, err
	}
	if r.Cites, err = l.names(l.columns[4], "reference"); err != nil {
		return r, err
	}
	r.Words, err = l.words(l.columns[5])
	return r, err
}

// names parts a column into names, of which there may be none, at its commas; spaces around them do not count.
func (l line) names(column []byte, what string) (list []string, err error) {
	text := string(column)
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		if strings.Contains(part, "; ") {
			return nil, l.Errorf("%s %.60q has a semicolon: expected commas between names", what, part)
		}
		name, err := l.Name([]byte(part), what)
		if err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, nil
}

// words parts a column at blanks.
func (l line) words(column []byte) ([]string, error) {
	list := strings.Fields(string(column))
	for _, s := range list {
		if _, err := l.Name([]byte(s), "word"); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Write writes the table into a folder, which it makes if there is none, as PapersFile and, where there are candidates, CandidatesFile, each
// whole or not at all. Read gives the same table back.
//
// It returns an error if a file cannot be written, and for names that cannot be read back, such as that of a paper with a comma.
func (t *Table) Write(dir string) error {
	write := func(name string, fill func(w *bufio.Writer)) error {
		return atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error {
			z := gzip.NewWriter(w) // without a time in its header: equal tables give equal files
			text := bufio.NewWriter(z)
			fill(text)
			return errors.Join(text.Flush(), z.Close()) // a bufio.Writer keeps its first error
		})
	}
	if len(t.Candidates) > 0 { // first: where papers are, candidates are theirs
		if err := write(CandidatesFile, t.writeCandidates); err != nil {
			return fmt.Errorf("papers: %w", err)
		}
	}
	if err := write(PapersFile, t.writePapers); err != nil {
		return fmt.Errorf("papers: %w", err)
	}
	again, err := readTable(dir, PapersFile)
	if err != nil {
		return fmt.Errorf("papers: what was written cannot be read: %w", err)
	}
	same := func(r, q Row) bool {
		return r.Name == q.Name && r.Venue == q.Venue && slices.Equal(r.Authors, q.Authors) && slices.Equal(r.Cites, q.Cites) && slices.Equal(r.Words, q.Words)
	}
	if !slices.EqualFunc(t.Rows, again.Rows, same) {
		return fmt.Errorf("papers: names in %s are not read as they were written: expected none with commas, blanks at the ends or # at the beginning", dir)
	}
	return nil
}

func (t *Table) writePapers(w *bufio.Writer) {
	fmt.Fprintf(w, "#%s\n", tableColumns)
	for _, r := range t.Rows {
		split := map[bool]string{false: "train", true: "test"}[r.Test]
		fmt.Fprintln(w, strings.Join([]string{r.Name, split, r.Venue, strings.Join(r.Authors, ","), strings.Join(r.Cites, ","), strings.Join(r.Words, " ")}, "\t"))
	}
}

func (t *Table) writeCandidates(w *bufio.Writer) {
	fmt.Fprint(w, "#test paper\tcandidates\n")
	for _, l := range t.Candidates {
		fmt.Fprintf(w, "%s\t%s\n", l.Paper, strings.Join(l.Authors, ","))
	}
}

// findTable is find for a file, also compressed.
func findTable(dir, file string) (string, error) {
	return find(dir, func(name string) bool { return strings.TrimSuffix(name, ".gz") == strings.TrimSuffix(file, ".gz") })
}

// find returns the name of a file in a folder that is one of those wanted, or "". It is an error if two are.
func find(dir string, wanted func(name string) bool) (found string, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("papers: %w", err)
	}
	for _, f := range files {
		switch name := f.Name(); {
		case !wanted(name):
		case found != "":
			return "", fmt.Errorf("papers: %s has both %s and %s: expected one of them", dir, found, name)
		default:
			found = name
		}
	}
	return found, nil
}
