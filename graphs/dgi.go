package graphs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func dgiMethod() *Method {
	return &Method{
		Name: MethodDGI, Title: "DGI",
		Source: "Velickovic, Fedus, Hamilton, Lio, Bengio, Hjelm, ICLR 2019 (Deep Graph Infomax)",
		Differs: "without features the adjacency matrix of the training links is used, as in the paper of asp2vec, and kept sparse; on " +
			"directed networks its rows are what each vertex points to (with feature-links both also what points to it), while the " +
			"convolution goes along links in both directions, which the paper does not specify; ranking links by logistic " +
			"regression is inferred",
		Scorings: []string{ScoringLR},
		Own:      option.Defaults[FeatureOptions](),
		Formula:  "F·h + h² + h + 2, F = n without features",
		Published: func(n int64, o Options) int64 {
			if Own[FeatureOptions](o).Features != "" {
				return 0 // the options do not say how many
			}
			h := int64(o.Dim)
			return n*h + h*h + h + 2
		},
		Stages: func(_ context.Context, in Input, o Options, threads int) ([]Stage, error) {
			d, err := newDGI(in.Network, dgiFeatures(in, o), o, threads)
			if err != nil {
				return nil, err
			}
			return []Stage{{Name: StageMain, Learner: d, Epochs: o.Epochs, Choose: o.Select}}, nil
		},
		Guard: func(o Options) []guard.Model { return []guard.Model{guardDGI(o)} },
	}
}

// FeatureOptions are DGI's own.
type FeatureOptions struct {
	// "" for the adjacency matrix.
	Features string `json:"features" zero:"the adjacency matrix" group:"Model" help:"<FILE> of vertex features, one vertex and its features per line"`
	// Of no matter elsewhere.
	FeatureLinks string `json:"feature-links" default:"out" of:"out,both" group:"Model" help:"without --features on directed networks: links from a vertex (out), or from and to it (both)"`
}

// Values of FeatureLinks.
const (
	FeaturesOut  = "out"  // what a vertex points to stands for its features: its row of the adjacency matrix
	FeaturesBoth = "both" // and what points to it: the adjacency matrix made symmetric
)

// dgiFeatures returns what DGI takes for features, nil for the links of the undirected network.
//
// Source: Park et al., KDD 2020, appendix: "used the adjacency matrix to initialize the node attribute matrix"; that of a
// directed network has a row for what each vertex points to.
func dgiFeatures(in Input, o Options) *network.Features {
	if in.Features == nil && in.Network.Directed() && Own[FeatureOptions](o).FeatureLinks == FeaturesOut {
		return network.Adjacency(in.Network)
	}
	return in.Features
}

// dgi is Deep Graph Infomax in training, by the whole network at each step. Its losses are those of the parameters that an
// epoch ends with, so that the epoch of the lowest loss is the one whose parameters had it.
//
// Source: Velickovic et al., ICLR 2019, arXiv:1809.10341, and the authors' code. Differs: the first loss that the authors
// take for the lowest is that of the initial parameters; here it is that after the first step.
type dgi struct {
	o         Options
	tables    []*engine.Table // by place, see dgiWeight
	order     []int           // of the corruption: the graph reads it
	program   *engine.Program
	embedding *G.Node // (N,D), in the program
	adam      *engine.Optimizer
	ready     bool // the program's gradients are those of the parameters
	had       bool // the next epoch has had its step already
}

var _ Learner = (*dgi)(nil)

// newDGI returns a model with random parameters over the simple undirected network beneath net. features has a row for
// each vertex, whose sum need not be 1; nil stands for the links of the undirected network. Epochs use up to threads goroutines;
// their number does not change the result. It returns an error if the network has no link between two vertices, or
// features do not pass Check or have another number of rows.
func newDGI(net *network.Network, features *network.Features, o Options, threads int) (*dgi, error) {
	simple := net.Simple()
	if simple.Links() == 0 {
		return nil, fmt.Errorf("graphs: %d vertices without a link between two: expected at least one", net.Vertices())
	}
	if features == nil {
		features = network.Adjacency(simple)
	}
	x, err := normalizedFeatures(features, net.Vertices())
	if err != nil {
		return nil, err
	}
	adjacency, err := normalizedAdjacency(simple)
	if err != nil {
		return nil, err
	}
	d := &dgi{o: o, tables: newDGITables(features.Columns, o), order: make([]int, net.Vertices()), adam: NewAdam(o.LearningRate, threads)}
	corruption(o.Seed, 0, d.order)
	g := G.NewGraph()
	learnt := engine.Nodes(g, tensor.Float32, d.tables...)
	order := engine.IntNode(g, "order", d.order, len(d.order))
	loss, h, err := DGILoss(adjacency, x, learnt, order, threads)
	if err != nil {
		return nil, err
	}
	if d.program, err = engine.Compile(loss, []*G.Node{h}, learnt...); err != nil {
		return nil, err
	}
	d.embedding = h
	return d, nil
}

// Pairs returns the number of vertices.
func (d *dgi) Pairs() int64 { return int64(len(d.order)) }

// Parameters returns the tables W, b, slope, M and offset.
func (d *dgi) Parameters() []*engine.Table { return d.tables }

// Epoch takes one step of Adam, by the gradient of the loss before, and then works out loss and gradient of the new
// parameters under a corruption of their own. An epoch is one step, which it does not cut short. Epochs are to be in
// order; after one that fails, there are no more.
func (d *dgi) Epoch(_ context.Context, number int, step func(pairs int64, l engine.Loss)) error {
	if d.had {
		d.had = false
		return nil
	}
	if !d.ready {
		if _, err := d.run(); err != nil { // of the initial parameters
			return err
		}
	}
	d.move()
	corruption(d.o.Seed, uint64(number), d.order)
	loss, err := d.run()
	if err != nil {
		return err
	}
	step(d.Pairs(), engine.Loss{Pairs: loss})
	return nil
}

// State returns the number of steps taken.
func (d *dgi) State() any { return d.adam.State().Steps }

// Resume takes over a state. The gradients of the next step are those under the corruption of the last one.
func (d *dgi) Resume(state []byte, steps int) error {
	s := d.adam.State()
	if err := json.Unmarshal(state, &s.Steps); err != nil {
		return err
	}
	d.adam.Resume(s)
	d.had, d.ready = steps > 0, false
	corruption(d.o.Seed, uint64(s.Steps), d.order)
	return nil
}

// run works out loss, gradients and embedding of the present parameters.
func (d *dgi) run() (float64, error) {
	d.ready = false
	loss, err := d.program.Run()
	if err != nil {
		return 0, fmt.Errorf("%w, after %d steps", err, d.adam.State().Steps)
	}
	d.ready = true
	return loss, nil
}

// move moves all parameters against their gradients.
func (d *dgi) move() {
	d.adam.Begin(1)
	for i, t := range d.Parameters() {
		d.adam.MoveWhole(t, 0, d.program.Gradient(i))
	}
}

// Embedding returns the vectors of the vertices in their own places. It returns an error where the loss is not finite.
func (d *dgi) Embedding() (Embedding, error) {
	if _, err := d.run(); err != nil { // whoever put parameters back has not run them
		return Embedding{}, err
	}
	return Embedding{D: d.o.Dim, Final: slices.Clone(d.program.Value(d.embedding))}, nil
}

// corruption sets order to a random permutation of 0 to N-1, that of an epoch.
func corruption(seed, epoch uint64, order []int) {
	s := rng.NewKey(seed, "corruption").Stream(epoch)
	s.FillPerm(order)
}

// What Deep Graph Infomax learns, by place in a list of tables or nodes, of F features and N vertices.
const (
	dgiWeight = iota // W (F,D)
	dgiBias          // b (D)
	dgiSlope         // (1), of the PReLU
	dgiMatch         // M (D,D), of the discriminator
	dgiOffset        // (1), of the discriminator
)

// newDGITables draws the parameters as the authors' code does: W and M uniformly within the bounds of Glorot and Bengio (AISTATS
// 2010), of which those of M count D*D numbers in and D out, as PyTorch does for a bilinear form.
func newDGITables(features int, o Options) []*engine.Table {
	d := float64(o.Dim)
	weight, match, slope := engine.NewTable("W", features, o.Dim), engine.NewTable("M", o.Dim, o.Dim), engine.NewTable("slope", 1)
	weight.InitUniform(o.Seed, math.Sqrt(6/(float64(features)+d)))
	match.InitUniform(o.Seed, math.Sqrt(6/(d*d+d)))
	slope.X[0] = 0.25
	return []*engine.Table{weight, engine.NewTable("b", o.Dim), slope, match, engine.NewTable("offset", 1)}
}
