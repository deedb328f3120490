// Package tiny has data and options that train in milliseconds, for the tests of experiments.
package tiny

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// Split returns a split of a small network; directed ones have reversed links among their negatives.
func Split(t *testing.T, directed bool) *network.Split {
	t.Helper()
	net := call.Of(network.PlantedOptions{Vertices: 60, Communities: 4, Memberships: 2, MeanDegree: 10, Mixing: 0.1, Seed: 1}.Generate())(t).Network
	if directed {
		net = call.Of(network.New(net.Names(), net.List(), nil, true))(t)
	}
	return call.Of(network.MakeSplit(t.Context(), net, network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1}))(t)
}

// DataFolder makes a folder of data with Split in Cora's place.
func DataFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	call.OK(t, os.Mkdir(filepath.Join(dir, "cora"), 0o777), Split(t, false).Write(filepath.Join(dir, "cora", "split"), false))
	return dir
}

// Options returns those of a model on links.
func Options(selectBy string) graphs.Options {
	o := graphs.Default()
	o.Dim, o.Aspects, o.Walks, o.Length, o.Batch, o.LearningRate = 8, 3, 2, 20, 2000, 0.02
	o.Select, o.Epochs, o.WarmUpEpochs, o.Patience = selectBy, 6, 4, 3
	return o
}

// Papers returns a small planted bibliography.
func Papers(t *testing.T) *papers.Bibliography {
	t.Helper()
	o := shelf.Options()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.TestShare, o.Candidates = 60, 160, 4, 80, 0.25, 20
	return o.Bibliography(t)
}

// TypedOptions returns those of a method on papers, or on users and items, from a protocol's.
func TypedOptions(t *testing.T, method string, protocol graphs.Protocol) graphs.Options {
	t.Helper()
	o := call.Of(methods.Options(method, protocol))(t)
	o.Dim, o.Aspects, o.Batch, o.LearningRate = 6, 2, 200, 0.02
	graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.WordDim, p.ContextRatio = 8, 0.05 })
	o.Epochs, o.WarmUpEpochs, o.WarmUp = 5, 2, true
	if method == hetnet.MethodTaPEm { // the slowest
		o.Epochs, o.WarmUpEpochs, o.Window = 2, 1, 2
	}
	return o
}

// Timeless returns a record without what clocks and memory say, and without how often it was resumed.
func Timeless(r results.Record) results.Record {
	r.Started, r.Finished, r.Host, r.Resumed = time.Time{}, time.Time{}, results.Host{}, false
	r.TrainSeconds, r.EvalSeconds, r.RefitSeconds, r.PeakMemoryBytes = 0, 0, 0, 0
	r.Epochs = slices.Clone(r.Epochs)
	for i := range r.Epochs {
		r.Epochs[i].Seconds, r.Epochs[i].PairsPerSecond = 0, 0
	}
	if r.Pilot != nil {
		pilot := *r.Pilot
		pilot.Seconds, r.Pilot = 0, &pilot
	}
	return r
}

// Rewrite puts packed records in the place of all that a store holds.
func Rewrite(t *testing.T, store string, all []results.Record) {
	t.Helper()
	call.OK(t, os.RemoveAll(store))
	Pack(t, filepath.Join(store, results.PackedFile), all)
}

// Pack writes a packed file of records.
func Pack(t *testing.T, path string, all []results.Record) {
	t.Helper()
	var text []byte
	for _, r := range all {
		text = append(text, call.Of(r.Line())(t)...)
	}
	call.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	call.File(t, path, text)
}
