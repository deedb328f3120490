package network

import (
	"bytes"
	"regexp"
)

// attributes are the dict of Python, such as {} or {'weight': 2.0}, that ends the lines which networkx writes of a network.
type attributes struct {
	weight []byte // "" where it has none
}

// pythonDict is a line with a dict at its end.
var pythonDict = regexp.MustCompile(`[ \t]\{(['"].*)?\}$`)

var weightAttribute = regexp.MustCompile(`['"]weight['"]\s*:\s*([^,}\s]+)`)

// cutAttributes parts a line from the dict at its end. Once a line has one all others need it.
func (c *columns) cutAttributes(line []byte, decides bool) ([]byte, error) {
	i := -1
	if n := len(line); n > 0 && line[n-1] == '}' {
		i = bytes.IndexByte(line, '{')
		if decides && i >= 0 && !bytes.ContainsRune([]byte(`}'"`), rune(line[i+1])) {
			i = -1 // an id such as {x}
		}
	}
	if i <= 0 {
		if c.dict != nil {
			return nil, c.errorf("%s does not end in a dict such as {}: expected one, as on line %d", quote(line), c.first)
		}
		return line, nil
	}
	if decides {
		c.dict = new(attributes)
	}
	c.dict.weight = nil
	if m := weightAttribute.FindSubmatch(line[i:]); m != nil {
		c.dict.weight = m[1]
	}
	return bytes.TrimRight(line[:i], " \t,;"), nil
}
