package op_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// opCase is an op on inputs; value, where given, is what it must return, worked out by hand from its documentation.
type opCase struct {
	build   gradcheck.Build
	inputs  []gradcheck.Input
	value   []float64
	options []gradcheck.Option
}

func of(build gradcheck.Build, inputs ...gradcheck.Input) opCase {
	return opCase{build: build, inputs: inputs}
}

func (c opCase) is(value ...float64) opCase {
	c.value = value
	return c
}

// inPlaceOf says that the gradient is that of another op.
func (c opCase) inPlaceOf(other gradcheck.Build) opCase {
	c.options = append(c.options, gradcheck.GradientOf(other))
	return c
}

func unary(f func(*G.Node) (*G.Node, error)) gradcheck.Build {
	return func(g *G.ExprGraph, in []*G.Node) (*G.Node, error) { return f(in[0]) }
}

func binary(f func(a, b *G.Node) (*G.Node, error)) gradcheck.Build {
	return func(g *G.ExprGraph, in []*G.Node) (*G.Node, error) { return f(in[0], in[1]) }
}

// normal returns an input of standard normal numbers, the same on every run.
func normal(name string, shape ...int) gradcheck.Input {
	s := rng.New(1, name)
	x := make([]float64, tensor.Shape(shape).TotalSize())
	for i := range x {
		x[i] = s.Normal()
	}
	return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: true}
}

func floats(name string, shape []int, x ...float64) gradcheck.Input {
	return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: true}
}

// fixed is an input without gradient.
func fixed(in gradcheck.Input) gradcheck.Input {
	in.Diff = false
	return in
}

func repeatBy(times int) gradcheck.Build {
	return unary(func(x *G.Node) (*G.Node, error) { return op.Repeat(x, times) })
}

// opCases has at least one entry, a slice, for each op that the package exports.
var opCases = map[string]map[string]opCase{
	"Lookup": {
		"one element":            of(binary(op.Lookup), normal("table", 1, 1), places(0)),
		"a row twice, one never": of(binary(op.Lookup), floats("table", []int{3, 2}, 1, 2, 3, 4, 5, 6), places(2, 0, 2)).is(5, 6, 1, 2, 5, 6),
		"of aspects":             of(binary(op.Lookup), normal("table", 4, 3, 2), places(3, 1, 1, 0, 3)),
	},
	"Reshape": {
		"then written to": of(unary(func(x *G.Node) (*G.Node, error) {
			y, err := op.Reshape(x, 2, 3)
			if err != nil {
				return nil, err
			}
			return G.Square(y) // in place, with Gorgonia's own Reshape in x itself
		}), floats("x", []int{3, 2}, 1, 2, 3, 4, 5, 6)).is(1, 4, 9, 16, 25, 36),
	},
	"Repeat": {
		"one element": of(repeatBy(1), normal("x", 1, 1)),
		"twice":       of(repeatBy(2), floats("x", []int{2, 2}, 1, 2, 3, 4)).is(1, 2, 1, 2, 3, 4, 3, 4),
		"once":        of(repeatBy(1), normal("x", 3, 5)),
		"long rows":   of(repeatBy(3), normal("x", 2, 3, 7)),
	},
	"Softmax": {
		"one row":    of(unary(op.Softmax), floats("x", []int{1, 2}, 0, math.Log(3))).is(.25, .75),
		"rows":       of(unary(op.Softmax), normal("x", 7, 5)),
		"long rows":  of(unary(op.Softmax), normal("x", 3, 11)),
		"one column": of(unary(op.Softmax), normal("x", 4, 1)).is(1, 1, 1, 1),
		"far apart":  of(unary(op.Softmax), floats("x", []int{3, 3}, 1e4, 0, -1e4, 0, 0, 0, -1e4, -1e4, -1e4)).is(1, 0, 0, 1./3, 1./3, 1./3, 1./3, 1./3, 1./3),
	},
	"StraightThrough": {
		"ties go to the first": of(unary(op.StraightThrough), floats("p", []int{3, 3}, .2, .5, .3, .4, .2, .4, .1, .1, .8)).is(0, 1, 0, 1, 0, 0, 0, 0, 1).inPlaceOf(unary(func(x *G.Node) (*G.Node, error) { return op.Scale(x, 1) })),
	},
	"Uniform": {
		"quarter": of(unary(op.Uniform), normal("x", 1, 4)).is(.25, .25, .25, .25),
	},
	"RowDots": {
		"one element": of(binary(op.RowDots), normal("center", 1, 1), normal("rows", 1, 1, 1)),
		"by hand":     of(binary(op.RowDots), floats("center", []int{2, 2}, 1, 2, 3, 4), floats("rows", []int{4, 1, 2}, 1, 0, 0, 1, 1, 0, 0, 1)).is(1, 2, 3, 4),
		"odd sizes":   of(binary(op.RowDots), normal("center", 3, 7), normal("rows", 6, 5, 7)),
	},
	"BagMean": {
		"one element":         of(binary(op.BagMean), normal("rows", 1, 1, 1), fixed(normal("weight", 1, 1))),
		"padding is not read": of(binary(op.BagMean), fixed(floats("rows", []int{4, 1, 2}, 1, 2, 3, 4, 5, 6, math.NaN(), math.Inf(1))), fixed(floats("weight", []int{2, 2}, .5, .5, 1, 0))).is(2, 3, 5, 6),
		"random":              of(binary(op.BagMean), normal("rows", 6, 2, 5), fixed(normal("weight", 2, 3))),
		"of scores":           of(binary(op.BagMean), floats("rows", []int{4, 2}, 1, 2, 3, 4, 5, 6, 7, 8), fixed(floats("weight", []int{2, 2}, .5, .5, 1, 0))).is(2, 3, 5, 6),
		"of numbers":          of(binary(op.BagMean), normal("rows", 12), fixed(normal("weight", 3, 4))),
		"of long rows":        of(binary(op.BagMean), normal("rows", 6, 5, 9), someWeights()),
		"of cubes":            of(binary(op.BagMean), normal("rows", 6, 2, 2, 2), someWeights()),
	},
	"Total": {
		"one element": of(unary(op.Total), normal("x", 1)),
		"matrix":      of(unary(op.Total), floats("x", []int{2, 2}, 1, 2, 3, -4)).is(2),
	},
	"WeightedTotal": {
		"one element":         of(binary(op.WeightedTotal), normal("x", 1, 1), fixed(normal("weight", 1))),
		"padding is not read": of(binary(op.WeightedTotal), fixed(floats("x", []int{2, 2}, 1, 2, math.NaN(), 4)), fixed(floats("weight", []int{2}, .5, 0))).is(1.5),
		"random":              of(binary(op.WeightedTotal), normal("x", 4, 3), fixed(normal("weight", 4))),
		"long rows":           of(binary(op.WeightedTotal), normal("x", 5, 11), fixed(normal("weight", 5))),
	},
	"Stack": {
		"one row each":  of(binary(op.Stack), normal("a", 1, 3), normal("b", 1, 3)),
		"256 rows each": of(binary(op.Stack), normal("a", 256, 1), normal("b", 256, 1)),
		"by hand":       of(binary(op.Stack), floats("a", []int{1, 2, 1}, 1, 2), floats("b", []int{2, 2, 1}, 3, 4, 5, 6)).is(1, 2, 3, 4, 5, 6),
	},
	"SumAxis1": {
		"one element": of(unary(op.SumAxis1), normal("x", 1, 1, 1)),
		"by hand":     of(unary(op.SumAxis1), floats("x", []int{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)).is(4, 6, 12, 14),
		"random":      of(unary(op.SumAxis1), normal("x", 3, 4, 11)),
	},
	"Zero": {
		"zero": of(unary(op.Zero), normal("x", 2, 1, 3)).is(0),
	},
	"Scale": {
		"third": of(unary(func(x *G.Node) (*G.Node, error) { return op.Scale(x, 1./3) }), floats("x", []int{2}, 3, -6)).is(1, -2),
		"of a scalar": of(unary(func(x *G.Node) (*G.Node, error) {
			s, err := op.Total(x)
			if err != nil {
				return nil, err
			}
			return op.Scale(s, 2)
		}), floats("x", []int{2}, 3, 4)).is(14),
	},
	"Softplus": {
		"one element": of(unary(op.Softplus), normal("x", 1, 1)),
		// log 2; and where it is x or 0 in float64.
		"by hand": of(unary(op.Softplus), floats("x", []int{3}, 0, 1e4, -1e4)).is(math.Ln2, 1e4, 0),
		"random":  of(unary(op.Softplus), normal("x", 3, 2, 4)),
	},
	"Cosines": {
		// (1,0), (1,1), (0,2): 45, 90 and 45 degrees.
		"by hand":       of(unary(op.Cosines), floats("aspects", []int{1, 3, 2}, 1, 0, 1, 1, 0, 2)).is(math.Sqrt2/2, 0, math.Sqrt2/2),
		"one dimension": of(unary(op.Cosines), floats("aspects", []int{1, 2, 1}, 3, -2)).is(-1),
		"random":        of(unary(op.Cosines), normal("aspects", 5, 4, 6)),
		"long rows":     of(unary(op.Cosines), normal("aspects", 3, 3, 21)),
		// Lengths 2e-3 and 3e-6: below the floor of 1e-8, the result is the inner product over it. The float64
		// differences move an element by 1e-6 and stay below it.
		"below the floor": of(unary(op.Cosines), floats("aspects", []int{1, 2, 2}, 1e-3, 0, 2e-6, 1e-6)).is(.2),
	},
	"SparseMul":   sparseMulCases,
	"PermuteRows": permuteRowsCases,
	"PReLU":       preluCases,
	"AddRow":      addRowCases,
	"MeanRows":    meanRowsCases,
	"RowScores":   rowScoresCases,
	"Linear":      linearCases,
	"Rows":        rowsCases,
	"JoinColumns": joinColumnsCases,

	"WeightedSteps": weightedStepsCases,
	"LayerNorm":     layerNormCases,

	"Positive":      positiveCases,
	"ScaleRows":     scaleRowsCases,
	"BagMax":        bagMaxCases,
	"Behind":        behindCases,
	"LogOnePlusSum": logOnePlusSumCases,
	"Entmax15":      entmax15Cases,
	"Entropy":       entropyCases,
	"Shift":         shiftCases,
}

func TestOps(t *testing.T) {
	for name, cases := range opCases {
		for sub, c := range cases {
			t.Run(name+"/"+sub, func(t *testing.T) {
				if err := gradcheck.Check(c.build, c.inputs, c.options...); err != nil {
					t.Error(err)
				}
				if c.value == nil {
					return
				}
				r := call.Of(gradcheck.Run(c.build, tensor.Float64, c.inputs))(t)
				if err := gradcheck.Compare("value", r.Value, c.value, 1e-14); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestEveryOpHasACase reads the source of the package, so that a new op cannot go without a check of its gradient.
func TestEveryOpHasACase(t *testing.T) {
	exported := exportedOps(t)
	for _, name := range exported {
		if len(opCases[name]) == 0 {
			t.Errorf("op %s has no case: add one to opCases in ops_test.go, with a value worked out by hand", name)
		}
	}
	for name := range opCases {
		if !slices.Contains(exported, name) {
			t.Errorf("opCases names %q, which the package does not export", name)
		}
	}
}

// exportedOps returns the exported functions that return (*G.Node, error), without Apply.
func exportedOps(t *testing.T) (names []string) {
	t.Helper()
	files := call.Of(filepath.Glob("*.go"))(t)
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	if len(files) == 0 {
		t.Fatal(fs.ErrNotExist)
	}
	for _, file := range files {
		f := call.Of(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || fn.Name.Name == "Apply" || fn.Type.Results == nil {
				continue
			}
			if star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr); ok {
				if sel, ok := star.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "Node" {
					names = append(names, fn.Name.Name)
				}
			}
		}
	}
	return names
}

// TestErrors checks that what an op cannot compute is an error when the graph is built, or when it runs, and no panic.
func TestErrors(t *testing.T) {
	g := G.NewGraph()
	x := func(name string, shape ...int) *G.Node {
		return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...))
	}
	v, m, c := x("v", 3), x("m", 4, 3), x("c", 4, 2, 3)
	index := G.NewVector(g, tensor.Int, G.WithName("index"), G.WithShape(2))
	f64 := G.NewMatrix(g, tensor.Float64, G.WithName("f64"), G.WithShape(2, 3))
	refused := call.Refused(t)
	refused(op.Lookup(v, index))                                         // in a vector
	refused(op.Lookup(m, v))                                             // by floats
	refused(op.Reshape(m, 5, 2))                                         // to another size
	refused(op.Repeat(m, 0))                                             // no times
	refused(op.RowDots(x("d", 4, 2), c))                                 // of other sizes
	refused(op.RowDots(x("w", 3, 3), c))                                 // rows between windows
	refused(op.RowDots(f64, c))                                          // of two types
	refused(op.BagMean(c, m))                                            // of other slots
	refused(op.WeightedTotal(m, v))                                      // of other pairs
	refused(op.Stack(m, v))                                              // of other widths
	refused(op.SumAxis1(m))                                              // of a matrix
	refused(op.StraightThrough(c))                                       // of a cube
	refused(op.Uniform(c))                                               // of a cube
	refused(op.Cosines(x("a", 4, 1, 3)))                                 // of one aspect
	refused(op.Apply(op.Spec{Name: "none", Diff: []bool{false}}, index)) // to integers alone
	refused(op.Apply(op.Spec{Name: "none"}, m))                          // with too few Diff
	for _, i := range []int{-1, 3} {
		call.Refused(t, "expected 0 to 2")(gradcheck.Run(binary(op.Lookup), tensor.Float32, []gradcheck.Input{
			normal("table", 3, 2), places(i),
		}))
	}
}

// TestCosinesOfEqualVectors: rounding must leave neither a cosine above 1, which would pass a bound of 1, nor a gradient.
func TestCosinesOfEqualVectors(t *testing.T) {
	in := normal("aspects", 200, 1, 20)
	var twice []float64
	for v := range 200 {
		row := in.Floats[v*20 : v*20+20]
		twice = append(append(twice, row...), row...)
	}
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		r := call.Of(gradcheck.Run(unary(op.Cosines), dt, []gradcheck.Input{floats("aspects", []int{200, 2, 20}, twice...)}))(t)
		if top := slices.Max(r.Value); top > 1 || top < 1-1e-6 {
			t.Errorf("%v: largest cosine %.17g, expected 1", dt, top)
		}
		for i, d := range r.Grads[0] {
			if d != 0 {
				t.Fatalf("%v: gradient %g at %d, expected exactly 0", dt, d, i)
			}
		}
	}
}

func TestNaNIsNotHidden(t *testing.T) {
	in := []gradcheck.Input{floats("x", []int{2, 2}, .5, math.NaN(), .5, .25)}
	for name, f := range map[string]func(*G.Node) (*G.Node, error){"Softmax": op.Softmax, "StraightThrough": op.StraightThrough} {
		r := call.Of(gradcheck.Run(unary(f), tensor.Float32, in))(t)
		if !math.IsNaN(r.Value[0]) || math.IsNaN(r.Value[2]) {
			t.Errorf("%s: %v, expected NaN in the first row alone", name, r.Value)
		}
	}
}

// TestTotalIsExact: 2²⁴ + 1 is the first integer that float32 does not hold, so a running sum of ones in float32 stops there.
func TestTotalIsExact(t *testing.T) {
	n := 1<<24 + 1000
	g := G.NewGraph()
	ones := make([]float32, n)
	for i := range ones {
		ones[i] = 1
	}
	x := G.NewVector(g, tensor.Float32, G.WithName("x"), G.WithShape(n), G.WithValue(tensor.New(tensor.WithBacking(ones))))
	total := call.Of(op.Total(x))(t)
	vm := G.NewTapeMachine(g)
	defer vm.Close()
	call.OK(t, vm.RunAll())
	if got := guard.Floats(total.Value())[0]; got != float64(n) {
		t.Errorf("sum of %d ones is %.0f", n, got)
	}
}

// TestOpsAreNotMerged: two ops of one name on one input differ in what they do, and stay two nodes.
func TestOpsAreNotMerged(t *testing.T) {
	in := []gradcheck.Input{floats("x", []int{2}, 1, 2)}
	build := unary(func(x *G.Node) (*G.Node, error) {
		return G.Add(G.Must(op.Scale(x, 2)), G.Must(op.Scale(x, 3)))
	})
	if err := gradcheck.Check(build, in); err != nil {
		t.Error(err)
	}
	r := call.Of(gradcheck.Run(build, tensor.Float32, in))(t)
	if err := gradcheck.Compare("2x + 3x", r.Value, []float64{5, 10}, 0); err != nil {
		t.Error(err)
	}
}
