package run

import (
	"context"
	"errors"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// Companion trains what a run trained once more, without a share of the training links of a split. It returns the vectors, and a split of those links with the
// links that were held out as its Test, by HoldOutAlike and the seed of the options. Test links of the split are not looked at.
//
// It returns the errors of holding out and Run, the context's where that ends before the training does, and one for options whose epoch test links choose.
func Companion(ctx context.Context, name string, s *network.Split, o graphs.Options, share float64, threads int, watch Watch) (eval.Vectors, *network.Split, error) {
	if o.Select == graphs.SelectTest {
		return eval.Vectors{}, nil, errors.New("experiments: test links choose its epoch: expected a run by another protocol")
	}
	held, err := holdOut(ctx, s, share, o.Seed)
	if err != nil {
		return eval.Vectors{}, nil, err
	}
	o.Scoring, o.HoldOut = graphs.ScoringNative, 0
	seen := *held
	seen.Test, seen.TestNeg, seen.TestNegDirected = nil, nil, nil
	out, err := Run(ctx, Data{Name: name, Split: &seen}, o, "", threads, watch)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return eval.Vectors{}, nil, err
	}
	return VectorsOf(o.Method, *out.Result.Embedding), held, nil
}

// holdOut returns a split with a share of its training links held out; one of which nothing is measured gets negatives for that.
func holdOut(ctx context.Context, s *network.Split, share float64, seed uint64) (*network.Split, error) {
	if len(s.TrainNeg) == 0 {
		net, err := s.TrainNetwork()
		if err != nil {
			return nil, err
		}
		if s, err = network.Whole(ctx, net, seed); err != nil {
			return nil, err
		}
	}
	return s.HoldOutAlike(share, seed)
}
