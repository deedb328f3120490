package hetnet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// Report says what a folder held, and what of it was left out.
type Report struct {
	Layout string `json:"layout"`          // LayoutTable or LayoutLists
	Texts  string `json:"texts,omitempty"` // the file with the words of papers, where it is one of its own

	Train     int `json:"train"` // papers
	Test      int `json:"test"`
	Authors   int `json:"authors"`
	Venues    int `json:"venues"`
	Words     int `json:"words"`      // of the vocabulary
	Pairs     int `json:"pairs"`      // of a training paper and an author of it
	TestPairs int `json:"test_pairs"` // of a test paper and an author of it who is in training papers
	Citations int `json:"citations"`

	// Left out.
	UnknownAuthors    int `json:"unknown_authors"`              // different authors of test papers who are in no training paper
	UnknownPapers     int `json:"unknown_papers"`               // test papers that had no other authors
	UnknownCitations  int `json:"unknown_citations"`            // references to papers that are not there, to test papers, or of a paper to itself
	UnknownCandidates int `json:"unknown_candidates,omitempty"` // candidates in Camel's folder who are in no training paper
	Repeated          int `json:"repeated"`                     // authors and references given twice for one paper
	Strangers         int `json:"strangers"`                    // lines of other files about papers that are in no list, or were left out

	// Kept.
	NoAuthors          int `json:"no_authors"`          // training papers without authors
	NoTokens           int `json:"no_tokens"`           // papers without words, whose vector is zero
	RepeatedCandidates int `json:"repeated_candidates"` // test papers with a candidate given twice, which counts twice
	Drawn              int `json:"drawn"`               // test papers without candidates, for which they were drawn
}

// Layouts of folders.
const (
	LayoutTable = "papers.tsv"
	LayoutLists = "paper-author-list"
)

const longestLine = 1 << 20 // bytes: a hundred thousand words

// Read reads a bibliography from a folder, in one of two layouts, which the names of its files tell. All files are UTF-8
// text, plain or gzip.
//
// The first layout has papers.tsv.gz (or papers.tsv) and candidates.tsv.gz (or .tsv), without which candidates are drawn. A
// line of papers is six columns, separated by tabs: the paper's name; train or test; its venue, which may be empty; its
// authors and its references, both separated by commas; its words, separated by spaces. A line of candidates is a test paper
// and, separated by commas, the authors to tell its own from. Blank lines do not count, nor do lines that start with #.
//
// The second is that of the published data of TaPEm: NAME.txt or NAME_VERSION.txt (also with .gz) for these names:
//
//	paper-author-list-train, paper-author-list-test   lines PAPER:AUTHOR,AUTHOR,...
//	content                  lines PAPER, a tab, and words separated by spaces
//	paper_conf, paper_paper  lines PAPER, a tab, and its venue, or a paper that it cites; may be missing
//	id_author, id_conf       lines NUMBER, a tab, and the name of an author or of a venue; may be missing
//	paper_author_neg_ids     lines PAPER:NUMBER,NUMBER,..., authors by the order of their first appearance, from 0; may be missing
//
// or that of Camel, which has the same lists and candidates, and in place of some others
//
//	paper-venue, paper-citation-list   lines PAPER,VENUE and PAPER:PAPER,PAPER,...; one of them must be there
//	paper_author_neg_ids               authors by their own numbers; those who are in no training paper are left out
//
// paper_author says nothing that is not in the lists, nor do author-paper-list-train, venue-paper-list-train and walks; word_embedding is for
// ReadWords. Without content.txt the words are
// read from content.pkl as it is published, or else from title.pkl, a pickle of two lists: the words of each paper, and the
// papers; no code in it is run. Report.Texts says which of these it was.
//
// Authors are those of the training papers, in the order of their first appearance; venues and words those of all papers
// that are kept, likewise. Test papers keep the authors that are among these, and are left out where none is. References are
// kept to training papers. Who or what is given twice for one paper counts once, but candidates count as often as they are
// there, and words stay as they are. The report has the numbers of all that.
//
// Candidates are drawn as NewCandidates does, 100 with the paper's authors, under seed 1, without repetition where there are no
// more than 100 authors.
//
// Errors give file and line: a paper given twice, a line with other columns, a split that is neither train nor test, a
// candidate who is an author of the paper or of no training paper. A folder without a training paper is an error too.
func Read(dir string) (*Bibliography, Report, error) {
	if fi, err := os.Stat(dir); err != nil {
		return nil, Report{}, fmt.Errorf("hetnet: %w", err)
	} else if !fi.IsDir() {
		return nil, Report{}, fmt.Errorf("hetnet: %s is a file: want a folder with %s.gz, or with %s-train.txt", dir, LayoutTable, LayoutLists)
	}
	return readFolder(folder{os.DirFS(dir), dir})
}

// IsBibliography says whether a folder has the file of papers of one of Read's layouts.
func IsBibliography(dir string) bool {
	table, lists, err := folder{os.DirFS(dir), dir}.papers()
	return err == nil && (table != "" || lists != "")
}

func readFolder(f folder) (*Bibliography, Report, error) {
	table, lists, err := f.papers()
	if err != nil {
		return nil, Report{}, err
	}
	var l *listing
	layout := LayoutTable
	switch {
	case table != "" && lists != "":
		return nil, Report{}, fmt.Errorf("hetnet: %s has both %s and %s: want one of them", f.dir, table, lists)
	case table != "":
		l, err = f.readTable(table)
	case lists != "":
		layout = LayoutLists
		l, err = f.readLists(lists)
	default:
		err = fmt.Errorf("hetnet: %s has no papers: want a file %s.gz, or %s-train.txt", f.dir, LayoutTable, LayoutLists)
	}
	if err != nil {
		return nil, Report{}, err
	}
	b, report, err := l.assemble(filepath.Base(f.dir))
	report.Layout, report.Texts = layout, l.texts
	if err != nil {
		return nil, report, fmt.Errorf("%w (in %s)", err, f.dir)
	}
	if layout == LayoutLists {
		err = errors.Join(f.rename(b.Authors, "id_author"), f.rename(b.Venues, "id_conf"))
	}
	return b, report, err
}

// papers returns the file of papers of each layout, "" for one that is not there.
func (f folder) papers() (table, lists string, err error) {
	if table, err = f.find("papers.tsv", "papers.tsv.gz"); err == nil {
		lists, err = f.findVersion(LayoutLists + "-train")
	}
	return table, lists, err
}

// folder is where files are read from.
type folder struct {
	fs.FS
	dir string // for errors
}

// find returns which of the files is there, or "". It is an error if two are.
func (f folder) find(names ...string) (found string, err error) {
	for _, name := range names {
		if _, err := fs.Stat(f, name); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return "", fmt.Errorf("hetnet: %w", err)
		}
		if found != "" {
			return "", fmt.Errorf("hetnet: %s has both %s and %s: want one of them", f.dir, found, name)
		}
		found = name
	}
	return found, nil
}

// findVersion is find for STEM.txt and STEM_VERSION.txt.
func (f folder) findVersion(stem string) (string, error) { return f.findEnding(stem, ".txt") }

// findEnding is find for names with another ending.
func (f folder) findEnding(stem, ending string) (string, error) {
	entries, err := fs.ReadDir(f, ".")
	if err != nil {
		return "", fmt.Errorf("hetnet: %w", err)
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		if !ok && ending == ".txt" {
			name, ok = strings.CutSuffix(e.Name(), ending+".gz")
		}
		if ok && (name == stem || strings.HasPrefix(name, stem+"_")) {
			names = append(names, e.Name())
		}
	}
	return f.find(names...)
}

// text is a file that is read line by line.
type text struct {
	*network.TextLines
	path string
}

// each calls do with every line of a file that is not blank, nor a comment if there are any, until do returns an error.
func (f folder) each(name string, comments bool, want string, do func(t *text, line string) error) error {
	file, err := f.Open(name)
	if err != nil {
		return fmt.Errorf("hetnet: %w", err)
	}
	defer file.Close()
	path := filepath.Join(f.dir, name)
	lines, err := network.NewTextLines(file, path, longestLine, want)
	t := &text{lines, path}
	for err == nil {
		var line []byte
		if line, err = lines.Next(); err != nil {
			break
		}
		if s := string(line); strings.TrimSpace(s) != "" && !(comments && s[0] == '#') {
			if err := do(t, s); err != nil {
				return err
			}
		}
	}
	if err == io.EOF {
		return nil
	}
	if parse := (*network.ParseError)(nil); errors.As(err, &parse) {
		return fmt.Errorf("hetnet: %s:%d: %w", parse.File, parse.Line, parse.Err)
	}
	return fmt.Errorf("hetnet: %w", err)
}

// errorf returns an error at the line that was read last.
func (t *text) errorf(format string, args ...any) error {
	return fmt.Errorf("hetnet: %s:%d: "+format, append([]any{t.path, t.Line()}, args...)...)
}

// names parts a column into names, of which there may be none; spaces around them do not count.
func (t *text) names(column, separator, what string) ([]string, error) {
	if strings.TrimSpace(column) == "" {
		return nil, nil
	}
	list := strings.Split(column, separator)
	for i := range list {
		if strings.Contains(list[i], "; ") && separator == "," {
			return nil, t.errorf("%s %.60q has a semicolon: want %q between names", what, list[i], separator)
		}
		var err error
		if list[i], err = t.name(list[i], what); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// name returns a name without spaces around it.
func (t *text) name(s, what string) (string, error) {
	s = strings.Trim(s, " ")
	if err := network.CheckID([]byte(s)); err != nil {
		return "", t.errorf("%s %.60q %w: want UTF-8 text", what, s, err)
	}
	return s, nil
}

// tokens parts words at blanks.
func (t *text) tokens(column string) ([]string, error) {
	list := strings.Fields(column)
	for _, s := range list {
		if _, err := t.name(s, "word"); err != nil {
			return nil, err
		}
	}
	return list, nil
}
