package run

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
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
			for _, d := range usual.Options() {
				values := []any{true, false}
				if d.Kind == reflect.String {
					values = seq.Map(d.Words, func(word string) any { return word })
				} else if d.Kind != reflect.Bool {
					continue
				}
				for _, value := range values {
					o := usual
					if err := o.Set(d.Key, value); err != nil {
						t.Fatal(err)
					}
					for _, name := range trialsOf(o) {
						all[name] = m
					}
				}
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
		got := try(name, names[name])
		if len(got.Numbers) == 0 && !strings.Contains(name, "=") {
			t.Errorf("%s: %s", name, got.Words)
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
		was.outcome = got
		if method, protocol, is := strings.Cut(name, " "); is && was.Options == nil && method == names[name].Name && !strings.Contains(protocol, " ") {
			o, err := trialOptions(names[name], protocol)
			if err != nil {
				t.Fatal(err)
			}
			if was.Options, err = results.MarshalOptions(o); err != nil {
				t.Fatal(err)
			}
		}
		want[name] = was
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
		knownTrials[name] = known{Version: version, outcome: outcome{kept.Words, numbers}}
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
		{of("asp2vec", graphs.Paper, nil), []string{"asp2vec paper", "asp2vec standard lambda-mean=false", "asp2vec standard resample-negatives=false", "asp2vec standard order=grouped", "scoring lr", "optimizer adam"}},
		{of("asp2vec", graphs.Standard, func(o *graphs.Options) { o.AspectStart = graphs.StartNeighbors }), []string{"asp2vec standard", "asp2vec standard aspect-start=neighbors", "scoring lr", "optimizer adam"}},
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

// Another default of an option is in the keys of runs, and leaves trials as they are.
func TestTrialsKeepTheirOptions(t *testing.T) {
	m, kept := graphs.MethodOf(graphs.MethodAsp2vec), Protocols[StandardProtocol]
	defer func() { Protocols[StandardProtocol] = kept }()
	before, err := trialOptions(m, StandardProtocol)
	if err != nil {
		t.Fatal(err)
	}
	Protocols[StandardProtocol] = func() graphs.Options {
		o := kept()
		o.Window, o.Noise = 5, graphs.NoiseWindow
		return o
	}
	if after, err := trialOptions(m, StandardProtocol); err != nil || after != before {
		t.Errorf("%+v, want %+v (%v)", after, before, err)
	}
}
