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

var updateReadme = flag.Bool("update", false, "write the tables of README.md and docs anew from results/measured")

// shownTable is a table of a page, with the command that shows it.
var shownTable = regexp.MustCompile(`(?s)<!-- asp2vec (results show [^\n]*) -->\n.*?\n<!-- end -->`)

// pages are those that show tables, and those whose links are looked up.
func pages(t *testing.T) []string {
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("pages %v, %v", docs, err)
	}
	return append(docs, "../../README.md")
}

// The tables of the README and of docs are what the committed records say.
func TestReadmeTables(t *testing.T) {
	store, err := filepath.Abs("../../results/measured")
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, path := range pages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
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
				t.Errorf("asp2vec %s gives\n%swhere %s has\n%s\n(just golden writes it anew)", command, strings.Join(rows, ""), path, old)
			}
			return block
		})
		if *updateReadme && fresh != string(text) {
			if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tables == 0 {
		t.Fatal("no page shows a table")
	}
}

var pageLink = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)

// Links between the pages, and to files of the repository, lead somewhere.
func TestPageLinks(t *testing.T) {
	for _, path := range pages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
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
