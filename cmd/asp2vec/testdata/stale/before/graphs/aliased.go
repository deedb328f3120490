package graphs

import (
	"context"

	ls "github.com/asp2vec/asp2vec/losses"
)

// DeepWalk by a seed that another package moves, by another name.
func init() { others = append(others, aliasedMethod) }

func aliasedMethod() *Method {
	return &Method{
		Name: "aliased", Title: "aliased", Source: "none", Differs: "none", Scorings: []string{ScoringLR}, Options: []string{"corpus", "pairs", "vectors"}, Formula: "2·n·dim",
		Stages: func(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
			o.Seed += ls.Odd()
			return deepWalkMethod().Stages(ctx, in, o, threads)
		},
		Models: deepWalkMethod().Models,
	}
}
