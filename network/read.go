package network

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// ReadOptions says how to take a file of links.
type ReadOptions struct {
	Directed bool    // each line is a link from its first vertex to its second
	AsSaid   bool    // only if the file says so: Directed does not count
	Columns  Columns // what the columns hold; the zero value leaves it to the file
	Header   Header  // whether the first line has the names of the columns
	CSV      bool    // commas or semicolons separate the columns even where there are spaces too
	Memory   uint64  // bytes that the network may take while it is built; 0 for no matter
}

// Header says whether a table begins with the names of its columns.
type Header int

// HeaderAuto leaves it to the first line, HeaderYes and HeaderNo tell it.
const (
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// Read reads a network from a file of links; see ReadFrom. It returns an error for a file that cannot be opened, and those of ReadFrom.
func Read(path string, o ReadOptions) (*Network, Notes, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	return ReadFrom(f, path, o)
}

// ReadFrom reads a network from lines of links; name is what errors call the input.
//
// The text is UTF-8, plain or compressed with gzip, bzip2, xz or zstd, which its first bytes tell. A line holds two vertex ids
// and, where wanted, a weight and a time, separated by tabs, commas, semicolons or spaces: the first line of data decides, and
// all others have the same separator and number of columns. Spaces around columns do not count; a column may be in quotes. An id is any text without control characters. Blank lines do not count, nor do lines that
// start with # or %.
//
// Names of columns, in a first line such as "source,target" or "from to weight" if neither name is a vertex further down, or in
// the comment before the first link, say which columns are read; a column named type, as Gephi writes it, may have the directions. Columns tells them otherwise, and Header whether the first line
// has names; lines below names that begin with # are data, and those that repeat the names are left out. Without names there are two to four columns: a third one is a weight, unless it holds nothing but times, years or
// days, and is then not used, or the values of columns speak against it; a fourth one must be a number and is not used, as in the files of KONECT. A dict
// such as {'weight': 2.0} at the end of all lines, as networkx writes it, may have the weight. A weight is a finite number > 0.
//
// Vertices are numbered by the rank of their ids, as integers if all are decimal integers, else by their bytes. Everything
// else is a *ParseError with file and line; so is a file without a link, a first line that may as well be column names as a link, and
// a table whose columns may as well hold something else.
func ReadFrom(r io.Reader, name string, o ReadOptions) (*Network, Notes, error) {
	p, err := newLinkParser(r, name, o)
	if err != nil {
		return nil, nil, err
	}
	if err := p.parse(); !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if err := p.end(); err != nil {
		return nil, nil, err
	}
	if o.AsSaid && p.said[oneWay] && p.said[bothWays] {
		return nil, nil, &ParseError{name, 0, errors.New("has links with a direction and without one: expected --directed, where the latter point both ways, or --directed=false")}
	}
	p.remark()
	n, built, err := p.b.Build(o.Directed && !o.AsSaid || o.AsSaid && p.said[oneWay])
	if errors.Is(err, ErrNoLink) {
		err = fmt.Errorf("no link in the file: expected lines of two vertex ids")
	}
	if err != nil {
		return nil, nil, &ParseError{name, 0, err}
	}
	return n, append(built, p.notes...), nil
}

// remark notes what of the file was not read as it stands, or may not be what it seems. The builder still has what it collected.
func (p *linkParser) remark() {
	p.notes.Add("columns_without_their_quotes", p.unquoted, "")
	p.notes.Add("columns_not_read", 0, strings.Join(p.ignored, ", "))
	if p.rowNames {
		p.notes.Add("first_column", 0, "names of rows, not read")
	}
	if p.bip {
		p.notes.Add("two_kinds_of_vertices", 0, "left:ID, right:ID")
	}
	if p.guess && p.third.times() {
		p.notes.Warn("third_column", 0, "times", "the third column contains times and is not read; --columns source,target,weight reads it as weights")
	}
	p.notes.Warn("comments", p.comments, "", "lines that begin with #, % or // are comments and were left out")
	p.notes.Warn("missing_values", 0, p.missing(), "ids that may stand for a missing value are vertices")
	p.notes.Warn("lists", 0, p.lists(), "ids are several others in one cell; expected a line for each link")
	p.notes.Warn("open_quotes", p.kept, "", "columns begin with a quote and do not end with one: it is part of the id")
	p.notes.Warn("first_line", 0, p.doubtful, "the first line may have the names of the columns, as no other has its vertices: --header reads it so")
	p.notes.Warn("names_again", p.again, "", "lines repeat the names of the columns and were left out")
	if n := seq.Count(p.b.ids.names, isText); 20*n <= p.b.Vertices() && n > 0 {
		p.notes.Warn("text_among_numbers", n, p.b.ids.names[slices.IndexFunc(p.b.ids.names, isText)], "ids are text where nearly all others are numbers; expected a link on each line, and no sums or remarks")
	}
	p.notes.Warn("spellings", 0, p.spellings(), "ids that look alike, or are the same number, are different vertices")
	if p.kinds {
		p.notes.Warn("numbers", 0, "in both columns", "the columns seem to number different things, such as users and films, and a number in both is one vertex here; --schema keeps them apart")
	}
}

// neighboursHint is for files that are no table.
const neighboursHint = "; lists of neighbours are converted by a line of docs/formats.md"

// linkParser collects the links of a file.
type linkParser struct {
	columns
	options  ReadOptions
	b        *Builder
	at       Layout
	plain    bool     // lines hold two ids and nothing else that is read
	header   bool     // the first line had names
	names    []string // of the columns, or their numbers
	ignored  []string
	unread   []unread
	guess    bool      // nothing says what the third column holds
	reading            // what the columns are like then
	named    string    // the last comment, which may have names of columns
	konect   bool      // a comment says that the third column is a weight, as in KONECT
	bip      bool      // it says that each column has vertices of its own
	said     [3]bool   // which ways the file says that links go
	ways     int       // the column that says so of each link, as Gephi writes it; -1 for none
	written  bool      // a comment says that Network.Write wrote the file: no names, and a third column is a weight
	set      []string  // the first line, while it may be column names or a link
	ends     [2]string // the names of the columns of the two ids
	doubtful string    // the first line, where this cannot be found out
	again    int       // lines that repeat it
	kinds    bool      // the columns seem to number different things
	notes    Notes
	list     *LinkList // what the builder does not keep of links; nil where nobody asks for it
}

// newLinkParser returns a parser that has read nothing of r yet but its first bytes.
func newLinkParser(r io.Reader, name string, o ReadOptions) (*linkParser, error) {
	l, err := newLines(r, name)
	if err != nil {
		return nil, err
	}
	p := &linkParser{columns: columns{lines: l, dicts: true, csv: o.CSV || o.Columns.Given() || o.Header == HeaderYes, hint: neighboursHint, quotes: true}, options: o, b: NewBuilder(), ways: -1}
	p.seen, p.b.Memory = p.comment, o.Memory
	return p, nil
}

// parse reads to the end of the file, where it returns io.EOF, or to an error.
func (p *linkParser) parse() (err error) {
	for err = p.begin(); err == nil; err = p.nextLink() {
	}
	return err
}

// link adds the link of the current line.
func (p *linkParser) link() error {
	if p.header && string(p.field[p.at.Source]) == p.ends[0] && string(p.field[p.at.Target]) == p.ends[1] { // files that were put together
		p.again++
		return nil
	}
	u, err := p.vertex(p.at.Source, "left:")
	if err != nil {
		return err
	}
	v, err := p.vertex(p.at.Target, "right:")
	if err != nil {
		return err
	}
	way, err := p.way()
	if err != nil {
		return err
	}
	for i := range p.unread {
		p.unread[i].take(string(p.field[p.unread[i].at]))
	}
	weight := 1.0
	switch {
	case p.at.Weight >= 0:
		if weight, err = p.weight(p.field[p.at.Weight]); err != nil {
			return err
		}
	case p.dict != nil && p.dict.weight != nil:
		if weight, err = p.weight(p.dict.weight); err != nil {
			return err
		}
	}
	if p.guess && p.count > 3 {
		if t, err := strconv.ParseFloat(string(p.field[3]), 64); err != nil || t-t != 0 {
			return p.errorf("time %s: expected a number in the fourth column, or no such column", quote(p.field[3]))
		}
	}
	if p.guess {
		p.take(p.field)
	}
	if err := p.b.AddWeighted(u, v, weight); err != nil {
		return p.errorf("%w", err)
	}
	if p.list != nil {
		return p.list.take(p)
	}
	if way == bothWays && p.options.Directed && u != v {
		if err := p.b.AddWeighted(v, u, weight); err != nil {
			return p.errorf("%w", err)
		}
	}
	return nil
}

// Ways of links, as a file says them.
const (
	unsaid = iota
	oneWay
	bothWays
)

var wayNames = map[string]int{"directed": oneWay, "undirected": bothWays, "mutual": bothWays, "": unsaid}

// way returns which way the link of the current line goes. The first link tells whether a column named type says so.
func (p *linkParser) way() (int, error) {
	if p.ways < 0 {
		return unsaid, nil
	}
	way, known := wayNames[strings.ToLower(string(p.field[p.ways]))]
	switch {
	case known:
	case p.b.Links() == 0:
		p.ways = -1
		return unsaid, nil
	default:
		return unsaid, p.errorf("type %s: expected Directed or Undirected, as on the lines before", quote(p.field[p.ways]))
	}
	if way != unsaid && !p.said[oneWay] && !p.said[bothWays] {
		p.ignored = slices.DeleteFunc(p.ignored, func(name string) bool { return strings.EqualFold(name, typeName) })
	}
	p.said[way] = true
	return way, nil
}

// weight returns the weight in a column. Where something else stands in the third of a table that may have a weight there, the error says what the columns are instead, as far
// as the lines that follow tell.
func (p *linkParser) weight(text []byte) (float64, error) {
	w, err := ParseWeight(string(text))
	switch {
	case err == nil && p.guess:
		p.third.take(w)
	case err != nil && p.at.Weight < 0:
		err = p.errorf("%w in the dict", err)
	case err != nil:
		remedy := "if that is no weight: --columns source,target,-, or as the columns come; if the line has the names of columns: --header"
		if x, numberErr := ParseNumber(string(text)); numberErr == nil && x <= 0 {
			remedy = fmt.Sprintf("if it says that there is no link: %s; if it says nothing of the link: --columns source,target,-", p.without(unread{at: p.at.Weight}))
		}
		err = p.errorf("%w in column %d; %s", err, p.at.Weight+1, remedy)
		if p.third = (thirdKind{}); !p.guess {
			break
		}
		for more := error(nil); more == nil && len(p.reading.rows) < readingLines; more = p.columns.next(0) {
			p.take(p.field)
		}
		if why, columns := p.doubt(); why != "" {
			err = &ParseError{p.file, 0, p.reading.error(why, columns)}
		}
	}
	return w, err
}

// ParseWeight returns the weight of a link. The error says what was given and what is wanted: a finite number > 0, and within what a
// float32 can hold, as weights are kept.
func ParseWeight(text string) (float64, error) {
	w, err := ParseNumber(text)
	if err == nil && validWeight(float32(w)) {
		return w, nil
	}
	want := "a finite number > 0"
	if w > 0 && !math.IsInf(w, 0) {
		want = "a number from 1e-45 to 3.4e38, which a float32 can hold,"
	}
	return 0, fmt.Errorf("weight %s: expected %s", quote([]byte(text)), want)
}

// isText says whether an id is no whole number.
func isText(id string) bool { return !isDecimal(id) }

// isNumber says whether a text is a number, in range or not.
func isNumber(text []byte) bool {
	_, err := ParseNumber(string(text))
	return err == nil
}

// check returns an error if id cannot be the id of a vertex.
func (c *columns) check(id []byte) error {
	if err := CheckID(id); err != nil {
		return c.errorf("id %s %w", quote(id), err)
	}
	return nil
}

// vertex returns the number of the id in a column, which it checks when it is new. A side begins its name where each has vertices of its own.
func (p *linkParser) vertex(column int, side string) (int32, error) {
	id := p.field[column]
	if p.bip {
		id = append([]byte(side), id...)
	}
	v, isNew, err := p.b.Vertex(id)
	if err != nil {
		return 0, p.errorf("id %s %w", quote(id), err)
	}
	spaced := p.spaced>>column&1 == 1 && id[0] != '#' && id[0] != '%' && !isDecimal(string(id)) // a space keeps a line from being a comment
	if err := p.b.Spaced(v, isNew || p.options.Columns.Given(), spaced); err != nil {
		return 0, p.errorf("id %s %w, or --columns source,target, where they do not count", quote(id), err)
	}
	return v, nil
}

// nextLink reads the next link.
func (p *linkParser) nextLink() error {
	if !p.plain || p.rowNames {
		if err := p.columns.next(0); err != nil {
			return err
		}
		return p.link()
	}
	for { // two numbers a line, as most files of many links have
		line, err := p.lines.next()
		if err != nil {
			return err
		}
		if x, y, ok := twoIntegers(line, p.sep); ok {
			u, _, err := p.b.Integer(x)
			if err != nil {
				return p.errorf("vertex %d %w", x, err)
			}
			v, _, err := p.b.Integer(y)
			if err != nil {
				return p.errorf("vertex %d %w", y, err)
			}
			if err := p.b.Add(u, v); err != nil {
				return p.errorf("%w", err)
			}
			if p.list != nil {
				p.list.Lines = append(p.list.Lines, p.line)
			}
			continue
		}
		if p.skip(line) {
			continue
		}
		if err := p.split(p.trimEnd(line), 0); err != nil {
			return err
		}
		return p.link()
	}
}

// twoIntegers returns the values of a line that is two plain integers with a separator between them, and nothing else.
func twoIntegers(line []byte, sep byte) (x, y uint64, ok bool) {
	i := 0
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		x = 10*x + uint64(line[i]-'0')
	}
	if i == 0 || i > 18 || i+1 >= len(line) || line[i] != sep || line[0] == '0' && i > 1 {
		return 0, 0, false
	}
	rest := line[i+1:]
	for _, b := range rest {
		if b-'0' > 9 {
			return 0, 0, false
		}
		y = 10*y + uint64(b-'0')
	}
	return x, y, len(rest) <= 18 && !(rest[0] == '0' && len(rest) > 1)
}
