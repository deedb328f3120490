package run

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
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

// Companions trains what a run trained again, with a tenth of the training links held out, as often as the
// score fitted asks for. Their seeds are 1, 2 and so on whatever the seed of the options, so that its
// coefficients are the same for all runs that differ in their seeds alone. It returns the errors of
// Companion.
func Companions(ctx context.Context, name string, s *network.Split, o graphs.Options, threads int) (all []eval.Held, err error) {
	links := 0
	for o.Seed = 1; eval.NeedsMore(len(all), links); o.Seed++ {
		v, held, err := Companion(ctx, name, s, o, HoldOutFraction, threads, nil)
		if err != nil {
			return nil, err
		}
		all, links = append(all, eval.Held{Vectors: v, Split: held}), links+len(held.Test)
	}
	return all, nil
}

// CoefficientsOf returns those that a record has of a score, by kinds of negatives; nil for none.
func CoefficientsOf(r results.Record, score string) (all map[string]*eval.Coefficients) {
	for _, s := range r.Scores {
		if s.Score == score && json.Unmarshal(s.Coefficients, &all) == nil {
			return all
		}
	}
	return nil
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
