// Package formats reads networks from the files that people have. What a file is in, its content tells; its name is only a hint
// where the content leaves it open.
package formats

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/compressed"
	"github.com/asp2vec/asp2vec/network"
)

// Names of formats.
const (
	Links        = "links"        // lines of two ids; see network.ReadFrom
	MatrixMarket = "matrixmarket" // a sparse matrix in coordinates
	GraphML      = "graphml"
	GML          = "gml"
	GEXF         = "gexf"
	NodeLink     = "node-link" // JSON of networkx and D3
	NPZ          = "npz"       // a sparse matrix of SciPy
)

// readers are those of the formats of text that have words of their own.
var readers = map[string]func(t *text, s *sink) error{
	MatrixMarket: readMatrixMarket, GraphML: readGraphML, GML: readGML, GEXF: readGEXF, NodeLink: readNodeLink,
}

// Names returns the names of all formats, sorted.
func Names() []string { return []string{GEXF, GML, GraphML, Links, MatrixMarket, NodeLink, NPZ} }

// Direction says whether links have a direction.
type Direction int

// AsSaid leaves it to the file, and takes links for undirected where it does not say. Under Directed an undirected link of a file
// that says so points both ways; under Undirected the directions in a file do not count.
const (
	AsSaid Direction = iota
	Directed
	Undirected
)

// Options say how to take a file.
type Options struct {
	Format    string // one of Names; "" to recognise it
	Direction Direction
	Columns   network.Columns // of a table
	Header    network.Header  // of a table
	Memory    uint64          // bytes that the network may take while it is built; 0 for no matter
	Attribute *Attribute      // takes an attribute of the vertices; nil for none
}

// Attribute asks for an attribute of vertices beside their links, and takes its values.
type Attribute struct {
	Name  string              // that is asked for, in upper or lower case
	Known []string            // names of all that vertices have, sorted
	Of    map[string][]string // values by names of vertices, for those that have one; a vertex may have several
}

// Read reads a network from a file; see ReadFrom. It returns an error for a file that cannot be opened, and those of ReadFrom.
func Read(ctx context.Context, path string, o Options) (*network.Network, network.Notes, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("formats: %w", err)
	}
	defer f.Close()
	return ReadFrom(ctx, f, path, o)
}

// ReadFrom reads a network in one of the formats that Names has; name is what errors call the input. Text is UTF-8, plain or
// compressed with gzip, bzip2, xz or zstd.
//
// Where all vertices have a name of their own beside their ids (GEXF and GML: label, GraphML: name), they are named by that, and a note
// says so. Spaces at the ends of names do not count. Vertices without a link are left out, and counted in a note. Links of weight 1 have none; repeated ones are dropped, and
// the first weight stays. What is read of each format, and under which names, docs/formats.md says.
//
// Everything else is a *network.ParseError with file and, in a text, line: content that is not recognised, or is in a
// format that is known and not read; options that do not fit the format; files that are cut off or damaged; weights that are
// not finite numbers > 0; ids given to two vertices; links of vertices that are not there; links with and without a direction in one file,
// unless the options tell. No count in a file is believed. If ctx is cancelled the error wraps its cause.
func ReadFrom(ctx context.Context, r io.Reader, name string, o Options) (*network.Network, network.Notes, error) {
	n, notes, err := read(ctx, r, name, o)
	if parse := (*network.ParseError)(nil); err != nil && !errors.As(err, &parse) {
		err = &network.ParseError{File: name, Err: err}
	}
	return n, notes, err
}

// read is ReadFrom, whose errors may lack the name of the file.
func read(ctx context.Context, r io.Reader, name string, o Options) (n *network.Network, notes network.Notes, err error) {
	if o.Format != "" && !slices.Contains(Names(), o.Format) {
		return nil, nil, fmt.Errorf("format %q: expected one of %s", o.Format, strings.Join(Names(), ", "))
	}
	raw := bufio.NewReaderSize(stopping{ctx, r}, 1<<16)
	z, err := compressed.NewReader(raw)
	if err != nil {
		return nil, nil, readError(err)
	}
	content := raw
	if z.Kind != "" {
		content = bufio.NewReaderSize(stopping{ctx, z}, 1<<16) // a little of a file may hold very much
	}
	head, err := content.Peek(1 << 15)
	if err != nil && err != io.EOF {
		return nil, nil, &network.ParseError{File: name, Line: 1, Err: readError(err)}
	}
	format := o.Format
	if format == "" {
		if format, err = recognise(head, name); err != nil {
			return nil, nil, err
		}
	}
	if (o.Columns.Given() || o.Header != network.HeaderAuto) && format != Links {
		return nil, nil, fmt.Errorf("columns and header are for tables: expected none for %s", format)
	}
	if o.Attribute != nil && (format == Links || format == MatrixMarket || format == NPZ) {
		return nil, nil, fmt.Errorf("the format %s has no attributes of vertices: expected GraphML, GEXF, GML or node-link JSON, or a table of vertices", format)
	}
	if format == Links {
		return readLinks(content, name, o)
	}
	s := newSink(ctx, o)
	if format == NPZ {
		err = readFile(r, z.Kind, s)
	} else {
		t := &text{r: content, file: name, line: 1}
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			content.Discard(3)
		}
		if err = readers[format](t, s); err != nil {
			err = t.explain(err)
		}
	}
	if err == nil {
		n, notes, err = s.finish(name)
	}
	return n, append(network.Notes{{Name: "format", First: format}}, notes...), err
}

// readLinks reads lines of links.
func readLinks(r io.Reader, name string, o Options) (*network.Network, network.Notes, error) {
	csv := strings.EqualFold(extension(name), ".csv")
	return network.ReadFrom(r, name, network.ReadOptions{Directed: o.Direction == Directed, AsSaid: o.Direction == AsSaid, Columns: o.Columns, Header: o.Header, CSV: csv, Memory: o.Memory})
}

// readFile reads a file of SciPy, which is read from anywhere in it.
func readFile(r io.Reader, compression string, s *sink) error {
	f, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok || compression != "" {
		return errors.New("a .npz file that is compressed, or comes from standard input: expected it as an uncompressed file")
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("a .npz file that is a stream: expected it as an uncompressed file (%w)", err)
	}
	return readNPZ(f, size, s)
}

// stopping is a reader that fails once its context is cancelled.
type stopping struct {
	ctx context.Context
	r   io.Reader
}

// Read reads on.
func (s stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// extension returns the ending of a file's name, without that of its compression.
func extension(name string) string {
	name = strings.ToLower(name)
	for _, z := range []string{".gz", ".bz2", ".xz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, z)
	}
	return filepath.Ext(name)
}

// readError explains an error of a reader.
func readError(err error) error {
	if damaged := (*compressed.Error)(nil); errors.As(err, &damaged) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("cannot be read: %w", err)
}
