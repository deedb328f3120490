package guard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Origin says which op first made a number that is not finite, of those that the loss is computed from or, where they are finite, its gradients; "" where none did.
// Where it is a parameter, or an inner product of such, or none, or products of parameters overflow, these have grown too large.
func Origin(m Model, dt tensor.Dtype) (said string, grown bool) {
	f, err := build(m, dt)
	if err != nil {
		return "", false
	}
	grown = true
	said = f.trace(func(t *tracer) string {
		bad := t.first(t.f.Loss)
		if bad == nil {
			return ""
		}
		grown = bad.Op() == nil || op.KindOf(bad) == op.RowDotsKind || slices.ContainsFunc(f.Params, overflows)
		return t.forward(bad)
	})
	for i := range f.Params {
		if said != "" {
			break
		}
		if made := gradientOrigin(m, dt, i); made != "" {
			said, grown = fmt.Sprintf("gradient of %s: %s", f.Params[i].Name(), made), false
		}
	}
	return said, grown
}

// overflows says whether a parameter has a number whose square is none that a float32 can hold.
func overflows(parameter *G.Node) bool {
	return slices.ContainsFunc(Floats(parameter.Value()), func(x float64) bool { return x*x > math.MaxFloat32 })
}

// gradientOrigin says whose gradient first made a number that is not finite, of those that a parameter's gradient is computed from.
func gradientOrigin(m Model, dt tensor.Dtype, parameter int) string {
	f, err := assemble(m, dt)
	if err != nil {
		return ""
	}
	defer f.vm.Close()
	return f.trace(func(t *tracer) string {
		bad := t.first(t.f.Params[parameter].Deriv())
		if bad == nil {
			return ""
		}
		return t.backward(bad)
	})
}

// trace looks at the values of a model's nodes, which a machine would overwrite. It says nothing where an op fails.
func (f *instance) trace(look func(*tracer) string) (said string) {
	defer func() {
		if recover() != nil { // by one of Gorgonia's ops
			said = ""
		}
	}()
	t := &tracer{f: f, values: map[*G.Node]G.Value{}, inLoss: map[*G.Node]bool{}}
	t.mark(f.Loss)
	return look(t)
}

// tracer computes the nodes of a graph one after the other, each from copies of what it reads.
type tracer struct {
	f      *instance
	values map[*G.Node]G.Value
	inLoss map[*G.Node]bool // nodes that the loss is computed from; the others are of gradients
}

func (t *tracer) mark(n *G.Node) {
	if t.inLoss[n] {
		return
	}
	t.inLoss[n] = true
	for _, c := range op.Children(n) {
		t.mark(c)
	}
}

func parents(n *G.Node) (nodes []*G.Node) {
	for it := n.Graph().To(n.ID()); it.Next(); {
		nodes = append(nodes, it.Node().(*G.Node))
	}
	slices.SortFunc(nodes, func(a, b *G.Node) int { return int(a.ID() - b.ID()) })
	return nodes
}

// value returns the value of a node. It panics where an op fails; see trace.
func (t *tracer) value(n *G.Node) G.Value {
	if v, done := t.values[n]; done {
		return v
	}
	if n.Op() == nil {
		return n.Value()
	}
	var in []G.Value
	for _, c := range op.Children(n) {
		v := t.value(c)
		if op.KindOf(n) != op.LookupKind { // which writes nothing, and reads tables that may be large
			v = clone(v)
		}
		in = append(in, v)
	}
	v, err := n.Op().Do(in...)
	if err != nil {
		panic(err)
	}
	v = clone(v)
	t.values[n] = v
	return v
}

func clone(v G.Value) G.Value {
	c, err := G.CloneValue(v)
	if err != nil {
		panic(err)
	}
	return c
}

// wrong returns the first element of a node that is not finite, or -1.
func (t *tracer) wrong(n *G.Node) int { return wrong(Floats(t.value(n))) }

func wrong(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// first goes from a node that is not finite to what it is computed from, as long as that is not finite either. It returns nil where
// the node is finite.
func (t *tracer) first(n *G.Node) *G.Node {
	if n == nil || t.wrong(n) < 0 {
		return nil
	}
	for {
		in := op.Children(n)
		i := slices.IndexFunc(in, func(c *G.Node) bool { return t.wrong(c) >= 0 })
		if i < 0 {
			return n
		}
		n = in[i]
	}
}

// forward describes a node that is not finite.
func (t *tracer) forward(n *G.Node) string {
	i := t.wrong(n)
	at := fmt.Sprint(Floats(t.value(n))[i])
	if !n.IsScalar() {
		at = fmt.Sprintf("element %s is %s", Element(n.Shape(), i), at)
	} else {
		at = "the result is " + at
	}
	if n.Op() == nil {
		return fmt.Sprintf("%s: %s", n.Name(), at)
	}
	return fmt.Sprintf("%s: %s%s", called(n), at, t.of(op.Children(n), n, i))
}

// of returns what an op computed an element from, where that can be told: from those inputs that have its shape, and numbers.
func (t *tracer) of(inputs []*G.Node, n *G.Node, i int) string {
	var of []string
	for _, c := range inputs {
		x := Floats(t.value(c))
		switch {
		case c.IsScalar() && len(x) == 1:
			of = append(of, number(x[0]))
		case c.Shape().Eq(n.Shape()) && len(x) > i:
			of = append(of, number(x[i]))
		default:
			return ""
		}
	}
	if len(of) == 0 {
		return ""
	}
	return ", of " + strings.Join(of, " and ")
}

// number writes -0 as 0.
func number(x float64) string { return fmt.Sprintf("%.6g", x+0) }

// backward describes a node of a gradient that is not finite.
func (t *tracer) backward(n *G.Node) string {
	if t.inLoss[n] {
		return t.forward(n)
	}
	of := t.differentiated(n)
	if of == nil {
		return t.forward(n)
	}
	i := t.wrong(n)
	said := fmt.Sprintf("that of %s makes it: %v", called(of), Floats(t.value(n))[i])
	if n.IsScalar() {
		return said
	}
	said += " at element " + Element(n.Shape(), i)
	in := op.Children(of)
	if same := slices.ContainsFunc(in, func(c *G.Node) bool { return c.Shape().Eq(n.Shape()) }); same {
		said += t.of(in, n, i)
	}
	return said
}

// differentiated returns the node of the loss whose gradient a node is part of; nil where that cannot be told.
func (t *tracer) differentiated(n *G.Node) *G.Node {
	if op.IsGradient(n.Op()) { // whose children are those of the op, its result and the gradient of that
		in := op.Children(n)
		return in[len(in)-2]
	}
	// The gradients of the op's inputs that come of the node, and the gradients of results that it comes of.
	var ends, starts []*G.Node
	seen := map[*G.Node]bool{}
	var up, down func(x *G.Node)
	up = func(x *G.Node) {
		if seen[x] || t.inLoss[x] {
			return
		}
		seen[x] = true
		if of := x.DerivOf(); len(of) > 0 {
			ends = append(ends, of...)
			return
		}
		for _, p := range parents(x) {
			up(p)
		}
	}
	down = func(x *G.Node) {
		for _, c := range op.Children(x) {
			if of := c.DerivOf(); len(of) > 0 {
				starts = append(starts, of...)
			} else if !t.inLoss[c] {
				down(c)
			}
		}
	}
	up(n)
	down(n)
	for x := range seen { // those on the way up have the gradient beside them, where the node has not
		if len(starts) == 0 {
			down(x)
		}
	}
	for _, s := range starts {
		if slices.ContainsFunc(op.Children(s), func(c *G.Node) bool { return slices.Contains(ends, c) }) {
			return s
		}
	}
	return nil
}

// stops says which ops have no gradient by what is computed from parameters; "" for none.
func (f *instance) stops() string {
	depends := map[*G.Node]bool{}
	for _, p := range f.Params {
		depends[p] = true
	}
	var visit func(n *G.Node) bool
	visit = func(n *G.Node) bool {
		if d, seen := depends[n]; seen {
			return d
		}
		depends[n] = false
		for _, c := range op.Children(n) {
			if visit(c) {
				depends[n] = true
			}
		}
		return depends[n]
	}
	visit(f.Loss)
	var names []string
	for _, n := range f.g.AllNodes() {
		if n.Op() == nil || !depends[n] {
			continue
		}
		in := op.Children(n)
		var by []bool // nil for none
		if o, is := n.Op().(G.SDOp); is {
			by = o.DiffWRT(len(in))
		}
		if slices.ContainsFunc(in, func(c *G.Node) bool { return depends[c] && (by == nil || !by[slices.Index(in, c)]) }) {
			names = append(names, called(n))
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return ": no gradient passes " + strings.Join(slices.Compact(names), ", nor ")
}

// called names the op of a node and the function that added it.
func called(n *G.Node) string {
	name := opName(n.Op())
	if by := op.MadeBy(n); by != "" {
		return name + " in " + by
	}
	before, after := neighbor(n, op.Children), neighbor(n, parents)
	switch {
	case before != nil && after != nil && op.MadeBy(before) == op.MadeBy(after):
		return name + " in " + op.MadeBy(before)
	case before != nil:
		return name + " after " + called(before)
	case after != nil:
		return name + " before " + called(after)
	}
	return name
}

// neighbor returns the nearest node that says which function added it, on the way from a node to its inputs or to what reads it.
func neighbor(n *G.Node, next func(*G.Node) []*G.Node) *G.Node {
	seen := map[*G.Node]bool{}
	for queue := next(n); len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		if seen[x] || x.Op() == nil {
			continue
		}
		seen[x] = true
		if op.IsGradient(x.Op()) {
			continue
		}
		if op.MadeBy(x) != "" {
			return x
		}
		queue = append(queue, next(x)...)
	}
	return nil
}

// opName is the name of an op as its users know it, where that is another than what Gorgonia prints.
func opName(o G.Op) string {
	name, _, _ := strings.Cut(o.String(), " ")
	switch name {
	case "+":
		return "Add"
	case "-":
		return "Sub"
	case "⊙":
		return "HadamardProd"
	case "÷":
		return "HadamardDiv"
	case "^":
		return "Pow"
	case "ln":
		return "Log"
	case "inv":
		return "Inverse"
	case "A", "Aᵀ", "a", "aᵀ":
		return "Mul"
	}
	if name != "" && name[0] >= 'a' && name[0] <= 'z' {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// Element returns the place of an element in a tensor of a shape, such as "(17,3)", given its number in memory order.
func Element(s tensor.Shape, i int) string {
	places := make([]string, len(s))
	for axis := len(s) - 1; axis >= 0; axis-- {
		places[axis] = fmt.Sprint(i % s[axis])
		i /= s[axis]
	}
	return "(" + strings.Join(places, ",") + ")"
}
