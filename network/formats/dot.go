package formats

import (
	"io"
	"strings"
)

// readDOT reads the one graph of a file, with the attribute weight of its edges. A subgraph at the end of an edge stands for
// all its vertices.
//
// Source: the DOT language, graphviz.org/doc/info/lang.html.
func readDOT(t *text, s *sink) error {
	d := &dot{text: t, sink: s}
	if err := d.advance(); err != nil {
		return unexpected(err)
	}
	if d.is("strict") {
		if err := d.advance(); err != nil {
			return unexpected(err)
		}
	}
	switch {
	case d.is("graph"):
		d.edge, d.way = "--", bothWays
	case d.is("digraph"):
		d.edge, d.way = "->", oneWay
	default:
		return d.want("graph or digraph")
	}
	if err := d.advance(); err != nil {
		return unexpected(err)
	}
	if d.now.id {
		if err := d.advance(); err != nil {
			return unexpected(err)
		}
	}
	if d.now.text != "{" || d.now.id {
		return d.want("{")
	}
	if _, err := d.body(dotScope{}, false); err != nil {
		return unexpected(err)
	}
	if d.now.text != "" {
		return d.want("nothing after the graph, or one graph a file")
	}
	return nil
}

// most is how many links one arrow between two subgraphs may stand for, and how deep subgraphs may lie in each other.
const (
	mostLinks = 1 << 20
	mostDepth = 100
)

type dot struct {
	*text
	*sink
	edge  string // the arrow of the graph
	way   way
	now   dotToken
	depth int
}

// dotToken is a word or a sign; "" at the end of the file.
type dotToken struct {
	text   string
	id     bool // a word
	quoted bool // and no keyword
}

// dotScope is what holds between two braces.
type dotScope struct{ weight string }

func (d *dot) is(keyword string) bool {
	return d.now.id && !d.now.quoted && strings.EqualFold(d.now.text, keyword)
}

func (d *dot) sign(text string) bool { return !d.now.id && d.now.text == text }

func (d *dot) want(what string) error {
	if d.now.text == "" && !d.now.id {
		return io.ErrUnexpectedEOF
	}
	return d.errorf("%.40q: want %s", d.now.text, what)
}

// advance reads the next token.
func (d *dot) advance() error {
	d.now = dotToken{}
	for {
		start := d.line
		b, err := d.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
		case b == '#':
			err = d.untilLineEnd()
		case b == '/':
			err = d.comment()
		case strings.IndexByte("{}[];,:=", b) >= 0:
			d.now.text = string(b)
			return nil
		case b == '"':
			return d.quoted()
		case b == '<':
			return d.errorf("an id in HTML: want text, or in quotes")
		case b == '-':
			c, err := d.next()
			switch {
			case err != nil:
				return unexpected(err)
			case c == '-' || c == '>':
				d.now.text = "-" + string(c)
				return nil
			}
			d.back(c)
			return d.word(b)
		case b == '_' || b >= 0x80 || b == '.' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z':
			return d.word(b)
		default:
			d.at = start
			return d.errorf("%.40q: want an id, or one in quotes", string(b))
		}
		if err != nil {
			return err
		}
	}
}

func (d *dot) untilLineEnd() error {
	for {
		if b, err := d.next(); b == '\n' || err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// comment skips one that a slash has begun.
func (d *dot) comment() error {
	b, err := d.next()
	switch {
	case err != nil:
		return unexpected(err)
	case b == '/':
		return d.untilLineEnd()
	case b != '*':
		return d.errorf(`"/": want an id, or one in quotes`)
	}
	for last := byte(0); ; last = b {
		if b, err = d.next(); err != nil {
			return unexpected(err)
		}
		if last == '*' && b == '/' {
			return nil
		}
	}
}

func (d *dot) word(b byte) error {
	out := []byte{b}
	for {
		b, err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if !(b == '_' || b >= 0x80 || b == '.' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z') {
			d.back(b)
			break
		}
		if out = append(out, b); len(out) > longest {
			return d.errorf("an id is longer than %d bytes: want shorter ones", longest)
		}
	}
	d.now = dotToken{string(out), true, false}
	return nil
}

func (d *dot) quoted() error {
	var out []byte
	for {
		b, err := d.next()
		if err != nil {
			return unexpected(err)
		}
		switch b {
		case '"':
			d.now = dotToken{string(out), true, true}
			return nil
		case '\\':
			c, err := d.next()
			switch {
			case err != nil:
				return unexpected(err)
			case c == '"':
				out = append(out, '"')
			case c == '\n': // the string goes on in the next line
			default:
				out = append(out, '\\', c)
			}
		default:
			out = append(out, b)
		}
		if len(out) > longest {
			return d.errorf("an id is longer than %d bytes: want shorter ones", longest)
		}
	}
}

// body reads what is between braces, and returns the vertices in it if they are asked for. It begins at the opening brace.
func (d *dot) body(scope dotScope, collect bool) (all []int32, err error) {
	if d.depth++; d.depth > mostDepth {
		return nil, d.errorf("more than %d subgraphs in each other: want fewer", mostDepth)
	}
	defer func() { d.depth-- }()
	if err := d.advance(); err != nil {
		return nil, err
	}
	for !d.sign("}") {
		if d.sign(";") || d.sign(",") {
			if err := d.advance(); err != nil {
				return nil, err
			}
			continue
		}
		vertices, err := d.statement(&scope, collect)
		if err != nil {
			return nil, err
		}
		if collect {
			all = append(all, vertices...)
		}
	}
	return all, d.advance()
}

// statement reads a statement, and returns the vertices in it if they are asked for.
func (d *dot) statement(scope *dotScope, collect bool) (all []int32, err error) {
	for _, keyword := range []string{"graph", "node", "edge"} {
		if !d.is(keyword) {
			continue
		}
		if err := d.advance(); err != nil {
			return nil, err
		}
		if !d.sign("[") && !d.sign("=") {
			return nil, d.want("[ after " + keyword)
		}
		weight := scope.weight
		err := d.attributes(&weight)
		if keyword == "edge" {
			scope.weight = weight
		}
		return nil, err
	}
	left, err := d.ends(scope, true)
	if err != nil {
		return nil, err
	}
	if d.sign("=") { // an attribute of the graph
		return nil, d.assignment()
	}
	// The ends of a chain of arrows are kept until its attributes, which come last.
	chain := [][]int32{left.vertices}
	if err := d.addVertex(&left, &chain[0]); err != nil {
		return nil, err
	}
	for d.sign("--") || d.sign("->") {
		if !d.sign(d.edge) {
			return nil, d.errorf("%s: want %s in this graph", d.now.text, d.edge)
		}
		if err := d.advance(); err != nil {
			return nil, err
		}
		right, err := d.ends(scope, false)
		if err != nil {
			return nil, err
		}
		chain = append(chain, right.vertices)
	}
	weight := scope.weight
	if err := d.attributes(&weight); err != nil {
		return nil, err
	}
	if len(chain) > 1 {
		if err := d.join(chain, weight); err != nil {
			return nil, err
		}
	}
	if collect {
		for _, vertices := range chain {
			all = append(all, vertices...)
		}
	}
	return all, nil
}

// dotEnds are the vertices at one end of an arrow.
type dotEnds struct {
	vertices []int32
	id       string // of the one vertex, which is not there yet
	alone    bool   // it is one vertex
}

// addVertex makes a vertex of an id, now that it is known to be one.
func (d *dot) addVertex(e *dotEnds, to *[]int32) error {
	if !e.alone {
		return nil
	}
	v, err := d.vertex([]byte(e.id))
	*to = []int32{v}
	return err
}

// ends reads a vertex or a subgraph. With later a single vertex is only named: it may turn out to be no vertex.
func (d *dot) ends(scope *dotScope, later bool) (e dotEnds, err error) {
	if d.is("subgraph") {
		if err := d.advance(); err != nil {
			return e, err
		}
		if d.now.id {
			if err := d.advance(); err != nil {
				return e, err
			}
		}
		if !d.sign("{") {
			return e, d.want("{ after subgraph")
		}
	}
	if d.sign("{") {
		e.vertices, err = d.body(*scope, true)
		return e, err
	}
	if !d.now.id {
		return e, d.want("a vertex or a subgraph")
	}
	e.id, e.alone = d.now.text, true
	if err := d.advance(); err != nil {
		return e, err
	}
	for d.sign(":") { // a port
		if err := d.advance(); err != nil {
			return e, err
		}
		if !d.now.id {
			return e, d.want("a port")
		}
		if err := d.advance(); err != nil {
			return e, err
		}
	}
	if !later {
		err = d.addVertex(&e, &e.vertices)
	}
	return e, err
}

// assignment reads = and a value.
func (d *dot) assignment() error {
	if err := d.advance(); err != nil {
		return err
	}
	if !d.now.id {
		return d.want("a value")
	}
	return d.advance()
}

// attributes reads lists of attributes, if there are any.
func (d *dot) attributes(weight *string) error {
	if d.sign("=") {
		return d.assignment()
	}
	for d.sign("[") {
		if err := d.advance(); err != nil {
			return err
		}
		for !d.sign("]") {
			if d.sign(",") || d.sign(";") {
				if err := d.advance(); err != nil {
					return err
				}
				continue
			}
			if !d.now.id {
				return d.want("an attribute or ]")
			}
			name := d.now.text
			if err := d.advance(); err != nil {
				return err
			}
			if !d.sign("=") {
				continue
			}
			if err := d.advance(); err != nil {
				return err
			}
			if !d.now.id {
				return d.want("a value of " + name)
			}
			if name == "weight" {
				*weight = d.now.text
			}
			if err := d.advance(); err != nil {
				return err
			}
		}
		if err := d.advance(); err != nil {
			return err
		}
	}
	return nil
}

// join adds the links of a chain of arrows.
func (d *dot) join(chain [][]int32, weight string) error {
	w, err := 1.0, error(nil)
	if weight != "" {
		if w, err = d.number(weight); err != nil {
			return err
		}
	}
	for i := range len(chain) - 1 {
		if len(chain[i])*len(chain[i+1]) > mostLinks {
			return d.errorf("%d times %d links by one arrow: want fewer", len(chain[i]), len(chain[i+1]))
		}
		for _, from := range chain[i] {
			for _, to := range chain[i+1] {
				if err := d.link(from, to, w, d.way); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
