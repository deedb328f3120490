package network

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
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
		line, matrix := p.line, ""
		if p.columns.next(0) == nil && string(p.field[0]) == first[1] && isNumber(p.field[1]) {
			matrix = "; a matrix of links becomes a list by a line of Python in docs/formats.md"
		}
		p.line = line
		return p.errorf("the first column has no name, as pandas writes its index: expected --columns source=%s,target=%s, or names such as source and target%s", first[1], first[2], matrix)
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
		if p.header {
			p.ignored = p.at.Ignored(names)
			if p.list == nil { // where it is not, a schema says the directions
				p.ways = slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, typeName) })
			}
		}
		return nil
	case told && !p.header:
		p.at, _ = knownNames(commented)
		p.ignored = p.at.Ignored(commented)
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
	if why, columns := p.doubt(); p.guess && why != "" {
		return &ParseError{p.file, 0, p.reading.error(why, columns)}
	}
	if p.b.Links() == 0 || p.header || p.written || p.options.Header == HeaderNo {
		return nil
	}
	if p.options.Columns.Given() && p.at.Weight >= 0 {
		return nil // the weight of names would not be a number
	}
	from, to := p.b.Name(p.opening[0]), p.b.Name(p.opening[1])
	if p.b.Links() > 1 && p.once(p.opening) {
		if p.onlyTextIsFirst() || columnWord.MatchString(from) && columnWord.MatchString(to) {
			return &ParseError{p.file, p.first, fmt.Errorf("%s and %s could be the names of columns, or a link: expected --header, or --header=false", quote([]byte(from)), quote([]byte(to)))}
		}
		if !isDecimal(from) && !isDecimal(to) || from == "0" && to == "1" { // pandas names columns 0, 1, ... by itself
			p.doubtful = from + ", " + to
		}
	}
	if p.sizes(from, to) {
		return &ParseError{p.file, p.first, fmt.Errorf("%s and %s could be numbers of vertices and of what follows, or a link: expected --header, which leaves the line out, or --header=false; "+
			"lists of neighbours, as METIS has them, are converted by a line of docs/formats.md", quote([]byte(from)), quote([]byte(to)))}
	}
	return nil
}

// sizes says whether the first line, which is between two vertices, could be how many vertices and links the others have, or rows, columns and
// links.
func (p *linkParser) sizes(from, to string) bool {
	others := uint64(p.b.Links() - 1)
	rows, ok := plainInteger([]byte(from))
	last, also := plainInteger([]byte(to))
	triple := p.count == 3 && p.b.links.weights != nil && p.b.links.weights[0][0] == float32(others)
	if !ok || !also || others < 3 || !triple && last != others {
		return false
	}
	first := true
	seen := make([]bool, p.b.Vertices())
	var vertices, mostFrom, mostTo uint64
	for _, links := range p.b.links.links {
		for _, l := range links {
			if first {
				first = false
				continue
			}
			for i, v := range []int32{l.From, l.To} {
				x, plain := plainInteger([]byte(p.b.Name(v)))
				if !plain {
					return false
				}
				most := []*uint64{&mostFrom, &mostTo}[i]
				if *most = max(*most, x); !seen[v] {
					seen[v] = true
					vertices++
				}
			}
		}
	}
	if triple {
		return rows >= mostFrom && last >= mostTo
	}
	most := max(mostFrom, mostTo)
	return rows == vertices || rows == most || rows == most+1
}

// spellings returns the first ids, two at most, that are other ids as numbers, as where pandas makes floats of a column with gaps.
func (p *linkParser) spellings() string {
	var found []string
	for _, name := range p.b.ids.names {
		if p.written || len(found) == 2 {
			break
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

// missing returns the ids that may stand for a missing value.
func (p *linkParser) missing() string {
	return strings.Join(seq.Filter([]string{"NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL", "None"}, func(id string) bool { _, there := p.b.ids.lookup(id); return there }), ", ")
}

var decimalZeros = regexp.MustCompile(`\.0+$`)

// Words in names of columns of vertices of two kinds.
var (
	userWord = regexp.MustCompile(`(?i)user|customer|reader|reviewer|listener|author`)
	itemWord = regexp.MustCompile(`(?i)item|movie|film|book|isbn|artist|track|song|product|business|venue|paper|tag`)
)

// twoKinds says whether the columns seem to number different things, such as users and films, and have numbers in common: by their names, or as
// each counts from 0 or 1, nearly without a gap, to another last number, and some have the same.
func (p *linkParser) twoKinds() bool {
	if p.bip || p.written || p.konect || p.b.Vertices() == 0 {
		return false
	}
	values := make([]uint64, p.b.Vertices())
	for v, name := range p.b.ids.names {
		x, plain := plainInteger([]byte(name))
		if !plain {
			return false
		}
		values[v] = x
	}
	var in [2][]bool
	var different, least, most [2]uint64
	for i := range in {
		in[i], least[i] = make([]bool, len(values)), math.MaxUint64
	}
	common, loops := false, false
	for _, links := range p.b.links.links {
		for _, l := range links {
			loops = loops || l.From == l.To
			for i, v := range [2]int32{l.From, l.To} {
				if !in[i][v] {
					in[i][v] = true
					different[i]++
					least[i], most[i] = min(least[i], values[v]), max(most[i], values[v])
				}
				common = common || in[1-i][v]
			}
		}
	}
	if p.header && userWord.MatchString(p.ends[0]) && itemWord.MatchString(p.ends[1]) {
		return common
	}
	dense := func(i int) bool { return least[i] <= 1 && different[i]*10 >= (most[i]-least[i]+1)*9 }
	return loops && least[0] == least[1] && dense(0) && dense(1) && max(most[0], most[1])*10 >= min(most[0], most[1])*11
}

// columnWord is what names of columns are likely to hold.
var columnWord = regexp.MustCompile(`(?i)(^|_|[a-z])(id|node|vertex|user|author|name|src|dst|source|target|from|to|person|item|entity|head|tail|whom?)(\d|_|id|$)`)

// once says whether no other line has the vertices of the first one.
func (p *linkParser) once(first [2]int32) bool {
	seen := false
	for _, links := range p.b.links.links {
		for _, l := range links {
			if l.From == first[0] || l.From == first[1] || l.To == first[0] || l.To == first[1] {
				if seen {
					return false
				}
				seen = true
			}
		}
	}
	return seen && first[0] != first[1]
}

// onlyTextIsFirst says whether the ids of the first line are the only ones that are no numbers.
func (p *linkParser) onlyTextIsFirst() bool {
	for v, name := range p.b.ids.names {
		if isDecimal(name) == (int32(v) == p.opening[0] || int32(v) == p.opening[1]) {
			return false
		}
	}
	return true
}

// resolveHeader decides what the first line was: column names, unless one of them is a vertex of another line.
func (p *linkParser) resolveHeader() error {
	from, to := p.set[p.at.Source], p.set[p.at.Target]
	_, here := p.b.ids.lookup(from)
	_, there := p.b.ids.lookup(to)
	if !here && !there {
		return nil
	}
	p.header, p.ignored = false, nil
	line := p.line
	p.line, p.field = p.first, p.field[:0]
	for _, s := range p.set {
		p.field = append(p.field, []byte(s))
	}
	if err := p.link(); err != nil {
		return err
	}
	p.line = line
	p.b.links.lastFirst() // it came first, so its weight is the one that counts
	if p.list != nil {
		p.list.lastFirst()
	}
	return nil
}
