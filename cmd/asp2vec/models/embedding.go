// Package models has the commands that use an embedding: its vectors, links, labels and aspects, and scores of new links. What they say of
// training, training says as well (Watch, CompareData, RankedBetter).
package models

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }

// embeddingFlags say which embedding a command uses.
func embeddingFlags() []cli.Flag {
	return []cli.Flag{
		shell.NewFlag("model", "", "`PATH` of the folder that train wrote, or of a file of vectors"),
		shell.NewFlag("vertices", "", "`FILE` with the ids of the rows of a .npy file, one per line"),
	}
}

// linkedFlags say which embedding a command uses, and with which links.
func linkedFlags() []cli.Flag { return append(embeddingFlags(), data.Flags()...) }

// vectorsFlag chooses one of the tables of an embedding.
func vectorsFlag(more string) cli.Flag {
	return shell.NewFlag("vectors", vectors.TableFinal, "final, center, aspects (the learned ones end to end), or concat (both)"+more)
}

// embedding is one to be used.
type embedding struct {
	*vectors.Embedding
	path   string
	method string  // "" where no record tells
	links  *linked // that readLinks found
	at     map[string]int32
}

// embedding reads the one that the flags of embeddingFlags name.
func (p program) embedding(c *cli.Context) (*embedding, error) {
	path := c.String("model")
	switch {
	case c.NArg() > 0 && c.Command.ArgsUsage == shell.ModelArgument:
		return nil, shell.Badf("several embeddings named: expected one, as in %s", c.Command.UsageText)
	case path == "":
		return nil, shell.Badf("no embedding given: expected %s, the folder that train wrote or a file of vectors, or --model PATH", c.Command.UsageText)
	}
	e, err := p.embeddingAt(path, c.String("vertices"))
	if err != nil {
		err = shell.Badf("--model: %w", err)
	}
	return e, err
}

func (p program) embeddingAt(path, vertices string) (*embedding, error) {
	all, err := vectors.ReadWhole(path, vertices)
	if err != nil {
		return nil, shell.Bad(err)
	}
	e := &embedding{Embedding: all, path: path, at: seq.Places[string, int32](all.Names)}
	if e.Record != nil {
		e.method = e.Record.Method
		p.tellOfCode(e.Record)
	}
	if m, err := methods.Find(e.method); err == nil && !m.MultiVector() {
		e.MultiVectors, e.Contexts = nil, e.MultiVectors
	}
	p.Log.Debug("read "+path, "method", e.method, "vertices", len(e.Names), "dim", e.D)
	return e, nil
}

// tellOfCode says that a model was trained by other code than that which reads it.
func (p program) tellOfCode(r *results.Record) {
	o, err := methods.Decode(r.Method, r.Options)
	if err == nil && !run.Present(r.Definition, o) {
		p.Notice("The model was trained by other code than this program has (definition %s, here %s). What this program makes of it may differ.", cmp.Or(r.Definition, "unknown"), run.Definition(o))
	}
}

// vertex returns the vertex of an id.
func (e *embedding) vertex(id string) (int32, error) {
	if v, ok := e.at[id]; ok {
		return v, nil
	}
	return 0, shell.Badf("%s has no vertex %q: %s", e.path, id, shell.DidYouMean(render.Printable(id), seq.Map(e.Names, render.Printable)))
}

// asked returns the embedding and the vertex that the command's one word names.
func (p program) asked(c *cli.Context) (*embedding, int32, error) {
	if c.NArg() != 1 {
		return nil, 0, shell.Badf("%d vertices given: expected 1, as in asp2vec %s MODEL VERTEX", c.NArg(), c.Command.Name)
	}
	e, err := p.embedding(c)
	if err != nil {
		return nil, 0, err
	}
	v, err := e.vertex(c.Args().First())
	return e, v, err
}

func (e *embedding) show(v int32) string { return render.Printable(e.Names[v]) }

// table returns one vector for each vertex.
func (e *embedding) table(name string) (one eval.Embedding, err error) {
	v, err := e.Table(name)
	if err != nil {
		return one, shell.Badf("--vectors %s: %s: %w", name, e.path, err)
	}
	return eval.Embedding{N: v.N, D: v.D, Data: v.Data}, nil
}

// multiEmbedding returns the several vectors of each vertex, or an error where there is one.
func (e *embedding) multiEmbedding() (several eval.MultiEmbedding, err error) {
	if e.MultiVectors == nil {
		if e.method != "" {
			return several, shell.Badf("%s holds a run of %s: expected one of a method with several vectors for each vertex, such as asp2vec", e.path, e.method)
		}
		return several, shell.Badf("%s contains one vector per vertex: expected the folder of a run of asp2vec, PolyDW or Splitter, or a .npz file of one", e.path)
	}
	s := e.MultiVectors
	return eval.MultiEmbedding{First: s.First, D: s.D, Data: s.Data, Share: s.Share}, nil
}

// OptionsOf are those of a run, or the defaults where no record tells.
func OptionsOf(r *results.Record) graphs.Options {
	if r != nil {
		if o, err := methods.Decode(r.Method, r.Options); err == nil {
			return o
		}
	}
	return graphs.Default()
}

// tables returns the names of the tables that --vectors asks for: all that there are for all.
func (e *embedding) tables(asked string) ([]string, error) {
	if asked != "all" {
		_, err := e.table(asked)
		return []string{asked}, err
	}
	var names []string
	for _, name := range vectors.Tables() {
		if _, err := e.Table(name); err == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// wantsLabels says whether the flags of labelsFlags name labels.
func wantsLabels(c *cli.Context) bool { return c.IsSet("labels") || c.IsSet("labels-from") }

// labels reads the labels that --labels and --labels-from name, or else those that lie with the data that a run learnt from, and says where
// they stand. r is nil where there is no run, and of is its folder.
func (p program) labels(c *cli.Context, r *results.Record, of string) (l *vectors.Labels, from string, err error) {
	file, column := c.String("labels"), c.String("labels-from")
	switch {
	case c.IsSet("labels") && file == "":
		return nil, "", shell.Badf("--labels \"\": expected a file with a vertex and a label per line")
	case c.IsSet("labels-from") && column == "":
		return nil, "", shell.Badf("--labels-from \"\": expected the name of an attribute of the vertices")
	case file != "" && column != "":
		l, err = vectors.ReadFile(file, vectors.ReadLabelsOf(column))
		from = file + ": " + column
	case column != "":
		return p.attributeLabels(c, r, of, column)
	default:
		if file == "" {
			if file, err = p.labelsBeside(r, of); err != nil {
				return nil, "", err
			}
		}
		l, err = vectors.ReadFile(file, vectors.ReadLabels)
		from = file
	}
	if err != nil {
		err = shell.Badf("--labels: %w", err)
	}
	return l, from, err
}

// attributeLabels reads labels from the file of a network, that of --network or else the one that a run learnt from.
func (p program) attributeLabels(c *cli.Context, r *results.Record, of, column string) (*vectors.Labels, string, error) {
	s, _ := p.sourceOf(r, of)
	if path := c.String("network"); path != "" {
		var err error
		if s.Read, err = data.ReadOptions(c); err != nil {
			return nil, "", err
		}
		s.Network, s.Read.Memory = path, p.Available().Bytes
	}
	if s.Network == "" || s.Network == "-" {
		return nil, "", shell.Badf("--labels-from %s: no file of a network to read it from: expected --network FILE, or --labels FILE with a table of vertices", column)
	}
	a := &formats.Attribute{Name: column}
	s.Read.Attribute = a
	_, _, err := formats.Read(c.Context, s.Network, s.Read)
	switch {
	case err != nil:
		return nil, "", shell.Badf("--labels-from %s: %w", column, err)
	case len(a.Known) == 0:
		return nil, "", shell.Badf("--labels-from %s: the vertices of %s have no attributes: expected --labels FILE with a table of them", column, s.Network)
	case len(a.Of) == 0:
		return nil, "", shell.Badf("--labels-from %s: no such attribute of the vertices of %s: expected one of %s", column, s.Network, strings.Join(seq.Map(a.Known, render.Printable), ", "))
	}
	return vectors.LabelsOf(a.Of), s.Network + ": " + column, nil
}

// labelsBeside returns the file of labels that lies with the data that a run learnt from.
func (p program) labelsBeside(r *results.Record, of string) (string, error) {
	s, _ := p.sourceOf(r, of)
	var dirs []string
	switch {
	case s.Dataset != "":
		if d, err := network.Lookup(s.Dataset); err == nil {
			dirs = append(dirs, filepath.Join(p.Data, d.Folder))
		}
	case s.Split != "":
		dirs = append(dirs, s.Split, filepath.Dir(filepath.Clean(s.Split)))
	case s.Network != "" && s.Network != "-":
		dirs = append(dirs, filepath.Dir(s.Network))
	}
	for _, dir := range dirs {
		if path := network.FindLabels(dir); path != "" {
			p.Log.Info("labels are those of the run's data", "file", path)
			return path, nil
		}
	}
	return "", shell.Badf("no labels given, and no %s in %s: expected --labels FILE, with a vertex and a label per line", network.LabelsFile, cmp.Or(strings.Join(dirs, " or "), "the run's data"))
}

// labelsOf returns the labels of all vertices of an embedding, nil for those without, as places in names, and tells where they stand and what
// was left out.
func (p program) labelsOf(c *cli.Context, e *embedding) (of [][]int32, names []string, from string, err error) {
	l, from, err := p.labels(c, e.Record, e.path)
	if err != nil {
		return nil, nil, "", err
	}
	of, names, others := l.Align(e.Names)
	without := seq.Count(of, func(list []int32) bool { return list == nil })
	if without == len(of) {
		return nil, nil, "", shell.Badf("%s: none of its %s is in %s: expected the same ids, such as %q for %q", from, shell.Count(len(l.Vertex))+" vertices", e.path,
			render.Printable(e.Names[0]), render.Printable(l.Vertex[0]))
	}
	if others > 0 || without > 0 {
		p.Log.Info("left out", "labelled_vertices_without_vectors", others, "vertices_without_labels", without)
	}
	if l.Column != "" {
		p.Log.Info("labels", "column", l.Column, "different", len(l.Names))
	}
	if doubt := l.Doubt(); doubt != "" {
		p.Log.Warn(doubt, "file", from)
	}
	return of, names, from, nil
}

// joined writes the labels of a vertex.
func joined(names []string, of []int32) string {
	return strings.Join(seq.Map(of, func(l int32) string { return names[l] }), ", ")
}

// runLabels are the labels that are taken where none are named.
const runLabels = "those next to the run's data"

// labelsFlags name labels: those of a file, or an attribute of the vertices. more is said of them in help, and which are usual.
func labelsFlags(more, usual string) []cli.Flag {
	return []cli.Flag{
		shell.NewFlag("labels", "", "`FILE` of labels, a vertex and a label per line"+more, "", usual),
		shell.NewFlag("labels-from", "", "take labels from the attribute `COLUMN` of the network's file, or of the table of --labels"),
	}
}
