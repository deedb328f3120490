package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The commands of these pages work as they stand; the shell makes their files.
func TestPages(t *testing.T) {
	for page, least := range map[string]int{"formats": 3, "typed": 3} {
		t.Run(page, func(t *testing.T) { testPage(t, page, least) })
	}
}

func testPage(t *testing.T, page string, least int) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell:", err)
	}
	text, err := os.ReadFile("../../docs/" + page + ".md")
	if err != nil {
		t.Fatal(err)
	}
	enter(t)
	blocks := strings.Split(string(text), runnable)[1:]
	if len(blocks) < least {
		t.Fatalf("%d blocks of commands: want more", len(blocks))
	}
	for _, block := range blocks {
		block, _, _ := strings.Cut(block, "\n```")
		var script strings.Builder
		for line := range strings.Lines(block) {
			if !strings.HasPrefix(line, "asp2vec ") {
				script.WriteString(line)
				continue
			}
			if out, err := exec.Command(shell, "-c", script.String()).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", script.String(), err, out)
			}
			script.Reset()
			must(t, strings.Fields(line)[1:]...)
		}
	}
}
