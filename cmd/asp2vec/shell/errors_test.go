package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Errors say nothing of packages, and leave names of users' files that are as these.
func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"network: a.txt:1: weight \"x\"": "a.txt:1: weight \"x\"", "--model: vectors: results: no record": "--model: no record",
		"graphs: layers: selection \"x\"": "selection \"x\"", "network.txt: no link": "network.txt: no link", "a network: none": "a network: none",
	} {
		if got := Message(errors.New(text)); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	if got, want := unfinished(fmt.Errorf("experiments: demo: %w", context.Canceled), []string{"asp2vec", "demo"}).Error(), "interrupted at demo: asp2vec demo did not finish"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	own := regexp.MustCompile(`(?s)^.*?\npackage (\w+)\n.*(?:Errorf|errors\.New)\("(\w+): `) // the last error that begins with a word
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") || strings.Contains(path, "bench/") {
			return err
		}
		if m := own.FindStringSubmatch("\n" + string(call.Of(os.ReadFile(path))(t))); m != nil && m[1] == m[2] && Message(errors.New(m[2]+": x")) != "x" {
			t.Errorf("%s: errors begin with %q, which users see", path, m[2])
		}
		return nil
	})
	call.OK(t, err)
}
