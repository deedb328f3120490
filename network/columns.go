package network

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// columns parts the lines of one file. The first line of data decides which separator the whole file has, and how many
// columns.
type columns struct {
	*lines
	sep       byte // '\t', ',', ';' or ' '; 0 before the first line of data
	csv       bool // spaces and commas in one line are no riddle: commas separate
	first     int  // line that decided
	count     int  // columns of every line
	field     [][]byte
	inQuotes  bool         // the field that was cut last
	anyQuotes bool         // any field
	quoted    []byte       // what fields in quotes hold
	spaced    uint64       // bit i: between tabs, or within its quotes, field i lost spaces at its ends
	trailing  int          // columns without a name or a value at the end of the first line, which are none
	tail      bool         // the line has lost a space at its end
	seen      func([]byte) // is given each comment
	dicts     bool         // lines may end in dicts of Python
	dict      *attributes  // of the line; nil where no Python dict ends the lines
	colons    bool         // "::" separates columns, as in MovieLens' files; it is read as a tab
	hint      string       // ends the error about another number of columns

	quotes   bool // columns may be in quotes between tabs and spaces too
	unquoted int  // fields that were so
	kept     int  // fields that begin with a quote there, and do not end with one: it is part of them
	begins   bool // the first field of the line is in quotes
	rows     int  // lines of data so far
	comments int  // lines below the first of them that were left out
	headed   bool // the first of them has the names of the columns
	told     bool // the user says so
	rowNames bool // the others begin with names, as R's write.table has them, whose column has none
	numbered bool // these are numbers from 1
}

// separatorNames are the names of separators in reports and errors.
var separatorNames = map[byte]string{'\t': "tab", ',': "comma", ';': "semicolon", ':': "colon", ' ': "space"}

// next fills field with the columns of the next line of data, at least two and at most limit, unless that is 0. It skips blank
// lines and comments, which have # or % as their very first character; an id that starts so can stand after a space.
func (c *columns) next(limit int) error {
	for {
		line, err := c.lines.next()
		if err != nil {
			return err
		}
		if c.skip(line) || c.sep == 0 && excelSeparator.Match(line) {
			continue
		}
		return c.split(c.trimEnd(line), limit)
	}
}

// excelSeparator is the first line in which Excel says what separates columns.
var excelSeparator = regexp.MustCompile(`^sep=[,;\t]\s*$`)

// trimEnd returns a line without blanks at its end.
func (c *columns) trimEnd(line []byte) []byte {
	short := bytes.TrimRight(line, " \t\r")
	c.tail = len(short) < len(line) && line[len(short)] == ' '
	return short
}

// skip says whether a line holds no data.
func (c *columns) skip(line []byte) bool {
	if len(line) > 0 && (line[0] == '#' || line[0] == '%') && !c.headed {
		if c.sep != 0 {
			c.comments++
		}
		if c.seen != nil {
			c.seen(line)
		}
		return true
	}
	if (bytes.HasPrefix(line, []byte("// ")) || string(line) == "//") && !c.headed { // as other languages have comments
		c.comments++
		return true
	}
	if c.sep == ',' || c.sep == ';' { // spreadsheets end a table with rows of nothing
		line = bytes.TrimRight(line, string(c.sep)+" \t\r")
	}
	return len(bytes.TrimRight(line, " \t\r")) == 0
}

func (c *columns) split(line []byte, limit int) error {
	decides := c.sep == 0
	whole := line
	if decides && c.dicts || c.dict != nil {
		var err error
		if line, err = c.cutAttributes(line, decides); err != nil {
			return err
		}
	} else if c.dicts && bytes.HasSuffix(line, []byte("}")) && pythonDict.Match(line) {
		return c.errorf("%s ends in a dict, and line %d does not: expected one on each line or on none; an adjacency list of several lines is converted by a line of docs/formats.md", quote(line), c.first)
	}
	if decides {
		if ends := string(line[:1]) + string(line[len(line)-1:]); ends == "()" || ends == "[]" {
			return c.errorf("%s is a link as Python prints it: expected two ids without brackets, as print(*link) writes them", quote(whole))
		}
		if err := c.detect(line); err != nil {
			return err
		}
	}
	if err := c.cutAll(line); err != nil {
		return err
	}
	if decides && (c.sep == ',' || c.sep == ';') && !c.inQuotes {
		for n := len(c.field); n > 2 && len(c.field[n-1]) == 0; n-- {
			c.field = c.field[:n-1]
			c.trailing++
		}
	}
	if n := len(c.field); !decides && c.trailing > 0 && n == c.count+c.trailing {
		for n > c.count && len(c.field[n-1]) == 0 {
			n--
		}
		c.field = c.field[:n]
	}
	n, hint := len(c.field), c.hint
	if c.rows == 1 && n == c.count+1 {
		hint = c.findRowNames()
	}
	if c.rows++; c.rowNames && n > 1 {
		if c.numbered && string(c.field[0]) != strconv.Itoa(c.rows-1) {
			return c.errorf("%s comes first: expected %d, as the lines before begin with their numbers, or a name for each column", quote(c.field[0]), c.rows-1)
		}
		c.field, c.spaced = slices.Delete(c.field, 0, 1), c.spaced>>1
		n--
	}
	switch {
	case n == 1 && !decides:
		return c.errorf("%s has no %s: expected two ids separated by a %s, as on line %d", quote(whole), c.name(), c.name(), c.first)
	case n == 1:
		return c.errorf("%s is one column: expected two ids separated by a tab, a space, a comma or a semicolon", quote(whole))
	case n > limit && limit > 0:
		return c.errorf("%d columns separated by %ss: expected two ids, and at most %d columns", n, c.name(), limit)
	}
	if decides {
		c.count = n
	} else if n != c.count {
		return c.errorf("%d columns: expected %d, as on line %d%s", n, c.count, c.first, hint)
	}
	if (limit > 0 || n == 2) && (len(c.field[0]) == 0 || len(c.field[1]) == 0) {
		return c.errorf("%s has an empty id: expected two ids", quote(whole))
	}
	return nil
}

// findRowNames finds out whether the second line, which has one column more than the first, begins with the name of the line, as R writes it:
// it is 1 in quotes, or 1 before two ids that are text, so that it is no id before a column without a name; or the user says that there is a header,
// and it is 1 or the last column is text. It returns what else ends the error about the number of columns.
func (c *columns) findRowNames() (hint string) {
	c.numbered = string(c.field[0]) == "1"
	last := !isNumber(c.field[len(c.field)-1])
	text := last && !isNumber(c.field[1])
	switch {
	case c.headed && c.numbered && (c.begins || text || c.told), c.told && last:
		c.rowNames = true
	case c.told:
		return "; expected a name for each column"
	case c.headed || c.unquoted > 0:
		return "; if that has the names of the columns, and here the name of a line comes first, as R writes tables: --header"
	}
	return c.hint
}

// cutAll fills field with the columns of a line.
func (c *columns) cutAll(line []byte) error {
	c.field, c.quoted, c.spaced = c.field[:0], c.quoted[:0], 0
	if c.colons {
		line = bytes.ReplaceAll(line, []byte("::"), []byte("\t"))
	}
	for rest, more := line, true; more; {
		var f []byte
		var err error
		if f, rest, more, err = c.cut(rest); err != nil {
			return err
		}
		if len(c.field) == 0 {
			c.begins = c.inQuotes
		}
		short := trimSpaces(f)
		if (c.sep == '\t' || c.inQuotes) && (len(short) < len(f) || !more && c.tail && !c.inQuotes) {
			c.spaced |= 1 << len(c.field)
		}
		c.field = append(c.field, short)
	}
	return nil
}

// cut returns the first column of s, with the spaces around it, what follows it, and whether anything follows.
func (c *columns) cut(s []byte) (field, rest []byte, more bool, err error) {
	loose, t := c.sep == '\t' || c.sep == ' ', bytes.TrimLeft(s, " ")
	if c.sep == ' ' {
		t = bytes.TrimLeft(s, " \t")
		s = t
	}
	if c.inQuotes = false; len(t) > 0 && t[0] == '"' && (c.quotes || !loose) {
		before := len(c.quoted)
		if field, rest, more, err = c.cutQuoted(t); err == nil || !loose {
			if c.inQuotes, c.anyQuotes = true, true; loose {
				c.unquoted++
			}
			return field, rest, more, err
		}
		c.quoted = c.quoted[:before]
		c.kept++
	}
	if c.sep == ' ' {
		for i, b := range s {
			if b == ' ' || b == '\t' {
				return s[:i], s[i+1:], true, nil // the line has no blanks at its end, so another column follows
			}
		}
		return s, nil, false, nil
	}
	i := bytes.IndexByte(s, c.sep)
	if i < 0 {
		return s, nil, false, nil
	}
	return s[:i], s[i+1:], true, nil
}

// cutQuoted is cut for a column in quotes, in which a quote stands for itself where there are two.
func (c *columns) cutQuoted(s []byte) (field, rest []byte, more bool, err error) {
	start := len(c.quoted)
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			c.quoted = append(c.quoted, s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			c.quoted = append(c.quoted, '"')
			i++
			continue
		}
		rest = bytes.TrimLeft(s[i+1:], " ")
		field = c.quoted[start:len(c.quoted):len(c.quoted)]
		switch {
		case len(rest) == 0:
			return field, nil, false, nil
		case rest[0] == c.sep, c.sep == ' ' && rest[0] == '\t':
			return field, rest[1:], true, nil
		case c.sep == ' ' && len(rest) < len(s)-i-1:
			return field, rest, true, nil
		}
		return nil, nil, false, c.errorf("%s follows the column %s in quotes: expected a %s", quote(rest), quote(field), c.name())
	}
	return nil, nil, false, c.errorf("%s has no closing quote: expected it on the same line", quote(s))
}

// trimSpaces returns a text without the spaces at its ends: also those of other widths, and that which does
// not break, as texts copied from pages have them.
func trimSpaces(s []byte) []byte {
	return bytes.TrimFunc(s, func(r rune) bool {
		return r == ' ' || r > unicode.MaxASCII && !unicode.IsControl(r) && (unicode.IsSpace(r) || r == '\u200b')
	})
}

// detect takes a tab for the separator if there is one, else a comma or a semicolon, else spaces.
func (c *columns) detect(line []byte) error {
	c.first = c.line
	if bytes.IndexByte(line, '\r') >= 0 {
		return c.errorf("%s has a carriage return: expected lines that end with a line feed, which old spreadsheets do not write", quote(line))
	}
	bare := withoutQuoted(line)
	comma, semicolon := bytes.IndexByte(bare, ',') >= 0, bytes.IndexByte(bare, ';') >= 0
	switch {
	case bytes.IndexByte(line, '\t') >= 0:
		c.sep = '\t'
		return nil
	case comma && semicolon:
		return c.errorf("%s has commas and semicolons, either could separate the columns: expected tabs, or quotes around columns", quote(line))
	case comma:
		c.sep = ','
	case semicolon:
		c.sep = ';'
	case bytes.IndexByte(bare, ' ') < 0 && bytes.Contains(bare, []byte("::")):
		c.sep, c.colons = '\t', true
		return nil
	default:
		c.sep = ' '
		return nil
	}
	for f := range bytes.SplitSeq(bare, []byte{c.sep}) { // "a,b c" could be the ids "a,b" and "c"; "a, b" could not
		if !c.csv && bytes.IndexByte(trimSpaces(f), ' ') >= 0 {
			return c.errorf("%s has %ss and spaces, either could separate the columns: expected tabs, quotes, or --columns", quote(line), c.name())
		}
	}
	return nil
}

// withoutQuoted returns a line without what is in quotes.
func withoutQuoted(line []byte) []byte {
	if bytes.IndexByte(line, '"') < 0 {
		return line
	}
	var out []byte
	inside := false
	for _, b := range line {
		if b == '"' {
			inside = !inside
		} else if !inside {
			out = append(out, b)
		}
	}
	return out
}

func (c *columns) name() string {
	if c.colons {
		return "double colon"
	}
	return separatorNames[c.sep]
}

// quote shows a piece of input in an error, shortened.
func quote(b []byte) string {
	const most = 60
	if len(b) > most {
		return strconv.Quote(string(b[:most])) + "..."
	}
	return strconv.Quote(string(b))
}

// maxID is the length in bytes of the longest vertex id, so that any two fit a line.
const maxID = 4096

// rounded is how spreadsheets write whole numbers of more digits than they keep.
var rounded = regexp.MustCompile(`^\d(\.\d+)?E\+\d\d$`)

// CheckID returns what is wrong with the id of a vertex or another name in a text, such as a control character in it, or nil: any text will do that cannot be
// mistaken for something else. The error completes "id X".
func CheckID(id []byte) error {
	if len(id) == 0 {
		return errors.New("is empty: expected text; do two separators follow one another?")
	}
	if len(id) > maxID {
		return fmt.Errorf("is longer than %d bytes: expected a shorter one", maxID)
	}
	if rounded.Match(id) {
		return errors.New("is a number whose last digits a spreadsheet has left out: expected the column exported as text")
	}
	ascii := true
	for _, b := range id {
		if b < ' ' || b == 0x7f {
			return errors.New("has a control character; is the file binary, or UTF-16?: expected UTF-8 text")
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	if ascii {
		return nil
	}
	if !utf8.Valid(id) {
		return errors.New("is not UTF-8; is the file binary, or in another encoding?: expected UTF-8 text")
	}
	for _, r := range string(id) {
		if unicode.IsControl(r) || r == '\ufeff' {
			return errors.New("has a control character or a byte order mark inside: expected UTF-8 text")
		}
	}
	return nil
}
