package demo

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// The demonstration keeps what the project promises of it, on a seed that its options were not chosen on.
func TestHetDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of training")
	}
	r, err := HetDemo(context.Background(), DefaultHetDemo(1), 2, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Runs) != 2 || r.Runs[0].Name != hetnet.MethodCamel || r.Runs[0].Dim != r.Runs[1].Dim*r.Runs[1].Aspects {
		t.Fatalf("%+v: want Camel, with as many numbers", r.Runs)
	}
	chance, topics := r.Random["recall@10"], r.Topics["recall@10"]
	if chance < 0.099 || chance > 0.101 || topics < 4*chance {
		t.Errorf("Recall@10 %v by chance and %v by topics", chance, topics)
	}
	for _, m := range r.Runs {
		if x := m.Metrics["recall@10"]; x < 0.8*topics {
			t.Errorf("%s: Recall@10 %v, where the topics give %v: want most of it", m.Name, x, topics)
		}
	}
}

func TestHetDemoIsDeterministicAndStops(t *testing.T) {
	small := func() HetDemoOptions {
		o := DefaultHetDemo(3)
		o.Bibliography.Authors, o.Bibliography.Papers, o.Bibliography.Vocabulary = 60, 150, 100
		for i := range o.Methods {
			o.Methods[i].Epochs, o.Methods[i].WarmUpEpochs, o.Methods[i].Aspects = 2, 1, 2
			graphs.Edit(&o.Methods[i], func(p *hetnet.PaperOptions) { p.WordDim = 8 })
		}
		return o
	}
	var first []HetDemoMethod
	for _, threads := range []int{1, 3} {
		r, err := HetDemo(context.Background(), small(), threads, quiet)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Runs {
			r.Runs[i].Seconds = 0
		}
		same := func(a, b HetDemoMethod) bool {
			return a.Name == b.Name && a.Epoch == b.Epoch && len(a.Metrics) > 0 && a.Metrics["recall@5"] == b.Metrics["recall@5"] && a.Metrics["auc"] == b.Metrics["auc"]
		}
		if first != nil && !slices.EqualFunc(first, r.Runs, same) {
			t.Errorf("threads show:\n%+v\n%+v", first, r.Runs)
		}
		first = r.Runs
	}
	ctx, cancel := context.WithCancel(context.Background())
	watch := func(graphs.Options) run.Watch { return run.Watch{Done: func(graphs.Epoch) { cancel() }} }
	if _, err := HetDemo(ctx, small(), 1, watch); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling: want that of the context", err)
	}
}
