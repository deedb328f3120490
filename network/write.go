package network

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// Written says whether a text begins as Write begins it.
func Written(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return writtenComment.Match(line)
}

// DirectedComment begins the file that Write writes of a directed network.
const DirectedComment = "# directed, "

// Write writes the network as lines of two ids, and weights if it has any, separated by tabs, under a comment line. ReadFrom
// gives the same network back, with vertices in the order of their ids. It fails when a vertex has no link, and when an id
// could not be read back.
func (n *Network) Write(w io.Writer) error {
	if err := n.writable(); err != nil {
		return err
	}
	kind := "# undirected, "
	if n.directed {
		kind = DirectedComment
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s%d vertices, %d links\n", kind, n.Vertices(), n.Links())
	if err := writePairs(b, n.names, n.List(), n.listWeights()); err != nil {
		return fmt.Errorf("network: Write: %w", err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("network: Write: %w", err)
	}
	return nil
}

// WriteFile writes the network to a file, whole or not at all, compressed if path ends in .gz; see Write. It returns an error for names
// that a file of links cannot hold, and where the file cannot be written.
func (n *Network) WriteFile(path string) error {
	if err := n.writable(); err != nil {
		return err
	}
	err := atomicfile.Write(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return n.Write(w)
		}
		z := gzip.NewWriter(w) // without a time in its header: equal networks give equal files
		if err := n.Write(z); err != nil {
			return err
		}
		return z.Close()
	})
	if err != nil {
		return fmt.Errorf("network: WriteFile: %w", err)
	}
	return nil
}

// writable returns why a list of links could not hold this network.
func (n *Network) writable() error {
	if n.Links() == 0 {
		return fmt.Errorf("network: Write: no links: expected at least one")
	}
	linked := make([]bool, n.Vertices())
	for u := range int32(n.Vertices()) {
		for _, v := range n.Out(u) {
			linked[u], linked[v] = true, true
		}
	}
	for v, ok := range linked {
		if !ok {
			return fmt.Errorf("network: Write: vertex %q has no link: a list of links cannot hold it; take the largest component", n.names[v])
		}
	}
	return checkNames(n.names)
}

// checkNames returns an error if some name would not be read back as it is.
func checkNames(names []string) error {
	for _, s := range names {
		err := CheckID([]byte(s))
		if err == nil && (s[0] == ' ' || s[len(s)-1] == ' ') {
			err = errors.New("starts or ends with a space")
		}
		if err != nil {
			return fmt.Errorf("network: id %s cannot be written: it %w", quote([]byte(s)), err)
		}
	}
	return nil
}

// writePairs writes one line per pair. An id that would make its line a comment has a space before it.
func writePairs(b *bufio.Writer, names []string, links []Link, weights []float32) error {
	var number []byte
	for i, l := range links {
		from := names[l.From]
		if from[0] == '#' || from[0] == '%' {
			b.WriteByte(' ')
		}
		b.WriteString(from)
		b.WriteByte('\t')
		b.WriteString(names[l.To])
		if weights != nil {
			number = strconv.AppendFloat(append(number[:0], '\t'), float64(weights[i]), 'g', -1, 32)
			b.Write(number)
		}
		if err := b.WriteByte('\n'); err != nil { // a bufio.Writer keeps its first error
			return err
		}
	}
	return nil
}
