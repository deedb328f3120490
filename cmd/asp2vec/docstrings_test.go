package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// saysWhen are the words of which a docstring has one where it says when the function returns an error.
var saysWhen = regexp.MustCompile(`(?i)\b(errors?|errs|fails?|refuses?|refused)\b`)

// Each exported function, method, method of an interface and type of functions that returns an error says in its docstring when.
func TestDocstringsOfErrors(t *testing.T) {
	files := token.NewFileSet()
	checked := 0
	check := func(name *ast.Ident, doc string, of *ast.FuncType) {
		if !name.IsExported() || name.Name == "Unwrap" || !returnsError(of) { // Unwrap returns an error, and has none
			return
		}
		checked++
		if !saysWhen.MatchString(doc) {
			t.Errorf("%s: %s returns an error: want a docstring that says when (with one of the words error, errs, fails, refuses)", files.Position(name.Pos()), name.Name)
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case d.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || f.Name.Name == "main" {
			return err
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil || ofExported(decl.Recv.List[0].Type) {
					check(decl.Name, decl.Doc.Text(), decl.Type)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
						checkType(s, decl.Doc.Text()+s.Doc.Text()+s.Comment.Text(), check)
					}
				}
			}
		}
		return nil
	})
	if err != nil || checked < 400 {
		t.Fatalf("%d functions, %v", checked, err)
	}
}

// checkType checks a type of functions, or the methods of an interface.
func checkType(s *ast.TypeSpec, doc string, check func(name *ast.Ident, doc string, of *ast.FuncType)) {
	switch of := s.Type.(type) {
	case *ast.FuncType:
		check(s.Name, doc, of)
	case *ast.InterfaceType:
		for _, m := range of.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok {
				check(m.Names[0], m.Doc.Text()+m.Comment.Text(), f)
			}
		}
	}
}

func returnsError(of *ast.FuncType) bool {
	if of.Results == nil {
		return false
	}
	for _, r := range of.Results.List {
		if id, ok := r.Type.(*ast.Ident); ok && id.Name == "error" {
			return true
		}
	}
	return false
}

// ofExported returns whether a receiver is of an exported type.
func ofExported(receiver ast.Expr) bool {
	for {
		switch of := receiver.(type) {
		case *ast.StarExpr:
			receiver = of.X
		case *ast.IndexExpr:
			receiver = of.X
		case *ast.Ident:
			return of.IsExported()
		default:
			return true
		}
	}
}
