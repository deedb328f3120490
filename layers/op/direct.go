package op

import G "gorgonia.org/gorgonia"

// Direct is an op of this package in float32, or one of its gradients, as a kernel on slices: package plan calls it without Gorgonia's machine.
type Direct struct {
	Spec     Spec
	Kernel   Kernel[float32]
	Backward bool // whether it is a gradient, of input Input
	Input    int
	Of       any // the same for an op and its gradients
}

// AsDirect returns what an op is; false for one of another package or type.
func AsDirect(o G.Op) (Direct, bool) {
	switch o := o.(type) {
	case *forward[float32]:
		return Direct{Spec: o.spec, Kernel: o.kernel, Of: o.state}, true
	case *backward[float32]:
		return Direct{Spec: o.spec, Kernel: o.kernel, Of: o.state, Backward: true, Input: o.i}, true
	}
	return Direct{}, false
}

// KindOf returns the kind of a node's op in float32; ops made elsewhere have none, whatever they are called.
func KindOf(n *G.Node) Kind {
	if o, ok := n.Op().(*forward[float32]); ok {
		return o.spec.kind
	}
	return OtherKind
}

// Kind returns the kind of the op.
func (d Direct) Kind() Kind { return d.Spec.kind }

// Children returns what a node of a graph is made of, in the order of its op's inputs.
func Children(n *G.Node) (list []*G.Node) {
	it := n.Graph().From(n.ID())
	for it != nil && it.Next() {
		list = append(list, it.Node().(*G.Node))
	}
	return list
}
