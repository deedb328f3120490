package run

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec"
)

// program is the source of this program as declarations, and who declares what.
type program struct {
	texts     map[string]string // of all embedded files but tests
	files     map[string]*sourceFile
	declared  map[symbol][]*declaration
	packages  map[string]string         // name of the package in a folder
	folders   map[string][]string       // files of a folder that are not Go
	members   map[symbol][]*declaration // types that have a field or a method which other packages cannot know
	missing   []string                  // what it mentions and does not declare
	embedded  map[string]bool           // files that a directive of some declaration embeds
	settable  []string                  // texts that it mentions and the linker can set
	methodsOf map[symbol][]*declaration // by package and name, of all types
}

// A sourceFile is a file of Go.
type sourceFile struct {
	name         string
	syntax       *ast.File
	set          *token.File
	text         string
	imports      map[string]string // path of a package by its name in the file
	unnamed      []string          // paths of packages whose names are not known
	dots         []string          // paths of those imported with a dot
	declarations []*declaration
	constraint   string // under which the file is compiled; "" for always
}

// readProgram reads the embedded source.
func readProgram() *program {
	p := &program{texts: map[string]string{}}
	for _, name := range sourceFiles() {
		if !isTestdata(name) && !isSilent(name) || path.Ext(name) == ".go" {
			p.texts[name] = sourceText(name)
		}
	}
	p.parse(nil)
	return p
}

// with returns the program in which files have other texts; "" takes a file away.
func (p *program) with(texts map[string]string) *program {
	q := &program{texts: maps.Clone(p.texts)}
	maps.Copy(q.texts, texts)
	maps.DeleteFunc(q.texts, func(_, text string) bool { return text == "" })
	q.parse(p.files)
	return q
}

// parse finds the declarations of all files; those of before with the same text need not be parsed again.
func (p *program) parse(before map[string]*sourceFile) {
	p.files, p.declared = map[string]*sourceFile{}, map[symbol][]*declaration{}
	p.packages, p.folders = map[string]string{}, map[string][]string{}
	p.members, p.methodsOf = map[symbol][]*declaration{}, map[symbol][]*declaration{}
	p.embedded = map[string]bool{}
	for name, text := range p.texts {
		if path.Ext(name) != ".go" {
			p.folders[path.Dir(name)] = append(p.folders[path.Dir(name)], name)
			continue
		}
		f := &sourceFile{name: name, text: text}
		if old := before[name]; old != nil && old.text == text {
			f.syntax, f.set = old.syntax, old.set
		} else {
			f.syntax, f.set = parse(name, text)
		}
		p.files[name] = f
		p.packages[path.Dir(name)] = f.syntax.Name.Name
	}
	for _, f := range p.files {
		p.declare(f)
	}
	for _, f := range p.files {
		for _, d := range f.declarations {
			if n, is := d.node.(*ast.FuncDecl); is && n.Recv == nil && n.Name.Name == "init" {
				d.declares = p.sets(f, n.Body)
				for _, s := range d.declares {
					p.declared[s] = append(p.declared[s], d)
				}
			}
		}
	}
	for _, all := range p.declared {
		slices.SortFunc(all, inOrder)
	}
	for _, f := range p.files {
		for _, d := range f.declarations {
			d.begins = p.begins(d)
			for _, line := range d.directives() {
				for _, name := range p.embeddedBy(line, d.dir()) {
					p.embedded[name] = true
				}
			}
		}
	}
}

// inOrder compares two declarations by their places.
func inOrder(a, b *declaration) int {
	return cmp.Or(strings.Compare(a.file.name, b.file.name), cmp.Compare(a.node.Pos(), b.node.Pos()))
}

func parse(name, text string) (*ast.File, *token.File) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, 0) // without comments, which take memory
	if err != nil {
		panic(err) // it has been compiled
	}
	return file, set.File(file.Package)
}

// sourceFiles names the embedded files that can be part of the program.
var sourceFiles = sync.OnceValue(func() (names []string) {
	err := fs.WalkDir(asp2vec.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() && !strings.HasSuffix(name, "_test.go") && (path.Ext(name) != ".go" || !isTestdata(name)) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic(err) // of embedded files
	}
	return names
})

// isSettable reports whether a declaration is a variable that the linker can set by -X: a text that is a
// constant at first.
func (d *declaration) isSettable() bool {
	v, is := d.node.(*ast.ValueSpec)
	if !is || d.keyword != "var" {
		return false
	}
	text := func(x ast.Expr) bool {
		if sum, is := x.(*ast.BinaryExpr); is {
			x = sum.X
		}
		l, is := x.(*ast.BasicLit)
		return is && l.Kind == token.STRING
	}
	typ, is := v.Type.(*ast.Ident)
	return len(v.Values) == 0 && is && typ.Name == "string" || slices.ContainsFunc(v.Values, text)
}

func isTestdata(name string) bool { return strings.Contains("/"+name, "/testdata/") }

// sourceText returns an embedded file.
func sourceText(name string) string {
	text, err := asp2vec.Source.ReadFile(name)
	if err != nil {
		panic(err) // it is one of sourceFiles
	}
	return string(text)
}

const thisModule = "github.com/asp2vec/asp2vec/"

// A symbol is a name that a package declares: of a function, a type, a variable or a constant; with a
// dot before it, of methods and fields of its types. An option, a field that flags set, has no package.
type symbol struct{ dir, name string }

func optionSymbol(name string) symbol { return symbol{"", "." + name} }

// A declaration is a function, a method, a type, an option of a struct, a variable, a constant, or a
// group of constants that are counted.
type declaration struct {
	file     *sourceFile
	node     ast.Node // *ast.FuncDecl, *ast.TypeSpec, *ast.Field, *ast.ValueSpec, *ast.GenDecl, *ast.ImportSpec
	keyword  string
	doc      token.Pos // comments may end before it
	declares []symbol
	method   string // name of a method
	begins   bool   // it does more when the program starts than to set variables of its package and add to registries

	once    sync.Once
	tokens  []piece
	changes int    // unknown, never or maybe
	looks   string // see program.looks
}

func (d *declaration) dir() string { return path.Dir(d.file.name) }

// declare finds the declarations of a file.
func (p *program) declare(f *sourceFile) {
	dir := path.Dir(f.name)
	f.constraint, f.imports = constraintOf(f), map[string]string{}
	add := func(node ast.Node, keyword string, doc token.Pos, names ...symbol) *declaration {
		d := &declaration{file: f, node: node, keyword: keyword, doc: doc, declares: names}
		f.declarations = append(f.declarations, d)
		for _, s := range names {
			p.declared[s] = append(p.declared[s], d)
		}
		return d
	}
	for _, i := range f.syntax.Imports {
		from, _ := strconv.Unquote(i.Path.Value)
		folder, here := strings.CutPrefix(from, thisModule)
		switch {
		case i.Name != nil && i.Name.Name == "_":
			if from != "embed" {
				add(i, "import", i.Pos())
			}
		case i.Name != nil && i.Name.Name == ".":
			f.dots = append(f.dots, from)
		case i.Name != nil:
			f.imports[i.Name.Name] = from
		case here && p.packages[folder] != "":
			f.imports[p.packages[folder]] = from
		case guessed(from) == "":
			f.unnamed = append(f.unnamed, from)
		default:
			f.imports[guessed(from)] = from
		}
	}
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil: // counts where its type does
				method := add(d, "", d.Pos(), symbol{dir, "(" + receiver(d) + ")"})
				method.method = d.Name.Name
				p.methodsOf[symbol{dir, d.Name.Name}] = append(p.methodsOf[symbol{dir, d.Name.Name}], method)
				p.member(method, d.Name)
			case d.Name.Name == "init": // declares what it sets; see sets
				add(d, "", d.Pos())
			default:
				add(d, "", d.Pos(), symbol{dir, d.Name.Name})
			}
		case *ast.GenDecl:
			p.declareSpecs(f, d, add)
		}
	}
}

func (p *program) declareSpecs(f *sourceFile, d *ast.GenDecl, add func(ast.Node, string, token.Pos, ...symbol) *declaration) {
	dir := path.Dir(f.name)
	if d.Tok == token.CONST && countsUp(d) {
		var names []symbol
		for _, spec := range d.Specs {
			for _, n := range spec.(*ast.ValueSpec).Names {
				names = append(names, symbol{dir, n.Name})
			}
		}
		add(d, "", d.Pos(), names...)
		return
	}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			t := add(spec, "type", first(d, spec), symbol{dir, spec.Name.Name})
			ast.Inspect(spec.Type, func(n ast.Node) bool {
				if field, is := n.(*ast.Field); is {
					for _, name := range field.Names {
						p.member(t, name)
					}
					if name := embedded(field); name != nil {
						p.member(t, name)
					}
				}
				return true
			})
			for _, o := range options(spec) {
				for _, n := range o.Names {
					add(o, "option", o.Pos(), optionSymbol(n.Name), optionSymbol(keyOf(o)))
				}
			}
		case *ast.ValueSpec:
			var names []symbol
			for _, n := range spec.Names {
				names = append(names, symbol{dir, n.Name})
			}
			add(spec, d.Tok.String(), first(d, spec), names...)
		}
	}
}

// member notes that a declaration has a field or a method.
func (p *program) member(d *declaration, name *ast.Ident) {
	if !name.IsExported() {
		s := symbol{d.dir(), "." + name.Name}
		p.members[s] = append(p.members[s], d)
	}
}

// first returns where the comments of a declaration end: that of a group stand before the group, if it has
// but one.
func first(d *ast.GenDecl, spec ast.Spec) token.Pos {
	if d.Lparen.IsValid() {
		return spec.Pos()
	}
	return d.Pos()
}

// directives returns the lines of comments before the declaration that are for the compiler.
func (d *declaration) directives() (lines []string) {
	for text := d.file.text[:d.file.set.Offset(d.doc)]; text != ""; {
		text = strings.TrimSuffix(text, "\n")
		at := strings.LastIndexByte(text, '\n') + 1
		line := strings.TrimSpace(text[at:])
		if line != "" && !strings.HasPrefix(line, "//") {
			break
		}
		if strings.HasPrefix(line, "//go:") {
			lines = append(lines, line)
		}
		text = text[:at]
	}
	slices.Reverse(lines)
	return lines
}

// guessed returns the name of the package at a path of another module; "" where the path does not tell.
func guessed(from string) string {
	parts := strings.Split(from, "/")
	if last := len(parts) - 1; last > 0 && len(parts[last]) > 1 && parts[last][0] == 'v' && strings.Trim(parts[last][1:], "0123456789") == "" {
		parts = parts[:last]
	}
	name := parts[len(parts)-1]
	if strings.ContainsAny(name, ".-") {
		return ""
	}
	return name
}

// receiver returns the name of the type that a method is declared of.
func receiver(d *ast.FuncDecl) (name string) {
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && name == "" {
			name = id.Name
		}
		_, parameters := n.(*ast.IndexExpr)
		return !parameters || name == ""
	})
	return name
}

// sets returns the variables of the package that an init function may set, by itself or by what it hands them
// to, and the registries of its file that it adds to.
func (p *program) sets(f *sourceFile, body *ast.BlockStmt) (names []symbol) {
	dir := path.Dir(f.name)
	isVariable := func(d *declaration) bool { return d.keyword == "var" }
	set := func(x ast.Expr) {
		id := base(x)
		if id == nil || id.Obj != nil && id.Obj != f.syntax.Scope.Lookup(id.Name) { // a local variable
			return
		}
		if s := (symbol{dir, id.Name}); !slices.Contains(names, s) && slices.ContainsFunc(p.declared[s], isVariable) {
			names = append(names, s)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok != token.DEFINE {
					set(x)
				}
			}
		case *ast.IncDecStmt:
			set(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X)
			}
		case *ast.CallExpr:
			for _, x := range n.Args {
				set(x)
			}
			of, is := n.Fun.(*ast.SelectorExpr)
			if is && isRegistry(of.X) { // which counts by its entries
				id := base(of.X)
				is = of.Sel.Name == "Add" && id != nil && f.syntax.Scope.Lookup(id.Name) != nil
			}
			if is {
				set(of.X)
			}
		}
		return true
	})
	return names
}

// base returns the variable that an expression is a part of; nil for none.
func base(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.IndexExpr:
		return base(x.X)
	case *ast.SelectorExpr:
		return base(x.X)
	case *ast.StarExpr:
		return base(x.X)
	case *ast.ParenExpr:
		return base(x.X)
	}
	return nil
}

// countsUp reports whether the constants of a group depend on their order.
func countsUp(d *ast.GenDecl) bool {
	up := false
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			up = up || n.Values == nil
		case *ast.Ident:
			up = up || n.Name == "iota"
		}
		return !up
	})
	return up
}

// options returns the fields of a struct that are options: their tags have a key, and a part, a range or a
// help.
func options(spec *ast.TypeSpec) (fields []*ast.Field) {
	s, is := spec.Type.(*ast.StructType)
	if !is {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Fields.List), func(f *ast.Field) bool { return keyOf(f) == "" })
}

// keyOf returns the key of an option; "" for another field.
func keyOf(f *ast.Field) string {
	tag := tagOf(f)
	key, _ := tag.Lookup("json")
	_, isGroup := tag.Lookup("group")
	if !isGroup || len(f.Names) == 0 {
		return ""
	}
	return key
}

// constraintOf returns the lines and the endings of a file's name that say where it is compiled.
func constraintOf(f *sourceFile) (text string) {
	for line := range strings.Lines(f.text[:f.set.Offset(f.syntax.Package)]) {
		if strings.HasPrefix(line, "//go:build") {
			text += line
		}
	}
	words := strings.Split(strings.TrimSuffix(path.Base(f.name), ".go"), "_")
	for _, word := range words[1:] {
		if slices.Contains(systems, word) {
			text += "_" + word
		}
	}
	return text
}

// systems are the endings of names of files that are compiled for one processor or operating system only.
var systems = strings.Fields("aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows unix " +
	"386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm")
