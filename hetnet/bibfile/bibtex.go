package bibfile

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// longest is the length in bytes of the longest value.
const longest = 1 << 22

// readBibTeX reads the entries of a file. Their keys are the ids of the papers; the venue is the journal or booktitle.
func readBibTeX(t *text) ([]Work, error) {
	b := bibtex{text: t, macros: map[string]string{}}
	var works []Work
	for {
		c, err := t.next()
		if err == io.EOF {
			return works, nil
		}
		if err != nil {
			return nil, err
		}
		if c != '@' {
			continue
		}
		line := t.line
		entry, err := b.entry()
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("ends in the middle of the entry that starts on line %d: want the whole file", line)
		}
		if err != nil {
			return nil, err
		}
		if entry == nil {
			continue
		}
		w, err := entry.work()
		if err != nil {
			return nil, err
		}
		w.Line = line
		works = append(works, w)
	}
}

type bibtex struct {
	*text
	macros map[string]string
}

// bibEntry is an entry with its fields in lower case, as they stand.
type bibEntry struct {
	key    string
	fields map[string]string
}

// skipSpace returns the next byte that is no blank.
func (b *bibtex) skipSpace() (byte, error) {
	for {
		if c, err := b.next(); err != nil || !isBlank(c) {
			return c, err
		}
	}
}

// name reads up to one of some bytes, which it returns.
func (b *bibtex) name(ends string) (string, byte, error) {
	var out []byte
	for {
		c, err := b.next()
		if err != nil {
			return "", 0, err
		}
		if strings.IndexByte(ends, c) >= 0 {
			return strings.TrimSpace(string(out)), c, nil
		}
		if out = append(out, c); len(out) > 4096 {
			return "", 0, fmt.Errorf("a name of more than 4096 bytes, %.40q...: want a shorter one", out)
		}
	}
}

// entry reads what follows an @, and returns nil for what is no paper.
func (b *bibtex) entry() (*bibEntry, error) {
	kind, open, err := b.name("{(\n")
	if err != nil {
		return nil, err
	}
	kind = strings.ToLower(kind)
	if open == '\n' || kind == "comment" || kind == "" || !bibWord.MatchString(kind) {
		if open == '{' && kind == "comment" {
			_, err := b.braces('}')
			return nil, err
		}
		return nil, nil // text between entries
	}
	end := byte('}')
	if open == '(' {
		end = ')'
	}
	if kind == "preamble" {
		_, _, err := b.value(end)
		return nil, err
	}
	e := &bibEntry{fields: map[string]string{}}
	c := byte(',')
	if kind != "string" {
		if e.key, c, err = b.name(",})"); err != nil {
			return nil, err
		}
	}
	for c == ',' {
		if c, err = b.skipSpace(); err != nil {
			return nil, err
		}
		if c == end {
			break
		}
		if c == ',' {
			continue
		}
		b.back(c)
		field, sign, err := b.name("=,})")
		if err != nil {
			return nil, err
		}
		if sign != '=' {
			return nil, fmt.Errorf("entry %.40q: %.40q without a value: want FIELD = {VALUE}", e.key, field)
		}
		value := ""
		if value, c, err = b.value(end); err != nil {
			return nil, err
		}
		e.fields[strings.ToLower(field)] = value
	}
	if c != end {
		return nil, fmt.Errorf("entry %.40q: %q: want a comma or %q", e.key, string(c), string(end))
	}
	if kind == "string" {
		for name, value := range e.fields {
			b.macros[name] = value
		}
		return nil, nil
	}
	return e, nil
}

var bibWord = regexp.MustCompile(`^[a-z]+$`)

// value reads a value, and returns it with the byte after it.
func (b *bibtex) value(end byte) (value string, after byte, err error) {
	for {
		c, err := b.skipSpace()
		if err != nil {
			return "", 0, err
		}
		switch c {
		case '{', '"':
			close := byte('}')
			if c == '"' {
				close = '"'
			}
			part, err := b.braces(close)
			if err != nil {
				return "", 0, err
			}
			value += part
			if after, err = b.skipSpace(); err != nil {
				return "", 0, err
			}
		default:
			b.back(c)
			word, sign, err := b.name("#,})\n")
			if err != nil {
				return "", 0, err
			}
			if sign == '\n' {
				if sign, err = b.skipSpace(); err != nil {
					return "", 0, err
				}
			}
			if macro, ok := b.macros[strings.ToLower(word)]; ok {
				word = macro
			}
			value, after = value+word, sign
		}
		if len(value) > longest {
			return "", 0, fmt.Errorf("a value of more than %d bytes: want a shorter one", longest)
		}
		if after != '#' {
			return value, after, nil
		}
	}
}

// braces reads up to a byte that is in no braces.
func (b *bibtex) braces(end byte) (string, error) {
	var out []byte
	depth := 0
	for {
		c, err := b.next()
		switch {
		case err != nil:
			return "", err
		case c == end && depth == 0:
			return string(out), nil
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return "", fmt.Errorf("a } too many: want as many as {")
			}
		case c == '\\':
			out = append(out, c)
			if c, err = b.next(); err != nil {
				return "", err
			}
		}
		if out = append(out, c); len(out) > longest {
			return "", fmt.Errorf("a value of more than %d bytes: want a shorter one", longest)
		}
	}
}

// work returns the paper of an entry.
func (e *bibEntry) work() (Work, error) {
	text := func(field string) string { return fromTeX(e.fields[field]) }
	w := Work{
		ID: e.key, Title: text("title"), Abstract: text("abstract"), Venue: cmp.Or(text("journal"), text("journaltitle"), text("booktitle")),
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
			return 0, fmt.Errorf("year %.40q: want four digits", text)
		}
		return 0, nil
	}
	return strconv.Atoi(digits)
}

var yearDigits = regexp.MustCompile(`\b[12]\d{3}\b`)

// splitAnd parts names at the word and where it is in no braces.
func splitAnd(names string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(names); i++ {
		switch names[i] {
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth == 0 && i+5 <= len(names) && isBlank(names[i]) && strings.EqualFold(names[i+1:i+4], "and") && isBlank(names[i+4]) {
				out = append(out, names[min(start, i):i]) // of two "and", the second has the first one's blank before it
				start = i + 5
				i += 3
			}
		}
	}
	return append(out, names[start:])
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// personTeX returns a name with the first names first.
func personTeX(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}") && strings.Count(name, "{") == 1 { // of an institution
		return fromTeX(name)
	}
	return FirstLast(fromTeX(name))
}

// FirstLast returns "Last, First" and "Last, Jr, First" with the first names first, and other names as they are.
func FirstLast(name string) string {
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
