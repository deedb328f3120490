package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Several splits are those made one by one, by the seeds that follow each other; a folder that holds anything else is left alone.
func TestSplits(t *testing.T) {
	karate(t)
	type split struct {
		Out    string `json:"out"`
		SHA256 string `json:"sha256"`
		Seed   uint64 `json:"seed"`
	}
	args := []string{"split", "--network", "karate.tsv", "--rule", "ce1", "--remove", "0.3"}
	all := answer[struct{ Splits []split }](t, append(args, "--seed", "5", "--splits", "3", "--out", "all")...).Splits
	seen := map[string]bool{}
	for i, seed := range []string{"5", "6", "7"} {
		one := answer[split](t, append(args, "--seed", seed, "--out", "one"+seed)...)
		if len(all) != 3 || all[i].SHA256 != one.SHA256 || all[i].Seed != one.Seed || seen[one.SHA256] {
			t.Fatalf("splits %+v: expected one that is %+v", all, one)
		}
		seen[one.SHA256] = true
		for _, f := range []string{"split.json", "test.tsv.gz", "train_neg.tsv.gz"} {
			if read(t, filepath.Join(all[i].Out, f)) != read(t, filepath.Join(one.Out, f)) {
				t.Errorf("%s: %s is not that of the split made alone", all[i].Out, f)
			}
		}
	}
	entries, _ := os.ReadDir("all")
	if text := must(t, "split", "--network", "karate.tsv", "--splits", "2", "--out", "text").out; len(entries) != 3 || strings.Count(text, "text/") != 2 {
		t.Errorf("%d folders; no row for each split in\n%s", len(entries), text)
	}
	for _, c := range [][]string{
		{"--splits 0", "expected 1 to 1000"}, {"--splits 2 --seed 18446744073709551615", "expected 1 to 1000"}, {"--splits 3 --out all", "not empty"},
		{"--splits 2 --out all --force", "contains 3, which is not part"}, {"--splits 2 --out split --force", "which is not part"}, {"--out all --force", "not part of a split"},
	} {
		invoke(with([]string{"split", "--network", "karate.tsv", "--out", "new"}, strings.Fields(c[0])...)...).exits(t, 2, c[1])
	}
	must(t, append(args, "--splits", "3", "--out", "all", "--force")...)
}
