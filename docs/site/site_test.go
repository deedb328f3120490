package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/headless"
)

// built is the site of this repository.
func built(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	if err := run("../..", dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

var reference = regexp.MustCompile(`(href|src)="([^"]*)"`)

// Every link and picture of every page is there, nothing is loaded from elsewhere, and every page of docs is in the contents.
func TestSite(t *testing.T) {
	dir := built(t)
	text := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" {
			var b []byte
			b, err = os.ReadFile(path)
			text[path] = string(b)
		}
		return err
	})
	if err != nil || len(text) < 20 {
		t.Fatalf("%d pages, %v", len(text), err)
	}
	for path, page := range text {
		for _, m := range reference.FindAllStringSubmatch(page, -1) {
			attribute, to := m[1], m[2]
			if elsewhere.MatchString(to) {
				if attribute == "src" || strings.Contains(m[0], "stylesheet") {
					t.Errorf("%s loads %s", path, to)
				}
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", path, to, err)
			} else if anchor != "" && !strings.Contains(text[target], `id="`+anchor+`"`) {
				t.Errorf("%s links to %s: no such heading", path, to)
			}
		}
		if strings.Contains(page, "<script") {
			t.Errorf("%s has a script", path)
		}
	}
	sources, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	contents := text[filepath.Join(dir, "index.html")]
	for _, source := range sources {
		if name := filepath.Base(source); name != "README.md" && !strings.Contains(contents, `<a href="docs/`+strings.TrimSuffix(name, ".md")+`.html"`) {
			t.Errorf("the contents lack %s", name)
		}
	}
}

func TestDeadLinks(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", "# One\n[there](docs/README.md#two) [elsewhere](https://example.org/x.md)\n```\n[code](nowhere.md)\n```\n")
	write("docs/README.md", "# Two\n[back](../README.md) [self](#two)\n")
	out := filepath.Join(root, "out")
	if err := run(root, out); err != nil {
		t.Fatal(err)
	}
	write("docs/README.md", "# Two\n[gone](gone.md) ![picture](p.png) [heading](../README.md#three)\n")
	err := run(root, out)
	for _, want := range []string{"docs/README.md links to docs/gone.md: no such file", "docs/README.md links to docs/p.png", "docs/README.md links to README.md#three: no such heading"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
		t.Errorf("a site that fails takes the one before with it: %v", err)
	}
	if err := run("../..", root); err == nil || !strings.Contains(err.Error(), "no site") {
		t.Errorf("into a folder with other things: %v", err)
	}
}

// A browser shows a page with its style, and has nothing to say of it.
func TestInBrowser(t *testing.T) {
	document, log := headless.OpenFile(t, filepath.Join(built(t), "docs", "getting-started.html"))
	if headless.Console(log) != nil || !strings.Contains(document, "Getting started</h1>") {
		t.Errorf("the browser says\n%s\nand shows\n%s", log, document)
	}
}
