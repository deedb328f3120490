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

// columnNames are known names of the columns of a table of papers, in lower case, the one that is preferred first.
var columnNames = map[string][]string{
	"id":       {"id", "key", "paper", "paper_id", "paperid", "doi", "eid", "ut"},
	"title":    {"title", "article title", "paper_title", "document title"},
	"abstract": {"abstract", "abstract text", "summary"},
	"authors":  {"authors", "author", "author full names", "author names", "creator", "creators"},
	"year":     {"year", "publication year", "publication_year", "pub_year", "date"},
	"venue":    {"venue", "journal", "conference", "source title", "source", "booktitle", "publication title", "container-title"},
	"cites":    {"cites", "cited", "references", "citations", "cited references"},
}

// newTable returns what reads a table, whose columns a tab separates if the first line has one, else a semicolon or a comma.
func newTable(text []byte) (*csv.Reader, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(text))
	for _, c := range "\t;," {
		if bytes.ContainsRune(line, c) {
			r.Comma = c
			return r, nil
		}
	}
	return nil, fmt.Errorf("the first line is %.60q: expected names of columns such as title, authors and year, separated by tabs, semicolons or commas", bytes.TrimRight(line, "\r\n"))
}

// titled says whether the first line of a text has names of such columns: authors, and titles or abstracts.
func titled(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("\n"))
	r, err := newTable(line)
	if err != nil {
		return false
	}
	r.LazyQuotes = true
	names, err := r.Read()
	_, papers := columnsOf(names)
	return err == nil && papers
}

// columnsOf returns the places of the known columns that there are, and whether they are those of papers: authors, and titles or abstracts.
func columnsOf(names []string) (at map[string]int, papers bool) {
	at = map[string]int{}
	for column, known := range columnNames {
		for _, k := range slices.Backward(known) {
			if i := slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), k) }); i >= 0 {
				at[column] = i
			}
		}
	}
	has := func(column string) bool { _, there := at[column]; return there }
	return at, has("authors") && (has("title") || has("abstract"))
}

// readTable reads a table whose first line has the names of its columns. An error is of what is after so many bytes.
func readTable(text []byte) (works []Work, offset int, err error) {
	r, err := newTable(text)
	if err != nil {
		return nil, 0, err
	}
	names, err := r.Read()
	if err != nil {
		return nil, 0, tableError(err)
	}
	at, papers := columnsOf(names)
	if !papers {
		return nil, 0, fmt.Errorf("columns %.100s: expected names such as id, title, abstract, authors, year, venue and references, of which authors and a title or an abstract must be there",
			strings.Join(names, ", "))
	}
	for {
		before := int(r.InputOffset())
		record, err := r.Read()
		if err == io.EOF {
			return works, 0, nil
		}
		if err != nil {
			return nil, before, tableError(err)
		}
		get := func(column string) string {
			if i, there := at[column]; there {
				return strings.TrimSpace(record[i])
			}
			return ""
		}
		w := Work{ID: get("id"), Title: get("title"), Abstract: get("abstract"), Venue: get("venue")}
		if _, named := at["id"]; !named {
			w.ID = fmt.Sprintf("p%d", len(works)+1)
		}
		w.Line, _ = r.FieldPos(0)
		for _, name := range splitAuthors(get("authors")) {
			w.Authors = append(w.Authors, Person{Name: name})
		}
		for _, id := range strings.FieldsFunc(get("cites"), func(r rune) bool { return r == ';' || r == ',' || r == '|' }) {
			w.Cites = append(w.Cites, strings.TrimSpace(id))
		}
		if w.Year, err = yearOf(get("year")); err != nil {
			return nil, before, err
		}
		works = append(works, w)
	}
}

// tableError says what is wanted of a table.
func tableError(err error) error {
	if wrong := (*csv.ParseError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%w: expected a table with columns of one number, and quotes around those that hold quotes or line ends", wrong.Err)
	}
	return err
}

// splitAuthors parts the authors of a paper: at semicolons or bars if there are some, else at the word and, else at commas if
// what is between them are names of more than one word. Otherwise it is one author, Last, First.
func splitAuthors(text string) (names []string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '|' })
	if !strings.ContainsAny(text, ";|") {
		parts = splitAnd(text)
	}
	if len(parts) == 1 {
		commas := strings.Split(text, ",")
		if !slices.ContainsFunc(commas, func(p string) bool { return !strings.Contains(strings.TrimSpace(p), " ") }) {
			parts = commas
		}
	}
	for _, p := range parts {
		if name := firstLast(strings.TrimSpace(p)); name != "" {
			names = append(names, name)
		}
	}
	return names
}
