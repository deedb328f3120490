package graphs

import (
	"context"

	"github.com/asp2vec/asp2vec/losses"
)

func init() { others = append(others, moreMethod) }

// moreLearner has methods of the names that others have.
type moreLearner struct{}

func (moreLearner) Embedding() (Embedding, error) { return Embedding{}, nil }
func (moreLearner) Epoch(context.Context) error   { return nil }

func moreMethod() *Method {
	return &Method{
		Name: "more", Title: "more", Source: "none", Differs: "none", Scorings: []string{ScoringLR}, Options: []string{"corpus", "pairs", "vectors"}, Formula: "2·n·dim",
		Stages: func(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
			_, _ = moreLearner{}, losses.Pairs
			return node2vecMethod().Stages(ctx, in, o, threads)
		},
		Models: deepWalkMethod().Models,
	}
}
