package run

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
)

// trainTyped trains a method on a heterogeneous network, by which no score chooses.
func trainTyped(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, out *Outcome) error {
	if err := hetnet.CheckPaths(&data.Typed.Schema, o); err != nil {
		return err
	}
	if o.HoldOut > 0 || o.Select == graphs.SelectValidation || o.Select == graphs.SelectTest {
		return fmt.Errorf("experiments: select = %q, hold-out = %v: nothing of a network with a schema is scored: expected select = %q and hold-out = 0", o.Select, o.HoldOut, graphs.SelectLast)
	}
	if err := checkModel(o); err != nil {
		return err
	}
	n := hetnet.SeenBy(o.Method, data.Typed)
	out.Input = hetnet.OfNetwork(n, o.Method, nil)
	if n.Has(typed.Text) {
		var err error
		if out.Input.Words, err = data.Papers.wordsOf(ctx, n, o, threads, &out.Record.Dataset); err != nil {
			return err
		}
	}
	return new(measured).train(ctx, data, o, threads, watch, nil, out)
}

// describeTyped says on what data a run worked.
func describeTyped(name string, n *typed.Network) results.Dataset {
	d := results.Dataset{Name: name, SHA256: n.Checksum()}
	for t := range n.Types {
		d.Vertices += n.Vertices(t)
	}
	for _, l := range n.Links {
		d.Links += len(l.From)
	}
	d.Train = d.Links
	return d
}
