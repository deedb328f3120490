// Package explore makes the page on which an embedding is looked at: a map, and who is near each vertex, in each of its aspects.
package explore

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"sync"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Page is what the page shows of N vertices.
type Page struct {
	Title, Note string
	Names       []string          // (N)
	At          []float64         // (N,2): where they lie in the map
	Near        [][]eval.Neighbor // (N): the nearest by the final vectors; rows are vertices
	First       []int32           // (N+1): the aspects of vertex v are First[v] to First[v+1]-1 of R; nil without aspects
	Aspects     [][]eval.Neighbor // (R): who is near in each aspect
	Counts      []int32           // (R): how many links it has
	Groups      []int32           // (R): its group, from 0, among aspects of all vertices
	Links       [][]int32         // (N): whom each vertex is linked with; nil where that is not known
	Colorings   []Coloring
}

//go:embed page.tmpl
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("explore").Parse(pageText)) })

// Write writes the page as one HTML document that needs nothing else: no network and no other file. All names are taken as text,
// whatever is in them, and the document forbids the browser to load anything or to run any script but its own.
func Write(w io.Writer, p Page) error {
	data, err := p.encode()
	if err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(pageScript))
	var b bytes.Buffer
	err = pageTemplate().Execute(&b, map[string]any{
		"Title": p.Title, "Note": p.Note, "Style": template.CSS(pageStyle), "Script": template.JS(pageScript), "Data": template.JS(data),
		"Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'",
	})
	if err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	_, err = b.WriteTo(w)
	return err
}

// bits are numbers as the page's script reads them: bytes in base64, the lowest first.
type bits string

func bitsOf(numbers any) bits {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, numbers) // a buffer takes all
	return bits(base64.StdEncoding.EncodeToString(b.Bytes()))
}

type encodedColoring struct {
	Coloring
	Of  bits       `json:"of"`
	All *rowsOfInt `json:"all,omitempty"`
}

// rowsOfInt are lists of numbers: that of row r is start[r] to start[r+1]-1 of to.
type rowsOfInt struct {
	Start bits `json:"start"`
	To    bits `json:"to"`
}

func encodeRows(rows [][]int32) *rowsOfInt {
	if rows == nil {
		return nil
	}
	start, to := []uint32{0}, []uint32{}
	for _, list := range rows {
		for _, x := range list {
			to = append(to, uint32(x))
		}
		start = append(start, uint32(len(to)))
	}
	return &rowsOfInt{bitsOf(start), bitsOf(to)}
}

// nearLists are the nearest vertices of rows, with their cosines in ten-thousandths.
type nearLists struct {
	*rowsOfInt
	Cosine bits `json:"cosine"`
}

func encodeNear(near [][]eval.Neighbor) nearLists {
	rows, cosine := [][]int32{}, []int16{}
	for _, list := range near {
		rows = append(rows, seq.Map(list, func(n eval.Neighbor) int32 { return n.Row }))
		for _, n := range list {
			cosine = append(cosine, int16(math.Round(1e4*n.Cosine)))
		}
	}
	return nearLists{encodeRows(rows), bitsOf(cosine)}
}

// encode returns the page's data as JSON, in which no character could end the element that holds it.
func (p Page) encode() ([]byte, error) {
	doc := struct {
		Names     []string          `json:"names"`
		At        bits              `json:"at"`
		Near      nearLists         `json:"near"`
		First     bits              `json:"first,omitempty"`
		Aspects   *nearLists        `json:"aspects,omitempty"`
		Counts    bits              `json:"counts,omitempty"`
		Groups    bits              `json:"groups,omitempty"`
		Links     *rowsOfInt        `json:"links,omitempty"`
		Colorings []encodedColoring `json:"colorings,omitempty"`
	}{Names: p.Names, At: bitsOf(inSquare(p.At)), Near: encodeNear(p.Near), Links: encodeRows(p.Links)}
	if p.First != nil {
		near := encodeNear(p.Aspects)
		doc.First, doc.Aspects, doc.Counts, doc.Groups = bitsOf(p.First), &near, bitsOf(p.Counts), bitsOf(p.Groups)
	}
	for _, c := range p.Colorings {
		doc.Colorings = append(doc.Colorings, encodedColoring{c, bitsOf(c.Of), encodeRows(c.All)})
	}
	return json.Marshal(doc) // which writes <, > and & as \u003c, \u003e and \u0026
}

// inSquare returns coordinates as numbers from 0 to 65535, of one unit in both directions, the map in the middle.
func inSquare(at []float64) []uint16 {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, x := range at {
		lo[i%2], hi[i%2] = min(lo[i%2], x), max(hi[i%2], x)
	}
	wide := max(hi[0]-lo[0], hi[1]-lo[1])
	out := make([]uint16, len(at))
	for i, x := range at {
		out[i] = math.MaxUint16 / 2
		if wide > 0 {
			out[i] = uint16(math.Round(math.MaxUint16 * (.5 + (x-(lo[i%2]+hi[i%2])/2)/wide)))
		}
	}
	return out
}
