package run

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

var update = flag.Bool("update", false, "write trials.json anew")

// allTrials returns the names of the trials of all methods, whatever their options, and a method that has each.
func allTrials(t *testing.T) map[string]*graphs.Method {
	t.Helper()
	all := map[string]*graphs.Method{}
	for _, m := range methods.All() {
		for _, protocol := range Protocols {
			usual, err := methods.Options(m.Name, protocol)
			if err != nil {
				t.Fatal(err)
			}
			for _, scoring := range m.Scorings {
				for _, optimizer := range []string{graphs.OptimizerAdam, graphs.OptimizerLazyAdam, graphs.OptimizerSGD, graphs.OptimizerAuto} {
					o := usual
					o.Scoring, o.Optimizer = scoring, optimizer
					for _, name := range trialsOf(o) {
						all[name] = m
					}
				}
			}
		}
	}
	return all
}

// Trials come to what trials.json has, on every machine: else each record of the stores that come with the program, and of everybody's, would be
// of another definition. See there for -update.
func TestTrials(t *testing.T) {
	want := maps.Clone(knownTrials)
	names := allTrials(t)
	for name := range want {
		if names[name] == nil {
			t.Errorf("trials.json has %q: want names of trials", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		start := time.Now()
		got, err := try(name, names[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Logf("%s: %v", name, time.Since(start).Round(time.Millisecond))
		was, there := want[name]
		if there && was.same(got) {
			continue
		}
		if !*update {
			t.Errorf("%s comes to %s %.4g, not to %s %.4g: numbers of runs have changed; see trials.json in definition.go", name, got.Words, got.Numbers, was.Words, was.Numbers)
		}
		if there {
			was.Version++
		}
		want[name] = known{was.Version, got}
	}
	if *update && !t.Failed() {
		text, err := json.MarshalIndent(want, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("trials.json", append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The definition of a run is that of its graphs while its trials come to what they did; another outcome is another definition, and so is
// each version that was taken over.
func TestDefinitionFollowsTrials(t *testing.T) {
	o := graphs.Standard()
	o.SetMethod(graphs.MethodOf(graphs.MethodDeepWalk))
	graphOnly, err := graphs.Fingerprint(o)
	if err != nil {
		t.Fatal(err)
	}
	of := func() string {
		t.Helper()
		f, err := Definition(o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const name = trialOptimizer + graphs.OptimizerAdam
	kept := knownTrials[name]
	defer func() { knownTrials[name] = kept }()
	seen := []string{graphOnly}
	if of() != graphOnly {
		t.Error("want the fingerprint of the graphs as long as nothing else was edited")
	}
	for version, numbers := range [][]float64{slices.Concat([]float64{1}, kept.Numbers[1:]), kept.Numbers, kept.Numbers} {
		knownTrials[name] = known{version, outcome{kept.Words, numbers}}
		f := of()
		if slices.Contains(seen, f) {
			t.Errorf("version %d: definition %s of before", version, f)
		}
		seen = append(seen, f)
	}
	knownTrials[name] = kept
	if of() != graphOnly {
		t.Error("want the definition of before where an edit is undone")
	}
}

// Options choose which trials have a part in a run's definition.
func TestTrialsOfOptions(t *testing.T) {
	of := func(method string, protocol func() graphs.Options, edit func(*graphs.Options)) []string {
		o, err := methods.Options(method, protocol)
		if err != nil {
			t.Fatal(err)
		}
		if edit != nil {
			edit(&o)
		}
		return trialsOf(o)
	}
	for _, c := range []struct{ got, want []string }{
		{of("asp2vec", graphs.Standard, nil), []string{"asp2vec standard", "scoring lr", "optimizer adam"}},
		{of("asp2vec", graphs.Paper, nil), []string{"asp2vec paper", "scoring lr", "optimizer adam"}},
		{of("deepwalk", graphs.Standard, nil), []string{"deepwalk standard", "scoring lr", "pilot", "optimizer adam", "optimizer sgd"}},
		{of("splitter", graphs.Default, func(o *graphs.Options) { o.Scoring = graphs.ScoringSum }), []string{"splitter validated", "scoring sum", "optimizer sgd"}},
		{of("m2v++", graphs.Standard, nil), []string{"m2v++ standard", "identification", "ranking", "words", "optimizer adam"}},
		{of("camel", graphs.Standard, nil), []string{"camel standard", "camel validated", "identification", "ranking", "words", "optimizer adam"}},
		{of("bpr", graphs.Default, nil), []string{"bpr validated", "ranking", "optimizer adam"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
