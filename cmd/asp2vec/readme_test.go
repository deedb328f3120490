package main

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

var updateReadme = flag.Bool("update", false, "write the tables of README.md anew from results/measured")

// shownTable is a table of the README, with the command that shows it.
var shownTable = regexp.MustCompile(`(?s)<!-- asp2vec (results show [^\n]*) -->\n.*?\n<!-- end -->`)

// The README's tables are what the committed records say.
func TestReadmeTables(t *testing.T) {
	const path = "../../README.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	store, err := filepath.Abs("../../results/measured")
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	fresh := shownTable.ReplaceAllStringFunc(string(text), func(old string) string {
		tables++
		command := shownTable.FindStringSubmatch(old)[1]
		var rows []string
		for line := range strings.Lines(must(t, append(strings.Fields(command), "--store", store, "--format", "markdown")...).out) {
			if strings.HasPrefix(line, "|") {
				rows = append(rows, line)
			}
		}
		block := "<!-- asp2vec " + command + " -->\n" + strings.Join(rows, "") + "<!-- end -->"
		if block != old && !*updateReadme {
			t.Errorf("asp2vec %s gives\n%swhere README.md has\n%s\n(just golden writes it anew)", command, strings.Join(rows, ""), old)
		}
		return block
	})
	if tables == 0 {
		t.Fatal("README.md shows no table")
	}
	if *updateReadme && fresh != string(text) {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runnable marks the blocks of commands in the README that are run here, one after the other in one folder.
const runnable = "<!-- run -->\n```sh\n"

// What the README tells a newcomer to type works as it stands.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	enter(t)
	blocks := strings.Split(string(text), runnable)[1:]
	if len(blocks) == 0 {
		t.Fatalf("no block in README.md is marked by %q", runnable)
	}
	for _, block := range blocks {
		block, _, closed := strings.Cut(block, "\n```")
		if !closed {
			t.Fatalf("a block of README.md is not closed: %q", block)
		}
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			if words[0] != "asp2vec" {
				t.Fatalf("README.md runs %q: this test knows asp2vec only", line)
			}
			must(t, words[1:]...)
		}
	}
	shown := shownAUC.FindStringSubmatch(string(text))
	if shown == nil {
		t.Fatal("README.md shows no test AUC of its example")
	}
	want, err := strconv.ParseFloat(shown[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	var got results.Record
	if err := json.Unmarshal([]byte(read(t, "measured/record.json")), &got); err != nil {
		t.Fatal(err)
	}
	if x := got.Metrics["auc"]; !(math.Abs(x-want) < 0.01) { // processors round differently
		t.Errorf("the example of README.md comes to test AUC %.4f, and it shows %s", x, shown[1])
	}
}

// shownAUC is what the README says that its example comes to.
var shownAUC = regexp.MustCompile(`(?m)^ test AUC +(0\.\d+)$`)
