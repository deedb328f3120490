package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The commands of docs/using.md work as they stand; the shell runs those that are not of this program.
func TestUsingPage(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell:", err)
	}
	page, err := os.ReadFile("../../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	enter(t)
	commands := 0
	for _, block := range strings.Split(string(page), runnable)[1:] {
		block, _, _ := strings.Cut(block, "\n```")
		for line := range strings.Lines(block) {
			if words := strings.Fields(line); words[0] == "asp2vec" {
				must(t, words[1:]...)
				commands++
			} else if out, err := exec.Command(shell, "-c", line).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if commands < 20 {
		t.Errorf("%d commands of docs/using.md were run: want more", commands)
	}
}
