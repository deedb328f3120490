package op

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Entry is a call of an entry of a registry, such as a pair loss: a function that others edit, and whose result must have a shape.
type Entry struct {
	Name string       // as messages call it: `losses: pair loss "hinge"`
	In   *G.Node      // one of its inputs
	Want tensor.Shape // of its result
	As   string       // what has that shape, as in "as pos"; empty for nothing
}

// Call returns what f returns. A panic in f, an error, and a result of another shape or type than In are an error that begins with
// the name of the entry. MadeBy names the entry of what f adds to the graph.
func (e Entry) Call(f func() (*G.Node, error)) (n *G.Node, err error) {
	g := e.In.Graph()
	first := newest(g) + 1
	n, err = e.recovered(f)
	noteEntry(g, span{first, newest(g), e.Name})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	as := ""
	if e.As != "" {
		as = ", " + e.As
	}
	switch {
	case n == nil:
		return nil, fmt.Errorf("%s returned no node: expected %s%s", e.Name, shapeText(e.Want), as)
	case !slices.Equal(n.Shape(), e.Want): // Eq takes (B) for (B,1)
		return nil, fmt.Errorf("%s returned %s: expected %s%s", e.Name, shapeText(n.Shape()), shapeText(e.Want), as)
	case n.Dtype() != e.In.Dtype():
		return nil, fmt.Errorf("%s returned numbers of %v: expected %v", e.Name, n.Dtype(), e.In.Dtype())
	}
	return n, nil
}

func (e Entry) recovered(f func() (*G.Node, error)) (n *G.Node, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error: // such as the use of a node that the model does not have, which is nil
			err = fmt.Errorf("panic: %w; what this model does not have is nil", r)
		case error:
			err = r
		default:
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

func shapeText(s tensor.Shape) string {
	if s.IsScalar() {
		return "a scalar"
	}
	return strings.ReplaceAll(fmt.Sprint(s), " ", "")
}

// newest returns the number of the node that was added last, -1 in an empty graph.
func newest(g *G.ExprGraph) int64 {
	all := g.AllNodes()
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1].ID()
}

// span is the nodes that a call of an entry added, by their numbers: Gorgonia counts them as they come.
type span struct {
	first, last int64
	entry       string
}

// spans are those of graphs that are still in use.
var spans struct {
	sync.Mutex
	of map[weak.Pointer[G.ExprGraph]][]span
}

func noteEntry(g *G.ExprGraph, s span) {
	spans.Lock()
	defer spans.Unlock()
	if spans.of == nil {
		spans.of = map[weak.Pointer[G.ExprGraph]][]span{}
	}
	key := weak.Make(g)
	if _, known := spans.of[key]; !known {
		runtime.AddCleanup(g, forget, key)
	}
	spans.of[key] = append(spans.of[key], s)
}

func forget(key weak.Pointer[G.ExprGraph]) {
	spans.Lock()
	defer spans.Unlock()
	delete(spans.of, key)
}

// entryOf returns the entry that added a node; of entries within one another the inner one, which ends first. Empty for none.
func entryOf(n *G.Node) string {
	spans.Lock()
	defer spans.Unlock()
	for _, s := range spans.of[weak.Make(n.Graph())] {
		if s.first <= n.ID() && n.ID() <= s.last {
			return s.entry
		}
	}
	return ""
}

// callers are where an op was applied, from the inside out.
type callers []uintptr

func calledBy() callers {
	pcs := make([]uintptr, 16)
	return pcs[:runtime.Callers(4, pcs)] // without runtime, this, apply and Apply
}

// functions returns the functions of this module outside op and guard, from the inside out, as "losses.SkipGram". Function literals count
// as the function that they are in, and those of variables as nothing.
func (c callers) functions() (names []string) {
	const module = "github.com/asp2vec/asp2vec/"
	frames := runtime.CallersFrames(c)
	for more := len(c) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		inside, ours := strings.CutPrefix(f.Function, module)
		if !ours || strings.HasPrefix(inside, "layers/op.") || strings.HasPrefix(inside, "internal/guard.") {
			continue
		}
		name := path.Base(inside)
		pkg, function, _ := strings.Cut(name, ".")
		if receiver, method, is := strings.Cut(function, ")."); is {
			method, _, _ = strings.Cut(method, ".")
			function = receiver + ")." + method
		} else {
			function, _, _ = strings.Cut(function, ".") // as in "Outer.func1" and "Outer.inlined.func1"
		}
		function, _, _ = strings.Cut(function, "[")
		if function == "init" || function == "glob" {
			continue
		}
		if name = pkg + "." + function; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

func (s *state[T]) madeBy() []string { return s.by.functions() }

// IsGradient says whether an op is the gradient of one that Apply made.
func IsGradient(o G.Op) bool {
	_, is := o.(interface{ isGradient() })
	return is
}

func (*backward[T]) isGradient() {}

// MadeBy says which function added a node to its graph: the entry of a registry, or the function that called Apply and the one that called
// that. It is empty for one of Gorgonia's own ops outside entries, and for inputs.
func MadeBy(n *G.Node) string {
	entry := entryOf(n)
	s, applied := n.Op().(interface{ madeBy() []string })
	if !applied {
		return entry
	}
	names := s.madeBy()
	switch {
	case len(names) == 0:
		return entry
	case entry != "":
		return names[0] + ", " + entry
	case len(names) > 1:
		return names[0] + ", called by " + names[1]
	}
	return names[0]
}
