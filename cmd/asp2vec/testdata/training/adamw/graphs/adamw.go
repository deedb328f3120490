package graphs

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/option"
)

// adamw is Adam whose steps also shrink every number by the learning rate times optimizer-decay.
func init() {
	Optimizers.Add("adamw", engine.Update{
		Dense: true, Moments: 2,
		Parameters: []option.Param{{Key: "optimizer-decay", Help: "how much adamw shrinks vectors", Default: 0.01, Max: 1}},
		Begin: func(s engine.Step) engine.Mover {
			adam, keep := Optimizers.Get(OptimizerAdam).Begin(s), float32(1-s.Rate*s.Values.Of("optimizer-decay"))
			return func(x, g []float32, moments [2][]float32) {
				for i := range x {
					x[i] *= keep
				}
				adam(x, g, moments)
			}
		},
	})
}
