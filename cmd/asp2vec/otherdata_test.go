package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// twoNetworks makes two networks of one file name, in folders a and b, and a sweep of each with the same
// settings.
func twoNetworks(t *testing.T, settings string) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--mean-degree", "8", "--seed", "1", "--out", "a/links.tsv")
	must(t, "data", "generate", "planted", "--vertices", "80", "--communities", "4", "--mean-degree", "10", "--seed", "2", "--out", "b/links.tsv")
	for _, name := range []string{"a", "b"} {
		write(t, name+".yaml", fmt.Sprintf("datasets: %s/links.tsv\n%s", name, settings))
	}
}

const twoMethods = "method: [ppr, prone]\nseeds: 2\noptions: {dim: 8}\n"

// rows returns the lines of a table's numbers.
func rows(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " links ") || strings.HasPrefix(line, " links,") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// A table shows runs on the network that it is of, whatever other network of that name has been run in the
// store, and says what it leaves out.
func TestTwoNetworksOfOneName(t *testing.T) {
	twoNetworks(t, twoMethods)
	own := map[string]string{}
	for _, name := range []string{"a", "b"} {
		own[name] = strings.Join(rows(must(t, "sweep", name+".yaml", "--results", "alone-"+name).out), "\n")
	}
	if own["a"] == own["b"] || strings.Count(own["a"], "\n") != 1 {
		t.Fatalf("%q", own)
	}
	shows := func(name, want string, args ...string) string {
		t.Helper()
		r := must(t, args...)
		if got := strings.Join(rows(r.out), "\n"); got != want {
			t.Errorf("%s: %s shows\n%s\nexpected\n%s", name, strings.Join(args, " "), got, want)
		}
		return r.out
	}
	must(t, "sweep", "a.yaml")
	before := must(t, "results", "show", "b.yaml").out
	says(t, before, "Left out: 4 runs of other data with the same name.")
	if strings.Contains(before, ".") && strings.Contains(before, "(2)") {
		t.Errorf("b, which was never run, has numbers:\n%s", before)
	}
	shows("b after a", own["b"], "sweep", "b.yaml")
	says(t, shows("a after b", own["a"], "sweep", "a.yaml"), "seeds")
	a, b := must(t, "results", "show", "a.yaml").out, must(t, "results", "show", "b.yaml").out
	if a == b || !strings.Contains(a, "links") {
		t.Errorf("both tables are\n%s", a)
	}
	if a != must(t, "results", "show", "a.yaml", "--results", "alone-a").out {
		t.Errorf("beside b, a's table is\n%s", a)
	}
	// The same file with another content, and with the first one again.
	first := read(t, "a/links.tsv")
	write(t, "a/links.tsv", read(t, "b/links.tsv"))
	shows("a as b", own["b"], "sweep", "a.yaml")
	write(t, "a/links.tsv", first)
	shows("a as before", own["a"], "sweep", "a.yaml")
	// Packed, and in JSON.
	must(t, "results", "clean")
	must(t, "results", "pack")
	shows("a, packed", own["a"], "sweep", "a.yaml")
	if got := must(t, "results", "show", "a.yaml", "--json").out; got != must(t, "results", "show", "a.yaml", "--json", "--results", "alone-a").out {
		t.Errorf("in JSON:\n%s", got)
	}
	// Data that are gone have no numbers, and the table says why.
	call.OK(t, os.RemoveAll("a"))
	gone := must(t, "results", "show", "a.yaml").out
	says(t, gone, "No run on links is shown, since its data cannot be read", "no such file")
}

// What is chosen among settings is chosen by runs on the same network.
func TestChoiceOfOtherNetwork(t *testing.T) {
	twoNetworks(t, "method: ppr\nseeds: 1\nsettings:\n  - name: chosen\n    choose: {ppr-restart: [0.05, 0.5], dim: [4, 16]}\n")
	own := map[string]string{}
	for _, name := range []string{"a", "b"} {
		own[name] = must(t, "reproduce", name+".yaml", "--results", "alone-"+name).out
	}
	for _, name := range []string{"a", "b", "a"} {
		if got := must(t, "reproduce", name+".yaml").out; got != own[name] {
			t.Errorf("%s in a store of both:\n%s\nexpected\n%s", name, got, own[name])
		}
	}
}

// A figure shows runs on the network that it is of.
func TestFigureOfOtherNetwork(t *testing.T) {
	twoNetworks(t, "method: ppr\nseeds: 1\noptions: {dim: [4, 8]}\nx: dim\n")
	own := map[string]string{}
	for _, name := range []string{"a", "b"} {
		must(t, "figure", name+".yaml", "--out", "alone", "--results", "alone-"+name)
		own[name] = read(t, filepath.Join("alone", pictureOf(t, "alone")))
		call.OK(t, os.RemoveAll("alone"))
	}
	for _, name := range []string{"a", "b", "a"} {
		must(t, "figure", name+".yaml", "--out", "figures")
		if read(t, filepath.Join("figures", pictureOf(t, "figures"))) != own[name] {
			t.Errorf("the figure of %s is another one than alone", name)
		}
		call.OK(t, os.RemoveAll("figures"))
	}
	if own["a"] == own["b"] {
		t.Error("both figures are one")
	}
}

func pictureOf(t *testing.T, dir string) string {
	t.Helper()
	files := call.Of(os.ReadDir(dir))(t)
	for _, f := range files {
		if filepath.Ext(f.Name()) == ".svg" {
			return f.Name()
		}
	}
	t.Fatalf("%s: no picture among %v", dir, files)
	return ""
}

// A file that an option names counts by its content.
func TestFeaturesInPlace(t *testing.T) {
	twoNetworks(t, "method: dgi\nseeds: 1\noptions: {dim: 4, epochs: 2, features: features.txt}\n")
	var one, two strings.Builder
	for v := range 80 {
		fmt.Fprintf(&one, "%d\t%d\n", v, v%5)
		fmt.Fprintf(&two, "%d\t%d\n", v, v%7)
	}
	write(t, "features.txt", one.String())
	first := must(t, "sweep", "a.yaml").out
	write(t, "features.txt", two.String())
	second := must(t, "sweep", "a.yaml")
	if alone := must(t, "sweep", "a.yaml", "--results", "alone").out; strings.Join(rows(second.out), "") != strings.Join(rows(alone), "") || strings.Join(rows(first), "") == strings.Join(rows(alone), "") {
		t.Errorf("with other features it shows\n%s\nalone\n%s", second.out, alone)
	}
	write(t, "features.txt", one.String())
	if again := must(t, "sweep", "a.yaml").out; strings.Join(rows(again), "") != strings.Join(rows(first), "") {
		t.Errorf("with the first features again it shows\n%s", again)
	}
}

// A model that other code has trained is told of where its numbers are, on standard output.
func TestModelOfOtherCode(t *testing.T) {
	karate(t)
	train(t, "--split", "split", "--out", "model")
	plain := must(t, "evaluate", "model", "--split", "split").out
	if strings.Contains(plain, "other code") {
		t.Errorf("a model of this program:\n%s", plain)
	}
	text := read(t, "model/record.json")
	at := strings.Index(text, `"definition": "`) + len(`"definition": "`)
	write(t, "model/record.json", text[:at]+"0123456789abcdef"+text[at+16:])
	for _, args := range [][]string{{"evaluate", "model", "--split", "split"}, {"predict", "--model", "model", "--split", "split", "--out", "new.tsv"}, {"nearest", "--model", "model", "1"}} {
		says(t, must(t, args...).out, "trained by other code than this program has (definition 0123456789abcdef")
	}
	if doc := answer[struct{ Notices []string }](t, "evaluate", "model", "--split", "split"); len(doc.Notices) != 1 {
		t.Errorf("notices %q", doc.Notices)
	}
}

// The same of vectors of words, of other words in place, and of another bibliography with the name.
func TestWordVectorsInPlace(t *testing.T) {
	enter(t)
	library(t)
	vectorsOf := func(seed int) {
		var text strings.Builder
		for i, word := range strings.Fields("graph link walk node gene cell protein tissue the") {
			fmt.Fprintf(&text, "%s %d %d %d %d\n", word, (i*seed)%7, (i+seed)%5, i*i*seed%11, i%3)
		}
		write(t, "words.vec", text.String())
	}
	write(t, "s.yaml", "datasets: {name: mine, bibliography: papers}\nmethod: m2v++\nseeds: 1\noptions: {dim: 4, epochs: 3, encoder: mean, word-vectors: words.vec}\n")
	table := func(store string) string {
		must(t, "sweep", "s.yaml", "--results", store)
		return must(t, "results", "show", "runs", "--results", store, "--format", "csv").out
	}
	vectorsOf(3)
	one := table("one")
	vectorsOf(5)
	two := table("two")
	text := read(t, "papers/papers.tsv")
	write(t, "papers/papers.tsv", strings.Replace(text, "A. Author1,", "A. Author2,", 1))
	three := must(t, "sweep", "s.yaml", "--results", "three").out
	if one == two {
		t.Fatal("both vectors of words come to the same")
	}
	write(t, "papers/papers.tsv", text)
	for _, step := range []struct {
		seed int
		done string
	}{{3, "done=1"}, {5, "done=1"}, {3, "done=0"}, {5, "done=0"}} {
		vectorsOf(step.seed)
		says(t, must(t, "sweep", "s.yaml").err, step.done)
	}
	write(t, "papers/papers.tsv", strings.Replace(text, "A. Author1,", "A. Author2,", 1))
	if got := must(t, "sweep", "s.yaml"); got.out != three {
		t.Errorf("of other papers of the name it shows\n%s\nalone\n%s", got.out, three)
	}
}
