package compare

import (
	"os"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// Figure 4's correlations come from the files of default runs, where both methods have left one.
func TestTendencies(t *testing.T) {
	dir := t.TempDir()
	var records []results.Record
	leave := func(method, protocol string, seed uint64, variants ...plot.UseVariant) {
		o, err := methods.Options(method, run.Protocols[protocol])
		if err != nil {
			t.Fatal(err)
		}
		o.Seed = seed
		job := store.Job{Dataset: "Filmtrust", Protocol: protocol, Options: o}
		options, err := results.MarshalOptions(o)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, results.Record{Method: method, Protocol: protocol, Seed: seed, Options: options, Dataset: results.Dataset{Name: "Filmtrust"}})
		err = plot.WriteFigureData(dir, plot.FigureData{
			Key: job.Key(), Dataset: "Filmtrust", Protocol: protocol, Method: method, Options: options,
			Use: &plot.UseData{Aspects: 5, Variants: variants},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	leave(graphs.MethodAsp2vec, "paper", 1, plot.UseVariant{Name: aspects.UseNoisy, Spearman: -.8},
		plot.UseVariant{Name: aspects.UseNoiseFree, Spearman: -.2}, plot.UseVariant{Name: aspects.UseRandom, Spearman: -.9})
	leave(graphs.MethodAsp2vec, "paper", 2, plot.UseVariant{Name: aspects.UseNoisy, Spearman: -.7}) // no PolyDW under this seed
	leave(graphs.MethodPolyDW, "paper", 1, plot.UseVariant{Name: aspects.UseShare, Spearman: .1})
	got, err := Tendencies(dir, store.NewRuns(records))
	want := Tendency{Dataset: "Filmtrust", Protocol: "paper", Seed: 1, Noisy: -.8, NoiseFree: -.2, Null: -.9, PolyDW: .1}
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, %v: want %+v alone", got, err, want)
	}
	o, _ := methods.Options(graphs.MethodAsp2vec, run.Protocols["paper"])
	o.Seed = 1
	if err := os.WriteFile(plot.FigureDataPath(dir, store.Job{Dataset: "Filmtrust", Protocol: "paper", Options: o}.Key()), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Tendencies(dir, store.NewRuns(records)); err == nil {
		t.Error("a broken file is no error")
	}
}
