package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// nodeLink reads JSON object by object, so that no more than one of them is in memory.
type nodeLink struct {
	*text
	*sink
	d     *json.Decoder
	lines lineReader
	way   way

	nodes  int  // that were read
	places bool // they have no ids, so links have their places, from 0
}

// item is a node or a link.
type item struct {
	ID, Source, Target json.RawMessage
	Weight, Value      json.RawMessage
	Name               json.RawMessage

	all map[string]json.RawMessage // what it has, where attributes are wanted
}

// readNodeLink reads JSON with the keys nodes and links (or edges), as networkx.node_link_data and D3 have it: nodes with an id,
// links with a source and a target, which are ids, and maybe a weight or value; directed says whether links have a direction.
// Nodes without ids, as D3 had them first, are named by their names if all have one of their own, else by their places.
func readNodeLink(t *text, s *sink) error {
	n := nodeLink{text: t, sink: s, lines: lineReader{r: t.r}, way: bothWays}
	n.d = json.NewDecoder(&n.lines)
	err := n.object()
	n.line = n.at()
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"), err == io.EOF:
		return io.ErrUnexpectedEOF
	case errors.As(err, &syntax):
		return t.errorf("is not JSON: %w", err)
	case errors.As(err, &wrong):
		return t.errorf("holds %s in place of an object: expected nodes and links that are objects", wrong.Value)
	}
	return err
}

// object reads the whole file.
func (n *nodeLink) object() error {
	begin, err := n.d.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('{') {
		return errors.New("is a JSON array: expected an object with nodes and links; docs/formats.md makes lines of a list of pairs, and docs/typed.md a table of a bibliography")
	}
	var keys []string
	found := map[string]bool{}
	for n.d.More() {
		token, err := n.d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if found[key] {
			return fmt.Errorf("the key %.40q again: expected it once", key)
		}
		found[key] = true
		keys = append(keys, key)
		if found["links"] && found["edges"] {
			return errors.New("has links and edges: expected one of them")
		}
		if err := n.value(key); err != nil {
			return err
		}
	}
	if _, err := n.d.Token(); err != nil {
		return err
	}
	if !found["nodes"] || !found["links"] && !found["edges"] {
		const want = "expected nodes and links, as networkx.node_link_data has them"
		_, more := n.d.Token()
		for _, o := range []struct {
			key, is string
			lines   bool
		}{{"elements", "of Cytoscape", false}, {"graph", "of another graph format (JGF)", false}, {"type", "with a node or a relationship on each line, as Neo4j exports it", true}, {"source", "with a link on each line", true}} {
			if found[o.key] && (!o.lines || more == nil) {
				return fmt.Errorf("is JSON %s: %s; docs/formats.md makes lines of others", o.is, want)
			}
		}
		return fmt.Errorf("is a JSON object with %.80s: %s; docs/formats.md makes lines of lists of neighbours, and docs/typed.md a table of a bibliography", strings.Join(keys, ", "), want)
	}
	if _, err := n.d.Token(); err != io.EOF {
		return errors.New("continues after the network: expected one network in a file")
	}
	return nil
}

// value reads what stands under a key.
func (n *nodeLink) value(key string) error {
	switch key {
	case "directed":
		var directed bool
		if err := n.d.Decode(&directed); err != nil {
			return fmt.Errorf("directed: expected true or false (%w)", err)
		}
		if n.Links() > 0 {
			return errors.New("directed comes after the links: expected it before")
		}
		if directed {
			n.way = oneWay
		}
		return nil
	case "nodes":
		return n.each(key, n.node)
	case "links", "edges":
		return n.each(key, n.edge)
	}
	var skipped json.RawMessage
	return n.d.Decode(&skipped)
}

// each calls do with the objects of an array.
func (n *nodeLink) each(key string, do func(item) error) error {
	begin, err := n.d.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('[') {
		return fmt.Errorf("%s: expected an array", key)
	}
	for n.d.More() {
		var x item
		if err := n.decode(&x, key); err != nil {
			return err
		}
		if err := do(x); err != nil {
			return err
		}
	}
	_, err = n.d.Token()
	return err
}

// decode reads the next object of an array.
func (n *nodeLink) decode(x *item, key string) error {
	if n.want == nil || key != "nodes" {
		return n.d.Decode(x)
	}
	var raw json.RawMessage
	if err := n.d.Decode(&raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, x); err != nil {
		return err
	}
	return json.Unmarshal(raw, &x.all)
}

func (n *nodeLink) node(x item) error {
	if n.nodes == 0 {
		n.places = x.ID == nil
	}
	if n.places && x.ID != nil {
		return errors.New("nodes with an id and without: expected one for each")
	}
	if n.places {
		x.ID = strconv.AppendInt(nil, int64(n.nodes), 10)
	}
	n.nodes++
	id, err := jsonID("nodes: id", x.ID)
	if err != nil {
		return err
	}
	v, err := n.declare([]byte(id))
	if err != nil {
		return err
	}
	if name, err := jsonID("name", x.Name); n.places && err == nil {
		n.label(v, "name", name)
	}
	for key, raw := range x.all {
		if key == "id" {
			continue
		}
		var several []json.RawMessage
		if json.Unmarshal(raw, &several) != nil {
			several = []json.RawMessage{raw}
		}
		for _, one := range several {
			if value, err := jsonID(key, one); err == nil {
				n.attribute(v, key, value)
			} else if string(one) == "true" || string(one) == "false" {
				n.attribute(v, key, string(one))
			}
		}
	}
	return nil
}

func (n *nodeLink) edge(x item) error {
	if n.places && len(x.Source) > 0 && x.Source[0] == '"' {
		return fmt.Errorf("a link of %.40s, and nodes without ids: expected an id for each, or links of places, which are numbers from 0", x.Source)
	}
	source, err := jsonID("links: source", x.Source)
	if err != nil {
		return err
	}
	target, err := jsonID("links: target", x.Target)
	if err != nil {
		return err
	}
	weight := x.Weight
	if weight == nil {
		weight = x.Value
	}
	return n.join(source, target, strings.Trim(string(weight), `"`), n.way, n.at())
}

// jsonID returns a text or a number.
func jsonID(what string, raw json.RawMessage) (string, error) {
	switch {
	case raw == nil:
		return "", fmt.Errorf("%s is not there: expected a text or a number", what)
	case raw[0] == '"':
		var s string
		err := json.Unmarshal(raw, &s)
		if err == nil && strings.Contains(s, "\ufffd") { // which decoding puts in place of what is no character
			err = fmt.Errorf("%s is %.40s, which is no text: half of a surrogate pair, or no UTF-8; is the file damaged?", what, raw)
		}
		return s, err
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return string(raw), nil
	}
	return "", fmt.Errorf("%s is %.40s: expected a text or a number", what, raw)
}

// at returns the line that has been read up to.
func (n *nodeLink) at() int { return n.lines.lineOf(n.d.InputOffset()) }

// lineReader knows the lines of offsets in what was read lately.
type lineReader struct {
	r    io.Reader
	read int64
	line int     // ends of lines before those in ends
	ends []int64 // offsets of the ends of lines that were not asked for yet
}

// Read reads on.
func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// lineOf returns the line of an offset, from 1. Offsets must not fall from one call to the next.
func (l *lineReader) lineOf(offset int64) int {
	for len(l.ends) > 0 && l.ends[0] < offset {
		l.ends = l.ends[1:]
		l.line++
	}
	return l.line + 1
}
