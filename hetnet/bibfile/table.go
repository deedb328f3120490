package bibfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// columnNames are known names of the columns of a table of papers, in lower case.
var columnNames = map[string][]string{
	"id":       {"id", "key", "paper", "paper_id", "paperid", "doi", "eid", "ut"},
	"title":    {"title", "article title", "paper_title", "document title"},
	"abstract": {"abstract", "abstract text", "summary"},
	"authors":  {"authors", "author", "author full names", "author names", "creator", "creators"},
	"year":     {"year", "publication year", "publication_year", "pub_year", "date"},
	"venue":    {"venue", "journal", "conference", "source title", "source", "booktitle", "publication title", "container-title"},
	"cites":    {"cites", "cited", "references", "citations", "cited references"},
}

// titled says whether the first line of a text has names of such columns: authors, and titles or abstracts.
func titled(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("\n"))
	comma, err := separator(line)
	if err != nil {
		return false
	}
	r := csv.NewReader(bytes.NewReader(line))
	r.Comma, r.LazyQuotes = comma, true
	names, err := r.Read()
	if err != nil {
		return false
	}
	_, papers := columnsOf(names)
	return papers
}

// separator returns what separates columns: a tab if there is one, else a semicolon or a comma.
func separator(line []byte) (rune, error) {
	for _, c := range "\t;," {
		if bytes.ContainsRune(line, c) {
			return c, nil
		}
	}
	return 0, fmt.Errorf("the first line is %.60q: want names of columns such as title, authors and year, separated by tabs, semicolons or commas", bytes.TrimRight(line, "\r\n"))
}

// columnsOf returns the places of the known columns, -1 for those that are not there, and whether they are those of papers: authors, and
// titles or abstracts.
func columnsOf(names []string) (at map[string]int, papers bool) {
	at = map[string]int{}
	for column, known := range columnNames {
		at[column] = -1
		for _, k := range known { // the first known name wins
			if i := slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), k) }); i >= 0 {
				at[column] = i
				break
			}
		}
	}
	return at, at["authors"] >= 0 && (at["title"] >= 0 || at["abstract"] >= 0)
}

// readTable reads a table whose first line has the names of its columns.
func readTable(t *text) ([]Work, error) {
	line, err := t.r.Peek(1 << 14)
	if err != nil && err != io.EOF {
		return nil, err
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	comma, err := separator(line)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(t.r)
	r.Comma, r.ReuseRecord = comma, true
	names, err := r.Read()
	if err != nil {
		return nil, tableError(t, err)
	}
	at, papers := columnsOf(names)
	if !papers {
		return nil, fmt.Errorf("columns %.100s: want names such as id, title, abstract, authors, year, venue and references, of which authors and a title or an abstract must be there",
			strings.Join(names, ", "))
	}
	var works []Work
	for {
		record, err := r.Read()
		if err == io.EOF {
			return works, nil
		}
		if err != nil {
			return nil, tableError(t, err)
		}
		t.line, _ = r.FieldPos(0)
		get := func(column string) string {
			if i := at[column]; i >= 0 {
				return strings.Clone(strings.TrimSpace(record[i]))
			}
			return ""
		}
		w := Work{ID: get("id"), Title: get("title"), Abstract: get("abstract"), Venue: get("venue"), Line: t.line}
		if at["id"] < 0 {
			w.ID = fmt.Sprintf("p%d", len(works)+1)
		}
		for _, name := range splitAuthors(get("authors")) {
			w.Authors = append(w.Authors, Person{Name: name})
		}
		for _, id := range strings.FieldsFunc(get("cites"), func(r rune) bool { return r == ';' || r == ',' || r == '|' }) {
			w.Cites = append(w.Cites, strings.TrimSpace(id))
		}
		if w.Year, err = yearOf(get("year")); err != nil {
			return nil, err
		}
		works = append(works, w)
	}
}

// tableError gives an error its line.
func tableError(t *text, err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		t.line = wrong.Line
		return fmt.Errorf("%w: want a table with columns of one number, and quotes around those that hold quotes or line ends", wrong.Err)
	}
	return err
}

// splitAuthors parts the authors of a paper: at semicolons or bars if there are some, else at the word and, else at commas if
// what is between them are names of more than one word. Otherwise it is one author, Last, First.
func splitAuthors(text string) []string {
	var parts []string
	switch {
	case strings.ContainsAny(text, ";|"):
		parts = strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '|' })
	case len(splitAnd(text)) > 1:
		parts = splitAnd(text)
	default:
		parts = strings.Split(text, ",")
		for _, p := range parts {
			if !strings.Contains(strings.TrimSpace(p), " ") {
				parts = []string{text}
				break
			}
		}
	}
	var names []string
	for _, p := range parts {
		if name := FirstLast(strings.TrimSpace(p)); name != "" {
			names = append(names, name)
		}
	}
	return names
}
