package bibfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// readJSON reads an array of papers, one a line, or an object with them under results (OpenAlex) or data (Semantic Scholar). An error is
// of what is after so many bytes.
func readJSON(text []byte) (works []Work, at int, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	line := 1
	for {
		before, rest := at, bytes.TrimLeft(text[d.InputOffset():], " \t\r\n")
		if len(rest) == 0 {
			return works, 0, nil
		}
		at = len(text) - len(rest)
		line += bytes.Count(text[before:at], []byte("\n"))
		var value json.RawMessage
		if err = d.Decode(&value); err != nil {
			return nil, max(at, int(d.InputOffset())), explain(err, len(works)+1)
		}
		for _, raw := range inside(value) {
			w, err := workOf(raw)
			if err != nil {
				return nil, at, explain(err, len(works)+1)
			}
			w.Line = line
			works = append(works, w)
		}
	}
}

// inside returns the papers in a value: an array's, those in an object that is an answer of a service, or an object itself.
func inside(value json.RawMessage) (list []json.RawMessage) {
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(value, &o) == nil && o["title"] == nil {
		for _, key := range []string{"results", "data", "items"} {
			if json.Unmarshal(o[key], &list) == nil {
				return list
			}
		}
	}
	return []json.RawMessage{value}
}

// explain says what is wrong with a paper of the file, numbered from 1.
func explain(err error, paper int) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && !strings.Contains(err.Error(), "unexpected end"):
		return fmt.Errorf("is not JSON: %w", err)
	case errors.As(err, &wrong):
		return fmt.Errorf("paper %d: %s contains a JSON %s: expected a value as in OpenAlex or Semantic Scholar", paper, wrong.Field, wrong.Value)
	}
	return fmt.Errorf("paper %d: %w", paper, err)
}

// reference is how Semantic Scholar calls a paper.
type reference struct {
	Paper string      `json:"paperId"`
	ID    json.Number `json:"corpusid"`
}

func (r reference) id() string { return cmp.Or(r.Paper, r.ID.String()) }

// object is a paper of OpenAlex or of Semantic Scholar, whose keys have different names.
type object struct {
	Title string `json:"title"`

	ID       string           `json:"id"` // of OpenAlex, as the rest up to Cites
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

	reference           // of Semantic Scholar, as the rest
	Text         string `json:"abstract"`
	Venue        string `json:"venue"`
	SemanticYear int    `json:"year"`
	Writers      []struct {
		ID   string `json:"authorId"`
		Name string `json:"name"`
	} `json:"authors"`
	References []reference `json:"references"`
}

// workOf returns the paper of an object.
func workOf(raw json.RawMessage) (Work, error) {
	var o object
	if err := json.Unmarshal(raw, &o); err != nil {
		return Work{}, err
	}
	if o.id() == "" && o.Authors == nil && o.Cites == nil && !strings.Contains(o.ID, "openalex.org") {
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(raw, &keys); err != nil {
			return Work{}, err
		}
		if keys["source"] != nil && keys["target"] != nil {
			return Work{}, errors.New("an object with source and target: expected links as a table, or as JSON with nodes and links")
		}
		return Work{}, fmt.Errorf("an object with %.80s: expected papers of OpenAlex or Semantic Scholar, or, in place of CSL-JSON, the BibTeX that Zotero writes too",
			strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
	}
	w := Work{ID: cmp.Or(o.id(), lastPart(o.ID)), Title: cmp.Or(o.Title, o.Name), Year: cmp.Or(o.Year, o.SemanticYear), Venue: cmp.Or(o.Location.Source.Name, o.Host.Name, o.Venue)}
	for _, a := range o.Authors {
		w.Authors = append(w.Authors, Person{lastPart(a.Author.ID), a.Author.Name})
	}
	for _, a := range o.Writers {
		w.Authors = append(w.Authors, Person{a.ID, a.Name})
	}
	for _, id := range o.Cites {
		w.Cites = append(w.Cites, lastPart(id))
	}
	for _, r := range o.References {
		if id := r.id(); id != "" {
			w.Cites = append(w.Cites, id)
		}
	}
	text, err := inverted(o.Abstract, len(raw))
	w.Abstract = cmp.Or(o.Text, text)
	return w, err
}

// inverted returns the text of an index from words to their places, of which there are no more than it has bytes.
func inverted(index map[string][]int, most int) (string, error) {
	var words []string
	for word, places := range index {
		for _, at := range places {
			if at < 0 || at > most {
				return "", fmt.Errorf("abstract_inverted_index has %.40q at place %d: expected places of the text's words", word, at)
			}
			words = append(words, make([]string, max(0, at+1-len(words)))...)
			words[at] = max(words[at], word)
		}
	}
	return strings.Join(words, " "), nil
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
