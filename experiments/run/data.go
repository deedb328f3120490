package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// DataOf returns what a run can learn from. A data set that came without a split is parted by the paper's rule and the seed of
// the options; a network of the user's own is kept whole, since it is there to be embedded. It returns an error for a network that is
// too small to be parted, and where ctx is done.
func DataOf(ctx context.Context, l source.Loaded, ownNetwork bool, o graphs.Options) (Data, error) {
	d := Data{Name: l.Name, Split: l.Split, Bibliography: l.Bibliography, Typed: l.Typed}
	var err error
	switch {
	case d.network() != nil, d.Split != nil:
	case !ownNetwork:
		d.Parted = l.Network.Checksum()
		d.Split, err = network.MakeSplit(ctx, l.Network, network.SplitOptions{Rule: source.DatasetRule, Remove: source.DatasetRemove, Seed: o.Seed})
	case o.Select == graphs.SelectValidation || o.HoldOut > 0:
		d.Split, err = network.Whole(ctx, l.Network, o.Seed)
	default: // nothing will be measured: no need for negatives
		d.Split = l.Network.TrainOnly()
	}
	return d, err
}

// Seen returns what a run with some options sees of a split: all of it, or without the links that it holds out, which are then the test links. It returns an
// error where there are too few links for that.
func Seen(split *network.Split, o graphs.Options) (*network.Split, error) {
	switch {
	case o.Select == graphs.SelectValidation:
		held, err := split.HoldOut(HoldOutFraction, o.Seed)
		if err != nil {
			err = fmt.Errorf("%w; select = %q needs none", err, graphs.SelectLast)
		}
		return held, err
	case o.HoldOut > 0:
		held, err := split.HoldOutAlike(o.HoldOut, o.Seed)
		if err != nil {
			err = fmt.Errorf("%w; hold-out = 0 needs none", err)
		}
		return held, err
	}
	return split, nil
}

// CheckMethod returns an error for options of a method that does not learn from such data.
func CheckMethod(d Data, o graphs.Options) error {
	m := o.Method
	switch n := d.network(); {
	case m.Typed == (n != nil):
		return nil
	case d.Bibliography != nil:
		return fmt.Errorf("experiments: %s has papers and authors, and method %s learns from one type of vertex: expected method %s", d.Name, m.Name, strings.Join(methods.Readers("text-length"), ", "))
	case n != nil:
		return fmt.Errorf("experiments: %s is a heterogeneous network, which method %s does not learn from: expected method %s", d.Name, m.Name, strings.Join(hetnet.Names(), ", "))
	}
	return fmt.Errorf("experiments: method %s learns from heterogeneous networks, and %s is none: expected one with a schema, or a bibliography such as dblp", m.Name, d.Name)
}

// Features reads the features of vertices that options name; nil where they name none. It returns an error for a file that cannot be read.
func Features(o graphs.Options, names []string) (*network.Features, error) {
	file := graphs.Own[graphs.FeatureOptions](o).Features
	if file == "" {
		return nil, nil
	}
	return network.ReadFeatures(file, names)
}

// Data is what a run learns from and what it is judged by: links to predict, or authors to name.
type Data struct {
	Name         string
	Parted       string         // checksum of the network, where each seed parts one; "" else
	Split        *network.Split // without test links for a network that is only embedded; nil where there is a Bibliography
	Bibliography *papers.Bibliography
	Typed        *typed.Network                // in place of both
	Words        *WordCache                    // of runs with texts
	Checkpoints  *Checkpoints                  // of the run; nil for none
	Scores       []string                      // to measure what was trained on links by, beside the run's own
	Coefficients map[string]*eval.Coefficients // of the score fitted, of a run that differs in its seed; nil to train again for them, where it is asked for
	Memory       uint64                        // bytes that the run may take, 0 for no matter
}

// network returns what has vertices of several types; nil for links alone.
func (d Data) network() *typed.Network {
	if d.Bibliography != nil {
		return d.Bibliography.Network
	}
	return d.Typed
}

// Describe says of a record on what data its run worked.
func (d Data) Describe() results.Dataset {
	if d.network() != nil {
		return d.describeTyped()
	}
	s := d.Split
	return results.Dataset{
		Name: d.Name, SHA256: s.Checksum(), NetworkSHA256: d.Parted, Vertices: len(s.Names), Directed: s.Directed,
		Links: len(s.Train) + len(s.Test), Train: len(s.Train), Test: len(s.Test),
	}
}
