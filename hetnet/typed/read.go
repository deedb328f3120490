package typed

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// SchemaFile is the name of the file of a schema in a folder.
const SchemaFile = "schema.yaml"

// Read reads a heterogeneous network: path is a schema's file, or a folder with SchemaFile.
//
// A schema is YAML:
//
//	vertices:
//	  user:
//	  artist: {content: text, file: tags.tsv}        # or features: see network.ReadFeatures; without: a vector of its own
//	                                                  # aspect: context, or content: what tells the aspect of a vertex
//	links:
//	  listens: {from: user, to: artist, file: listens.tsv}
//	  friends: {from: user, to: user, file: friends.tsv}   # directed: true, header: true, columns: [source, target, weight, time], subtract: 1
//	meta-paths: [user-artist-user, user-user-artist]
//	rank: listens                                    # the links whose ends Camel and TaPEm match; see Authorship
//
// Files of links are read by the rules of network.ReadFrom: a link a line, with what columns says. With subtract the names of a file are
// whole numbers that are so much higher than those of other files. Vertices are those of links, in the order in
// which files name them; a link given again counts once. It returns an error with file and line for what is wrong.
func Read(path string) (*Network, network.Notes, error) {
	where := path
	if info, err := os.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("typed: %w", err)
	} else if info.IsDir() {
		where = filepath.Join(path, SchemaFile)
	}
	text, err := os.ReadFile(where)
	if err != nil {
		return nil, nil, fmt.Errorf("typed: %w; expected a folder with %s, or such a file", err, SchemaFile)
	}
	f, err := parseSchema(text, where)
	if err != nil {
		return nil, nil, err
	}
	f.dir = filepath.Dir(where)
	if f.Name == "" {
		abs, err := filepath.Abs(f.dir)
		if err != nil {
			return nil, nil, fmt.Errorf("typed: %w", err)
		}
		f.Name = filepath.Base(abs)
	}
	return f.read()
}

// strangeContents notes lines about vertices of no link.
const strangeContents = "contents_of_unknown_vertices"

// Numbers are those of names in the order in which these come.
type Numbers struct {
	Names []string
	Place map[string]int32
}

// Of returns the number of a name, which gets the next one where it has none.
func (n *Numbers) Of(name string) int32 {
	i, there := n.Place[name]
	if !there {
		if n.Place == nil {
			n.Place = map[string]int32{}
		}
		i = int32(len(n.Names))
		n.Names = append(n.Names, name)
		n.Place[name] = i
	}
	return i
}

// builder makes a network of files.
type builder struct {
	n        *Network
	vertices []Numbers // of each type
	words    Numbers
	notes    network.Notes
}

func (f *file) read() (*Network, network.Notes, error) {
	b := &builder{n: &Network{}}
	fail := func(err error) (*Network, network.Notes, error) { return nil, nil, err }
	schema, err := f.schema()
	if err != nil {
		return fail(err)
	}
	n := b.n
	n.Schema, n.Contents, b.vertices = *schema, make([]Content, len(schema.Types)), make([]Numbers, len(schema.Types))
	for i, l := range f.Links {
		path, err := f.path(l.Value.File, l.Line)
		if err != nil {
			return fail(err)
		}
		links, err := b.links(path, l, n.Schema.Links[i])
		if err != nil {
			return fail(err)
		}
		n.Links = append(n.Links, links)
	}
	n.Names = seq.Map(b.vertices, func(of Numbers) []string { return of.Names })
	if err := f.contents(b); err != nil {
		return fail(err)
	}
	all := 0
	for t := range n.Types {
		all += n.Vertices(t)
	}
	if all > math.MaxInt32 {
		return fail(fmt.Errorf("typed: %s has %d vertices: expected a number within int32", n.Name, all))
	}
	return n, b.notes, nil
}

// path returns where a file that the schema names is. It returns an error for one outside its folder: schemas of others name no file of one's own.
func (f *file) path(name string, line int) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("typed: %s:%d: file %q: expected a file in the folder of the schema", f.where, line, name)
	}
	return filepath.Join(f.dir, name), nil
}

// schema returns what the file says of types. It returns an error, with its line, for what Check refuses, a type without links, and
// meta-paths that cannot be walked.
func (f *file) schema() (*Schema, error) {
	s := &Schema{Name: f.Name, Paths: f.Paths.Values(), Rank: f.Rank}
	for _, v := range f.Vertices {
		if (v.Value.Content == NoContent) != (v.Value.File == "") {
			return nil, fmt.Errorf("typed: %s:%d: vertices %s have content %q and file %q: expected both or none", f.where, v.Line, v.Name, v.Value.Content, v.Value.File)
		}
		s.Types = append(s.Types, Type{v.Name, v.Value.Content, v.Value.Aspect})
	}
	used := make([]bool, len(s.Types))
	for _, l := range f.Links {
		typ := LinkType{Name: l.Name, From: s.Type(l.Value.From), To: s.Type(l.Value.To), Directed: l.Value.Directed}
		for _, end := range []struct {
			name  string
			place int
		}{{l.Value.From, typ.From}, {l.Value.To, typ.To}} {
			if end.place < 0 {
				return nil, fmt.Errorf("typed: %s:%d: links %s are of %q: expected from and to of %s", f.where, l.Line, l.Name, end.name, strings.Join(seq.Map(s.Types, func(t Type) string { return t.Name }), ", "))
			}
			used[end.place] = true
		}
		s.Links = append(s.Links, typ)
	}
	if t := slices.Index(used, false); t >= 0 && len(f.Links) > 0 {
		return nil, fmt.Errorf("typed: %s:%d: vertices %s are in no links: expected links from or to them", f.where, f.Vertices[t].Line, s.Types[t].Name)
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.where, err)
	}
	if len(f.Paths) == 0 {
		return nil, fmt.Errorf("typed: %s: no meta-paths: expected some, such as meta-paths: [%s]", f.where, s.example())
	}
	for _, path := range f.Paths {
		if _, err := s.ParsePath(path.Value); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", f.where, path.Line, err)
		}
	}
	return s, nil
}

// example returns a meta-path of the schema.
func (s *Schema) example() string {
	l := s.Links[0]
	return s.Types[l.From].Name + "-" + s.Types[l.To].Name + "-" + s.Types[l.From].Name
}

// contents reads what is known of vertices.
func (f *file) contents(b *builder) error {
	n := b.n
	for t, v := range f.Vertices {
		if v.Value.Content == NoContent {
			continue
		}
		path, err := f.path(v.Value.File, v.Line)
		if err != nil {
			return err
		}
		switch v.Value.Content {
		case Features:
			features, err := network.ReadFeatures(path, n.Names[t])
			if err != nil {
				return err
			}
			n.Contents[t].Features = features
			b.notes.Add(strangeContents, features.Unknown, "")
		case Text:
			if err := b.texts(path, t); err != nil {
				return err
			}
		}
	}
	n.Words = b.words.Names
	return nil
}

// texts reads the texts of a type's vertices.
func (b *builder) texts(path string, t int) error {
	n := b.n
	table, err := network.OpenTable(path, network.TableOptions{Want: "the name of a vertex and its words"})
	if err != nil {
		return err
	}
	defer table.Close()
	texts, strange := make([][]int32, len(n.Names[t])), ""
	for {
		fields, err := table.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		v, there := b.vertices[t].Place[string(fields[0])]
		if !there {
			at := fmt.Sprintf("%s:%d: %.40q is in no link", path, table.Line(), fields[0])
			b.notes.Add(strangeContents, 1, at)
			strange = cmp.Or(strange, at)
			continue
		}
		if texts[v] != nil {
			return table.Errorf("%.40q has a text already: expected one", fields[0])
		}
		texts[v] = []int32{}
		for _, field := range fields[1:] {
			for word := range strings.FieldsSeq(strings.ToLower(string(field))) {
				texts[v] = append(texts[v], b.words.Of(word))
			}
		}
	}
	if !slices.ContainsFunc(texts, func(text []int32) bool { return text != nil }) {
		return fmt.Errorf("typed: %s has a text of none of the %d vertices %s, such as %.40q; %s", path, len(texts), n.Types[t].Name, n.Names[t][0], cmp.Or(strange, "it is empty"))
	}
	n.Contents[t].Texts = texts
	return nil
}
