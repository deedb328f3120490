package network

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/asp2vec/asp2vec/internal/seq"
	"golang.org/x/text/unicode/norm"
)

// begin reads the first line of data, and finds out what the columns hold.
func (p *linkParser) begin() error {
	if err := p.columns.next(0); err != nil {
		return err
	}
	first := make([]string, len(p.field))
	for i, f := range p.field {
		first[i] = string(f)
	}
	_, known := knownNames(first)
	if len(first) > 2 && first[0] == "" && !known && !p.options.Columns.Given() && p.options.Header != HeaderNo {
		return p.errorf("the first column has no name, as pandas writes its index: expected --columns source=%s,target=%s, or names such as source and target; a matrix becomes links by a line of docs/formats.md", first[1], first[2])
	}
	p.header = p.options.Header == HeaderYes || p.options.Columns.ByName() && p.options.Header == HeaderAuto ||
		known && p.options.Header == HeaderAuto && p.line == 1
	if p.options.Header == HeaderNo && p.options.Columns.ByName() {
		return p.errorf("columns selected by name, but no line with names: expected --columns source,target in order")
	}
	if err := p.locate(first, known); err != nil {
		return err
	}
	p.plain = p.count == 2 && p.dict == nil && !p.bip && p.at.Source == 0 && p.at.Target == 1
	if p.headed = p.header; !p.header {
		return p.link()
	}
	p.told = p.options.Header == HeaderYes
	p.ends = [2]string{first[p.at.Source], first[p.at.Target]}
	if known && p.options.Header == HeaderAuto && !p.options.Columns.Given() && len(first) <= 4 {
		p.set = first
	}
	return nil
}

// locate finds out which columns are read.
func (p *linkParser) locate(first []string, known bool) (err error) {
	names := first
	commented := strings.Fields(strings.TrimLeft(p.named, "#% "))
	_, told := knownNames(commented)
	told = told && len(commented) == p.count
	switch {
	case p.options.Columns.Given() || p.header && known:
		if p.at, err = p.options.Columns.Locate(names); err != nil {
			return p.errorf("%w", err)
		}
		if !p.header { // and columns have numbers
			names = seq.Map(seq.Upto(len(first)), func(i int) string { return strconv.Itoa(i + 1) })
		}
		if p.header {
			p.names, p.ignored = names, p.at.Ignored(names)
			if p.list == nil { // where it is not, a schema says the directions
				p.ways = slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, typeName) })
			}
		}
		p.unread = p.at.unreadOf(names)
		return nil
	case told && !p.header:
		p.at, _ = knownNames(commented)
		p.names, p.ignored, p.unread = commented, p.at.Ignored(commented), p.at.unreadOf(commented)
		return nil
	case p.count > 4:
		return p.errorf("%d columns separated by %ss: expected --columns, a first line with names such as source and target, or at most two ids, a weight and a time", p.count, p.name())
	}
	p.at = Layout{0, 1, -1, -1}
	if p.count > 2 {
		p.at.Weight = 2
		p.guess = !p.konect && !p.written
	}
	return nil
}

// comment looks at a comment.
func (p *linkParser) comment(line []byte) {
	if p.sep != 0 {
		return
	}
	p.named = string(line)
	if m := konectComment.FindSubmatch(line); m != nil {
		p.konect, p.said[oneWay], p.bip = true, string(m[1]) == "asym", string(m[1]) == "bip" && p.list == nil
	}
	if writtenComment.Match(line) {
		p.written, p.dicts, p.quotes, p.said[oneWay] = true, false, false, bytes.HasPrefix(line, []byte(DirectedComment))
	}
}

// typeName is the name of the column in which Gephi writes the direction of each link.
const typeName = "type"

// writtenComment is the one of Network.Write.
var writtenComment = regexp.MustCompile(`^# (un)?directed, \d+ vertices, \d+ links$`)

// konectComment is the first line of a file of KONECT, whose third column is a weight, or how often a link is there.
var konectComment = regexp.MustCompile(`^%\s*(sym|asym|bip)\s+(unweighted|positive|posweighted|signed|multisigned|weighted|multiweighted|dynamic|multiposweighted)\b`)

// end decides what could be told only from the whole file.
func (p *linkParser) end() error {
	if p.set != nil {
		if err := p.resolveHeader(); err != nil {
			return err
		}
	}
	if p.guess && p.third.times() {
		p.b.forgetWeights()
	}
	if err := p.checkUnread(); err != nil {
		return err
	}
	if why, columns := p.doubt(); p.guess && why != "" {
		return &ParseError{p.file, 0, p.reading.error(why, columns)}
	}
	if p.written || p.b.Links() == 0 {
		return nil
	}
	s := p.survey()
	defer func() { p.kinds = s.twoKinds(p) }() // which takes the first line too
	if p.header || p.options.Header == HeaderNo {
		return nil
	}
	if p.options.Columns.Given() && p.at.Weight >= 0 {
		return nil // the weight of names would not be a number
	}
	from, to := p.b.Name(s.first.From), p.b.Name(s.first.To)
	if p.b.Links() > 1 && s.once() {
		if s.onlyText(p.b) || columnWord.MatchString(from) && columnWord.MatchString(to) {
			return &ParseError{p.file, p.first, fmt.Errorf("%s and %s could be the names of columns, or a link: expected --header, or --header=false", quote([]byte(from)), quote([]byte(to)))}
		}
		if isText(from) && isText(to) {
			p.doubtful = from + ", " + to
		}
	}
	if from == "0" && to == "1" && (s.once() || p.b.Links() > 9 && s.in[s.first.From] == 0) { // pandas names columns 0, 1, ... by itself
		p.doubtful = from + ", " + to
	}
	if s.sizes(p) {
		return &ParseError{p.file, p.first, fmt.Errorf("%s and %s could be numbers of vertices and of what follows, or a link: expected --header, which leaves the line out, or --header=false; "+
			"lists of neighbours, as METIS has them, are converted by a line of docs/formats.md", quote([]byte(from)), quote([]byte(to)))}
	}
	return nil
}

// lookalike returns how a name is usually written that looks like it: with letters composed of their accents,
// and plain spaces.
func lookalike(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return name
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200b' || r == '\u00ad':
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name))
}

// spellings returns the first ids, two at most, that are other ids as numbers, as where pandas makes floats
// of a column with gaps, or look like others.
func (p *linkParser) spellings() string {
	var found []string
	for _, name := range p.b.ids.names {
		if p.written || len(found) == 2 {
			break
		}
		if same := lookalike(name); same != name {
			if _, there := p.b.ids.lookup(same); there {
				found = append(found, strconv.QuoteToASCII(name)+" and "+strconv.QuoteToASCII(same))
				continue
			}
		}
		if _, plain := plainInteger([]byte(name)); plain || name == "" || name[0]-'0' > 9 {
			continue
		}
		number := strings.TrimLeft(decimalZeros.ReplaceAllString(name, ""), "0")
		if number == "" {
			number = "0"
		}
		if _, there := p.b.ids.lookup(number); there && number != name && isDecimal(number) {
			found = append(found, name+" and "+number)
		}
	}
	return strings.Join(found, ", ")
}

// lists returns the first ids, two at most, that are several ids, in one cell.
func (p *linkParser) lists() string {
	var found []string
	for _, name := range p.b.ids.names {
		sep := strings.IndexAny(name, ";|")
		if p.written || sep < 0 || len(found) == 2 {
			continue
		}
		parts := strings.Split(name, name[sep:sep+1])
		if !slices.ContainsFunc(parts, func(part string) bool { _, there := p.b.ids.lookup(strings.TrimSpace(part)); return !there }) {
			found = append(found, name)
		}
	}
	return strings.Join(found, ", ")
}

// missing returns the ids that may stand for a missing value.
func (p *linkParser) missing() string {
	return strings.Join(seq.Filter([]string{"-1", "\\N", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL", "None"}, func(id string) bool { _, there := p.b.ids.lookup(id); return there }), ", ")
}

var decimalZeros = regexp.MustCompile(`\.0+$`)

// columnWord is what names of columns are likely to hold.
var columnWord = regexp.MustCompile(`(?i)(^|_|[a-z])(id|node|vertex|user|author|name|src|dst|source|target|from|to|person|item|entity|head|tail|whom?)(\d|_|id|$)`)

// resolveHeader decides what the first line was: column names, unless one of them is a vertex of another line.
func (p *linkParser) resolveHeader() error {
	from, to := p.set[p.at.Source], p.set[p.at.Target]
	_, here := p.b.ids.lookup(from)
	_, there := p.b.ids.lookup(to)
	if !here && !there {
		return nil
	}
	p.header, p.ignored, p.unread = false, nil, nil
	line := p.line
	p.line, p.field = p.first, p.field[:0]
	for _, s := range p.set {
		p.field = append(p.field, []byte(s))
	}
	if err := p.link(); err != nil {
		return err
	}
	p.line = line
	p.b.links, p.b.weights = lastFirst(p.b.links), lastFirst(p.b.weights) // it came first, so its weight is the one that counts
	if p.list != nil {
		p.list.lastFirst()
	}
	return nil
}
