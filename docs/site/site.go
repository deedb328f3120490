package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

const styleFile = "style.css"

//go:embed page.tmpl style.css
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "page.tmpl"))

// site is a set of pages, and of the other files that they show or link to, by their paths from the root, with slashes.
type site struct {
	root  string
	pages map[string]*page
	files map[string]bool
	order []string // of the pages in the list of contents, as docs/README.md has them
}

// page is a Markdown file.
type page struct {
	source  string
	text    []byte
	tree    ast.Node
	title   string
	anchors map[string]bool
	links   []link
}

// link goes from a page to a file and, unless that is "", a heading in it.
type link struct{ file, anchor string }

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe())) // the pages are the repository's own; tables have <br> in them

// read reads README.md, the pages of docs and, one after the other, every page that is linked to. It returns an error that names each
// link to a file or a heading that is not there.
func read(root string) (*site, error) {
	s := &site{root: root, pages: map[string]*page{}, files: map[string]bool{}}
	todo := []string{"README.md", "docs/README.md"}
	others, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	for _, file := range others {
		todo = append(todo, "docs/"+filepath.Base(file))
	}
	var problems []error
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if s.pages[name] != nil {
			continue
		}
		p, err := readPage(root, name)
		if err != nil {
			return nil, err
		}
		s.pages[name] = p
		for _, l := range p.links {
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(l.file)))
			switch {
			case err != nil:
				problems = append(problems, fmt.Errorf("%s links to %s: no such file", name, l.file))
			case info.IsDir():
				s.files[l.file] = true
			case path.Ext(l.file) == ".md":
				todo = append(todo, l.file)
			default:
				s.files[l.file] = true
			}
		}
	}
	for name, p := range s.pages {
		for _, l := range p.links {
			if to := s.pages[l.file]; to != nil && l.anchor != "" && !to.anchors[l.anchor] {
				problems = append(problems, fmt.Errorf("%s links to %s#%s: no such heading", name, l.file, l.anchor))
			}
		}
	}
	for _, l := range s.pages["docs/README.md"].links {
		if s.pages[l.file] != nil && !slices.Contains(s.order, l.file) {
			s.order = append(s.order, l.file)
		}
	}
	for _, file := range others { // those that the list lacks come last
		if name := "docs/" + filepath.Base(file); name != "docs/README.md" && !slices.Contains(s.order, name) {
			s.order = append(s.order, name)
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return s, errors.Join(problems...)
}

func readPage(root, name string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	p := &page{source: name, text: source, title: name, anchors: map[string]bool{}}
	p.tree = markdown.Parser().Parse(text.NewReader(source))
	err = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				p.anchors[string(id.([]byte))] = true
			}
			if n.Level == 1 && p.title == name {
				p.title = plain(n, source)
			}
		case *ast.Link:
			n.Destination = []byte(p.follow(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(p.follow(string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	return p, err
}

// plain is the text of a heading.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// shortCode is inline code that fits into a line of a phone, and is not broken at its hyphens; code in blocks holds line ends.
var shortCode = regexp.MustCompile(`<code>([^<\n]{1,24})</code>`)

var elsewhere = regexp.MustCompile(`^[a-z]+:`)

// follow notes a link of the page, and returns it as it is between the pages that are written.
func (p *page) follow(to string) string {
	if elsewhere.MatchString(to) {
		return to
	}
	file, anchor, hasAnchor := strings.Cut(to, "#")
	full := p.source
	if file != "" {
		full = path.Join(path.Dir(p.source), file)
	}
	p.links = append(p.links, link{full, anchor})
	if file == "" {
		return to
	}
	if path.Ext(full) == "" {
		full = path.Join(full, "index.html") // of a folder, or of a file like LICENSE: see write
	}
	out := relative(p.source, pageFile(full))
	if hasAnchor {
		out += "#" + anchor
	}
	return out
}

// pageFile is where a page is written: README.md is the index of its folder.
func pageFile(source string) string {
	if path.Base(source) == "README.md" {
		return path.Join(path.Dir(source), "index.html")
	}
	if name, ok := strings.CutSuffix(source, ".md"); ok {
		return name + ".html"
	}
	return source
}

// relative is the way from one file to another.
func relative(from, to string) string {
	way, err := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(to))
	if err != nil {
		return to
	}
	return filepath.ToSlash(way)
}

// entry is a page in a list.
type entry struct {
	Title, Href string
	Current     bool
}

// write writes the pages and files into a folder.
func (s *site) write(dir string) error {
	for name, p := range s.pages {
		var body bytes.Buffer
		if err := markdown.Renderer().Render(&body, p.text, p.tree); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.writePage(dir, name, p.title, body.String()); err != nil {
			return err
		}
	}
	for name := range s.files {
		if err := s.writeFile(dir, name); err != nil {
			return err
		}
	}
	style, err := assets.ReadFile(styleFile)
	if err != nil {
		return err
	}
	return save(dir, styleFile, style)
}

func (s *site) writePage(dir, name, title, body string) error {
	doc := struct {
		Title, Style, Home string
		Contents           []entry
		Before, After      *entry
		Body               template.HTML
	}{Title: title, Style: relative(name, styleFile), Home: relative(name, "index.html"), Body: template.HTML(boxed(body))}
	at := slices.Index(s.order, name)
	for i, each := range s.order {
		e := entry{s.pages[each].title, relative(name, pageFile(each)), i == at}
		doc.Contents = append(doc.Contents, e)
		switch {
		case at >= 0 && i == at-1:
			doc.Before = &e
		case at >= 0 && i == at+1:
			doc.After = &e
		}
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, doc); err != nil {
		return err
	}
	return save(dir, pageFile(name), out.Bytes())
}

// boxed lets wide tables scroll for themselves.
func boxed(body string) string {
	body = shortCode.ReplaceAllString(body, `<code class="short">$1</code>`)
	return strings.NewReplacer("<table>", `<div class="box" tabindex="0"><table>`, "</table>", "</table></div>").Replace(body)
}

// most is the size in bytes above which a file is named and not copied.
const most = 1 << 20

// writeFile copies a file, or makes a page of what a folder or a file without an ending holds.
func (s *site) writeFile(dir, name string) error {
	source := filepath.Join(s.root, filepath.FromSlash(name))
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir():
		entries, err := os.ReadDir(source)
		if err != nil {
			return err
		}
		var list strings.Builder
		fmt.Fprintf(&list, "<h1>%s</h1>\n<p>The folder <code>%s</code> of the repository holds</p>\n<ul>\n", template.HTMLEscapeString(name), template.HTMLEscapeString(name))
		for _, e := range entries {
			fmt.Fprintf(&list, "<li><code>%s</code></li>\n", template.HTMLEscapeString(e.Name()))
		}
		return s.writePage(dir, path.Join(name, "README.md"), name, list.String()+"</ul>\n")
	case info.Size() > most:
		return s.writePage(dir, name, name, fmt.Sprintf("<h1>%s</h1>\n<p>See the repository: the file has %d MB.</p>\n", template.HTMLEscapeString(name), info.Size()>>20))
	}
	content, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if path.Ext(name) == "" {
		return s.writePage(dir, path.Join(name, "README.md"), name, "<pre>"+template.HTMLEscapeString(string(content))+"</pre>\n")
	}
	return save(dir, name, content)
}

func save(dir, name string, content []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, content, fs.FileMode(0o666))
}
