package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A piece of a declaration is a token that stands for itself, or the mention of a symbol.
type piece struct {
	text   string
	symbol symbol // zero for a token
}

// pieces returns what a number can depend on of a declaration, in its order: its tokens, with its local names
// numbered, symbols in the place of other names, and without the words of errors and help. Of
//
//	func scale(x float64) error { return fmt.Errorf("scale %v", x/base) }
//
// these are func, the symbol scale, (, 0, float64, ), error, {, return, "fmt" . Errorf, (, %v, 0, /, the
// symbol base, ), }.
func (p *program) pieces(d *declaration) []piece {
	d.once.Do(func() {
		w := &writer{program: p, declaration: d, at: map[int]piece{}, also: map[int]piece{}, keys: map[*ast.Ident]bool{}}
		w.walk()
		d.tokens = w.write()
	})
	return d.tokens
}

// writer works out the pieces of a declaration.
type writer struct {
	*program
	*declaration
	at         map[int]piece        // by the offsets of what they stand for
	also       map[int]piece        // behind these, of a type that a struct embeds its name as a field
	skip       [][2]int             // offsets between which nothing counts
	keys       map[*ast.Ident]bool  // names in composite literals, and whether they are surely fields
	local      map[token.Pos]string // numbers of local names, by where they are declared
	parameters []string             // of the type of a method
	used       []*ast.Ident
}

func (w *writer) offset(p token.Pos) int { return w.file.set.Offset(p) }

// walk finds the names of the declaration, and what does not count.
func (w *writer) walk() {
	fields := map[*ast.Ident]bool{} // and methods: their names are not looked up
	packages := map[*ast.Ident]symbol{}
	ast.Inspect(w.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			for _, o := range options(n) {
				w.skip = append(w.skip, [2]int{w.offset(o.Pos()), w.offset(o.End())})
			}
		case *ast.StructType:
			w.declares(n.Fields, fields)
		case *ast.InterfaceType:
			w.declares(n.Methods, fields)
		case *ast.Field:
			w.tag(n)
		case *ast.FuncDecl:
			fields[n.Name] = n.Recv != nil
			w.parameters = typeParameters(n)
		case *ast.SelectorExpr:
			fields[n.Sel] = true
			if id, is := n.X.(*ast.Ident); is && id.Obj == nil && len(w.declared[symbol{w.dir(), id.Name}]) == 0 {
				if from := w.file.imports[id.Name]; from != "" {
					fields[n.Sel], packages[id] = false, symbol{from, n.Sel.Name}
					w.mention(n, id, from)
					return false
				}
			}
		case *ast.CompositeLit:
			w.literal(n, n.Type)
		case *ast.CallExpr:
			w.call(n)
		case *ast.Ident:
			w.used = append(w.used, n)
		}
		return true
	})
	if f, is := w.node.(*ast.Field); is {
		for _, n := range f.Names {
			fields[n] = true
		}
	}
	slices.SortFunc(w.used, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	w.local = map[token.Pos]string{}
	for _, id := range w.used {
		if sure, isKey := w.keys[id]; isKey {
			w.at[w.offset(id.Pos())] = w.field(id)
			if !sure { // or a variable
				w.at[w.offset(id.Pos())] = piece{text: id.Name + " " + w.name(id).text, symbol: w.name(id).symbol}
			}
		} else if fields[id] {
			w.at[w.offset(id.Pos())] = w.field(id)
		} else if packages[id] == (symbol{}) {
			w.at[w.offset(id.Pos())] = w.name(id)
		}
	}
}

// mention notes a name of another package, which stands for itself unless it is one of this module.
func (w *writer) mention(n *ast.SelectorExpr, id *ast.Ident, from string) {
	at := piece{text: strconv.Quote(from) + "." + n.Sel.Name}
	if folder, here := strings.CutPrefix(from, thisModule); here {
		at = piece{symbol: symbol{folder, n.Sel.Name}}
		if len(w.declared[at.symbol]) == 0 {
			w.miss(folder + "." + n.Sel.Name)
		}
	}
	w.at[w.offset(id.Pos())] = at
	w.skip = append(w.skip, [2]int{w.offset(id.End()), w.offset(n.Sel.End())})
}

// typeParameters returns the names that a method has for the parameters of its type.
func typeParameters(f *ast.FuncDecl) (names []string) {
	if f.Recv == nil {
		return nil
	}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		var of []ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			of = []ast.Expr{n.Index}
		case *ast.IndexListExpr:
			of = n.Indices
		}
		for _, x := range of {
			if id, is := x.(*ast.Ident); is {
				names = append(names, id.Name)
			}
		}
		return true
	})
	return names
}

// miss notes that a file is not among the source: nothing there declares a name.
func (p *program) miss(name string) {
	if !slices.Contains(p.missing, name) {
		p.missing = append(p.missing, name)
	}
}

// declares notes the names of fields or methods.
func (w *writer) declares(list *ast.FieldList, fields map[*ast.Ident]bool) {
	for _, f := range list.List {
		for _, n := range f.Names {
			fields[n] = true
		}
		if id := embedded(f); id != nil {
			w.also[w.offset(id.Pos())] = w.field(id)
		}
	}
}

// embedded returns the name of a type that a struct embeds in a field, which is called so too; nil for
// another field.
func embedded(f *ast.Field) *ast.Ident {
	x := f.Type
	if star, is := x.(*ast.StarExpr); is {
		x = star.X
	}
	id, is := x.(*ast.Ident)
	if !is || len(f.Names) > 0 {
		return nil
	}
	return id
}

// field returns what stands for the name of a field or a method: its name, if others can know it.
func (w *writer) field(id *ast.Ident) piece {
	if id.IsExported() {
		if len(w.declared[optionSymbol(id.Name)]) > 0 {
			return piece{id.Name, optionSymbol(id.Name)}
		}
		return piece{text: id.Name}
	}
	if id.Name == "_" {
		return piece{text: "_"}
	}
	return piece{symbol: symbol{w.dir(), "." + id.Name}}
}

func (p *program) isType(s symbol) bool {
	return slices.ContainsFunc(p.declared[s], func(d *declaration) bool { return d.keyword == "type" })
}

// name returns what stands for a name that is looked up.
func (w *writer) name(id *ast.Ident) piece {
	here := symbol{w.dir(), id.Name}
	switch o := id.Obj; {
	case id.Name == "_":
		return piece{text: "_"}
	case o != nil && w.node.Pos() <= o.Pos() && o.Pos() < w.node.End() && !w.isOwn(id.Name):
		if w.local[o.Pos()] == "" {
			w.local[o.Pos()] = strconv.Itoa(len(w.local))
		}
		return piece{text: "local " + w.local[o.Pos()]}
	case slices.Contains(w.parameters, id.Name):
		return piece{text: fmt.Sprint("parameter ", slices.Index(w.parameters, id.Name))}
	case len(w.declared[here]) > 0:
		return piece{symbol: here}
	}
	for _, from := range w.file.dots {
		if folder, is := strings.CutPrefix(from, thisModule); is && len(w.declared[symbol{folder, id.Name}]) > 0 {
			return piece{symbol: symbol{folder, id.Name}}
		}
	}
	if elsewhere := slices.Concat(w.file.unnamed, w.file.dots); types.Universe.Lookup(id.Name) == nil {
		if _, isKey := w.keys[id]; len(elsewhere) == 0 && !isKey && id.Name != "init" {
			w.miss(w.dir() + "." + id.Name)
		}
		return piece{text: strings.Join(elsewhere, " ") + " " + id.Name}
	}
	return piece{text: id.Name}
}

// isOwn reports whether the declaration declares a name of the package.
func (w *writer) isOwn(name string) bool {
	return slices.Contains(w.declaration.declares, symbol{w.dir(), name})
}

// literal notes the keys of a composite literal of a type, which are fields if that is a struct.
func (w *writer) literal(n *ast.CompositeLit, of ast.Expr) {
	structure, sure := w.underlying(of, w.file, 0)
	elements := ast.Expr(nil)
	switch t := structure.(type) {
	case *ast.ArrayType:
		elements = t.Elt
	case *ast.MapType:
		elements = t.Value
	}
	_, isStruct := structure.(*ast.StructType)
	for _, x := range n.Elts {
		if pair, is := x.(*ast.KeyValueExpr); is {
			if id, is := pair.Key.(*ast.Ident); is && (isStruct || !sure) {
				w.keys[id] = isStruct
				if isStruct && slices.Contains([]string{"Help", "Source", "Differs", "Title"}, id.Name) {
					w.hush(pair.Value, false)
				}
			}
			x = pair.Value
		}
		if inner, is := x.(*ast.CompositeLit); is && inner.Type == nil && elements != nil {
			if star, is := elements.(*ast.StarExpr); is {
				inner.Type = star.X // as if it were written
			} else {
				inner.Type = elements
			}
			w.literal(inner, inner.Type)
			inner.Type = nil
		}
	}
}

// underlying returns the type that an expression names, if that is known.
func (w *writer) underlying(x ast.Expr, in *sourceFile, depth int) (ast.Expr, bool) {
	if depth > 9 {
		return nil, false
	}
	named := func(s symbol) (ast.Expr, bool) {
		for _, d := range w.declared[s] {
			if t, is := d.node.(*ast.TypeSpec); is {
				return w.underlying(t.Type, d.file, depth+1)
			}
		}
		return nil, false
	}
	switch x := x.(type) {
	case *ast.StructType, *ast.ArrayType, *ast.MapType:
		return x, true
	case *ast.IndexExpr:
		return w.underlying(x.X, in, depth+1)
	case *ast.IndexListExpr:
		return w.underlying(x.X, in, depth+1)
	case *ast.Ident:
		if x.Obj != nil && x.Obj.Kind == ast.Typ {
			if t, is := x.Obj.Decl.(*ast.TypeSpec); is {
				return w.underlying(t.Type, in, depth+1)
			}
		}
		return named(symbol{path.Dir(in.name), x.Name})
	case *ast.SelectorExpr:
		if id, is := x.X.(*ast.Ident); is {
			if folder, here := strings.CutPrefix(in.imports[id.Name], thisModule); here {
				return named(symbol{folder, x.Sel.Name})
			}
		}
	}
	return nil, false
}

// call leaves the words of an error out, but for its verbs: which error is wrapped may decide what happens
// next.
func (w *writer) call(n *ast.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	switch f := n.Fun.(type) {
	case *ast.SelectorExpr:
		id, is := f.X.(*ast.Ident)
		if f.Sel.Name == "Errorf" || f.Sel.Name == "New" && is && w.file.imports[id.Name] == "errors" {
			w.hush(n.Args[0], true)
		}
	case *ast.Ident:
		if f.Name == "panic" && f.Obj == nil {
			w.hush(n.Args[0], true)
		}
	}
}

// verbs are those of a format.
var verbs = regexp.MustCompile(`%[^a-zA-Z%]*[a-zA-Z]`)

// hush leaves out the texts of an expression, or all of them but their verbs.
func (w *writer) hush(x ast.Expr, keepVerbs bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		l, is := n.(*ast.BasicLit)
		if is && l.Kind == token.STRING {
			text := ""
			if keepVerbs {
				text = strings.Join(verbs.FindAllString(l.Value, -1), "")
			}
			w.at[w.offset(l.Pos())] = piece{text: "text " + text}
		}
		_, call := n.(*ast.CallExpr)
		return !call
	})
}

// words are what a tag says to people.
var words = regexp.MustCompile(`\b(help|group):"(\\.|[^"\\])*"`)

// tag leaves the help of an option out.
func (w *writer) tag(f *ast.Field) {
	if f.Tag != nil {
		w.at[w.offset(f.Tag.Pos())] = piece{text: strings.TrimSpace(words.ReplaceAllString(f.Tag.Value, ""))}
	}
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(text)
}

// write returns the pieces of the declaration.
func (w *writer) write() (all []piece) {
	from, to := w.offset(w.node.Pos()), w.offset(w.node.End())
	all = append(all, piece{text: w.file.constraint}, piece{text: w.keyword})
	for _, line := range w.directives() {
		if strings.HasPrefix(line, "//go:build") {
			continue
		}
		text := line + "\n"
		for _, name := range w.embeddedBy(line, w.dir()) {
			content, read := w.texts[name]
			if !read {
				content = sourceText(name)
			}
			text += name + "\n" + content + "\n"
		}
		all = append(all, piece{text: text})
	}
	var s scanner.Scanner
	part := []byte(w.file.text[from:to])
	s.Init(token.NewFileSet().AddFile("", -1, len(part)), part, nil, scanner.ScanComments)
	pending := "" // a semicolon or a comma, which may be left out before what closes
	for {
		pos, tok, literal := s.Scan()
		offset := from + int(pos) - 1
		switch {
		case tok == token.EOF:
			return all
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			continue
		case slices.ContainsFunc(w.skip, func(r [2]int) bool { return r[0] <= offset && offset < r[1] }):
			continue
		case tok == token.SEMICOLON, tok == token.COMMA:
			pending = tok.String()
			continue
		}
		if pending != "" && tok != token.RPAREN && tok != token.RBRACE && tok != token.RBRACK {
			all = append(all, piece{text: pending})
		}
		pending = ""
		if at, is := w.at[offset]; is && tok != token.PERIOD {
			all = append(all, at)
			if also, is := w.also[offset]; is {
				all = append(all, also)
			}
			continue
		}
		at := piece{text: literal}
		switch {
		case literal == "" || tok.IsKeyword():
			at.text = tok.String()
		case tok == token.STRING:
			if key, err := strconv.Unquote(literal); err == nil && len(w.declared[optionSymbol(key)]) > 0 {
				at.symbol = optionSymbol(key)
			}
		}
		all = append(all, at)
	}
}

// embeddedBy returns the files that a directive in a folder embeds; none for a directive of another kind.
func (p *program) embeddedBy(directive, dir string) (found []string) {
	patterns, is := strings.CutPrefix(directive, "//go:embed ")
	if !is {
		return nil
	}
	names := slices.AppendSeq(slices.Clone(sourceFiles()), maps.Keys(p.texts))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		inside, is := strings.CutPrefix(name, dir+"/")
		if is && slices.ContainsFunc(patternsOf(patterns), func(pattern string) bool { return embeds(pattern, inside) }) {
			found = append(found, name)
		}
	}
	return found
}

// patternsOf returns the patterns of a directive, which may be quoted.
func patternsOf(text string) (patterns []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			quoted, _, _ = strings.Cut(text, " ")
		}
		text = text[len(quoted):]
		if plain, err := strconv.Unquote(quoted); err == nil {
			quoted = plain
		}
		patterns = append(patterns, quoted)
	}
	return patterns
}

// embeds reports whether a pattern of go:embed takes a file, or a folder that it is in.
func embeds(pattern, name string) bool {
	pattern = strings.TrimPrefix(pattern, "all:")
	for ; name != "."; name = path.Dir(name) {
		if is, _ := path.Match(pattern, name); is {
			return true
		}
	}
	return false
}

// hashText returns 16 hexadecimal digits.
func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
