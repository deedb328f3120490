package typed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/network"
	"gopkg.in/yaml.v3"
)

// SchemaFile is the name of the file of a schema in a folder.
const SchemaFile = "schema.yaml"

// Report says what of the files was left out.
type Report struct {
	Repeated []int // links of each type that were given again
	Unknown  int   // test pairs with a vertex of no link, of which nothing can be learnt but from contents
	Known    int   // test pairs that are training links too
	Strange  int   // lines of contents about vertices of no link
}

// file is a schema as its file has it. Types of vertices and of links stand in the order of the file.
type file struct {
	name       string
	vertices   []vertexFile
	links      []linkFile
	paths      []string
	rank       *rankFile
	dir, where string
}

type vertexFile struct {
	Content string `yaml:"content"`
	File    string `yaml:"file"`
	name    string
}

type linkFile struct {
	From     string   `yaml:"from"`
	To       string   `yaml:"to"`
	File     string   `yaml:"file"`
	Directed bool     `yaml:"directed"`
	Columns  []string `yaml:"columns"`
	Subtract int64    `yaml:"subtract"`
	name     string
	line     int
}

type rankFile struct {
	Link       string  `yaml:"link"`
	Test       string  `yaml:"test"`
	Validation string  `yaml:"validation"`
	Split      string  `yaml:"split"`
	Share      float64 `yaml:"share"`
	line       int
}

// Read reads a network with types: path is a schema's file, or a folder with SchemaFile. seed is of the split of links that are to be
// ranked, where no test file is named. The second result is nil where the schema ranks nothing.
//
// A schema is YAML:
//
//	vertices:
//	  user:
//	  artist: {content: text, file: tags.tsv}        # or features: see network.ReadFeatures; without: a vector of its own
//	links:
//	  listens: {from: user, to: artist, file: listens.tsv}
//	  friends: {from: user, to: user, file: friends.tsv}   # directed: true, columns: [source, target, weight, time], subtract: 1
//	meta-paths: [user-artist-user, user-user-artist]
//	rank: {link: listens, test: test.tsv}            # or split: share, time or leave-one-out; share: 0.2
//
// Files of links have a link a line: names of two vertices and what columns says, separated by tabs, commas or spaces; plain or
// compressed; blank lines, and lines that start with # or %, do not count. With subtract the names of a file are whole numbers that
// are so much higher than those of other files. Vertices are those of links and of pairs to rank, in the order in which files name them; a link given again
// counts once. It returns an error with file and line for what is wrong.
func Read(path string, seed uint64) (*Network, *Task, Report, error) {
	where := path
	if info, err := os.Stat(path); err != nil {
		return nil, nil, Report{}, fmt.Errorf("typed: %w", err)
	} else if info.IsDir() {
		where = filepath.Join(path, SchemaFile)
	}
	text, err := os.ReadFile(where)
	if err != nil {
		return nil, nil, Report{}, fmt.Errorf("typed: %w; want a folder with %s, or such a file", err, SchemaFile)
	}
	f, err := parseSchema(text, where)
	if err != nil {
		return nil, nil, Report{}, err
	}
	f.dir = filepath.Dir(where)
	if f.name == "" {
		abs, err := filepath.Abs(f.dir)
		if err != nil {
			return nil, nil, Report{}, fmt.Errorf("typed: %w", err)
		}
		f.name = filepath.Base(abs)
	}
	return f.read(seed)
}

// ReadAs is Read with a schema that is known already, of files in a folder.
func ReadAs(schema, dir string, seed uint64) (*Network, *Task, Report, error) {
	f, err := parseSchema([]byte(schema), "schema")
	if err != nil {
		return nil, nil, Report{}, err
	}
	f.dir = dir
	return f.read(seed)
}

// maxSchema is how long a schema's file may be, in bytes.
const maxSchema = 1 << 20

func parseSchema(text []byte, where string) (*file, error) {
	f := &file{where: where}
	if len(text) > maxSchema {
		return nil, fmt.Errorf("typed: %s has %d bytes: want a schema, of at most %d", where, len(text), maxSchema)
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		return nil, fmt.Errorf("typed: %s: %w", where, err)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, f.errorf(root, "want vertices:, links:, meta-paths: and rank:")
	}
	seen := map[string]bool{}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return nil, f.errorf(key, "%s stands twice: want it once", key.Value)
		}
		seen[key.Value] = true
		var err error
		switch key.Value {
		case "name":
			err = value.Decode(&f.name)
		case "vertices":
			err = f.each(value, func(name string, n *yaml.Node) error {
				v := vertexFile{name: name}
				err := strict(n, &v, "content", "file")
				f.vertices = append(f.vertices, v)
				return err
			})
		case "links":
			err = f.each(value, func(name string, n *yaml.Node) error {
				l := linkFile{name: name, line: n.Line}
				err := strict(n, &l, "from", "to", "file", "directed", "columns", "subtract")
				f.links = append(f.links, l)
				return err
			})
		case "meta-paths":
			err = value.Decode(&f.paths)
		case "rank":
			f.rank = &rankFile{line: value.Line}
			err = strict(value, f.rank, "link", "test", "validation", "split", "share")
		default:
			err = errors.New("unknown key: want name, vertices, links, meta-paths or rank")
		}
		if err != nil {
			var at atLine
			if errors.As(err, &at) {
				return nil, fmt.Errorf("typed: %s:%d: %w", where, at.line, at.error)
			}
			return nil, f.errorf(key, "%s: %v", key.Value, err)
		}
	}
	return f, nil
}

func (f *file) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("typed: %s:%d: %s", f.where, n.Line, fmt.Sprintf(format, args...))
}

// atLine is an error about a line.
type atLine struct {
	error
	line int
}

// each calls do for the entries of a mapping.
func (f *file) each(n *yaml.Node, do func(name string, n *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return atLine{errors.New("want names, each with : behind it"), n.Line}
	}
	for i := 0; i < len(n.Content); i += 2 {
		if err := do(n.Content[i].Value, n.Content[i+1]); err != nil {
			var at atLine
			if errors.As(err, &at) {
				return err
			}
			return atLine{fmt.Errorf("%s: %w", n.Content[i].Value, err), n.Content[i].Line}
		}
	}
	return nil
}

// strict decodes a mapping, or nothing at all, with keys of these alone.
func strict(n *yaml.Node, to any, keys ...string) error {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("want {%s}", strings.Join(keys, ", "))
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains(keys, n.Content[i].Value) {
			return atLine{fmt.Errorf("unknown key %q: want one of %s", n.Content[i].Value, strings.Join(keys, ", ")), n.Content[i].Line}
		}
	}
	return n.Decode(to)
}

// builder makes a network of files.
type builder struct {
	n      *Network
	places []map[string]int32 // of the vertices of each type
	report Report
}

// vertex returns the place of a vertex of a type, which it adds where there is none.
func (b *builder) vertex(t int, name string) int32 {
	v, there := b.places[t][name]
	if !there {
		v = int32(len(b.n.Names[t]))
		b.places[t][name] = v
		b.n.Names[t] = append(b.n.Names[t], name)
	}
	return v
}

func (f *file) read(seed uint64) (*Network, *Task, Report, error) {
	b := &builder{n: &Network{Schema: Schema{Name: f.name, Paths: f.paths}}}
	n := b.n
	fail := func(err error) (*Network, *Task, Report, error) { return nil, nil, b.report, err }
	for _, v := range f.vertices {
		if (v.Content == NoContent) != (v.File == "") {
			return fail(fmt.Errorf("typed: %s: vertices %s have content %q and file %q: want both or none", f.where, v.name, v.Content, v.File))
		}
		n.Types = append(n.Types, Type{v.name, v.Content})
		b.places = append(b.places, map[string]int32{})
	}
	n.Names, n.Contents = make([][]string, len(n.Types)), make([]Content, len(n.Types))
	for _, l := range f.links {
		typ := LinkType{Name: l.name, From: n.Type(l.From), To: n.Type(l.To), Directed: l.Directed}
		for _, end := range []struct {
			name  string
			place int
		}{{l.From, typ.From}, {l.To, typ.To}} {
			if end.place < 0 {
				return fail(fmt.Errorf("typed: %s:%d: links %s are of %q: want from and to of %s", f.where, l.line, l.name, end.name, strings.Join(n.typeNames(), ", ")))
			}
		}
		n.Schema.Links = append(n.Schema.Links, typ)
	}
	if f.rank != nil {
		n.Rank = f.rank.Link
	}
	if err := n.Schema.Check(); err != nil {
		return fail(fmt.Errorf("%s: %w", f.where, err))
	}
	if len(f.paths) == 0 {
		return fail(fmt.Errorf("typed: %s: no meta-paths: want some, such as meta-paths: [%s]", f.where, n.example()))
	}
	for _, path := range f.paths {
		if _, err := n.ParsePath(path); err != nil {
			return fail(fmt.Errorf("%s: %w", f.where, err))
		}
	}
	for i, l := range f.links {
		links, repeated, err := b.links(filepath.Join(f.dir, l.File), l, n.Schema.Links[i], false)
		if err != nil {
			return fail(err)
		}
		n.Links = append(n.Links, links)
		b.report.Repeated = append(b.report.Repeated, repeated)
	}
	task, err := f.task(b, seed)
	if err != nil {
		return fail(err)
	}
	if err := f.contents(b); err != nil {
		return fail(err)
	}
	return n, task, b.report, n.Check()
}

// example returns a meta-path of the schema.
func (s *Schema) example() string {
	l := s.Links[0]
	return s.Types[l.From].Name + "-" + s.Types[l.To].Name + "-" + s.Types[l.From].Name
}

// links reads a file of links, or of pairs to rank, of whose vertices those of no link are counted.
func (b *builder) links(path string, l linkFile, typ LinkType, pairs bool) (links Links, repeated int, err error) {
	columns := l.Columns
	if columns == nil {
		columns = []string{"source", "target"}
	}
	source, target, weight, when := slices.Index(columns, "source"), slices.Index(columns, "target"), slices.Index(columns, "weight"), slices.Index(columns, "time")
	for _, c := range columns {
		if !slices.Contains([]string{"source", "target", "weight", "time", "-"}, c) {
			return links, 0, fmt.Errorf("typed: links %s: column %q: want source, target, weight, time, or - for others", l.name, c)
		}
	}
	if source < 0 || target < 0 {
		return links, 0, fmt.Errorf("typed: links %s: columns %s: want source and target among them", l.name, strings.Join(columns, ", "))
	}
	seen := map[[2]int32]bool{}
	err = eachLine(path, func(fields []string, at func(format string, args ...any) error) error {
		if len(fields) < len(columns) {
			return at("%d columns: want %s", len(fields), strings.Join(columns, ", "))
		}
		var ends [2]int32
		unknown := false
		for i, c := range []int{source, target} {
			t := []int{typ.From, typ.To}[i]
			name := fields[c]
			if l.Subtract != 0 {
				x, err := strconv.ParseInt(name, 10, 64)
				if err != nil {
					return at("%.40q: want a whole number, from which %d is to be subtracted", name, l.Subtract)
				}
				name = strconv.FormatInt(x-l.Subtract, 10)
			}
			if err := network.CheckID([]byte(name)); err != nil {
				return at("name %.40q %v", name, err)
			}
			v, there := b.places[t][name]
			unknown = unknown || !there
			if !there {
				if len(b.n.Names[t]) == math.MaxInt32 {
					return at("more than %d vertices: want fewer", math.MaxInt32)
				}
				v = b.vertex(t, name)
			}
			ends[i] = v
		}
		key := ends
		if typ.From == typ.To && !typ.Directed && key[0] > key[1] {
			key[0], key[1] = key[1], key[0]
		}
		if seen[key] {
			repeated++
			return nil
		}
		seen[key] = true
		if unknown && pairs {
			b.report.Unknown++
		}
		if weight >= 0 {
			w, err := strconv.ParseFloat(fields[weight], 32)
			if err != nil || !(w > 0) || math.IsInf(w, 0) {
				return at("weight %.40q: want a finite number above 0", fields[weight])
			}
			links.Weight = append(links.Weight, float32(w))
		}
		if when >= 0 {
			t, err := strconv.ParseInt(fields[when], 10, 64)
			if err != nil {
				return at("time %.40q: want a whole number", fields[when])
			}
			links.Time = append(links.Time, t)
		}
		links.From, links.To = append(links.From, ends[0]), append(links.To, ends[1])
		return nil
	})
	if err == nil && !pairs && len(links.From) == 0 {
		err = fmt.Errorf("typed: %s has no link: want some of %s", path, l.name)
	}
	return links, repeated, err
}

// maxLine is how long a line of links or contents may be, in bytes.
const maxLine = 1 << 20

// eachLine calls do for the fields of each line of a file, and lets it make errors about that line.
func eachLine(path string, do func(fields []string, at func(format string, args ...any) error) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("typed: %w", err)
	}
	defer file.Close()
	lines, err := network.NewTextLines(file, path, maxLine, "names of vertices")
	if err != nil {
		return err
	}
	at := func(format string, args ...any) error {
		return fmt.Errorf("typed: %s:%d: %s", path, lines.Line(), fmt.Sprintf(format, args...))
	}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' || text[0] == '%' {
			continue
		}
		if err := do(splitFields(string(line)), at); err != nil {
			return err
		}
	}
}

// splitFields parts a line at tabs or, without any, at commas or, without these, at spaces.
func splitFields(line string) []string {
	for _, separator := range []string{"\t", ","} {
		if strings.Contains(line, separator) {
			fields := strings.Split(line, separator)
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
			return fields
		}
	}
	return strings.Fields(line)
}

// contents reads what is known of vertices.
func (f *file) contents(b *builder) error {
	n := b.n
	words := map[string]int32{}
	for t, v := range f.vertices {
		path := filepath.Join(f.dir, v.File)
		switch v.Content {
		case Features:
			features, err := network.ReadFeatures(path, n.Names[t])
			if err != nil {
				return err
			}
			n.Contents[t].Features = features
			b.report.Strange += features.Unknown
		case Text:
			texts := make([][]int32, len(n.Names[t]))
			given := make([]bool, len(texts))
			err := eachLine(path, func(fields []string, at func(format string, args ...any) error) error {
				v, there := b.places[t][fields[0]]
				if !there {
					b.report.Strange++
					return nil
				}
				if given[v] {
					return at("%.40q has a text already: want one", fields[0])
				}
				given[v], texts[v] = true, []int32{}
				for _, field := range fields[1:] {
					for word := range strings.FieldsSeq(strings.ToLower(field)) {
						w, there := words[word]
						if !there {
							w = int32(len(n.Words))
							words[word] = w
							n.Words = append(n.Words, word)
						}
						texts[v] = append(texts[v], w)
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			n.Contents[t].Texts = texts
		}
	}
	return nil
}

// task reads, or draws, the pairs that are to be ranked.
func (f *file) task(b *builder, seed uint64) (*Task, error) {
	if f.rank == nil {
		return nil, nil
	}
	n, r := b.n, f.rank
	link := n.Link(r.Link)
	if link < 0 {
		return nil, fmt.Errorf("typed: %s:%d: rank: link %q: want one of %s", f.where, r.line, r.Link, strings.Join(n.linkNames(), ", "))
	}
	if r.Test == "" {
		if r.Validation != "" {
			return nil, fmt.Errorf("typed: %s:%d: rank: validation without test: want both files, or a split", f.where, r.line)
		}
		return n.Split(link, SplitOptions{Rule: r.Split, Share: r.Share, Seed: seed})
	}
	if r.Split != "" || r.Share != 0 {
		return nil, fmt.Errorf("typed: %s:%d: rank: test with split or share: want the file or the rule", f.where, r.line)
	}
	t := &Task{Link: link}
	l := f.links[link]
	known := t.known(n)
	for _, part := range []struct {
		file string
		to   *[]Pair
	}{{r.Test, &t.Test}, {r.Validation, &t.Validation}} {
		if part.file == "" {
			continue
		}
		links, _, err := b.links(filepath.Join(f.dir, part.file), l, n.Schema.Links[link], true)
		if err != nil {
			return nil, err
		}
		for k := range links.From {
			p := Pair{links.From[k], links.To[k]}
			if int(p.Source) < len(known) && slices.Contains(known[p.Source], p.Target) {
				b.report.Known++
				continue
			}
			*part.to = append(*part.to, p)
		}
		if len(*part.to) == 0 {
			return nil, fmt.Errorf("typed: %s has no pair that is no training link: want some to rank", part.file)
		}
	}
	return t, nil
}
