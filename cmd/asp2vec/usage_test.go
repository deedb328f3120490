package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

// leaves returns every command that does something, by its words.
func leaves() map[string]*cli.Command {
	p := &program{out: io.Discard, err: io.Discard}
	all := map[string]*cli.Command{}
	var add func(prefix string, commands []*cli.Command)
	add = func(prefix string, commands []*cli.Command) {
		for _, c := range commands {
			add(prefix+c.Name+" ", c.Subcommands)
			if !isGroup(c) {
				all[prefix+c.Name] = c
			}
		}
	}
	add("", p.commandsNamed([]string{completionName}))
	return all
}

// Every command has help with an example of it, on standard output, and no flag with the name of one that every command has.
func TestHelp(t *testing.T) {
	enter(t)
	for words, c := range leaves() {
		r := invoke(append(strings.Fields(words), "--help")...)
		if r.code != 0 || r.err != "" || !strings.Contains(r.out, "asp2vec "+words+" ") || !strings.Contains(r.out, "Example") {
			t.Errorf("asp2vec %s --help: exit code %d, no example of it in\n%s%s", words, r.code, r.out, r.err)
		}
		for _, f := range globalFlags() {
			if find(c.Flags, f.Names()[0]) != nil {
				t.Errorf("asp2vec %s has a --%s of its own", words, f.Names()[0])
			}
		}
	}
	for _, args := range [][]string{{}, {"--help"}, {"help"}, {"-h"}} {
		if r := invoke(args...); r.code != 0 || !strings.Contains(r.out, "train") || !strings.Contains(r.out, "--results") {
			t.Errorf("asp2vec %v: %+v", args, r)
		}
	}
}

// Help fits on a screen, and all of it is a word away. Commands are few enough to find one.
func TestHelpIsShort(t *testing.T) {
	enter(t)
	const most = 40
	listed := 0
	for _, g := range groups() {
		for _, c := range g.commands {
			if lines := strings.Count(must(t, c.name, "--help").out, "\n"); lines > most {
				t.Errorf("asp2vec %s --help has %d lines: expected at most %d", c.name, lines, most)
			}
			if g.name != "" {
				listed++
			}
		}
	}
	if listed > 20 {
		t.Errorf("%d commands are listed: expected at most 20", listed)
	}
	all := must(t, "train", "--help", "all").out
	for topic, flag := range map[string]string{"walks": "--walk-length", "training": "--batch", "papers": "--text-length", "all": "--readout"} {
		part := must(t, "train", "--help", topic).out
		if !strings.Contains(part, flag) || !strings.Contains(all, flag) || topic != "all" && len(part) > len(all)/2 {
			t.Errorf("--help %s:\n%s", topic, part)
		}
	}
	if !strings.Contains(all, "(default: 0.25)") {
		t.Errorf("the pilot has not the default of a method that reads it:\n%s", all)
	}
}

// Both spellings of English are taken.
func TestSpellings(t *testing.T) {
	app := (&program{}).app("plot", "evaluate")
	for line, want := range map[string]string{
		"plot --colour=label m":                      "plot --model m --color=label",
		"plot m --vectors centre":                    "plot --model m --vectors center",
		"evaluate m --score neighborhood,lr --top=1": "evaluate m --score neighbourhood,lr --top=1",
		"plot centre --vertex centre":                "plot --model centre --vertex centre",
	} {
		if _, typed := arranged(app, strings.Fields(line)); strings.Join(typed, " ") != want {
			t.Errorf("%s: %q, expected %q", line, strings.Join(typed, " "), want)
		}
	}
}

// Help beside a method has its options alone, with its defaults.
func TestHelpOfAMethod(t *testing.T) {
	help := must(t, "train", "--help", "--method", "deepwalk").out
	if !strings.Contains(help, "D dimensions of each vector (default: 100)") || strings.Contains(help, "--aspects") || !strings.Contains(help, "--out DIR") {
		t.Errorf("help of deepwalk:\n%s", help)
	}
	if !strings.Contains(must(t, "train", "--help", "--method", "splitter", "--protocol", "paper").out, "vertices on each side of a centre (default: 5)") {
		t.Error("help of splitter under the protocol paper has not its window")
	}
	if r := invoke("train", "--help", "--method", "deepwlak"); r.code != 2 || !strings.Contains(r.err, "deepwalk") {
		t.Errorf("an unknown method: %+v", r)
	}
}

// Shells ask the program what may come next, and take its scripts.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := must(t, "completion", shell).out
		if path, err := exec.LookPath(shell); err == nil {
			if out, err := exec.Command(path, "-n", "-c", script).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
	}
	defer func(args []string) { os.Args = args }(os.Args)
	os.Args = []string{"asp2vec", "data", "--generate-bash-completion"} // where the library looks
	if got := must(t, "data", "--generate-bash-completion").out; !strings.Contains(got, "fetch\n") {
		t.Errorf("after data may come %q", got)
	}
}

// recorded returns the options of a run as its record has them.
func recorded(t *testing.T, args ...string) graphs.Options {
	t.Helper()
	args = append(args, "--split", "split", "--walks", "1", "--walk-length", "5", "--dim", "2", "--aspects", "2", "--epochs", "1", "--json")
	type doc struct{ Record results.Record }
	r := decode[doc](t, must(t, append([]string{"train", "--out", "none", "--results", "results"}, args...)...).out).Record
	o, err := methods.Decode(r.Method, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestProtocolAndFlagsOverIt(t *testing.T) {
	karate(t)
	standard, err := methods.Options(graphs.MethodAsp2vec, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if o := recorded(t); o.Order != "shuffled" || !o.Resample || o.Select != graphs.SelectLast || o.PairsPerVertex != 0 || o.Vectors != standard.Vectors || o.Scale != standard.Scale {
		t.Errorf("no protocol, with epochs: %+v", o)
	}
	if o := recorded(t, "--pairs-per-vertex", "20"); o.PairsPerVertex != 20 || o.Steps != standard.Steps || o.RateSum != standard.RateSum {
		t.Errorf("no protocol, with epochs and pairs: %+v", o)
	}
	if o := recorded(t, "--protocol", "validated"); o.Order != "shuffled" || !o.Resample || o.Select != graphs.SelectValidation || o.Patience != 10 {
		t.Errorf("validated: %+v", o)
	}
	// What is given by itself takes back what of the recipe stands against it, unless that is given too, in whatever order.
	if o := recorded(t, "--learning-rate", "0.01", "--batch", "100"); o.LearningRate != 0.01 || o.RateSum != 0 || o.Batch != 100 || o.Steps != 0 {
		t.Errorf("a learning rate and a batch: %+v", o)
	}
	for _, both := range [][]string{{"--rate-sum", "2", "--final-learning-rate", "0.001", "--learning-rate", "0.01"}, {"--learning-rate", "0.01", "--final-learning-rate", "0.001", "--rate-sum", "2"}} {
		if o := recorded(t, append(both, "--steps", "7", "--batch", "100")...); o.LearningRate != 0.01 || o.FinalRate != 0.001 || o.RateSum != 2 || o.Batch != 100 || o.Steps != 7 {
			t.Errorf("%v: %+v", both, o)
		}
	}
	if o := recorded(t, "--protocol", "paper"); o.Order != "grouped" || o.Resample || o.Select != graphs.SelectTest || o.Patience != 5 || o.Epsilon != 0.5 {
		t.Errorf("paper: %+v", o)
	}
	for _, order := range [][]string{{"--protocol", "paper", "--order", "shuffled"}, {"--order=shuffled", "--protocol=paper"}} {
		if o := recorded(t, append(order, "--resample-negatives", "--epsilon=0.9")...); o.Order != "shuffled" || !o.Resample || o.Epsilon != 0.9 || o.Select != graphs.SelectTest {
			t.Errorf("%v: %+v", order, o)
		}
	}
	// A flag that repeats the validated default is still a flag over the paper's.
	if o := recorded(t, "--protocol", "paper", "--select", "validation", "--warm-up=false", "--patience", "7"); o.Select != graphs.SelectValidation || o.WarmUp || o.Patience != 7 {
		t.Errorf("%+v", o)
	}
}

func TestGlobalFlagsStandAnywhere(t *testing.T) {
	karate(t)
	base := append([]string{"--split", "split", "--select", "last", "--out", noOut}, quick...) // few links would be warned of
	for name, args := range map[string][]string{
		"before": append([]string{"--results", "store", "--log-level=warn", "train"}, base...),
		"after":  append(append([]string{"train"}, base...), "--log-level", "warn", "--results", "store"),
		"around": append(append([]string{"--log-level", "warn", "train"}, base...), "--results=store"),
	} {
		t.Run(name, func(t *testing.T) {
			before := 0
			if exists("store") {
				records, _, _ := results.ReadStore("store")
				before = len(records)
			}
			if r := must(t, args...); r.err != "" {
				t.Errorf("--log-level warn is not heeded:\n%s", r.err)
			}
			if records, _, err := results.ReadStore("store"); err != nil || len(records) != before+1 {
				t.Errorf("--results is not heeded: %d records, %v", len(records), err)
			}
		})
	}
	t.Run("environment", func(t *testing.T) {
		t.Setenv("ASP2VEC_RESULTS", "fromenv")
		train(t, "--split", "split")
		train(t, "--split", "split", "--results", "fromflag")
		if !exists("fromenv/runs.jsonl") || !exists("fromflag/runs.jsonl") {
			t.Error("expected the variable heeded, and the flag over it")
		}
		for _, none := range []string{"", "none"} {
			if r := train(t, "--split", "split", "--results", none, "--json"); strings.Contains(r.out, `"store"`) || exists("none") {
				t.Errorf("--results %q keeps a store", none)
			}
		}
	})
	t.Run("later wins", func(t *testing.T) {
		if r := must(t, "--json", "version", "--json=false"); strings.HasPrefix(r.out, "{") {
			t.Errorf("%s", r.out)
		}
	})
	t.Run("after words", func(t *testing.T) {
		a := must(t, "data", "show", "Cora", "--json").out
		if b := must(t, "--json", "data", "show", "Cora").out; a != b {
			t.Errorf("%s differs from %s", a, b)
		}
	})
}

// With --json each command prints one document and nothing else.
func TestJSON(t *testing.T) {
	karate(t)
	train(t, "--split", "split", "--out", "run")
	args := map[string][]string{
		"train":         append([]string{"--split", "split"}, quick...),
		"evaluate":      {"--split", "split", "--embedding", "run"},
		"split":         {"--network", "karate.tsv", "--rule", "ce1", "--remove", "0.2", "--out", "split2"},
		"data list":     {},
		"data show":     {"Filmtrust"},
		"data fetch":    {"flickr", "--data", "data", "--offline"}, // it is there
		"data import":   {"papers", "--out", "imported"},
		"data generate": {"planted", "--vertices", "50", "--communities", "3", "--out", "planted"},
		"check":         {"--dim", "2"},
		"methods":       {"polydw"},
		"figure":        {"epsilon", "--datasets", "cora", "--no-run", "--out", "pictures"},
		"reproduce":     {"table3", "--dry-run", "--data", "data", "--datasets", "cora"},
		"version":       {},

		"evaluate labels":  {"--model", "run", "--labels", "karate.memberships.tsv", "--splits", "2", "--vectors", "all"},
		"evaluate aspects": {"--model", "run", "--labels", "roles.tsv"},

		"embed":         {"--model", "run", "--links", "new.tsv", "--out", "grown"},
		"explore":       {"run", "--map", "pca", "--out", "page.html"},
		"plot":          {"run", "--map", "pca", "--out", "map.svg"},
		"results best":  {"--results", "chosen"},
		"results clean": {},

		"nearest": {"1", "--model", "run"},
		"aspects": {"1", "--model", "run"},
		"predict": {"--model", "run", "--top", "3"},
		"export":  {"--model", "run", "--format", "npz", "--out", "run.npz"},

		"results show":    {"table3", "runs"},
		"results export":  {"--out", "tables"},
		"sweep":           {"sweep.yaml", "--dry-run"},
		"results compare": {"results", "results"}, // the run of the store with itself
	}
	train(t, "--split", "split", "--protocol", "validated", "--results", "chosen")
	library(t)
	write(t, "new.tsv", "new\t1\nnew\t2\n")
	write(t, "roles.tsv", roles)
	write(t, "sweep.yaml", "datasets: cora")
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--out", "data/cora")
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--out", "data/flickr")
	for words := range leaves() {
		given, ok := args[words]
		switch {
		case words == "demo": // needs seconds
			continue
		case words == "completion": // prints what shells read
			continue
		case !ok:
			t.Errorf("asp2vec %s is not tried", words)
			continue
		}
		r := must(t, append(append(strings.Fields(words), given...), "--json")...)
		decode[any](t, r.out)
	}
}

func TestLogFormats(t *testing.T) {
	karate(t)
	r := train(t, "--split", "split", "--log-format", "json")
	epochs := 0
	for line := range strings.Lines(r.err) {
		m := decode[map[string]any](t, line)
		if strings.Contains(m["msg"].(string), " epoch ") {
			epochs++
			if _, ok := m["pairs_per_second"].(float64); !ok {
				t.Errorf("pairs_per_second is no number in %s", line)
			}
		}
	}
	if epochs != 6 { // three of the warm-up and three of asp2vec
		t.Errorf("%d lines of epochs, expected 6", epochs)
	}
	if r := must(t, "train", "--out", "none", "--results", "results", "--split", "split", "--method", "dgi", "--dim", "4", "--epochs", "3"); !strings.Contains(r.err, "vertices_per_second=") || !strings.Contains(r.out, "vertices/s in dgi") {
		t.Errorf("DGI, which has no pairs, says\n%s%s", r.err, r.out)
	}
	if r := train(t, "--split", "split", "--log-level", "error"); r.err != "" {
		t.Errorf("--log-level error still says\n%s", r.err)
	}
}

// On a terminal a bar shows the progress, on standard error alone, and epochs get no lines.
func TestProgressBar(t *testing.T) {
	karate(t)
	args := append([]string{"train", "--out", "none", "--results", "results", "--split", "split"}, quick...)
	bar := invokeWith(t.Context(), program{terminal: true, width: 100}, args...)
	if bar.code != 0 || !strings.Contains(bar.err, "\r") || !strings.Contains(bar.err, "loss ") || strings.Contains(bar.err, "seconds=") || strings.Contains(bar.out, "\r") {
		t.Errorf("%+v", bar)
	}
	validated := invokeWith(t.Context(), program{terminal: true, width: 120}, append(args, "--protocol", "validated", "--epochs", "3")...)
	if validated.code != 0 || !strings.Contains(validated.err, "of up to 3 loss ") {
		t.Errorf("%+v", validated)
	}
	for _, flags := range [][]string{{"--no-progress"}, {"--log-format", "json"}} {
		if r := invokeWith(t.Context(), program{terminal: true}, append(args, flags...)...); strings.Contains(r.err, "\r") || !strings.Contains(r.err, "seconds") {
			t.Errorf("%v: a bar, or no lines of epochs:\n%s", flags, r.err)
		}
	}
}
