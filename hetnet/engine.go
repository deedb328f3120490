package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/layers"
)

// Whatever is computed by hand here, for speed, has a graph of layers and losses beside it that defines it. Before a run, engine auto
// compares the two on a few random numbers, values and all gradients, and takes the fast one only if it agrees: whoever edits
// the graph trains, and scores by, what they wrote.

// takenEngine returns fused or graph: what the option names or, for auto, what agrees says.
func takenEngine(engine string, agrees func() (bool, error)) (string, error) {
	if engine != graphs.EngineAuto {
		return engine, nil
	}
	same, err := agrees()
	if same {
		return graphs.EngineFused, err
	}
	return graphs.EngineGraph, err
}

// engineNames names the engine of a loss and those of other parts, name by name, that have another.
func engineNames(loss string, others ...string) string {
	all := loss
	for pair := range slices.Chunk(others, 2) {
		if pair[1] != loss {
			all += ", " + pair[0] + " " + pair[1]
		}
	}
	return all
}

// agreeAll says whether several lists of numbers differ by rounding only, each within tolerance of its largest.
func agreeAll(x, y [][]float32, tolerance float64) bool {
	return slices.EqualFunc(x, y, func(x, y []float32) bool { return graphs.Near(x, y, 0, tolerance) })
}

// normals returns n random numbers from N(0, std²).
func normals(n int, std float64, name string) []float32 {
	x, s := make([]float32, n), rng.New(1, name)
	for i := range x {
		x[i] = float32(std * s.Normal())
	}
	return x
}

// encoderAgrees says whether the fused encoder gives the vectors and the gradients of the composed one.
func encoderAgrees(cell string) (bool, error) {
	const dim, width, vocabulary = 5, 4, 12
	words := &Words{Dim: width, Vectors: normals(vocabulary*width, 1, "words")}
	texts := [][]int32{{}, {3}, {1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 0, 0}, {5, 5, 5, 5, 5, 5, 7}}
	grad := normals(len(texts)*dim, 1, "gradient")
	var found [2][][]float32
	for i, engine := range []string{graphs.EngineFused, graphs.EngineGraph} {
		e, err := NewEncoder(words, dim, graphs.Options{Engine: engine, Own: PaperOptions{Cell: cell, TextLength: 8}}, 1)
		if err != nil {
			return false, err
		}
		for _, t := range e.tables {
			copy(t.X, normals(len(t.X), 1, t.Name))
		}
		vectors, err := e.Forward(texts)
		if err == nil {
			err = e.Backward(grad)
		}
		if err != nil {
			return false, err
		}
		found[i] = append(e.Gradients(), vectors)
	}
	return agreeAll(found[0], found[1], 1e-4), nil
}

// scorerAgrees says whether the fused scorer of TaPEm gives what pairScores gives.
func scorerAgrees() (bool, error) {
	const dim = 4
	tables := newTapemTables(dim, pairDim, 1)
	for _, t := range tables { // gains too, which are 1 at first
		t.Disturb(1, 0.3)
	}
	authors := graphs.NewTable("authors", 9, dim)
	authors.InitNormal(1, 1)
	everyone := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}
	var found [2][]float32
	for i, engine := range []string{graphs.EngineFused, graphs.EngineGraph} {
		s, err := newPairScorer(engine, dim, tables)
		if err != nil {
			return false, err
		}
		for paper := range 3 {
			out := make([]float32, len(everyone))
			if err := s.score(out, authors.Row(paper), authors, everyone); err != nil {
				return false, err
			}
			found[i] = append(found[i], out...)
		}
	}
	return graphs.Near(found[0], found[1], 0, 1e-4), nil
}

// sampleDim is how many numbers vectors have where passes are compared. Of one number, all cosines are 1 but for rounding.
const sampleDim = 8

// sampleInput returns options and a bibliography to compare passes on, and its walks.
func sampleInput(o graphs.Options) (graphs.Options, Input, *corpus, error) {
	o.Dim = sampleDim
	o, b, err := guardSample(o, sampleDim)
	if err != nil {
		return o, Input{}, nil, err
	}
	o.Engine, o.Batch, o.FinalRate = graphs.EngineFused, 100, 0
	in := Input{Bibliography: b, Words: &Words{Dim: 1, Vectors: make([]float32, len(b.Words))}}
	c, err := newCorpus(context.Background(), in, o, 1)
	return o, in, c, err
}

// agrees says whether the fused pass gives the loss and all gradients of a graph on the first batches, for small parameters and large
// ones.
func (w *walked) agrees(graph *windowGraph) (bool, error) {
	graph.contents = w.contents
	batches := firstBatches(context.Background(), w.streams...)
	encoded, err := w.contents.encode(batches...)
	if err != nil {
		return false, err
	}
	for _, std := range []float64{0.5, 2} {
		for _, t := range w.learnt {
			t.InitNormal(1, std)
		}
		vectors := normals(len(encoded), std, "vectors")
		var found [2][][]float32
		for i, pass := range []stepPass{w.pass, graph} {
			l, err := pass.forward(vectors, batches)
			if err != nil {
				return false, err
			}
			found[i] = append(found[i], slices.Clone(pass.ofContents()))
			for n, t := range w.learnt {
				all := make([]float32, len(t.X))
				for v := range t.Rows {
					l.Penalty += pass.row(n, all[v*t.Width():][:t.Width()], v)
				}
				found[i] = append(found[i], all)
			}
			found[i] = append(found[i], []float32{float32(l.Pairs + l.Penalty)})
		}
		if !agreeAll(found[0], found[1], graphs.AgreeTolerance(w.o)) {
			return false, nil
		}
	}
	return true, nil
}

// m2vAgrees says whether M2V++'s fused pass computes M2VLoss.
func m2vAgrees(o graphs.Options) (bool, error) {
	o, in, c, err := sampleInput(o)
	if err != nil {
		return false, err
	}
	m, err := newM2V(in, o, 1)
	if err != nil {
		return false, err
	}
	if err := m.prepare(context.Background(), c); err != nil {
		return false, nil // there is no fused op for these names
	}
	return m.agrees(m2vGraph(o, m.free))
}

// hetAgrees says whether asp2vec-het's fused pass computes Asp2vecHetLoss: with the regularizer that the options name, and where
// there is any with one that weighs as much as the pairs.
func hetAgrees(o graphs.Options) (bool, error) {
	o, in, c, err := sampleInput(o)
	if err != nil {
		return false, err
	}
	heavy := o
	heavy.Lambda, heavy.MeanPenalty, heavy.Epsilon = 0.5, false, 0.3
	variants := []graphs.Options{o}
	if o.Lambda > 0 {
		variants = append(variants, heavy)
	}
	for _, o := range variants {
		m, err := newAsp2vecHet(in, o, 1)
		if err != nil {
			return false, err
		}
		if err := m.prepare(context.Background(), c); err != nil {
			return false, nil // there is no fused op for these names
		}
		if same, err := m.agrees(hetGraph(o, true, m.learnt...)); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// encoderEngine returns the engine of the options' encoder; of mean there is no other than the graph. It returns an error for an unknown cell.
func encoderEngine(o graphs.Options) (string, error) {
	if Own(o).Encoder == EncoderMean {
		return graphs.EngineGraph, nil
	}
	if _, err := layers.FindGRUCell(Own(o).Cell); err != nil {
		return "", fmt.Errorf("hetnet: %w", err)
	}
	return takenEngine(o.Engine, func() (bool, error) { return encoderAgrees(Own(o).Cell) })
}

// autoEncoderEngine is encoderEngine of what engine auto takes.
func autoEncoderEngine(o graphs.Options) (string, error) {
	o.Engine = graphs.EngineAuto
	return encoderEngine(o)
}

// enginesOf returns Method.Engines of a method with these models, each with an encoder: what engine auto takes.
func enginesOf(models ...func(graphs.Options) (bool, error)) func(o graphs.Options) ([]string, error) {
	return func(o graphs.Options) (engines []string, err error) {
		encoder, err := autoEncoderEngine(o)
		for _, agrees := range models {
			engine, err := takenEngine(graphs.EngineAuto, func() (bool, error) { return agrees(o) })
			if err != nil {
				return nil, err
			}
			engines = append(engines, engineNames(engine, "encoder", encoder))
		}
		return engines, err
	}
}
