package plan

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Copier builds parts of a graph again, in a graph of its own, with other nodes in place of some: a graph can so be cut at what is computed elsewhere.
type Copier struct {
	To *G.ExprGraph
	// Replace returns what stands in To for a node, or nil for the node's own op over what its inputs become.
	Replace func(n *G.Node) (*G.Node, error)

	done map[*G.Node]*G.Node
}

// Copy returns what stands for a node in To. Inputs share their memory with those that they stand for. It returns Replace's errors.
func (c *Copier) Copy(n *G.Node) (*G.Node, error) {
	if x := c.done[n]; x != nil {
		return x, nil
	}
	x, err := c.Replace(n)
	if err == nil && x == nil {
		x, err = c.same(n)
	}
	if err != nil {
		return nil, err
	}
	if c.done == nil {
		c.done = map[*G.Node]*G.Node{}
	}
	c.done[n] = x
	return x, nil
}

func (c *Copier) same(n *G.Node) (*G.Node, error) {
	children := op.Children(n)
	if len(children) == 0 {
		return c.input(n)
	}
	for i, child := range children {
		var err error
		if children[i], err = c.Copy(child); err != nil {
			return nil, err
		}
	}
	return G.ApplyOp(n.Op(), children...)
}

// input returns an input like n, in the same memory.
func (c *Copier) input(n *G.Node) (*G.Node, error) {
	switch v := n.Value().(type) {
	case nil:
		return nil, fmt.Errorf("plan: %v has no value: expected one bound", n)
	case *tensor.Dense:
		name := fmt.Sprintf("%s %d", n.Name(), len(c.done)) // inputs of one name and shape would become one
		header := tensor.New(tensor.WithShape(v.Shape().Clone()...), tensor.WithBacking(v.Data()))
		return G.NewTensor(c.To, n.Dtype(), n.Dims(), G.WithShape(n.Shape().Clone()...), G.WithName(name), G.WithValue(header)), nil
	default:
		return c.To.AddNode(G.NewConstant(v.Data())), nil
	}
}

// Gradients returns those of Σ seed∘result by some inputs, by Gorgonia's symbolic differentiation: seeds (as long as results) have the shapes
// of the results. It is nil for an input by which no result is differentiable.
func Gradients(results, seeds, inputs []*G.Node) ([]*G.Node, error) {
	reached := map[*G.Node]bool{}
	var visit func(n *G.Node)
	visit = func(n *G.Node) {
		if reached[n] {
			return
		}
		reached[n] = true
		children := op.Children(n)
		differentiable, ok := n.Op().(G.SDOp)
		if len(children) == 0 || !ok {
			return
		}
		for i, d := range differentiable.DiffWRT(len(children)) {
			if d {
				visit(children[i])
			}
		}
	}
	for _, n := range results {
		visit(n)
	}
	var by G.Nodes
	for _, n := range inputs {
		if reached[n] {
			by = append(by, n)
		}
	}
	if len(by) == 0 {
		return make([]*G.Node, len(inputs)), nil
	}
	found, err := G.Backpropagate(results, seeds, by)
	if err != nil {
		return nil, fmt.Errorf("plan: gradient: %w", err)
	}
	all := make([]*G.Node, len(inputs))
	for i, n := range inputs {
		if reached[n] {
			all[i], found = found[0], found[1:]
		}
	}
	return all, nil
}

// Done returns what stands for a node that has been copied, or nil.
func (c *Copier) Done(n *G.Node) *G.Node { return c.done[n] }
