package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

var updateDocs = flag.Bool("update", false, "write what README.md and docs show of records, methods and files anew")

// pages are the README, the documentation and the log of results, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) < 12 {
		t.Fatalf("pages %v, %v", paths, err)
	}
	pages := map[string]string{}
	for _, path := range append(paths, "../../README.md", "../../results/log.md") {
		pages[path] = read(t, path)
	}
	return pages
}

// shown is a part of a page that is made of something else: of what a command prints, or of a file.
var shown = regexp.MustCompile(`(?s)<!-- (asp2vec|file) ([^\n]*?) -->\n(.*?)<!-- end -->`)

// Tables, the methods and code in the README and in docs are what committed records, the program and files say.
func TestShown(t *testing.T) {
	golden.StillPaper(t)
	store := call.Of(filepath.Abs("../../results/measured"))(t)
	parts := map[string]int{}
	for path, text := range pages(t) {
		fresh := shown.ReplaceAllStringFunc(text, func(old string) string {
			m := shown.FindStringSubmatch(old)
			kind, of := m[1], m[2]
			var now strings.Builder
			switch {
			case kind == "file":
				parts["file"]++
				now.WriteString("```" + strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(of, ".edit")), ".") + "\n" + asEdit(of, read(t, "../../"+of)) + "```\n")
			case strings.HasPrefix(of, "results "):
				parts["table"]++
				args := strings.Fields(of)
				for i, arg := range args {
					if strings.HasSuffix(arg, ".yaml") { // from the root, where readers are
						args[i] = "../../" + arg
					}
				}
				for line := range strings.Lines(must(t, append(args, "--store", store, "--format", "markdown")...).out) {
					if strings.HasPrefix(line, "|") {
						now.WriteString(line)
					}
				}
			default:
				parts[of]++
				now.WriteString(must(t, strings.Fields(of)...).out)
			}
			block := "<!-- " + kind + " " + of + " -->\n" + now.String() + "<!-- end -->"
			if block != old && !*updateDocs {
				t.Errorf("%s %s gives\n%swhere %s has\n%s\n(just golden writes it anew)", kind, of, now.String(), path, old)
			}
			return block
		})
		if *updateDocs && fresh != text {
			call.OK(t, os.WriteFile(path, []byte(fresh), 0o644))
		}
	}
	if parts["table"] == 0 || parts["file"] == 0 {
		t.Errorf("pages show %v", parts)
	}
}

// asEdit is how a page shows a file: of an edit, as edits_test.go applies it, the line after which something comes, and what comes; "// ..." stands
// between places.
func asEdit(name, text string) string {
	if !strings.HasSuffix(name, ".edit") {
		return text
	}
	var b strings.Builder
	added := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "+"):
			b.WriteString(line[1:])
			added = true
		case added:
			b.WriteString("// ...\n")
			added = false
		}
	}
	return b.String()
}

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

var (
	quoted = regexp.MustCompile(`"[^"]*"`)
	letter = regexp.MustCompile(` [A-Z]\b`) // stands for a number
	key    = regexp.MustCompile(`Key: "([^"]+)"`)
)

// declared matches flags, with their values, of hyperparameters that an edit on the page declares.
func declared(page string) *regexp.Regexp {
	flags := []string{"method"} // which another page adds
	for _, m := range key.FindAllStringSubmatch(page, -1) {
		flags = append(flags, m[1])
	}
	return regexp.MustCompile(`--(` + strings.Join(flags, "|") + `) \S+`)
}

// Every command that a page shows exists and has the flags that it is given, whether it is run here or needs data or a cluster.
func TestShownCommands(t *testing.T) {
	commands := 0
	for path, text := range pages(t) {
		for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
			for line := range strings.Lines(block[1]) {
				line = strings.NewReplacer("go run ./cmd/asp2vec", "asp2vec", "seq 4 | xargs -P 4 -I{} ", "", "ssh node1 ", "", "ssh node2 ", "", " &\n", "\n").Replace(line)
				line, _, _ = strings.Cut(line, " #")
				line, _, _ = strings.Cut(line, " >")
				line, _, _ = strings.Cut(line, " | ")
				line = letter.ReplaceAllString(line, " 8")
				line = quoted.ReplaceAllString(declared(text).ReplaceAllString(line, ""), "text")
				words := strings.Fields(line)
				if len(words) == 0 || words[0] != "asp2vec" {
					continue
				}
				commands++
				if r := invoke(append(words[1:], "--help")...); r.code != 0 { // which is parsed as it would be
					t.Errorf("%s: %s: %s", path, line, r.err)
				}
			}
		}
	}
	if commands < 70 {
		t.Errorf("%d commands are shown: expected more", commands)
	}
}
