package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/asp2vec/asp2vec/internal/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Fingerprint returns 16 hexadecimal digits that tell what models compute, the same on every machine: of the structure of each
// graph (ops, constants, types, shapes, and what they are applied to), and of its loss and gradients in float64, since an op may
// change its arithmetic and keep its name. It returns an error for a graph that cannot be built or run, as Check does.
//
// Values are those of probe, because the sample's own come from kernels that round differently on different processors; of
// these only the gist is taken.
func Fingerprint(models ...Model) (string, error) {
	h := sha256.New()
	for i, m := range models {
		fmt.Fprintf(h, "model %d\n", i)
		if err := imprint(h, m); err != nil {
			return "", fmt.Errorf("guard: %s: %w", m.Name, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func imprint(w io.Writer, m Model) error {
	f, err := assemble(m, tensor.Float64)
	for try := 0; err == nil && try < 3 && Hashes(f.g) != nil; try++ { // by chance: own ops hash otherwise in each graph
		f.vm.Close()
		f, err = assemble(m, tensor.Float64)
	}
	if err != nil {
		return err
	}
	defer f.vm.Close()
	f.writeStructure(w)
	f.writeInputs(w)
	before := f.floats()
	f.probe()
	p, err := f.run()
	if err != nil { // a loss that is not defined for any number, such as a logarithm
		for i, x := range before {
			copy(f.nodes()[i].Value().Data().([]float64), x)
		}
		if p, err = f.run(); err != nil {
			return err
		}
	}
	p.write(w)
	return nil
}

// writeStructure numbers the nodes of the loss, each after those that it is computed from, and writes what they are. Names are
// left out, which are free, and so is the order in which nodes were made.
func (f *instance) writeStructure(w io.Writer) {
	number := map[int64]int{}
	leaf := map[int64]string{}
	for i, n := range f.Params {
		leaf[n.ID()] = fmt.Sprint("parameter ", i)
	}
	for i, n := range f.Inputs {
		leaf[n.ID()] = fmt.Sprint("input ", i)
	}
	var visit func(n *G.Node) int
	visit = func(n *G.Node) int {
		if at, seen := number[n.ID()]; seen {
			return at
		}
		var children []int
		if from := f.g.From(n.ID()); from != nil {
			for from.Next() {
				children = append(children, visit(from.Node().(*G.Node)))
			}
		}
		text := leaf[n.ID()]
		if op := n.Op(); op != nil {
			text = opText(op)
		}
		at := len(number)
		number[n.ID()] = at
		fmt.Fprintf(w, "%d %s %v %v %v\n", at, text, n.Type(), n.Shape(), children)
		return at
	}
	visit(f.Loss)
}

// opText is an op with its parameters. Of a constant tensor Gorgonia tells the type alone.
func opText(op G.Op) string {
	text := fmt.Sprint(op)
	if c, ok := op.(interface{ Value() G.Value }); ok && strings.HasPrefix(text, "const ") {
		text = "const"
		for _, x := range gradcheck.Floats(c.Value()) {
			text += fmt.Sprintf(" %.6g", x)
		}
	}
	return text
}

// writeInputs writes the gist of the inputs that are floats, such as noise and weights: how many are zero, and their first two
// moments, to a thousandth.
func (f *instance) writeInputs(w io.Writer) {
	for i, n := range f.Inputs {
		x := gradcheck.Floats(n.Value())
		if x == nil {
			continue
		}
		zeros, sum, squares := 0, 0.0, 0.0
		for _, v := range x {
			sum, squares = sum+v, squares+v*v
			if v == 0 {
				zeros++
			}
		}
		fmt.Fprintln(w, "input", i, len(x), zeros, rounded(sum, math.Sqrt(squares), 10), rounded(squares, squares, 10))
	}
}

// floats returns copies of the tensors of parameters and inputs; nil for those of other kinds.
func (f *instance) floats() (all [][]float64) {
	for _, n := range f.nodes() {
		x, _ := n.Value().Data().([]float64)
		all = append(all, append([]float64(nil), x...))
	}
	return all
}

// probe sets parameters and inputs to multiples of 1/1024 that every processor has alike: parameters to numbers from -1 to 1,
// inputs to such of their own sign, and to 0 where they are 0.
func (f *instance) probe() {
	for i, n := range f.nodes() {
		x, _ := n.Value().Data().([]float64)
		for j := range x {
			v := float64(1+mix(uint64(i)<<32|uint64(j))%1024) / 1024
			switch {
			case i < len(f.Params):
				v = 2*v - 1
			case x[j] == 0:
				v = 0
			case x[j] < 0:
				v = -v
			}
			x[j] = v
		}
	}
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// write writes loss and gradients to six digits of the largest of each, which is far above what float64 rounds.
func (p pass) write(w io.Writer) {
	overall := math.Abs(p.loss)
	for _, g := range p.grads {
		overall = max(overall, largest(g))
	}
	fmt.Fprintln(w, "loss", rounded(p.loss, p.loss, 20))
	for i, g := range p.grads {
		scale := max(largest(g), 1e-4*overall) // a gradient that is 0 but for rounding is 0
		fmt.Fprint(w, "gradient ", i)
		for _, x := range g {
			fmt.Fprint(w, " ", rounded(x, scale, 20))
		}
		fmt.Fprintln(w)
	}
}

func largest(x []float64) (most float64) {
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}

// rounded writes x in units of 2^-bits of the power of two about scale. The units are shifted a little, so that numbers that
// are often met, such as fractions of a power of two, are far from where two of them meet.
func rounded(x, scale float64, bits int) string {
	if scale == 0 || math.IsNaN(scale) || math.IsInf(scale, 0) {
		return fmt.Sprint(scale)
	}
	_, power := math.Frexp(1.0123 * scale)
	return fmt.Sprintf("%d/%d", int64(math.Floor(math.Ldexp(x, bits-power)+0.382)), power)
}
