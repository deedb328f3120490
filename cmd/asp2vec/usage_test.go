package main

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

// leaves returns every command that does something, by its words.
func leaves() map[string]*cli.Command {
	all := map[string]*cli.Command{}
	var add func(prefix string, commands []*cli.Command)
	add = func(prefix string, commands []*cli.Command) {
		for _, c := range commands {
			add(prefix+c.Name+" ", c.Subcommands)
			if c.Action != nil {
				all[prefix+c.Name] = c
			}
		}
	}
	for _, g := range groups() {
		for _, row := range g.Commands {
			c := row.Build(&shell.Program{})
			c.Name = row.Name
			add("", []*cli.Command{c})
		}
	}
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
		for _, f := range shell.GlobalFlags() {
			if shell.FindFlag(c.Flags, f.Names()[0]) != nil {
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
	says(t, must(t, "data", "--generate-bash-completion").out, "fetch\n")
	for words, want := range map[string]string{
		"train --method": "asp2vec\n", "train --dataset": "filmtrust\n", "evaluate --score": "cosine\n", "export --format": "graphml\n", "results show --format": "latex\n",
		"reproduce": "table5\n", "results show": "runs\n", "train --pair-loss": "margin\n", "data fetch": "ppi\n", "train --dim": "",
	} {
		args := append(strings.Fields(words), "--generate-bash-completion")
		os.Args = append([]string{"asp2vec"}, args...)
		if got := must(t, args...).out; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("after %s may come %q", words, got)
		}
	}
}

// A flag's name in other programs is answered with ours.
func TestNamesOfOthers(t *testing.T) {
	enter(t)
	for flag, own := range map[string]string{"--dimensions": "--dim", "--num_walks": "--walks", "--workers": "--threads", "--window-size": "--window"} {
		refused(t, flag, []string{"train", flag, "2"}, "unknown flag "+flag, own+" here")
	}
}

// undocumented returns the keys of a document, and of the objects in its lists, that a text does not have in backquotes.
func undocumented(text string, doc any) (missing []string) {
	object := func(x any) map[string]any { m, _ := x.(map[string]any); return m }
	list, is := doc.([]any)
	if !is {
		list = []any{doc}
	}
	for _, each := range list {
		for key, value := range object(each) {
			keys := []string{key}
			if rows, is := value.([]any); is && len(rows) > 0 {
				keys = slices.AppendSeq(keys, maps.Keys(object(rows[0])))
			}
			missing = append(missing, slices.DeleteFunc(keys, func(key string) bool { return strings.Contains(text, "`"+key+"`") })...)
		}
	}
	return missing
}

// With --json each command prints one document and nothing else, with keys that docs/json.md has in the row of the command.
func TestJSON(t *testing.T) {
	page := read(t, "../../docs/json.md")
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
		"results pack":  {},

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
		_, row, _ := strings.Cut(page, "\n| `"+words+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if missing := undocumented(row, decode[any](t, r.out)); len(missing) > 0 {
			t.Errorf("docs/json.md has no `%s` of %s", strings.Join(missing, "`, `"), words)
		}
	}
}

// On a terminal a bar shows the progress, on standard error alone, and epochs get no lines.
func TestProgressBar(t *testing.T) {
	karate(t)
	args := append([]string{"train", "--out", "none", "--results", "results", "--split", "split"}, quick...)
	bar := invokeWith(t.Context(), shell.Program{Terminal: true, Width: 100}, args...)
	if bar.code != 0 || !strings.Contains(bar.err, "\r") || !strings.Contains(bar.err, "loss ") || strings.Contains(bar.err, "seconds=") || strings.Contains(bar.out, "\r") {
		t.Errorf("%+v", bar)
	}
	validated := invokeWith(t.Context(), shell.Program{Terminal: true, Width: 120}, with(args, "--protocol", "validated", "--epochs", "3")...)
	validated.exits(t, 0, "of up to 3 loss ")
	for _, flags := range [][]string{{"--no-progress"}, {"--log-format", "json"}} {
		if r := invokeWith(t.Context(), shell.Program{Terminal: true}, append(args, flags...)...); strings.Contains(r.err, "\r") || !strings.Contains(r.err, "seconds") {
			t.Errorf("%v: a bar, or no lines of epochs:\n%s", flags, r.err)
		}
	}
}

// A flag that is given twice, under whatever names and wherever it stands, is an error, lest the last one
// wins; one that takes several is not.
func TestFlagsGivenTwice(t *testing.T) {
	karate(t)
	for _, args := range []string{
		"train --dim 4 --dim 8 --split split", "train --seed=1 --split split --seed 1", "--results a train --split split --results b", "train karate.tsv --network karate.tsv --network split",
		"evaluate model --score lr --scoring dot",
	} {
		invoke(strings.Fields(args)...).exits(t, 2, "is given twice")
	}
	must(t, append(append([]string{"train", "--split", "split", "--out", "none", "--results", "results"}, quick...), "--json", "--json")...)
	if out := must(t, "results", "show", "runs", "--where", "dim=4", "--where", "method=ppr").out; !strings.Contains(out, "0 of 1 records") {
		t.Error(out)
	}
}
