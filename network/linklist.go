package network

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// LinkList is what a file of links says line by line, before it makes a network: for links between vertices of several types.
type LinkList struct {
	Names   []string  // of vertices, in the order in which the file first has them
	Links   []Link    // in the order of the file; vertices are places in Names
	Weights []float32 // nil where all are 1
	Times   []int64   // nil unless the columns have a time
	Lines   []int     // of the links, from 1
}

// ReadLinks reads a file of links by the rules of ReadFrom, and keeps their order and repetitions. A time is a whole number; it is read
// where the columns tell of it by name, in the options or in the file. A file without links gives an empty list. It returns the errors of Read.
func ReadLinks(path string, o ReadOptions) (*LinkList, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer file.Close()
	list := &LinkList{}
	p, err := newLinkParser(file, path, o)
	if err != nil {
		return nil, err
	}
	p.list, p.b.whole = list, true
	if err := p.parse(); !errors.Is(err, io.EOF) {
		return nil, err
	}
	if p.b.Links() == 0 && p.set == nil {
		return list, nil
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	list.Names, list.Links, list.Weights = p.b.ids.names, p.b.links, p.b.weights
	return list, nil
}

// take keeps the line of the link that comes next, and its time.
func (l *LinkList) take(p *linkParser) error {
	l.Lines = append(l.Lines, p.line)
	if p.at.Time < 0 {
		return nil
	}
	t, err := strconv.ParseInt(string(p.field[p.at.Time]), 10, 64)
	if err != nil {
		return p.errorf("time %s: expected a whole number", quote(p.field[p.at.Time]))
	}
	l.Times = append(l.Times, t)
	return nil
}

// lastFirst moves what came last before all others.
func (l *LinkList) lastFirst() {
	l.Lines, l.Times = lastFirst(l.Lines), lastFirst(l.Times)
}

func lastFirst[T any](list []T) []T {
	if len(list) == 0 {
		return list
	}
	last := len(list) - 1
	return slices.Concat(list[last:], list[:last])
}
