package run

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec"
)

// A lexeme is a token of Go as it stands in the source.
type lexeme struct {
	token token.Token
	text  string
}

// lexemes returns the tokens of Go source, without comments and layout.
func lexemes(text string) (all []lexeme) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok != token.SEMICOLON { // put in by the scanner, or as good as that
			all = append(all, lexeme{tok, literal})
		}
	}
}

// joined writes tokens one a line.
func joined(all []lexeme) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.token.String() + " " + l.text + "\n")
	}
	return b.String()
}

// A declaration is one of a package's: what it says, and which names it mentions.
type declaration struct {
	text     string
	mentions []string
}

// declared returns the declaration that is a text, in a file with imports. Those that it mentions are part of what it says.
func declared(text string, imports map[string]string) *declaration {
	all := lexemes(text)
	d := &declaration{text: joined(all)}
	for _, l := range all {
		if l.token == token.IDENT {
			d.mentions = append(d.mentions, l.text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if slices.Contains(d.mentions, name) {
			d.text += "import " + name + " " + imports[name] + "\n"
		}
	}
	return d
}

// importsOf returns the paths of a file's imports, by the names that the file has for them.
func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, i := range file.Imports {
		name := path.Base(strings.Trim(i.Path.Value, `"`))
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = i.Path.Value
	}
	return imports
}

// A library is a package of losses or layers, by its declarations: what entries of its registries reach counts for runs that choose them.
type library struct {
	named   map[string]*declaration // functions without receivers
	others  []*declaration          // all else, which counts for all: types, methods, variables
	entries map[string]*declaration // of registries, by variable and key
}

// readLibrary reads a folder of the source.
func readLibrary(dir string, read func(name string) string) *library {
	l := &library{named: map[string]*declaration{}, entries: map[string]*declaration{}}
	for _, name := range sourceFiles() {
		if path.Dir(name) != dir {
			continue
		}
		text := read(name)
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			panic(err) // it has been compiled
		}
		between := func(from, to token.Pos) string { return text[files.Position(from).Offset:files.Position(to).Offset] }
		imports, mentions := importsOf(file), declared(text, nil).mentions
		for _, name := range slices.Sorted(maps.Keys(imports)) {
			if !slices.Contains(mentions, name) { // the package has another name than its path: it counts for all
				l.others = append(l.others, &declaration{text: imports[name]})
			}
		}
		for _, d := range file.Decls {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
				continue // another file with imports is no edit of what is there
			}
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil {
				if f.Name.Name != "init" {
					l.named[f.Name.Name] = declared(between(f.Pos(), f.End()), imports)
					continue
				}
				if added := addedBy(f, dir); added != nil {
					for unit, statement := range added {
						l.entries[unit] = declared(between(statement.Pos(), statement.End()), imports)
					}
					continue
				}
			}
			variable, literal := registryOf(d, dir)
			if literal == nil {
				l.others = append(l.others, declared(between(d.Pos(), d.End()), imports))
				continue
			}
			for _, e := range literal.Elts {
				kv := e.(*ast.KeyValueExpr)
				key, _ := strconv.Unquote(between(kv.Key.Pos(), kv.Key.End()))
				l.entries[dir+"."+variable+" "+key] = declared(between(e.Pos(), e.End()), imports)
			}
			l.others = append(l.others, declared(between(d.Pos(), literal.Lbrace), imports))
		}
	}
	return l
}

// addedBy returns the statements of an init function by the units of the entries that they add, as in Pairs["mine"] = Pair{...}; nil if it does
// anything else, which counts for all.
func addedBy(f *ast.FuncDecl, dir string) map[string]ast.Stmt {
	added := map[string]ast.Stmt{}
	for _, statement := range f.Body.List {
		a, is := statement.(*ast.AssignStmt)
		if !is || len(a.Lhs) != 1 || a.Tok != token.ASSIGN {
			return nil
		}
		at, isIndex := a.Lhs[0].(*ast.IndexExpr)
		if !isIndex {
			return nil
		}
		variable, isName := at.X.(*ast.Ident)
		key, isText := at.Index.(*ast.BasicLit)
		if !isName || !isText || !isEntry(dir+"."+variable.Name+" ") {
			return nil
		}
		name, _ := strconv.Unquote(key.Value)
		added[dir+"."+variable.Name+" "+name] = statement
	}
	return added
}

// registryOf returns the variable and the literal that a declaration of a package is of, if it is of a registry: a map with names as keys.
func registryOf(d ast.Decl, dir string) (string, *ast.CompositeLit) {
	g, is := d.(*ast.GenDecl)
	if !is || len(g.Specs) != 1 {
		return "", nil
	}
	spec, is := g.Specs[0].(*ast.ValueSpec)
	if !is || len(spec.Names) != 1 || len(spec.Values) != 1 || !isEntry(dir+"."+spec.Names[0].Name+" ") {
		return "", nil
	}
	literal, _ := spec.Values[0].(*ast.CompositeLit)
	return spec.Names[0].Name, literal
}

// reach returns the text of functions that some declarations mention, directly or through others, each once and in one order.
func (l *library) reach(from ...*declaration) string {
	reached := map[string]bool{}
	for len(from) > 0 {
		d := from[0]
		from = from[1:]
		for _, name := range d.mentions {
			if next := l.named[name]; next != nil && !reached[name] {
				reached[name] = true
				from = append(from, next)
			}
		}
	}
	text := ""
	for _, name := range slices.Sorted(maps.Keys(reached)) {
		text += l.named[name].text
	}
	return text
}

// common returns the text of what counts for all runs: what is no function, what that mentions, and what the program mentions by the package's
// name, whatever entry is chosen.
func (l *library) common(mentioned []string) string {
	text := ""
	for _, d := range l.others {
		text += d.text
	}
	return text + l.reach(append(slices.Clone(l.others), &declaration{mentions: mentioned})...)
}

// mentionsOf returns the names that a text qualifies by a package's name, such as SkipGram of losses.SkipGram.
func mentionsOf(all []lexeme, dir string) (names []string) {
	for i := range len(all) - 2 {
		if all[i].text == dir && all[i+1].token == token.PERIOD && all[i+2].token == token.IDENT {
			names = append(names, all[i+2].text)
		}
	}
	return names
}

// sourceText returns an embedded file.
func sourceText(name string) string {
	text, err := asp2vec.Source.ReadFile(name)
	if err != nil {
		panic(err) // it is one of sourceFiles
	}
	return string(text)
}

// declaredIn returns the names that a file declares and others can mention: functions, with and without receivers, types, variables and constants.
func declaredIn(name, text string) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // it has been compiled
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "_" || n == "init" })
}
