package graphs

import "context"

func dgiMethod() *Method {
	return &Method{Name: MethodDGI, Scorings: []string{ScoringLR}, stages: func(ctx context.Context, in Input, o Options, threads int) ([]stage, error) { return nil, nil }, Published: func(n int64, o Options) int64 { return 0 }}
}
