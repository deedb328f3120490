package asp2vec

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// The program does not grow: docs/budget.tsv has how many tokens of Go each folder may have, and its tests. Comments, layout, generated files and testdata do not count.
func TestBudget(t *testing.T) {
	golden.StillPaper(t)
	tokens := map[string]*[2]int{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.PackageClauseOnly); err != nil || ast.IsGenerated(file) {
			return err
		}
		path = filepath.ToSlash(path)
		room, inside, _ := strings.Cut(path, "/")
		if inside == "" {
			return nil
		}
		if tokens[room] == nil {
			tokens[room] = new([2]int)
		}
		kind := 0
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/test/") || strings.Contains(path, "/internal/") {
			kind = 1
		}
		tokens[room][kind] += count(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/budget.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var room string
		var most [2]int
		if n, _ := fmt.Sscan(line, &room, &most[0], &most[1]); n < 3 {
			continue // a comment
		}
		for i, of := range []string{"code", "tests"} {
			if n := tokens[room]; n != nil && n[i] > most[i] {
				t.Errorf("%s/: %d tokens of %s: docs/budget.tsv allows %d; take out an idea, or say beside the number why it must grow", room, n[i], of, most[i])
			}
		}
		delete(tokens, room)
	}
	for room, n := range tokens {
		t.Errorf("%s/: %d tokens: docs/budget.tsv has no line for it", room, n[0])
	}
}

// count returns the tokens of a text without semicolons that end a line.
func count(text []byte) (n int) {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, 0)
	for {
		switch _, t, literal := s.Scan(); {
		case t == token.EOF:
			return n
		case t != token.SEMICOLON || literal != "\n":
			n++
		}
	}
}
