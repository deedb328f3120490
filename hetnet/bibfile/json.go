package bibfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object, by its keys.
type object = map[string]json.RawMessage

// readJSON reads an array of papers, one a line, or an object with them under results (OpenAlex) or data (Semantic Scholar).
func readJSON(t *text) (works []Work, err error) {
	begin, err := t.r.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	d := json.NewDecoder(&countLines{t: t})
	array := strings.HasPrefix(strings.TrimSpace(string(begin)), "[")
	if array {
		_, err = d.Token()
	} else {
		err = nil
	}
	for err == nil && (!array || d.More()) {
		var o object
		if err = d.Decode(&o); err == io.EOF && !array {
			return works, nil
		}
		var papers []object
		if list, ok := inside(o); ok && !array {
			err = json.Unmarshal(list, &papers)
		} else {
			papers = []object{o}
		}
		for i := 0; err == nil && i < len(papers); i++ {
			var w Work
			if w, err = workOf(papers[i]); err == nil {
				works = append(works, w)
			}
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	if err != nil {
		return nil, explain(err, len(works)+1)
	}
	return works, nil
}

// inside returns the papers in an object that is an answer of a service.
func inside(o object) (json.RawMessage, bool) {
	if _, paper := o["title"]; paper {
		return nil, false
	}
	for _, key := range []string{"results", "data", "items"} {
		if list, ok := o[key]; ok && strings.HasPrefix(strings.TrimSpace(string(list)), "[") {
			return list, true
		}
	}
	return nil, false
}

// explain says what is wrong with a paper of the file, numbered from 1.
func explain(err error, paper int) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return io.ErrUnexpectedEOF
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: %w", err)
	case errors.As(err, &wrong):
		return fmt.Errorf("paper %d: %s contains a JSON %s: want a value as in CSL, OpenAlex or Semantic Scholar", paper, wrong.Field, wrong.Value)
	}
	return fmt.Errorf("paper %d: %w", paper, err)
}

// workOf returns the paper of an object, whose keys tell what it is in.
func workOf(o object) (Work, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return Work{}, err
	}
	has := func(key string) bool { _, ok := o[key]; return ok }
	switch {
	case has("authorships") || has("referenced_works") || strings.Contains(string(o["id"]), "openalex.org"):
		return openAlex(raw)
	case has("paperId") || has("corpusid") || has("corpusId"):
		return semanticScholar(raw)
	case has("author") || has("issued") || has("container-title"):
		return csl(raw)
	}
	return Work{}, fmt.Errorf("an object with %.80s: want papers of CSL, OpenAlex or Semantic Scholar", strings.Join(slices.Sorted(maps.Keys(o)), ", "))
}

// openAlex reads a work of OpenAlex.
func openAlex(raw []byte) (Work, error) {
	var o struct {
		ID       string           `json:"id"`
		Title    string           `json:"title"`
		Name     string           `json:"display_name"`
		Year     int              `json:"publication_year"`
		Abstract map[string][]int `json:"abstract_inverted_index"`
		Authors  []struct {
			Author struct {
				ID   string `json:"id"`
				Name string `json:"display_name"`
			} `json:"author"`
		} `json:"authorships"`
		Location struct {
			Source struct {
				Name string `json:"display_name"`
			} `json:"source"`
		} `json:"primary_location"`
		Host struct {
			Name string `json:"display_name"`
		} `json:"host_venue"`
		Cites []string `json:"referenced_works"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return Work{}, err
	}
	w := Work{ID: lastPart(o.ID), Title: cmp.Or(o.Title, o.Name), Year: o.Year, Venue: cmp.Or(o.Location.Source.Name, o.Host.Name)}
	for _, a := range o.Authors {
		w.Authors = append(w.Authors, Person{ID: lastPart(a.Author.ID), Name: a.Author.Name})
	}
	for _, id := range o.Cites {
		w.Cites = append(w.Cites, lastPart(id))
	}
	var err error
	w.Abstract, err = inverted(o.Abstract, len(raw))
	return w, err
}

// inverted returns the text of an index from words to their places, of which there are no more than it has bytes.
func inverted(index map[string][]int, most int) (string, error) {
	n := 0
	for word, places := range index {
		for _, at := range places {
			if at < 0 || at > most {
				return "", fmt.Errorf("abstract_inverted_index has %.40q at place %d: want places of the text's words", word, at)
			}
			n = max(n, at+1)
		}
	}
	words := make([]string, n)
	for word, places := range index {
		for _, at := range places {
			words[at] = max(words[at], word)
		}
	}
	return strings.Join(words, " "), nil
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// semanticScholar reads a paper of Semantic Scholar, of its interface or its bulk files.
func semanticScholar(raw []byte) (Work, error) {
	type reference struct {
		Paper string      `json:"paperId"`
		ID    json.Number `json:"corpusid"`
	}
	var s struct {
		reference
		Title    string `json:"title"`
		Abstract string `json:"abstract"`
		Venue    string `json:"venue"`
		Year     int    `json:"year"`
		Authors  []struct {
			ID   string `json:"authorId"`
			Name string `json:"name"`
		} `json:"authors"`
		Cites []reference `json:"references"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return Work{}, err
	}
	id := func(r reference) string { return cmp.Or(r.Paper, r.ID.String()) }
	w := Work{ID: id(s.reference), Title: s.Title, Abstract: s.Abstract, Venue: s.Venue, Year: s.Year}
	for _, a := range s.Authors {
		w.Authors = append(w.Authors, Person{ID: a.ID, Name: a.Name})
	}
	for _, r := range s.Cites {
		if id := id(r); id != "" {
			w.Cites = append(w.Cites, id)
		}
	}
	return w, nil
}

// csl reads an item of CSL-JSON, as Zotero writes it.
func csl(raw []byte) (Work, error) {
	var c struct {
		ID       any    `json:"id"`
		Title    string `json:"title"`
		Abstract string `json:"abstract"`
		Venue    any    `json:"container-title"`
		Authors  []struct {
			Family   string `json:"family"`
			Given    string `json:"given"`
			Particle string `json:"non-dropping-particle"`
			Literal  string `json:"literal"`
		} `json:"author"`
		Issued struct {
			Parts [][]any `json:"date-parts"`
			Raw   string  `json:"raw"`
		} `json:"issued"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return Work{}, err
	}
	w := Work{Title: c.Title, Abstract: c.Abstract}
	switch id := c.ID.(type) {
	case string:
		w.ID = id
	case float64:
		w.ID = strconv.FormatFloat(id, 'f', -1, 64)
	}
	switch venue := c.Venue.(type) {
	case string:
		w.Venue = venue
	case []any:
		if len(venue) > 0 {
			w.Venue = fmt.Sprint(venue[0])
		}
	}
	for _, a := range c.Authors {
		name := strings.Join(strings.Fields(a.Given+" "+a.Particle+" "+a.Family), " ")
		w.Authors = append(w.Authors, Person{Name: cmp.Or(name, a.Literal)})
	}
	year := c.Issued.Raw
	if len(c.Issued.Parts) > 0 && len(c.Issued.Parts[0]) > 0 {
		if year = fmt.Sprint(c.Issued.Parts[0][0]); year == "<nil>" {
			year = ""
		}
	}
	var err error
	w.Year, err = yearOf(year)
	return w, err
}

// countLines counts the lines of what a decoder reads, of which it gives it one at a time.
type countLines struct {
	t     *text
	ended bool // the line that was given last
}

// Read reads on, up to the end of a line.
func (c *countLines) Read(p []byte) (int, error) {
	if c.ended {
		c.t.line++
		c.ended = false
	}
	if _, err := c.t.r.Peek(1); err != nil || len(p) == 0 {
		return 0, err
	}
	b, _ := c.t.r.Peek(min(len(p), c.t.r.Buffered()))
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b, c.ended = b[:end+1], true
	}
	n := copy(p, b)
	_, err := c.t.r.Discard(n)
	return n, err
}
