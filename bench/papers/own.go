package main

import (
	"context"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/methods"
)

// side is this project or PyTorch at a task.
type side interface {
	name() string
	// run takes steps until there are as many, or until the time is over.
	run(ctx context.Context, steps int, limit time.Duration) (timing, error)
}

// timing is what steps took, in seconds.
type timing struct {
	Steps  int       `json:"steps"`
	Wall   float64   `json:"wall"`
	CPU    float64   `json:"cpu"` // of all threads
	Losses []float64 `json:"losses,omitempty"`
}

// ownSide is this project at a task.
type ownSide struct {
	learner graphs.Learner
	steps   int // of an epoch
	tokens  int // of the training papers
	epochs  int // begun
}

func (s *ownSide) name() string { return "asp2vec" }

func (s *ownSide) run(ctx context.Context, steps int, limit time.Duration) (t timing, err error) {
	s.epochs++
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	start, used := time.Now(), cpuTime()
	err = s.learner.Epoch(ctx, s.epochs, func(_ int64, l graphs.Loss) {
		t.Losses = append(t.Losses, l.Pairs+l.Penalty)
		if t.Steps++; t.Steps >= steps || time.Since(start) > limit {
			cancel()
		}
	})
	t.Wall, t.CPU = time.Since(start).Seconds(), (cpuTime() - used).Seconds()
	return t, err
}

// sides returns both sides of a task; the peer is nil if none is asked for.
func sides(ctx context.Context, o options, b *hetnet.Bibliography, t task) (*ownSide, *peer, error) {
	if t.Texts == "abstracts" {
		b = abstracts(b)
	}
	in := hetnet.Input{Bibliography: b, Words: randomWords(b)}
	own := &ownSide{tokens: tokens(trainTexts(b))}
	g, err := modelOptions(t, o.check)
	if err != nil {
		return nil, nil, err
	}
	batches := func(*arrays, int) error { return nil }
	switch t.Model {
	case modelEncoder:
		own.learner, own.steps, err = newEncoding(in, g, o.threads)
	case hetnet.MethodCamel:
		batches, own.steps, err = camelBatches(ctx, b, g)
	case hetnet.MethodAsp2vecHet:
		batches, own.steps, err = hetBatches(ctx, b, g)
	}
	if err == nil && t.Model != modelEncoder {
		own.learner, err = newLearner(ctx, in, g, o.threads)
	}
	if err != nil || o.python == "" {
		return own, nil, err
	}
	if o.check {
		enlarge(own.learner.Parameters())
	}
	p, err := startPeer(ctx, o, t, g, in, own.learner.Parameters(), batches)
	return own, p, err
}

// modelOptions are a method's defaults, without a warm-up; for a check also without noise.
func modelOptions(t task, check bool) (graphs.Options, error) {
	if t.Model == modelEncoder {
		o := graphs.OptionsOf(hetnet.MethodOf(hetnet.MethodM2V), graphs.Default)
		o.Dim = t.Dim
		graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.TextLength = longest })
		return o, nil
	}
	o, err := methods.Options(t.Model, graphs.Default)
	if err != nil {
		return o, err
	}
	o.Dim, o.WarmUp = t.Dim, false
	graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.TextLength = longest })
	if check {
		o.Selection = "softmax"
	}
	return o.Complete(), nil
}

// newLearner returns what a run would train.
func newLearner(ctx context.Context, in hetnet.Input, o graphs.Options, threads int) (graphs.Learner, error) {
	stages, err := o.Method.Stages(ctx, graphs.Input{Typed: in}, o, threads)
	if err != nil {
		return nil, err
	}
	return stages[0].Learner, nil
}

// enlarge adds random numbers to parameters, so that losses are not those of vectors that are nearly zero.
func enlarge(tables []*graphs.Table) {
	for _, t := range tables {
		s := rng.New(1, "check "+t.Name)
		for i := range t.X {
			t.X[i] += float32(0.4 * s.Normal())
		}
	}
}

// encoderBatch is how many papers are encoded at a time.
const encoderBatch = 500

// encoding stands in for a learner: a step encodes some papers and takes a given gradient back to the weights.
type encoding struct {
	*hetnet.Encoder
	batches [][][]int32
	grad    []float32
}

// newEncoding also returns how many steps take all training papers.
func newEncoding(in hetnet.Input, o graphs.Options, threads int) (*encoding, int, error) {
	e, err := hetnet.NewEncoder(in.Words, o.Dim, o, threads)
	if err != nil {
		return nil, 0, err
	}
	c := &encoding{Encoder: e, grad: make([]float32, encoderBatch*o.Dim)}
	s := rng.New(1, "gradient")
	for i := range c.grad {
		c.grad[i] = float32(s.Normal())
	}
	c.batches = slices.Collect(slices.Chunk(trainTexts(in.Bibliography), encoderBatch))
	return c, len(c.batches), nil
}

// Epoch encodes each paper once.
func (c *encoding) Epoch(ctx context.Context, _ int, step func(int64, graphs.Loss)) error {
	for _, texts := range c.batches {
		if ctx.Err() != nil {
			return nil
		}
		if _, err := c.Forward(texts); err != nil {
			return err
		}
		if err := c.Backward(c.grad[:len(texts)*c.Dim()]); err != nil {
			return err
		}
		step(int64(len(texts)), graphs.Loss{})
	}
	return nil
}

func (c *encoding) Engine() string { return graphs.EngineFused }
func (c *encoding) Pairs() int64   { return 0 }

// State returns nothing: what is timed is not gone on with.
func (c *encoding) State() any { return nil }

// Resume does nothing.
func (c *encoding) Resume([]byte, int) error { return nil }

func (c *encoding) Embedding() (graphs.Embedding, error) { return graphs.Embedding{}, nil }
