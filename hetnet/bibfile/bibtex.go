package bibfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// bibtex is the text of a file, and how far it was read.
type bibtex struct {
	text   string
	at     int
	macros map[string]string
}

// bibEntry is an entry with its fields in lower case, as they stand.
type bibEntry struct {
	key    string
	line   int // where it begins
	end    int // in bytes
	fields map[string]string
}

// readBibTeX reads the entries of a file. Their keys are the ids of the papers; the venue is the journal or booktitle. An error is
// of what is after so many bytes.
func readBibTeX(text string) (works []Work, at int, err error) {
	b := bibtex{text: text, macros: map[string]string{}}
	line, counted := 1, 0
	var entries []*bibEntry
	byKey := map[string]*bibEntry{} // in lower case
	for {
		next := strings.IndexByte(text[b.at:], '@')
		if next < 0 {
			break
		}
		b.at += next
		line, counted = line+strings.Count(text[counted:b.at], "\n"), b.at
		b.at++
		e, err := b.entry()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, len(text), fmt.Errorf("ends in the middle of the entry that starts on line %d: expected the whole file", line)
		}
		if err != nil {
			return nil, b.at, err
		}
		if e != nil {
			e.line, e.end = line, b.at
			entries = append(entries, e)
			if key := strings.ToLower(e.key); byKey[key] == nil {
				byKey[key] = e
			}
		}
	}
	for _, e := range entries {
		if from := byKey[strings.ToLower(strings.TrimSpace(e.fields["crossref"]))]; from != nil {
			e = e.inheriting(from)
		}
		w, err := e.work()
		if err != nil {
			return nil, e.end, err
		}
		works = append(works, w)
	}
	return works, 0, nil
}

// inheriting returns the entry with the year, the venue and the persons of the one that its crossref names, where it has none itself: those
// of BibTeX's fields that make a paper. Without a name of the volume, its title is the venue.
func (e *bibEntry) inheriting(from *bibEntry) *bibEntry {
	whole := *e
	whole.fields = maps.Clone(e.fields)
	for _, same := range [][]string{{"year", "date"}, {"journal", "journaltitle", "booktitle"}, {"author", "editor"}} {
		if slices.ContainsFunc(same, func(field string) bool { return e.fields[field] != "" }) {
			continue
		}
		for _, field := range same {
			whole.fields[field] = from.fields[field]
			if field == "booktitle" {
				whole.fields[field] = cmp.Or(from.fields[field], from.fields["title"])
			}
		}
	}
	return &whole
}

var entryStart = regexp.MustCompile(`^[ \t]*([A-Za-z]+)[ \t]*([{(])`)

// entry reads what follows an @, and returns nil for what is no paper.
func (b *bibtex) entry() (*bibEntry, error) {
	start := entryStart.FindStringSubmatch(b.text[b.at:])
	if start == nil {
		return nil, nil // text between entries
	}
	b.at += len(start[0])
	kind, end := strings.ToLower(start[1]), byte('}')
	if start[2] == "(" {
		end = ')'
	}
	switch kind {
	case "comment":
		var err error
		if end == '}' {
			_, err = b.braced('}')
		}
		return nil, err
	case "preamble":
		_, err := b.value()
		return nil, err
	}
	e := &bibEntry{fields: map[string]string{}}
	var err error
	if kind != "string" {
		if e.key, err = b.until(",})"); err != nil {
			return nil, err
		}
		if b.text[b.at] == ',' {
			b.at++
		}
	}
	for b.skip(","); b.at < len(b.text) && b.text[b.at] != end; b.skip("") {
		field, err := b.until("=,})")
		if err != nil {
			return nil, err
		}
		if b.text[b.at] != '=' {
			return nil, fmt.Errorf("entry %.40q: %.40q without a value: expected FIELD = {VALUE}", e.key, field)
		}
		b.at++
		value, err := b.value()
		if err != nil {
			return nil, err
		}
		e.fields[strings.ToLower(field)] = value
		if b.at < len(b.text) && b.text[b.at] != ',' && b.text[b.at] != end {
			return nil, fmt.Errorf("entry %.40q: %q: expected a comma or %q", e.key, b.text[b.at:b.at+1], string(end))
		}
		b.skip(",")
	}
	if b.at == len(b.text) {
		return nil, io.ErrUnexpectedEOF
	}
	b.at++
	if kind == "string" {
		for name, value := range e.fields {
			b.macros[name] = value
		}
		return nil, nil
	}
	return e, nil
}

// skip goes on behind blanks and some other bytes.
func (b *bibtex) skip(others string) {
	rest := strings.TrimLeft(b.text[b.at:], " \t\r\n"+others)
	b.at = len(b.text) - len(rest)
}

// until returns what is before one of some bytes, where it stops.
func (b *bibtex) until(ends string) (string, error) {
	n := strings.IndexAny(b.text[b.at:], ends)
	if n < 0 {
		return "", io.ErrUnexpectedEOF
	}
	part := b.text[b.at : b.at+n]
	b.at += n
	return strings.TrimSpace(part), nil
}

// value reads a value: parts with # between them, in braces, in quotes or as they are.
func (b *bibtex) value() (value string, err error) {
	for {
		var part string
		b.skip("")
		switch {
		case b.at == len(b.text):
			return "", io.ErrUnexpectedEOF
		case b.text[b.at] == '{':
			b.at++
			part, err = b.braced('}')
		case b.text[b.at] == '"':
			b.at++
			part, err = b.braced('"')
		default:
			if part, err = b.until("#,})\n"); err == nil {
				if macro, ok := b.macros[strings.ToLower(part)]; ok {
					part = macro
				}
			}
		}
		if err != nil {
			return "", err
		}
		value += part
		if b.skip(""); b.at == len(b.text) || b.text[b.at] != '#' {
			return value, nil
		}
		b.at++
	}
}

// braced reads up to a byte that is in no braces, and goes on behind it.
func (b *bibtex) braced(end byte) (string, error) {
	depth := 0
	for i := b.at; i < len(b.text); i++ {
		switch c := b.text[i]; {
		case c == end && depth == 0:
			part := b.text[b.at:i]
			b.at = i + 1
			return part, nil
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				b.at = i
				return "", fmt.Errorf("a } too many: expected as many as {")
			}
		case c == '\\':
			i++
		}
	}
	return "", io.ErrUnexpectedEOF
}

// work returns the paper of an entry.
func (e *bibEntry) work() (Work, error) {
	text := func(field string) string { return fromTeX(e.fields[field]) }
	w := Work{
		ID: e.key, Line: e.line, Title: text("title"), Abstract: text("abstract"), Venue: cmp.Or(text("journal"), text("journaltitle"), text("booktitle")),
	}
	for _, name := range splitAnd(cmp.Or(e.fields["author"], e.fields["editor"])) {
		if name = personTeX(name); name != "" && !strings.EqualFold(name, "others") {
			w.Authors = append(w.Authors, Person{Name: name})
		}
	}
	date, _, _ := strings.Cut(e.fields["date"], "-")
	var err error
	if w.Year, err = yearOf(cmp.Or(strings.TrimSpace(text("year")), date)); err != nil {
		return w, fmt.Errorf("entry %.40q: %w", e.key, err)
	}
	for id := range strings.SplitSeq(e.fields["references"], ",") {
		if id = strings.TrimSpace(id); id != "" {
			w.Cites = append(w.Cites, id)
		}
	}
	return w, nil
}

// yearOf reads the year at the beginning of a text such as 2020 or 2020-05-01; "in press" and the like are no year.
func yearOf(text string) (int, error) {
	digits := yearDigits.FindString(text)
	if digits == "" {
		if strings.ContainsAny(text, "0123456789") {
			return 0, fmt.Errorf("year %.40q: expected four digits", text)
		}
		return 0, nil
	}
	return strconv.Atoi(digits)
}

var yearDigits = regexp.MustCompile(`\b[12]\d{3}\b`)

// splitAnd parts names at the word and where it is in no braces.
func splitAnd(names string) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(names); i++ {
		switch {
		case names[i] == '{':
			depth++
		case names[i] == '}':
			depth--
		case depth == 0:
			if n := len(andWord.FindString(names[i:])); n > 0 {
				out = append(out, names[min(start, i):i]) // of two "and", the second has the first one's blank before it
				start = i + n
				i += n - 2
			}
		}
	}
	return append(out, names[start:])
}

var andWord = regexp.MustCompile(`(?i)^\sand\s`)

// personTeX returns a name with the first names first.
func personTeX(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}") && strings.Count(name, "{") == 1 { // of an institution
		return fromTeX(name)
	}
	return firstLast(fromTeX(name))
}

// firstLast returns "Last, First" and "Last, Jr, First" with the first names first, and other names as they are.
func firstLast(name string) string {
	parts := strings.Split(name, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	switch len(parts) {
	case 1:
		return parts[0]
	case 2:
		return strings.TrimSpace(parts[1] + " " + parts[0])
	}
	return strings.TrimSpace(parts[2] + " " + parts[0] + " " + parts[1])
}
