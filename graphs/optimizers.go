package graphs

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/registry"
)

// Optimizers are the optimizers by name.
var Optimizers = registry.New[engine.Update]("graphs: optimizer")

func init() {
	adam := func(s engine.Step) engine.Mover {
		step := kernel.NewAdamStep(s.Rate, beta1, beta2, adamEps, s.Number)
		return func(x, g []float32, moments [2][]float32) { kernel.Adam(x, moments[0], moments[1], g, &step) }
	}
	Optimizers.Add(OptimizerAuto, engine.Update{Dense: true, Moments: 2, Begin: adam})
	Optimizers.Add(OptimizerAdam, engine.Update{Dense: true, Moments: 2, Begin: adam})
	Optimizers.Add(OptimizerLazyAdam, engine.Update{Moments: 2, Begin: adam})
	Optimizers.Add(OptimizerSGD, engine.Update{PerPair: true, Begin: func(s engine.Step) engine.Mover {
		return func(x, g []float32, _ [2][]float32) { kernel.SGD(x, g, float32(s.Rate)) }
	}})
}

// Names of optimizers.
const (
	// OptimizerAdam is Adam as in the paper: every row moves at every step, also by momentum alone.
	OptimizerAdam = "adam"
	// OptimizerLazyAdam moves only the rows that the batch used, and regularizes only those. A row's moments wait while it
	// is not used, so a rare vertex keeps its momentum for longer than under Adam; in exchange a step costs what the batch
	// costs, whatever the size of the tables.
	OptimizerLazyAdam = "lazy-adam"
	// OptimizerSGD is gradient descent on the rows that the batch used; it keeps no moments. Its learning rate is that of one
	// pair under one aspect, as in word2vec: it descends the sum over the batch, not the mean.
	OptimizerSGD = "sgd"
	// OptimizerAuto is Adam, or SGD where a Pilot finds that better.
	OptimizerAuto = "auto"
)

// Adam's constants, as in PyTorch and the authors' code.
const (
	beta1   = 0.9
	beta2   = 0.999
	adamEps = 1e-8
)

// NewAdam returns an optimizer that moves every row of a table at every step, as published. rate is above 0; threads at least 1, whose
// number does not change the result.
func NewAdam(rate float64, threads int) *engine.Optimizer {
	return engine.NewOptimizer(Optimizers.Get(OptimizerAdam), nil, rate, threads)
}
