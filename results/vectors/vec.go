// Package vectors reads and writes embeddings: the folder of a run, with its record, and the formats that other tools know, word2vec's text,
// .npy, .npz and GraphML. A vertex has one vector, or several (MultiVectors).
package vectors

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// Vectors is a table of N vectors of D numbers, one for each name, row-major.
type Vectors struct {
	Names []string  // (N)
	N, D  int       //
	Data  []float32 // (N,D)
}

// check reports names and data that do not fit, and numbers that a reader would refuse.
func (v *Vectors) check() error {
	if v.N != len(v.Names) || v.N <= 0 || v.D <= 0 || len(v.Data)/v.D != v.N || len(v.Data)%v.D != 0 {
		return fmt.Errorf("vectors: %d names and %d numbers for %d vectors of dimension %d: expected N names, N*D numbers, N and D > 0",
			len(v.Names), len(v.Data), v.N, v.D)
	}
	for i, x := range v.Data {
		if x-x != 0 {
			return fmt.Errorf("vectors: vector of %q: dimension %d is %v: expected finite numbers", v.Names[i/v.D], i%v.D, x)
		}
	}
	return nil
}

// checkNamed is check where names are all that tells vectors apart.
func (v *Vectors) checkNamed() error {
	if a, twice := duplicate(v.Names); twice {
		return fmt.Errorf("vectors: name %q given twice: expected each once", a)
	}
	return v.check()
}

// Align returns the vectors in the order of names, as the vertices of a split want them; vectors of other names are left out.
// It fails when a name has no vector.
func (v *Vectors) Align(names []string) (*Vectors, error) {
	rows, err := rowsOf(v.Names, names)
	if err != nil {
		return nil, err
	}
	out := &Vectors{Names: names, N: len(names), D: v.D, Data: make([]float32, 0, len(names)*v.D)}
	for _, i := range rows {
		out.Data = append(out.Data, v.Data[i*v.D:(i+1)*v.D]...)
	}
	return out, nil
}

// rowsOf returns where each of some names stands in a table; it is an error if one does not.
func rowsOf(table, names []string) ([]int, error) {
	at := seq.Places[string, int](table)
	rows := make([]int, 0, len(names))
	missing, first := 0, ""
	for _, n := range names {
		i, ok := at[n]
		if !ok {
			if missing++; missing == 1 {
				first = n
			}
			continue
		}
		rows = append(rows, i)
	}
	if missing > 0 {
		return nil, fmt.Errorf("vectors: %d of %d vertices have no vector, the first is %q: expected one for each", missing, len(names), first)
	}
	return rows, nil
}

// escapes are the characters that a name in a word2vec file cannot hold, with what stands for them.
var escapes = strings.NewReplacer(`\`, `\\`, " ", `\s`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\v", `\v`, "\f", `\f`)

// unescapes is the inverse. A backslash before any other character stands for itself, as in files made elsewhere.
var unescapes = strings.NewReplacer(`\\`, `\`, `\s`, " ", `\t`, "\t", `\n`, "\n", `\r`, "\r", `\v`, "\v", `\f`, "\f")

// emptyName stands for the name "".
const emptyName = `\e`

func escapeName(s string) string {
	if s == "" {
		return emptyName
	}
	return escapes.Replace(s)
}

func unescapeName(s string) string {
	if s == emptyName {
		return ""
	}
	return unescapes.Replace(s)
}

// WriteVec writes vectors in word2vec text format, which gensim and others read.
//
// The first line is "N D", then each line a vertex's name and D numbers, separated by single spaces. A number is the shortest
// decimal that reads back as the same float32. White space and backslashes in a name, which the format has no way to hold,
// are written as \s (space), \t, \n, \r, \v, \f and \\, and an empty name as \e; ReadVec turns them back. Numbers that are
// not finite, names given twice, and data that do not fit the names are errors. data is (N,D), row-major, for N names, and d is D, at
// least 1.
func WriteVec(w io.Writer, names []string, data []float32, d int) error {
	spelled, err := Spell(names, SpellingEscaped)
	if err != nil {
		return err
	}
	return WriteSpelledVec(w, spelled, data, d)
}

// WriteSpelledVec is WriteVec for names as Spell returns them, which are written as they are. It returns an error for a name given
// twice, for data of another shape than (N,D), for NaN and infinities, and where w fails.
func WriteSpelledVec(w io.Writer, names []string, data []float32, d int) error {
	v := Vectors{Names: names, N: len(names), D: d, Data: data}
	if err := v.checkNamed(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d %d\n", v.N, d)
	for i, name := range names {
		b.WriteString(name)
		for _, x := range data[i*d : (i+1)*d] {
			b.WriteByte(' ')
			b.Write(strconv.AppendFloat(b.AvailableBuffer(), float64(x), 'g', -1, 32))
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

func duplicate(names []string) (string, bool) {
	seen := make(map[string]struct{}, len(names))
	for _, n := range names {
		if _, ok := seen[n]; ok {
			return n, true
		}
		seen[n] = struct{}{}
	}
	return "", false
}
