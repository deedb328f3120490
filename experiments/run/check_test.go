package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/methods"
)

// No loss that comes with the program falls without a bound.
func TestLossesHaveABound(t *testing.T) {
	golden.StillPaper(t)
	var all []graphs.Options
	for _, m := range methods.All() {
		all = append(all, graphs.OptionsOf(m, graphs.Standard))
	}
	choose := func(option string, names []string) {
		for _, name := range names {
			o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
			if err := o.Set(option, name); err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
	}
	choose("pair-loss", keysOf(losses.Pairs))
	choose("regularizer", keysOf(losses.Regularizers))
	choose("selection", keysOf(layers.Selections))
	choose("readout", keysOf(layers.Readouts))
	for _, o := range all {
		models, err := graphs.GuardModels(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			for _, f := range guard.Check(m).Findings {
				if f.Status == guard.Warning || f.Status == guard.Failed {
					t.Errorf("%s, %s %s %s %s: %s: %s", o.Method.Name, o.PairLoss, o.Regularizer, o.Selection, o.Readout, f.Check, f.Detail)
				}
			}
		}
	}
}

func keysOf[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// An edit of a pair loss changes the methods that have it, and the warm-ups of others.
func TestEdits(t *testing.T) {
	edits := editsOf([]string{"common", "losses.Pairs skipgram", "losses.Pairs hinge", "layers.Readouts mean"})
	for i, want := range [][]string{
		{"common: changes every method"},
		{"losses.Pairs skipgram: changes deepwalk, ", ", asp2vec, warm-up of asp2vec"},
		{"losses.Pairs hinge: changes only runs whose options choose it"},
		{"layers.Readouts mean: changes ", "asp2vec"},
	} {
		for _, part := range want {
			if got := edits[i].String(); !strings.Contains(got, part) {
				t.Errorf("%s: expected %q", got, part)
			}
		}
	}
	if slices.Contains(edits[1].Changes, "bpr") || slices.Contains(edits[3].Changes, "deepwalk") {
		t.Errorf("%v", edits)
	}
}

// What the speed is compared with has not been edited.
func TestUnedited(t *testing.T) {
	for _, c := range []struct{ options, edited, want, how string }{
		{"asp2vec", "", "", ""},
		{"asp2vec pair-loss=margin", "", "asp2vec", "pair-loss skipgram"},
		{"asp2vec pair-loss=infonce selection=softmax", "", "asp2vec", "pair-loss skipgram, selection gumbel"},
		{"asp2vec", "losses.Pairs skipgram", "asp2vec pair-loss=infonce", "pair-loss infonce (skipgram has been edited)"},
		{"deepwalk", "losses.Pairs skipgram", "deepwalk pair-loss=infonce", "pair-loss infonce"},
		{"asp2vec", "losses.Pairs skipgram,losses.Pairs infonce", "", "no unedited pair-loss to compare with"},
		{"asp2vec", "layers.Readouts mean", "", "no unedited readout to compare with"},
		{"deepwalk", "layers.Readouts mean", "", ""},
		{"asp2vec", "common", "", "no unedited model in this program"},
		{"asp2vec pair-loss=margin", "common", "asp2vec", "edited elsewhere too"},
	} {
		t.Run(c.options+" "+c.edited, func(t *testing.T) {
			other, how := unedited(named(t, c.options), strings.Split(c.edited, ","))
			if !strings.Contains(how, c.how) || how == "" != (c.how == "") || (other == nil) != (c.want == "") {
				t.Fatalf("%v, %q", other, how)
			}
			if other != nil && fmt.Sprint(*other) != fmt.Sprint(named(t, c.want).Complete()) {
				t.Errorf("%+v, expected %s", *other, c.want)
			}
		})
	}
}

func TestCheckSpeed(t *testing.T) {
	golden.StillPaper(t)
	o := named(t, "deepwalk pair-loss=margin")
	o.Dim, o.Walks, o.Batch = 4, 1, 2000
	f, err := CheckSpeed(context.Background(), o)
	if err != nil || f.Status != guard.Note || !strings.Contains(f.Detail, " pairs a second of one processor; ") || !strings.Contains(f.Detail, " with pair-loss skipgram") {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := CheckSpeed(context.Background(), named(t, "camel")); err != nil || f.Status != guard.Skipped {
		t.Errorf("%+v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CheckSpeed(ctx, o); err == nil {
		t.Error("cancelled: no error")
	}
	for n, want := range map[float64]string{123: "1.2e+02", 45e3: "0.04 M", 2.34e6: "2.3 M", 2.34e7: "23 M"} {
		if got := perSecond(n); got != want {
			t.Errorf("%v: %s, expected %s", n, got, want)
		}
	}
}
