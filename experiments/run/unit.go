package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"hash"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// A unit is the declarations that some others, its roots, lead to by what they mention.
type unit struct {
	*program
	known map[*declaration]int // of other units, which count there, by when these have met them
	out   []string             // folders of other units

	sum     hash.Hash
	done    map[*declaration]int
	queue   []*declaration
	left    []*declaration // of folders that are out, in the order in which they are mentioned
	numbers map[symbol]int
}

// unit follows roots, in their order, to all that they mention, but for what is known and what lies in
// folders that are out.
//
// Its text is the same whatever its declarations are called, and wherever in their folders they stand: it has
// a number in the place of each symbol, counted as they are met.
func (p *program) unit(roots []*declaration, known map[*declaration]int, out ...string) *unit {
	u := &unit{program: p, known: known, out: out, sum: sha256.New(), done: map[*declaration]int{}, numbers: map[symbol]int{}}
	for _, d := range roots {
		u.reach(d)
	}
	for len(u.queue) > 0 {
		d := u.queue[0]
		u.queue = u.queue[1:]
		u.write("\n" + d.dir() + "\n")
		for _, piece := range p.pieces(d) {
			u.write(piece.text)
			if piece.symbol != (symbol{}) {
				u.write(u.mention(piece.symbol))
			}
			u.write("\x00")
		}
	}
	folders := map[string]bool{}
	for d := range u.done {
		folders[d.dir()] = true
		if d.isSettable() {
			p.settable = append(p.settable, d.dir()+"."+d.declares[0].name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) { // assembly, what it includes, and whatever else no directive embeds
		native := slices.ContainsFunc(p.folders[dir], isNative)
		for _, name := range slices.Sorted(slices.Values(p.folders[dir])) {
			if !isSilent(name) && (native || !p.embedded[name]) {
				u.write(name + "\n" + p.texts[name] + "\n")
			}
		}
	}
	return u
}

// isNative reports whether a file is one that is compiled and is not in Go: it may include others.
func isNative(name string) bool {
	return slices.Contains(strings.Fields(".s .S .sx .c .cc .cpp .cxx .h .hh .hpp .hxx .m .f .F .for .f90 .swig .swigcxx .syso"), path.Ext(name))
}

func (u *unit) write(text string) { _, _ = io.WriteString(u.sum, text) }

// hash returns 16 hexadecimal digits of its text.
func (u *unit) hash() string { return hex.EncodeToString(u.sum.Sum(nil)[:8]) }

// reach takes a declaration into the unit.
func (u *unit) reach(d *declaration) {
	if _, is := u.done[d]; !is {
		u.done[d] = len(u.known) + len(u.done)
		u.queue = append(u.queue, d)
	}
}

// mention returns what stands for a symbol, and takes what it leads to into the unit.
func (u *unit) mention(s symbol) string {
	if n, met := u.numbers[s]; met {
		return fmt.Sprint("#", n)
	}
	if isMember(s) {
		return u.member(s)
	}
	in := 0
	for _, d := range u.declared[s] {
		if u.takes(s, d) {
			in++
		}
	}
	if in == 0 {
		return u.outside(s)
	}
	u.numbers[s] = len(u.numbers)
	if u.isType(s) {
		u.methods(s)
	}
	return fmt.Sprint("#", u.numbers[s])
}

// member is mention of a field or a method: where another unit has one of that name, the name stands for it.
func (u *unit) member(s symbol) string {
	for _, d := range u.declared[s] { // options
		u.takes(s, d)
	}
	if slices.ContainsFunc(u.members[s], u.isOutside) {
		return s.name
	}
	u.numbers[s] = len(u.numbers)
	return fmt.Sprint("#", u.numbers[s])
}

// isMember reports whether a symbol is a field or a method.
func isMember(s symbol) bool { return strings.HasPrefix(s.name, ".") }

// takes reports whether a declaration of a symbol is in the unit, and takes it in.
func (u *unit) takes(s symbol, d *declaration) bool {
	if isList(s) || u.isOutside(d) {
		if !u.isKnown(d) && u.isOut(d) && s.dir != "" && !slices.Contains(u.left, d) {
			u.left = append(u.left, d)
		}
		return false
	}
	u.reach(d)
	return true
}

// isOutside reports whether a declaration counts in another unit, or nowhere. Of silent files constants and
// variables count.
func (u *unit) isOutside(d *declaration) bool {
	if _, is := u.done[d]; is {
		return false
	}
	return u.isKnown(d) || u.isOut(d) || isSilent(d.file.name) && d.keyword != "var" && d.keyword != "const"
}

func (u *unit) isKnown(d *declaration) bool { _, is := u.known[d]; return is }

func (u *unit) isOut(d *declaration) bool {
	return slices.ContainsFunc(u.out, func(dir string) bool { return strings.HasPrefix(d.file.name, dir) })
}

// methods takes the methods of a type into the unit, in an order that does not depend on names which other
// packages cannot know.
func (u *unit) methods(t symbol) {
	all := slices.Clone(u.declared[symbol{t.dir, "(" + t.name + ")"}])
	rank := func(d *declaration) string {
		if ast.IsExported(d.method) {
			return d.method
		}
		return "~" + u.looks(d)
	}
	slices.SortStableFunc(all, func(a, b *declaration) int { return strings.Compare(rank(a), rank(b)) })
	for _, d := range all {
		if !u.isOutside(d) {
			u.reach(d)
		}
	}
}

// outside returns what stands for a symbol of another unit or of silent code: its name, if other packages can
// know it or nothing declares it; else what it looks like and, of several that look alike, which one it is.
func (u *unit) outside(s symbol) string {
	if ast.IsExported(s.name) || isMember(s) || len(u.declared[s]) == 0 || !u.isKnown(u.declared[s][0]) {
		return s.dir + "." + s.name
	}
	looks, number := u.looks(u.declared[s][0]), 0
	for d, at := range u.known {
		if d.dir() == s.dir && at < u.known[u.declared[s][0]] && u.looks(d) == looks {
			number++
		}
	}
	return fmt.Sprint("~", looks, number)
}

// looks returns the hash of a declaration without the names in it.
func (p *program) looks(d *declaration) string {
	if d.looks == "" {
		text := ""
		for _, piece := range p.pieces(d) {
			text += piece.text + "\x00"
		}
		d.looks = hashText(text)
	}
	return d.looks
}

// starting returns the declarations that do something when the program starts, of the packages that a package
// imports, directly or through others, in their order.
func (p *program) starting(dir string) (all []*declaration) {
	inside, dirs := map[string]bool{dir: true}, []string{dir}
	for ; len(dirs) > 0; dirs = dirs[1:] {
		for name, f := range p.files {
			if path.Dir(name) != dirs[0] {
				continue
			}
			for _, d := range f.declarations {
				if d.begins {
					all = append(all, d)
				}
			}
			for _, i := range f.syntax.Imports {
				if d, here := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), thisModule); here && !inside[d] {
					inside[d] = true
					dirs = append(dirs, d)
				}
			}
		}
	}
	slices.SortFunc(all, inOrder)
	return all
}

// begins reports whether a declaration does more, when the program starts, than to set variables of its
// package that it names and to add to registries.
func (p *program) begins(d *declaration) bool {
	switch n := d.node.(type) {
	case *ast.ImportSpec:
		return true
	case *ast.FuncDecl:
		return n.Recv == nil && n.Name.Name == "init" && p.changes(d, n.Body, true)
	case *ast.ValueSpec:
		return d.keyword == "var" && slices.ContainsFunc(n.Values, func(x ast.Expr) bool { return p.changes(d, x, true) })
	}
	return false
}

// pure are packages whose functions change nothing but what they are given.
var pure = strings.Fields("bytes cmp context embed errors fmt maps math math/big math/bits path path/filepath reflect regexp slices sort strconv " +
	"strings sync text/template time unicode unicode/utf8 unsafe")

// changes reports whether code of a declaration may change variables that other code reads: those of its
// package only if it is one that the program starts with.
func (p *program) changes(d *declaration, n ast.Node, starts bool) (does bool) {
	sets := func(x ast.Expr) bool {
		id := base(x)
		if id == nil || id.Obj != nil && d.node.Pos() <= id.Obj.Pos() && id.Obj.Pos() < d.node.End() || id.Name == "_" {
			return false
		}
		isVariable := func(d *declaration) bool { return d.keyword == "var" }
		return !starts || !slices.ContainsFunc(p.declared[symbol{d.dir(), id.Name}], isVariable)
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // which is called later
			return false
		case *ast.AssignStmt:
			does = does || n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, sets)
			for _, x := range n.Rhs {
				if f, is := x.(*ast.FuncLit); is && n.Tok == token.DEFINE { // which may be called here
					does = does || p.changes(d, f.Body, starts)
				}
			}
		case *ast.IncDecStmt:
			does = does || sets(n.X)
		case *ast.UnaryExpr:
			does = does || n.Op == token.ARROW || n.Op == token.AND && sets(n.X)
		case *ast.GoStmt, *ast.SendStmt:
			does = true
		case *ast.CallExpr:
			if f, is := n.Fun.(*ast.FuncLit); is {
				does = does || p.changes(d, f.Body, starts)
			}
			does = does || p.calls(d, n.Fun)
		}
		return !does
	})
	return does
}

// calls reports whether what is called may change variables.
func (p *program) calls(d *declaration, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return p.calls(d, x.X)
	case *ast.IndexExpr:
		return p.calls(d, x.X)
	case *ast.Ident:
		return p.mayChange(symbol{d.dir(), x.Name})
	case *ast.SelectorExpr:
		id, is := x.X.(*ast.Ident)
		from := ""
		if is && id.Obj == nil {
			from = d.file.imports[id.Name]
		}
		folder, here := strings.CutPrefix(from, thisModule)
		switch {
		case from == "" && x.Sel.Name == "Add" && isRegistry(x.X):
			return false
		case from == "": // a method
			return slices.ContainsFunc(p.methodsOf[symbol{d.dir(), x.Sel.Name}], p.functionChanges)
		case here:
			return p.mayChange(symbol{folder, x.Sel.Name})
		}
		return !slices.Contains(pure, from)
	}
	return false
}

// mayChange reports whether a function of a name changes variables.
func (p *program) mayChange(s symbol) bool {
	return slices.ContainsFunc(p.declared[s], p.functionChanges)
}

func (p *program) functionChanges(d *declaration) bool {
	f, is := d.node.(*ast.FuncDecl)
	if !is || f.Body == nil {
		return is
	}
	if d.changes == unknown {
		d.changes = never // unless something else in it does
		if p.changes(d, f.Body, false) {
			d.changes = maybe
		}
	}
	return d.changes == maybe
}

// What is known of a function: whether it changes variables outside it.
const (
	unknown = iota
	never
	maybe
)

// isRegistry reports whether an expression is a registry of this module.
func isRegistry(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return isRegistry(x.Sel)
	case *ast.Ident:
		return slices.ContainsFunc(registries, func(r registryOf) bool { return path.Ext(r.name) == "."+x.Name })
	}
	return false
}
