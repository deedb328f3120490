package figures

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// figurePoints is how many vertices of a network a figure keeps: more would blacken the paper.
const figurePoints = 5000

// DataOf works out what figures show of a run that has just been trained: PolyDW's and asp2vec's use of aspects, where
// the selection has probabilities, and asp2vec's cosines. data are those of the run. It returns an error for a run that left no model,
// and where ctx is done.
func DataOf(ctx context.Context, data run.Data, j store.Job, out *run.Outcome, threads int) (plot.FigureData, error) {
	d := plot.FigureData{
		Key: j.Key(), Dataset: data.Name, Protocol: j.Protocol, Method: j.Options.Method.Name, Options: out.Record.Options,
		Metrics: out.Record.Metrics, Code: out.Record.Code, Definition: out.Record.Definition, FigureDefinition: run.FigureDefinition(),
	}
	if out.Result == nil || out.Result.Embedding == nil {
		return d, fmt.Errorf("experiments: a figure of a run without a model: expected one with a model")
	}
	o, e := j.Options, *out.Result.Embedding
	seen := data.Split // what the walks went over
	if o.Select == graphs.SelectValidation {
		held, err := seen.HoldOut(run.HoldOutFraction, o.Seed)
		if err != nil {
			return d, err
		}
		seen = held
	}
	net, err := seen.TrainNetwork()
	if err != nil {
		return d, err
	}
	if o.Is(graphs.MethodAsp2vec) {
		d.Cosines = seq.Map(aspects.Cosines(e, o.Aspects, threads), func(row []float64) []results.Float {
			return seq.Map(row, func(x float64) results.Float { return results.Float(x) })
		})
		if o.Selection == "none" {
			return d, nil
		}
	}
	use, err := aspects.UseVariance(ctx, graphs.Input{Network: net}, o, e, threads)
	if err != nil {
		return d, err
	}
	d.Use = summarizeUse(use, o.Aspects, o.Seed)
	return d, nil
}

// summarizeUse keeps a sample of the vertices that the corpus has, and of all of them what does not need much room.
func summarizeUse(use *aspects.Use, aspects int, seed uint64) *plot.UseData {
	var there []int // vertices that the corpus has
	for v, c := range use.Count {
		if c > 0 {
			there = append(there, v)
		}
	}
	d := &plot.UseData{Aspects: aspects, Vertices: len(there)}
	sample := there
	if len(there) > figurePoints {
		sample = seq.Map(rng.New(seed, "figure").Perm(len(there))[:figurePoints], func(at int) int { return there[at] })
		slices.Sort(sample)
	}
	d.Count = seq.Map(sample, func(v int) int64 { return use.Count[v] })
	f := seq.Map(there, func(v int) float64 { return float64(use.Count[v]) })
	for _, variant := range use.Variants {
		y := seq.Map(there, func(v int) float64 { return variant.Y[v] })
		out := plot.UseVariant{Name: variant.Name, Spearman: results.Float(eval.Spearman(f, y)), Mean: results.Float(stat.Mean(y, nil)), Curve: useCurve(f, y)}
		out.Variance = seq.Map(sample, func(v int) results.Float { return results.Float(variant.Y[v]) })
		d.Variants = append(d.Variants, out)
	}
	return d
}

// useCurve returns the mean of y over the vertices of each doubling of f.
func useCurve(f, y []float64) []plot.UsePoint {
	var curve [64]struct {
		logs, y float64
		n       int
	}
	for i, x := range f {
		bin := &curve[min(int(math.Log2(x)), len(curve)-1)]
		bin.logs += math.Log(x)
		bin.y += y[i]
		bin.n++
	}
	var out []plot.UsePoint
	for _, bin := range curve {
		if bin.n > 0 {
			n := float64(bin.n)
			out = append(out, plot.UsePoint{Frequency: math.Exp(bin.logs / n), Variance: results.Float(bin.y / n), Vertices: bin.n})
		}
	}
	return out
}
