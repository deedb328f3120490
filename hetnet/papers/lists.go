package papers

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/pickle"
	"github.com/asp2vec/asp2vec/network"
	"golang.org/x/text/encoding/charmap"
)

// Published files with the words of TaPEm's papers.
const (
	TaPEmTitles    = "title_top_2013.pkl"
	TaPEmAbstracts = "content_top_2013.pkl"
)

// ReadTaPEm reads TaPEm's published files from a folder as the data set DBLP: papers in the order of their numbers, authors
// called by theirs, since several have one name, and venues without the v before their names. words is the file with the words
// of papers. Test papers have no venues: these are in a pickled table of pandas alone, and no method sees them. Errors are those of Read.
func ReadTaPEm(dir, words string) (*Table, error) {
	l, err := readLists(dir, words)
	if err != nil {
		return nil, err
	}
	if err := l.name("id_conf", func(r *Row) []*string { return []*string{&r.Venue} }); err != nil {
		return nil, err
	}
	number := func(r Row) int {
		n, _ := strconv.Atoi(r.Name) // as published
		return n
	}
	for i := range l.Rows {
		l.Rows[i].Venue = strings.TrimPrefix(l.Rows[i].Venue, "v")
	}
	slices.SortStableFunc(l.Rows, func(p, q Row) int { return cmp.Compare(number(p), number(q)) })
	return l.Table, nil
}

// ReadLists reads TaPEm's lists from a folder; see Read. Authors and venues have their names, where there are files with these.
func ReadLists(dir string) (*Table, error) {
	l, err := readLists(dir, "")
	if err != nil {
		return nil, err
	}
	if err := l.name("id_author", (*Row).authorNames); err != nil {
		return nil, err
	}
	return l.Table, l.name("id_conf", func(r *Row) []*string { return []*string{&r.Venue} })
}

// lists is a table that is read from lists.
type lists struct {
	*Table
	dir string
}

// readLists reads all but the names of authors and venues. words is the file of words; "" for the first that is there.
func readLists(dir, words string) (*lists, error) {
	l := &lists{NewTable(), dir}
	for _, list := range []string{"train", "test"} {
		err := l.each(LayoutLists+"-"+list, ':', "AUTHOR,AUTHOR,...", func(row line) error {
			r := Row{Test: list == "test", Line: row.Line()}
			var err error
			if r.Name, err = row.Name(row.columns[0], "paper"); err != nil {
				return err
			}
			if r.Authors, err = row.names(row.columns[1], "author"); err != nil {
				return err
			}
			return row.at(l.Add(r))
		})
		if err != nil {
			return nil, err
		}
	}
	if err := l.readWords(words); err != nil {
		return nil, err
	}
	err := l.about("paper_conf", '\t', "a venue", func(row line, r *Row) (err error) {
		if r.Venue != "" {
			return row.Errorf("a venue of paper %q again: expected one", r.Name)
		}
		r.Venue, err = row.Name(row.columns[1], "venue")
		return err
	})
	if err != nil {
		return nil, err
	}
	err = l.about("paper_paper", '\t', "a paper that it cites", func(row line, r *Row) error {
		cited, err := row.Name(row.columns[1], "reference")
		r.Cites = append(r.Cites, cited)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, l.readCandidates()
}

// readCandidates reads candidates, which are authors by the order of their first appearance in the training papers, from 0.
func (l *lists) readCandidates() error {
	var authors typed.Numbers
	for _, r := range l.Rows {
		for _, a := range r.Authors {
			if !r.Test {
				authors.Of(a)
			}
		}
	}
	return l.each("paper_author_neg_ids", ':', "NUMBER,NUMBER,...", func(row line) error {
		row.columns[1] = []byte(strings.TrimSuffix(string(row.columns[1]), ","))
		if err := l.addCandidates(row); err != nil {
			return err
		}
		names := l.Candidates[len(l.Candidates)-1].Authors
		for i, name := range names {
			a, err := strconv.ParseUint(name, 10, 31)
			if err != nil || a >= uint64(len(authors.Names)) {
				return row.Errorf("candidate %q: expected a number from 0 to %d", name, len(authors.Names)-1)
			}
			names[i] = authors.Names[a]
		}
		return nil
	})
}

// each calls do for each line of a list, of a paper, a separator and something about it; the list may be missing.
func (l *lists) each(stem string, separator byte, what string, do func(row line) error) error {
	file, err := findVersion(l.dir, stem, ".txt")
	if err != nil || file == "" {
		return err
	}
	return eachRow(filepath.Join(l.dir, file), network.TableOptions{Separator: separator, Columns: 2, Want: "PAPER and " + what}, do)
}

// about is each for lists about papers that are there.
func (l *lists) about(stem string, separator byte, what string, do func(row line, r *Row) error) error {
	return l.each(stem, separator, what, func(row line) error {
		i, ok := l.place[strings.Trim(string(row.columns[0]), " ")]
		if !ok {
			l.Notes.Add(strangers, 1, "")
			return nil
		}
		return do(row, &l.Rows[i])
	})
}

// readWords reads the words of papers from a file or, without its name, from abstracts or else titles: a pickle of two lists, the words of each
// paper, which are a list, and the papers.
func (l *lists) readWords(name string) error {
	for _, stem := range []string{"content", "title"} {
		if name == "" {
			var err error
			if name, err = findVersion(l.dir, stem, ".pkl"); err != nil {
				return err
			}
		}
	}
	if name == "" {
		return fmt.Errorf("papers: %s has no words of papers: expected a file content.pkl or title.pkl as published", l.dir)
	}
	l.Notes.Add("words_from", 0, name)
	path := filepath.Join(l.dir, name)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("papers: %w", err)
	}
	defer file.Close()
	v, err := pickle.Read(file, path)
	if err != nil {
		return fmt.Errorf("papers: %w", err)
	}
	info, err := file.Stat()
	if err == nil {
		err = l.takeWords(v, info.Size())
	}
	if err != nil {
		return fmt.Errorf("papers: %s: %w", path, err)
	}
	return nil
}

// takeWords gives papers the words that a pickle of so many bytes has.
func (l *lists) takeWords(v any, size int64) error {
	both, ok := pickle.Items(v)
	if !ok || len(both) != 2 {
		return fmt.Errorf("contains %s: expected two lists, the words of each paper and the papers", pickle.Kind(v))
	}
	texts, ok := pickle.Items(both[0])
	papers, ok2 := pickle.Items(both[1])
	if !ok || !ok2 || len(texts) != len(papers) {
		return fmt.Errorf("contains %s and %s: expected two lists of the same length, the words of each paper and the papers", pickle.Kind(both[0]), pickle.Kind(both[1]))
	}
	most, total := 1<<16+size, int64(0)      // a list may be in a pickle many times: a few bytes could stand for any number of words
	known := make(map[int]bool, len(papers)) // whose words have been read
	for i, paper := range papers {
		id, ok := pickle.Text(paper)
		if !ok {
			return fmt.Errorf("paper %d of the list is %s: expected a number or a name", i, pickle.Kind(paper))
		}
		words, ok := pickle.Items(texts[i])
		if !ok {
			return fmt.Errorf("the words of paper %.60q are %s: expected a list", id, pickle.Kind(texts[i]))
		}
		if total += int64(len(words)); total > most {
			return fmt.Errorf("has more words than a file of %d bytes should", size)
		}
		place, ok := l.place[strings.Trim(id, " ")]
		switch {
		case !ok:
			l.Notes.Add(strangers, 1, "")
			continue
		case known[place]:
			return fmt.Errorf("the words of paper %.60q again: expected them once", id)
		}
		known[place] = true
		var err error
		if l.Rows[place].Words, err = wordsOf(words, id); err != nil {
			return err
		}
	}
	return nil
}

// wordsOf returns the words of a paper in a pickle.
func wordsOf(list []any, paper string) (words []string, err error) {
	for _, w := range list {
		word, ok := pickle.Text(w)
		if !ok {
			return nil, fmt.Errorf("a word of paper %.60q is %s: expected a number or a string", paper, pickle.Kind(w))
		}
		if err := network.CheckID([]byte(word)); err != nil || len(strings.Fields(word)) != 1 || strings.TrimSpace(word) != word {
			return nil, fmt.Errorf("the word %.60q of paper %.60q: expected text without blanks", word, paper)
		}
		words = append(words, word)
	}
	return words, nil
}

// authorNames returns the places of the names of a paper's authors.
func (r *Row) authorNames() (all []*string) {
	for i := range r.Authors {
		all = append(all, &r.Authors[i])
	}
	return all
}

// name gives numbers the names that a list has for them; of returns those of a paper. Commas, which separate names in the files of Write,
// become spaces. Characters of Windows-1252 that were taken for Latin-1, as in the published names, are put right.
// A name that two numbers have, and one that is itself a number in the lists, has its number after it in brackets.
func (l *lists) name(stem string, of func(r *Row) []*string) error {
	numbers := map[string]bool{}
	for i := range l.Rows {
		for _, s := range of(&l.Rows[i]) {
			numbers[*s] = true
		}
	}
	names, used := map[string]string{}, map[string]int{}
	err := l.each(stem, '\t', "a number and a name", func(row line) error {
		number := strings.Trim(string(row.columns[0]), " ")
		if !numbers[number] {
			return nil // of nobody who is here
		}
		if names[number] != "" {
			return row.Errorf("%.60q has a name already: expected one", number)
		}
		plain := strings.FieldsFunc(strings.Map(windows1252, string(row.columns[1])), func(r rune) bool { return r == ',' || r == ' ' })
		name, err := row.Name([]byte(strings.Join(plain, " ")), "name")
		names[number] = name
		used[name]++
		return err
	})
	if err != nil {
		return err
	}
	rename := func(s *string) {
		if name, there := names[*s]; there && *s != "" {
			if used[name] > 1 || numbers[name] {
				name += " (" + *s + ")"
			}
			*s = name
		}
	}
	for i := range l.Rows {
		for _, s := range of(&l.Rows[i]) {
			rename(s)
		}
	}
	if stem == "id_author" {
		for _, listed := range l.Candidates {
			for i := range listed.Authors {
				rename(&listed.Authors[i])
			}
		}
	}
	return nil
}

// windows1252 returns what a control character of Latin-1 is in Windows-1252, and any other character as it is.
func windows1252(r rune) rune {
	if r < 0x80 || r > 0x9f {
		return r
	}
	if r = charmap.Windows1252.DecodeByte(byte(r)); unicode.IsControl(r) {
		return -1 // it has no meaning there either
	}
	return r
}

// findVersion is find for STEM.txt and STEM_VERSION.txt, also compressed, or with another ending.
func findVersion(dir, stem, ending string) (string, error) {
	return find(dir, func(name string) bool {
		name, ok := strings.CutSuffix(strings.TrimSuffix(name, ".gz"), ending)
		return ok && (name == stem || strings.HasPrefix(name, stem+"_"))
	})
}
