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
	build      gradcheck.Build
	inputs     []gradcheck.Input
	gradientOf gradcheck.Build
	value      []float64
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
		"one element": {build: binary(op.Lookup), inputs: []gradcheck.Input{normal("table", 1, 1), {Name: "index", Shape: []int{1}, Ints: []int{0}}}},
		"a row twice, one never": {build: binary(op.Lookup), inputs: []gradcheck.Input{
			floats("table", []int{3, 2}, 1, 2, 3, 4, 5, 6), {Name: "index", Shape: []int{3}, Ints: []int{2, 0, 2}},
		}, value: []float64{5, 6, 1, 2, 5, 6}},
		"of aspects": {build: binary(op.Lookup), inputs: []gradcheck.Input{
			normal("table", 4, 3, 2), {Name: "index", Shape: []int{5}, Ints: []int{3, 1, 1, 0, 3}},
		}},
	},
	"Reshape": {
		"then written to": {build: unary(func(x *G.Node) (*G.Node, error) {
			y, err := op.Reshape(x, 2, 3)
			if err != nil {
				return nil, err
			}
			return G.Square(y) // in place, with Gorgonia's own Reshape in x itself
		}), inputs: []gradcheck.Input{floats("x", []int{3, 2}, 1, 2, 3, 4, 5, 6)}, value: []float64{1, 4, 9, 16, 25, 36}},
	},
	"Repeat": {
		"one element": {build: repeatBy(1), inputs: []gradcheck.Input{normal("x", 1, 1)}},
		"twice": {build: repeatBy(2), inputs: []gradcheck.Input{floats("x", []int{2, 2}, 1, 2, 3, 4)},
			value: []float64{1, 2, 1, 2, 3, 4, 3, 4}},
		"once":      {build: repeatBy(1), inputs: []gradcheck.Input{normal("x", 3, 5)}},
		"long rows": {build: repeatBy(3), inputs: []gradcheck.Input{normal("x", 2, 3, 7)}},
	},
	"Softmax": {
		"one row":    {build: unary(op.Softmax), inputs: []gradcheck.Input{floats("x", []int{1, 2}, 0, math.Log(3))}, value: []float64{.25, .75}},
		"rows":       {build: unary(op.Softmax), inputs: []gradcheck.Input{normal("x", 7, 5)}},
		"long rows":  {build: unary(op.Softmax), inputs: []gradcheck.Input{normal("x", 3, 11)}},
		"one column": {build: unary(op.Softmax), inputs: []gradcheck.Input{normal("x", 4, 1)}, value: []float64{1, 1, 1, 1}},
		"far apart": {build: unary(op.Softmax), inputs: []gradcheck.Input{
			floats("x", []int{3, 3}, 1e4, 0, -1e4, 0, 0, 0, -1e4, -1e4, -1e4),
		}, value: []float64{1, 0, 0, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3}},
	},
	"StraightThrough": {
		"ties go to the first": {build: unary(op.StraightThrough), gradientOf: unary(func(x *G.Node) (*G.Node, error) { return op.Scale(x, 1) }),
			inputs: []gradcheck.Input{floats("p", []int{3, 3}, .2, .5, .3, .4, .2, .4, .1, .1, .8)}, value: []float64{0, 1, 0, 1, 0, 0, 0, 0, 1}},
	},
	"Uniform": {
		"quarter": {build: unary(op.Uniform), inputs: []gradcheck.Input{normal("x", 1, 4)}, value: []float64{.25, .25, .25, .25}},
	},
	"RowDots": {
		"one element": {build: binary(op.RowDots), inputs: []gradcheck.Input{normal("center", 1, 1), normal("rows", 1, 1, 1)}},
		"by hand": {build: binary(op.RowDots), inputs: []gradcheck.Input{
			floats("center", []int{2, 2}, 1, 2, 3, 4), floats("rows", []int{4, 1, 2}, 1, 0, 0, 1, 1, 0, 0, 1),
		}, value: []float64{1, 2, 3, 4}},
		"odd sizes": {build: binary(op.RowDots), inputs: []gradcheck.Input{normal("center", 3, 7), normal("rows", 6, 5, 7)}},
	},
	"BagMean": {
		"one element": {build: binary(op.BagMean), inputs: []gradcheck.Input{normal("rows", 1, 1, 1), fixed(normal("weight", 1, 1))}},
		"padding is not read": {build: binary(op.BagMean), inputs: []gradcheck.Input{
			fixed(floats("rows", []int{4, 1, 2}, 1, 2, 3, 4, 5, 6, math.NaN(), math.Inf(1))), fixed(floats("weight", []int{2, 2}, .5, .5, 1, 0)),
		}, value: []float64{2, 3, 5, 6}},
		"random": {build: binary(op.BagMean), inputs: []gradcheck.Input{normal("rows", 6, 2, 5), fixed(normal("weight", 2, 3))}},
		"of scores": {build: binary(op.BagMean), inputs: []gradcheck.Input{
			floats("rows", []int{4, 2}, 1, 2, 3, 4, 5, 6, 7, 8), fixed(floats("weight", []int{2, 2}, .5, .5, 1, 0)),
		}, value: []float64{2, 3, 5, 6}},
		"of numbers":   {build: binary(op.BagMean), inputs: []gradcheck.Input{normal("rows", 12), fixed(normal("weight", 3, 4))}},
		"of long rows": {build: binary(op.BagMean), inputs: []gradcheck.Input{normal("rows", 6, 5, 9), someWeights()}},
		"of cubes":     {build: binary(op.BagMean), inputs: []gradcheck.Input{normal("rows", 6, 2, 2, 2), someWeights()}},
	},
	"Total": {
		"one element": {build: unary(op.Total), inputs: []gradcheck.Input{normal("x", 1)}},
		"matrix":      {build: unary(op.Total), inputs: []gradcheck.Input{floats("x", []int{2, 2}, 1, 2, 3, -4)}, value: []float64{2}},
	},
	"WeightedTotal": {
		"one element": {build: binary(op.WeightedTotal), inputs: []gradcheck.Input{normal("x", 1, 1), fixed(normal("weight", 1))}},
		"padding is not read": {build: binary(op.WeightedTotal), inputs: []gradcheck.Input{
			fixed(floats("x", []int{2, 2}, 1, 2, math.NaN(), 4)), fixed(floats("weight", []int{2}, .5, 0)),
		}, value: []float64{1.5}},
		"random":    {build: binary(op.WeightedTotal), inputs: []gradcheck.Input{normal("x", 4, 3), fixed(normal("weight", 4))}},
		"long rows": {build: binary(op.WeightedTotal), inputs: []gradcheck.Input{normal("x", 5, 11), fixed(normal("weight", 5))}},
	},
	"Stack": {
		"one row each":  {build: binary(op.Stack), inputs: []gradcheck.Input{normal("a", 1, 3), normal("b", 1, 3)}},
		"256 rows each": {build: binary(op.Stack), inputs: []gradcheck.Input{normal("a", 256, 1), normal("b", 256, 1)}},
		"by hand":       {build: binary(op.Stack), inputs: []gradcheck.Input{floats("a", []int{1, 2, 1}, 1, 2), floats("b", []int{2, 2, 1}, 3, 4, 5, 6)}, value: []float64{1, 2, 3, 4, 5, 6}},
	},
	"SumAxis1": {
		"one element": {build: unary(op.SumAxis1), inputs: []gradcheck.Input{normal("x", 1, 1, 1)}},
		"by hand":     {build: unary(op.SumAxis1), inputs: []gradcheck.Input{floats("x", []int{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)}, value: []float64{4, 6, 12, 14}},
		"random":      {build: unary(op.SumAxis1), inputs: []gradcheck.Input{normal("x", 3, 4, 11)}},
	},
	"Zero": {
		"zero": {build: unary(op.Zero), inputs: []gradcheck.Input{normal("x", 2, 1, 3)}, value: []float64{0}},
	},
	"Scale": {
		"third": {build: unary(func(x *G.Node) (*G.Node, error) { return op.Scale(x, 1./3) }),
			inputs: []gradcheck.Input{floats("x", []int{2}, 3, -6)}, value: []float64{1, -2}},
		"of a scalar": {build: unary(func(x *G.Node) (*G.Node, error) {
			s, err := op.Total(x)
			if err != nil {
				return nil, err
			}
			return op.Scale(s, 2)
		}), inputs: []gradcheck.Input{floats("x", []int{2}, 3, 4)}, value: []float64{14}},
	},
	"Softplus": {
		"one element": {build: unary(op.Softplus), inputs: []gradcheck.Input{normal("x", 1, 1)}},
		// log 2; and where it is x or 0 in float64.
		"by hand": {build: unary(op.Softplus), inputs: []gradcheck.Input{floats("x", []int{3}, 0, 1e4, -1e4)}, value: []float64{math.Ln2, 1e4, 0}},
		"random":  {build: unary(op.Softplus), inputs: []gradcheck.Input{normal("x", 3, 2, 4)}},
	},
	"Cosines": {
		// (1,0), (1,1), (0,2): 45, 90 and 45 degrees.
		"by hand": {build: unary(op.Cosines), inputs: []gradcheck.Input{floats("aspects", []int{1, 3, 2}, 1, 0, 1, 1, 0, 2)},
			value: []float64{math.Sqrt2 / 2, 0, math.Sqrt2 / 2}},
		"one dimension": {build: unary(op.Cosines), inputs: []gradcheck.Input{floats("aspects", []int{1, 2, 1}, 3, -2)}, value: []float64{-1}},
		"random":        {build: unary(op.Cosines), inputs: []gradcheck.Input{normal("aspects", 5, 4, 6)}},
		"long rows":     {build: unary(op.Cosines), inputs: []gradcheck.Input{normal("aspects", 3, 3, 21)}},
		// Lengths 2e-3 and 3e-6: below the floor of 1e-8, the result is the inner product over it. The float64
		// differences move an element by 1e-6 and stay below it.
		"below the floor": {build: unary(op.Cosines), inputs: []gradcheck.Input{floats("aspects", []int{1, 2, 2}, 1e-3, 0, 2e-6, 1e-6)},
			value: []float64{.2}},
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
				var options []gradcheck.Option
				if c.gradientOf != nil {
					options = append(options, gradcheck.GradientOf(c.gradientOf))
				}
				if err := gradcheck.Check(c.build, c.inputs, options...); err != nil {
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
	for name, f := range map[string]func() (*G.Node, error){
		"Lookup in a vector":            func() (*G.Node, error) { return op.Lookup(v, index) },
		"Lookup by floats":              func() (*G.Node, error) { return op.Lookup(m, v) },
		"Reshape to another size":       func() (*G.Node, error) { return op.Reshape(m, 5, 2) },
		"Repeat no times":               func() (*G.Node, error) { return op.Repeat(m, 0) },
		"RowDots of other sizes":        func() (*G.Node, error) { return op.RowDots(x("d", 4, 2), c) },
		"RowDots, rows between windows": func() (*G.Node, error) { return op.RowDots(x("w", 3, 3), c) },
		"RowDots of two types":          func() (*G.Node, error) { return op.RowDots(f64, c) },
		"BagMean of other slots":        func() (*G.Node, error) { return op.BagMean(c, m) },
		"WeightedTotal of other pairs":  func() (*G.Node, error) { return op.WeightedTotal(m, v) },
		"Stack of other widths":         func() (*G.Node, error) { return op.Stack(m, v) },
		"SumAxis1 of a matrix":          func() (*G.Node, error) { return op.SumAxis1(m) },
		"StraightThrough of a cube":     func() (*G.Node, error) { return op.StraightThrough(c) },
		"Uniform of a cube":             func() (*G.Node, error) { return op.Uniform(c) },
		"Cosines of one aspect":         func() (*G.Node, error) { return op.Cosines(x("a", 4, 1, 3)) },
		"Apply to integers alone":       func() (*G.Node, error) { return op.Apply(op.Spec{Name: "none", Diff: []bool{false}}, index) },
		"Apply with too few Diff":       func() (*G.Node, error) { return op.Apply(op.Spec{Name: "none"}, m) },
	} {
		if _, err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, i := range []int{-1, 3} {
		_, err := gradcheck.Run(binary(op.Lookup), tensor.Float32, []gradcheck.Input{
			normal("table", 3, 2), {Name: "index", Shape: []int{1}, Ints: []int{i}},
		})
		if err == nil || !strings.Contains(err.Error(), "expected 0 to 2") {
			t.Errorf("Lookup of row %d of 3: error %v", i, err)
		}
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
