package run

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec"
)

// A symbol is a name that a package declares, which other files can mention.
type symbol struct{ dir, name string }

// A sourceFile is what a definition sees of a file of Go.
type sourceFile struct {
	name     string
	text     string   // tokens and directives, without comments and layout, and all that it embeds
	declares []symbol // functions, types, variables and constants; of methods their type
	mentions []symbol
	imports  []string // folders of this module
	begins   bool     // it does more when the program starts than to add entries to registries
}

// program is the source by name, what is declared where, and the names of packages by their folders.
type program struct {
	files    map[string]*sourceFile
	declared map[symbol][]*sourceFile
	packages map[string]string
}

// readProgram reads the embedded source.
func readProgram() *program {
	p := &program{map[string]*sourceFile{}, map[symbol][]*sourceFile{}, map[string]string{}}
	parsed := map[string]*ast.File{}
	for _, name := range embedded() {
		if path.Ext(name) == ".go" {
			parsed[name] = parse(name, sourceText(name))
			p.packages[path.Dir(name)] = parsed[name].Name.Name
		}
	}
	for name, file := range parsed {
		p.add(sourceFileOf(name, sourceText(name), file, p.packages))
	}
	return p
}

func (p *program) add(f *sourceFile) {
	p.files[f.name] = f
	for _, d := range f.declares {
		p.declared[d] = append(p.declared[d], f)
	}
}

func parse(name, text string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		panic(err) // it has been compiled
	}
	return file
}

// embedded names the embedded files that can be part of the program.
var embedded = sync.OnceValue(func() (names []string) {
	err := fs.WalkDir(asp2vec.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if !d.IsDir() && !strings.HasSuffix(name, "_test.go") && !isSilent(name) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic(err) // of embedded files
	}
	return names
})

// sourceText returns an embedded file.
func sourceText(name string) string {
	text, err := asp2vec.Source.ReadFile(name)
	if err != nil {
		panic(err) // it is one of embedded
	}
	return string(text)
}

const thisModule = "github.com/asp2vec/asp2vec/"

// sourceFileOf returns what a definition sees of a file.
func sourceFileOf(name, text string, file *ast.File, packages map[string]string) *sourceFile {
	f := &sourceFile{name: name, text: tokens(path.Dir(name), text)}
	dir, imported := path.Dir(name), map[string]string{}
	for _, i := range file.Imports {
		folder, here := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), thisModule)
		if !here {
			continue
		}
		f.imports = append(f.imports, folder)
		called := packages[folder]
		if i.Name != nil {
			called = i.Name.Name
		}
		imported[called] = folder
	}
	own := map[string]bool{}
	declare := func(name string) {
		own[name] = true
		f.declares = append(f.declares, symbol{dir, name})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil: // counts where its type does
				ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
					if id, is := n.(*ast.Ident); is {
						declare(id.Name)
					}
					_, parameters := n.(*ast.IndexExpr)
					return !parameters
				})
			case d.Name.Name != "init":
				declare(d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declare(spec.Name.Name)
					f.mentions = append(f.mentions, symbol{dir, spec.Name.Name}) // files with its methods
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						declare(n.Name)
						f.begins = f.begins || n.Name == "_" && spec.Values != nil && !isAssertion(spec)
					}
				}
			}
		}
	}
	for _, d := range file.Decls {
		if d, is := d.(*ast.FuncDecl); is && d.Recv == nil && d.Name.Name == "init" {
			f.begins = f.begins || !addsOnly(d.Body.List, own)
		}
	}
	elsewhere := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		elsewhere[id] = true
		f.mentions = append(f.mentions, symbol{dir, id.Name})
		if folder, all := imported["."]; all {
			f.mentions = append(f.mentions, symbol{folder, id.Name})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			if id, is := s.X.(*ast.Ident); is && elsewhere[id] && imported[id.Name] != "" {
				f.mentions = append(f.mentions, symbol{imported[id.Name], s.Sel.Name})
			}
		}
		return true
	})
	return f
}

// isAssertion says whether a declaration only has the compiler check that a type implements an interface.
func isAssertion(spec *ast.ValueSpec) bool {
	return spec.Type != nil && !slices.ContainsFunc(spec.Values, func(x ast.Expr) bool {
		call, is := x.(*ast.CallExpr)
		if !is {
			return false
		}
		_, converts := call.Fun.(*ast.ParenExpr)
		return !converts
	})
}

// addsOnly says whether statements only add entries to registries and set what their file declares.
func addsOnly(statements []ast.Stmt, own map[string]bool) bool {
	return !slices.ContainsFunc(statements, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, is := s.X.(*ast.CallExpr)
			if !is {
				return true
			}
			add, is := call.Fun.(*ast.SelectorExpr)
			return !is || add.Sel.Name != "Add" || !isRegistry(add.X)
		case *ast.DeclStmt:
			return false
		case *ast.AssignStmt:
			return s.Tok != token.DEFINE && slices.ContainsFunc(s.Lhs, func(x ast.Expr) bool { return !isOwn(x, own) && !isRegistry(x) })
		case *ast.RangeStmt:
			return s.Key != nil && s.Tok == token.ASSIGN || !addsOnly(s.Body.List, own)
		case *ast.ForStmt:
			return !addsOnly(s.Body.List, own)
		}
		return true
	})
}

// isOwn says whether what is assigned to is part of what a file declares.
func isOwn(x ast.Expr, own map[string]bool) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return own[x.Name]
	case *ast.IndexExpr:
		return isOwn(x.X, own)
	case *ast.SelectorExpr:
		return isOwn(x.X, own)
	}
	return false
}

// isRegistry says whether an expression is a registry of this module, or the list of methods that files add to.
func isRegistry(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return isRegistry(x.Sel)
	case *ast.Ident:
		return x.Name == "others" || slices.ContainsFunc(registries, func(r registryOf) bool { return path.Ext(r.name) == "."+x.Name })
	}
	return false
}

// tokens returns the tokens and directives of Go source, one a line, with the files that it embeds.
func tokens(dir, text string) string {
	var b strings.Builder
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, scanner.ScanComments)
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return b.String()
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"), tok == token.SEMICOLON: // put in by the scanner, or as good as that
			continue
		}
		b.WriteString(tok.String() + " " + literal + "\n")
		if patterns, is := strings.CutPrefix(literal, "//go:embed "); is && tok == token.COMMENT {
			for _, name := range embedded() {
				inside, is := strings.CutPrefix(name, dir+"/")
				if is && slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool { return embeds(pattern, inside) }) {
					b.WriteString(sourceText(name) + "\n")
				}
			}
		}
	}
}

// embeds says whether a pattern of go:embed takes a file, or a folder that it is in.
func embeds(pattern, name string) bool {
	pattern = strings.TrimPrefix(pattern, "all:")
	for ; name != "."; name = path.Dir(name) {
		if is, _ := path.Match(pattern, name); is {
			return true
		}
	}
	return false
}

// reach returns the files that some files pass through, but for those that are known and those of folders that are left out, which come back apart.
func (p *program) reach(from []string, known map[string]bool, out ...string) (reached, left map[string]bool) {
	reached, left = map[string]bool{}, map[string]bool{}
	for len(from) > 0 {
		name := from[0]
		from = from[1:]
		if reached[name] || known[name] || p.files[name] == nil {
			continue
		}
		if slices.ContainsFunc(out, func(dir string) bool { return strings.HasPrefix(name, dir) }) {
			left[name] = true
			continue
		}
		reached[name] = true
		for _, m := range p.files[name].mentions {
			for _, f := range p.declared[m] {
				from = append(from, f.name)
			}
		}
	}
	return reached, left
}

// starting returns the files that do something when the program starts, of the packages that a package imports, directly or through others.
func (p *program) starting(dir string) (names []string) {
	inside, dirs := map[string]bool{dir: true}, []string{dir}
	for len(dirs) > 0 {
		for name, f := range p.files {
			if path.Dir(name) != dirs[0] {
				continue
			}
			if f.begins {
				names = append(names, name)
			}
			for _, d := range f.imports {
				if !inside[d] {
					inside[d] = true
					dirs = append(dirs, d)
				}
			}
		}
		dirs = dirs[1:]
	}
	return names
}

// textOf returns what files say, and the assembly of their folders, in one order. Where they import a folder of this module that is not here, that is the whole program.
func (p *program) textOf(files map[string]bool) string {
	var b strings.Builder
	folders := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.WriteString(name + "\n" + p.files[name].text)
		folders[path.Dir(name)] = true
		for _, dir := range p.files[name].imports {
			if _, err := asp2vec.Source.ReadDir(dir); err != nil && !isSilent(dir+"/") {
				b.WriteString(programHash())
			}
		}
	}
	for _, name := range embedded() {
		if path.Ext(name) == ".s" && folders[path.Dir(name)] {
			b.WriteString(name + "\n" + sourceText(name))
		}
	}
	return b.String()
}
