package network

import (
	"fmt"
	"slices"
	"strings"
)

// unread is a column that has a name and no role. It may say of a line that it is no link: a label of pairs,
// 1 or 0; a sign, 1 or -1; a rating; whether something exists.
type unread struct {
	name   string
	at     int
	values map[string]int // how many lines have each, up to fewValues
	no     int            // lines whose value may say no
	below  bool           // some of them are negative numbers
	words  bool           // some of them are words
}

// fewValues is how many values a column has at most that says something of lines, and fewKinds one without
// negative numbers: others count, or are coordinates or amounts.
const fewValues, fewKinds = 20, 3

// noWords are values, in small letters, that may say that a line is no link.
var noWords = strings.Fields("false no n f none distrust foe block")

func (u *unread) take(value string) {
	value = strings.ToLower(value)
	if u.values == nil {
		u.values = map[string]int{}
	}
	if _, there := u.values[value]; there || len(u.values) <= fewValues {
		u.values[value]++
	}
	x, err := ParseNumber(value)
	switch {
	case err == nil && x < 0:
		u.below = true
		u.no++
	case err == nil && x == 0:
		u.no++
	case slices.Contains(noWords, value):
		u.words = true
		u.no++
	}
}

// denies reports whether the column may say of some lines, and not of all, that they are no links. A column
// that counts the lines has another value on each.
func (u *unread) denies(lines int) bool {
	return u.no > 0 && u.no < lines && 2*len(u.values) <= lines && (len(u.values) <= fewKinds || u.below && len(u.values) <= fewValues)
}

// unreadOf returns those of the names of columns that a layout leaves out.
func (l Layout) unreadOf(names []string) (all []unread) {
	for i, name := range names {
		if i != l.Source && i != l.Target && i != l.Weight && i != l.Time {
			all = append(all, unread{name: name, at: i})
		}
	}
	return all
}

// checkUnread returns an error for a column that nobody said is not to be read, and that may deny some links.
// Where somebody did, it is noted.
func (p *linkParser) checkUnread() error {
	for _, u := range p.unread {
		lines := 0
		for _, n := range u.values {
			lines += n
		}
		if !u.denies(lines) {
			continue
		}
		what := fmt.Sprintf("%s has 0, less or no on %d of %d lines", u.name, u.no, lines)
		if p.options.Columns.Given() {
			p.notes.Warn("column_not_read", u.no, u.name, what+", which may not be linked; all lines are links")
			continue
		}
		return &ParseError{p.file, 0, fmt.Errorf("column %s, so these may be no links: expected --columns %s, by which all lines are links; or %s", what, p.roles(), p.without(u))}
	}
	return nil
}

// roles returns the columns that are read, as --columns names them.
func (p *linkParser) roles() string {
	if p.header {
		text := fmt.Sprintf("source=%s,target=%s", p.ends[0], p.ends[1])
		if p.at.Weight >= 0 {
			text += ",weight=" + p.names[p.at.Weight]
		}
		return text
	}
	all := slices.Repeat([]string{roleNone}, p.count)
	for at, role := range map[int]string{p.at.Source: roleSource, p.at.Target: roleTarget, p.at.Weight: roleWeight} {
		if at >= 0 {
			all[at] = role
		}
	}
	return strings.Join(all, ",")
}

// without says how to leave out the lines that a column denies.
func (p *linkParser) without(u unread) string {
	const file = "leave these lines out"
	sep, known := map[byte]string{'\t': " -F'\\t'", ',': " -F,", ';': " -F';'", ' ': ""}[p.sep]
	if !known || p.colons || p.anyQuotes || u.words {
		return file
	}
	first := ""
	if p.header {
		first = fmt.Sprintf("NR <= %d || ", p.first)
	}
	return fmt.Sprintf("%s: awk%s '%s$%d > 0' FILE", file, sep, first, u.at+1)
}
