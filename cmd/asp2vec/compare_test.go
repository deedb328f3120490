package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Runs with Gumbel-softmax and with softmax, on one data set under two seeds and two protocols.
func TestCompare(t *testing.T) {
	smallSweep(t)
	write(t, "two.yaml", strings.Replace(read(t, "s.yaml"), "epsilon: [0.1, 0.9]", "selection: [gumbel, softmax]", 1))
	must(t, "sweep", "two.yaml")
	args := []string{"results", "compare", "--a", "selection=gumbel,protocol=validated", "--b", "selection=softmax,protocol=validated"}
	c := answer[compare.Comparison](t, args...)
	if c.Pairs != 2 || len(c.Networks) != 1 || c.Networks[0].Dataset != "Cora" || len(c.Tests) != 2 || len(c.Unpaired) != 0 {
		t.Errorf("%+v", c)
	}
	for i, p := range c.Networks[0].Pairs {
		if p.Seed != uint64(i+1) || p.A-p.B != p.Difference {
			t.Errorf("%+v", p)
		}
	}
	text := must(t, args...).out
	says(t, text, "A: selection=gumbel", "Cora", "Wilcoxon signed-rank", "p cannot be below 0.5", "pairs are not independent networks")

	// The same from two stores, in which B's filter is A's.
	must(t, "results", "clean")
	must(t, "results", "pack")
	lines := strings.SplitAfter(read(t, "results/runs.jsonl"), "\n")
	write(t, "stores/a.jsonl", strings.Join(lines, "")+"{torn")
	write(t, "stores/b.jsonl", strings.Join(lines[1:], ""))
	r := must(t, "results", "compare", "stores/a.jsonl", "stores/b.jsonl", "--a", "selection=gumbel")
	says(t, r.out, "B: selection=gumbel", "3 pairs are the same run in both sets", "Without a partner:\n- A, Cora, seed 1: ")
	says(t, r.err, "no record")

	for want, args := range map[string][]string{
		"both sets are the same runs":    {},
		"1 stores: expected none or two": {"results"},
		"with --store or --store-b":      {"results", "results", "--store", "results"},
		"no store given":                 {"--a", "dim=4", "--results", "none"},
		"no such file":                   {"--a", "dim=4", "--store", "absent"},
		`filter "selecton=gumbel": name "selecton": did you mean selection?`:                   {"--a", "selecton=gumbel"},
		`filter "method=asp": method "asp": did you mean asp2vec?`:                             {"--a", "dim=4", "--b", "method=asp"},
		`ignore: name "epsilom": did you mean epsilon?`:                                        {"--a", "selection=gumbel", "--b", "selection=softmax", "--ignore", "order, epsilom"},
		"nothing to compare; A (selection=hard) is 0 of 8 runs: none has the selection of --a": {"--a", "selection=hard", "--b", "selection=softmax"},
		`no "f1", only auc, auc_degree, auc_matched, auc_random`:                               {"--a", "selection=gumbel", "--b", "selection=softmax", "--metric", "f1"},
	} {
		if r := invoke(append([]string{"results", "compare"}, args...)...); r.code != 2 || !strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("%v: %+v\nwant %s", args, r, want)
		}
	}
}

// The committed records bear out some of the paper's claims, and those of a file.
func TestClaims(t *testing.T) {
	store := call.Of(filepath.Abs("../../results/measured"))(t)
	enter(t)
	claims := answer[struct{ Claims []compare.Claim }](t, "results", "compare", "claims", "--store", store).Claims
	if len(claims) == 0 || claims[0].Verdict == "" || claims[0].Text == "" {
		t.Errorf("%+v", claims)
	}
	write(t, "mine.yaml", "sides: {a: {column: dim=100/asp2vec}, b: {column: dim=100/DeepWalk}}\nclaims: [{name: mine, text: of mine, networks: [PPI, Cora], pairs: [{above: a, below: b}]}]\n")
	says(t, must(t, "results", "compare", "mine.yaml", "--store", store).out, "standard", "matched", "mine: ")
	says(t, must(t, "results", "compare", "mine.yaml", "--results", "none yet").out, "published", "too few runs")
	write(t, "bad.yaml", "claims: [{name: mine, rule: above}]\n")
	refused(t, "a key that is none", []string{"results", "compare", "bad.yaml", "--store", store}, "bad.yaml: 1: ", `"rule"`)
}
