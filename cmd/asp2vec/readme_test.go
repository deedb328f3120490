package main

import (
	"os"
	"strings"
	"testing"
)

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
}
