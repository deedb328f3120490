package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
)

// sweepOf reads a sweep from text.
func sweepOf(t *testing.T, text string) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	call.File(t, path, text)
	s, err := Read(path, ToRun)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""))
	}
	s.Path = "s.yaml"
	return s, nil
}

// valuesOf returns what a run of a sweep without settings has for what varies.
func valuesOf(s *File, j store.Job) []string {
	return s.Values(Cell{Column: Column{Method: j.Options.Method, Setting: Setting{Options: s.Options}}}, j, true)
}

func jobsOf(t *testing.T, text string) (*File, []store.Job) {
	t.Helper()
	s := call.Of(sweepOf(t, text))(t)
	jobs := call.Of(s.Jobs(MaxRuns))(t)
	if float64(len(jobs)) != s.Count() {
		t.Errorf("%d jobs, Count says %v", len(jobs), s.Count())
	}
	return s, jobs
}

// The whole format, as the help shows it.
const exampleSweep = `
datasets: [filmtrust, cora]
protocol: [validated, paper]
method: asp2vec
seeds: 3                                                 # seeds 1 to 3
options:
  epsilon: [.1, 0.5]
  lambda: {from: 0.001, to: 0.1, steps: 3, scale: log}
  warm-up: false
  walks-in-memory: true                                  # a word that looks like a truth value
search: grid
`

func TestSweepExample(t *testing.T) {
	s, jobs := jobsOf(t, exampleSweep)
	if len(jobs) != 2*2*3*2*3 {
		t.Fatalf("%d jobs, expected 72", len(jobs))
	}
	if got := s.Varied(); !slices.Equal(got, []string{"protocol", "epsilon", "lambda"}) {
		t.Errorf("varied %v", got)
	}
	want := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Paper)
	want.Epsilon, want.Lambda, want.WarmUp, want.WalksInMemory, want.Seed = 0.5, 0.01, false, "true", 2
	// The second data set, protocol and epsilon, the second lambda and seed.
	i := 36 + 18 + 9 + 3 + 1
	if got := jobs[i]; !reflect.DeepEqual(got, store.Job{Dataset: "Cora", Protocol: "paper", Options: want}) {
		t.Errorf("job %d is %+v\nwant %+v", i, got, want)
	}
}

// JSON says the same, also indented with tabs.
func TestSweepJSON(t *testing.T) {
	_, yaml := jobsOf(t, exampleSweep)
	_, json := jobsOf(t, "{\n\t\"datasets\": [\"Filmtrust\", \"CORA\"],\n\t\"protocol\": [\"validated\", \"paper\"],\n\t\"seeds\": [1, 2, 3],\n\t\"options\": {\n"+
		"\t\t\"epsilon\": [0.1, 0.5], \"lambda\": {\"from\": 1e-3, \"to\": 1e-1, \"steps\": 3, \"scale\": \"log\"},\n\t\t\"warm-up\": false,\t\"walks-in-memory\": \"true\"}}")
	if !reflect.DeepEqual(yaml, json) {
		t.Errorf("%+v\n%+v", yaml, json)
	}
}

func TestSweepDefaults(t *testing.T) {
	standard, _ := methods.Options("asp2vec", graphs.Standard)
	_, jobs := jobsOf(t, "datasets: ppi\n")
	if len(jobs) != 1 || !reflect.DeepEqual(jobs[0], store.Job{Dataset: "PPI", Protocol: "standard", Options: standard}) {
		t.Errorf("%+v", jobs)
	}
	_, jobs = jobsOf(t, "datasets: ppi\nmethod: [dgi, splitter]\nseeds: [0, 7]\n")
	want, _ := methods.Options("splitter", graphs.Standard)
	want.Seed = 7
	if len(jobs) != 4 || !jobs[3].Options.Equal(want) {
		t.Errorf("%+v", jobs)
	}
}

func TestSweepRanges(t *testing.T) {
	for text, want := range map[string][]string{
		"tau: {from: 0.1, to: 0.5, steps: 5}":                        {"0.1", "0.2", "0.3", "0.4", "0.5"},
		"learning-rate: {from: 1e-4, to: 1, steps: 5, scale: log}":   {"0.0001", "0.001", "0.01", "0.1", "1"},
		"dim: {from: 10, to: 100, steps: 4, scale: linear}":          {"10", "40", "70", "100"},
		"window: {from: 1, to: 4, steps: 7}":                         {"1", "2", "3", "4"}, // 1, 1.5, 2, ... rounded
		"aspects: {from: 1, to: 100, steps: 5, scale: log}":          {"1", "3", "10", "32", "100"},
		"final-learning-rate: {from: 0, to: 0.003, steps: 2}":        {"0", "0.003"},
		"epsilon: {from: 0.1, to: 0.9, steps: 5}":                    {"0.1", "0.3", "0.5", "0.7", "0.9"},
		"batch: {steps: 2, scale: log, to: 1_000_000, from: 10_000}": {"10000", "1000000"},
	} {
		s, jobs := jobsOf(t, "datasets: cora\noptions:\n  "+text)
		var got []string
		for _, j := range jobs {
			got = append(got, valuesOf(s, j)...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, expected %v", text, got, want)
		}
	}
}

func TestSweepErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "s.yaml: empty",
		"# nothing\n":                      "s.yaml: empty",
		"- cora":                           "s.yaml:1: sequence was used where mapping is expected",
		"a: b\n---\na: b":                  "more than one document",
		"datasets: [cora\n":                "s.yaml:1: sequence end token",
		"method: dgi":                      "no datasets: expected datasets: [NAME, ...]",
		"datasets: []":                     "s.yaml:1: an empty list",
		"datasets: [cora, corra]":          `s.yaml:1: data set "corra": expected one of Filmtrust, `,
		"datasets: [cora, Cora]":           "data set Cora is given twice",
		"datasets:":                        "no datasets: expected datasets",
		"datasets: cora\ndatasets: ppi":    `s.yaml:2: mapping key "datasets" already defined at [1:1]`,
		"datasets: cora\ndataset: ppi":     `s.yaml:2: key "dataset": expected one of axis, choose, corner, datasets, `,
		"datasets: cora\nprotocol: papers": `s.yaml:2: protocol "papers": expected one of paper, standard, validated`,
		"datasets: cora\nmethod: [no-such-method]":     `s.yaml:2: method "no-such-method": expected one of deepwalk`,
		"datasets: cora\nseeds: 0":                     "0 seeds: expected 1 to",
		"datasets: cora\nseeds: []":                    "an empty list",
		"datasets: cora\nseeds: 1.5":                   "1.5: expected a whole number",
		"datasets: cora\nseeds: -1":                    "-1: expected a whole number",
		"datasets: cora\nseeds: [1, 1]":                "seed 1 is given twice",
		"datasets: cora\nseeds: 123456789":             "123456789 seeds: expected 1 to 1000000",
		"datasets: cora\nsearch: all":                  "search: expected grid, or",
		"datasets: cora\nsearch: {}":                   "search: expected grid, or",
		"datasets: cora\nsearch: {rand: 3, seed: 1}":   `key "rand": expected one of random, seed`,
		"datasets: cora\nsearch: {random: -3}":         "-3: expected a whole number",
		"datasets: cora\nsearch: {random: 3, seed: x}": "2: x: expected a whole number",
		"datasets: cora\noptions: 3":                   "s.yaml:2: 3: expected NAME: VALUE",

		"datasets: cora\noptions:\n  dim: 20\n  epsilom: 0.1":                      `s.yaml:4: option "epsilom": expected one of aspect-context, `,
		"datasets: cora\noptions: {method: dgi}":                                   "expected it next to options, as method: NAME",
		"datasets: cora\noptions: {seed: 3}":                                       "expected it next to options, as seeds",
		"datasets: cora\noptions: {epsilon: []}":                                   "s.yaml:2: an empty list",
		"datasets: cora\noptions: {epsilon: }":                                     `option epsilon: "": expected a number`,
		"datasets: cora\noptions: {epsilon: half}":                                 `option epsilon: "half": expected a number`,
		"datasets: cora\noptions: {epsilon: \"0.5\"}":                              "option epsilon: \"0.5\": expected a number",
		"datasets: cora\noptions: {epsilon: .nan}":                                 `option epsilon: ".nan": expected a number`,
		"datasets: cora\noptions: {dim: 2.5}":                                      `option dim: "2.5": expected a whole number`,
		"datasets: cora\noptions: {warm-up: yes}":                                  `option warm-up: "yes": expected true or false`,
		"datasets: cora\noptions: {epsilon: [.5, 0.50]}":                           "option epsilon: 0.50 is given twice",
		"datasets: cora\noptions: {epsilon: [[.5]]}":                               "2: [: expected a single value",
		"datasets: cora\noptions: {order: {from: 1, to: 2}}":                       "a range: expected a word, or a list",
		"datasets: cora\noptions: {tau: {from: 1, to: 2}}":                         "a range without steps",
		"datasets: cora\noptions: {tau: {from: 2, to: 1, steps: 2}}":               "two numbers, the lower first",
		"datasets: cora\noptions: {tau: {to: 1, steps: 2}}":                        "expected from and to, two numbers",
		"datasets: cora\noptions: {tau: {from: x, to: 1, steps: 2}}":               "x: expected a number",
		"datasets: cora\noptions: {tau: {from: 0, to: 1, steps: 2, scale: log}}":   "scale log: expected a number above 0",
		"datasets: cora\noptions: {tau: {from: 1, to: 2, steps: 2, scale: cubic}}": `scale "cubic": expected one of linear, log`,
		"datasets: cora\noptions: {tau: {from: 1, to: 2, count: 2}}":               `key "count": expected one of from, scale`,
		"datasets: cora\nmethod: [asp2vec, dgi]\noptions:\n  epsilon: 0.1":         "s.yaml:4: option epsilon: dgi does not read it: expected method: asp2vec",
		"datasets: cora\nmethod: dgi\noptions: {p: 0.5}":                           "expected method: node2vec",
	} {
		call.Refused(t, want)(sweepOf(t, text))
	}
	var unknown unknown.Name
	path := filepath.Join(t.TempDir(), "s.yaml")
	os.WriteFile(path, []byte("datasets: cora\noptions: {epsilom: 1}"), 0o666)
	if _, err := Read(path, ToRun); !errors.As(err, &unknown) || unknown.Name != "epsilom" || !slices.Contains(unknown.Known, "epsilon") {
		t.Errorf("%+v", unknown)
	}
	if _, err := Read(path+"x", ToRun); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A hyperparameter that some of the swept entries read is swept for those; what nothing of the sweep reads is refused.
func TestSweepOfHyperparameters(t *testing.T) {
	names := func(text string) (all []string) {
		s := call.Of(sweepOf(t, text))(t)
		jobs := call.Of(s.Jobs(20))(t)
		for _, j := range jobs {
			all = append(all, j.Settings())
		}
		return all
	}
	for text, want := range map[string][]string{
		"datasets: cora\noptions: {selection: [gumbel, softmax, hard], tau: [.1, .5, .7]}\n": {"tau=0.1", "", "tau=0.7", "selection=softmax",
			"selection=hard tau=0.1", "selection=hard", "selection=hard tau=0.7"},
		"datasets: cora\noptions: {pair-loss-margin: {from: .5, to: 1, steps: 2}, pair-loss: [skipgram, margin]}\n": {"",
			"pair-loss=margin pair-loss-margin=0.5", "pair-loss=margin"},
		"datasets: cora\noptions: {warm-up-pair-loss: margin, pair-loss-margin: .5}\n": {"warm-up-pair-loss=margin pair-loss-margin=0.5"},
	} {
		if got := names(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, expected %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"datasets: cora\noptions: {selection: softmax, tau: [.1, .5]}\n":      "tau = 0.1: selection softmax does not read it: expected one of gumbel, hard",
		"datasets: cora\noptions: {pair-loss-margin: 2}\n":                    "pair-loss-margin = 2: pair-loss skipgram does not read it: expected one of margin",
		"datasets: cora\nmethod: dgi\noptions: {pair-loss-margin: 2}\n":       "option pair-loss-margin: dgi does not read it: expected method: deepwalk",
		"datasets: cora\noptions: {pair-loss-margin: much}\n":                 `option pair-loss-margin: "much": expected a number`,
		"datasets: cora\noptions: {pair-loss-margins: 2}\n":                   `option "pair-loss-margins": expected one of`,
		"datasets: cora\nprotocol: validated\noptions: {epochs: [0, 1000]}\n": "runs on Cora of asp2vec under protocol validated with epochs=0, and of asp2vec under protocol validated with epochs=1000 are one",
		"datasets: cora\nchoose: {select: [last, validation]}\n":              "choose select: runs that differ in it are not comparable",
		"datasets: cora\nchoose: {dim: {from: 1, to: 2000, steps: 2000}}\n":   "choose one of 2000 runs: expected at most 1000",
		"datasets: cora\nchoose: {pair-loss: [margin], dim: [1, 0]}\n":        "pair-loss=margin dim=0: dim = 0: expected",
	} {
		s, err := sweepOf(t, text)
		if err == nil {
			_, err = s.Jobs(20)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
}

// Whatever a file holds, it is a sweep or an error, and its jobs are no more than it says.
func FuzzReadSweep(f *testing.F) {
	f.Add(exampleSweep)
	f.Add("{\"datasets\": \"ppi\",\n\t\"seeds\": [3], \"search\": {\"random\": 1}}")
	f.Add("datasets: &a [cora]\noptions: {epsilon: &e [.1, *e], tau: {from: 1, to: 2, steps: 3}}\n<<: *a")
	f.Add("? [a]\n: b")
	f.Add("datasets: !!binary Y29yYQ==\nseeds: !!set {1}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sweepOf(t, text)
		if err != nil {
			return
		}
		if jobs, err := s.Jobs(20); err == nil && float64(len(jobs)) > s.Count() {
			t.Errorf("%d jobs, Count says %v", len(jobs), s.Count())
		}
	})
}
