package models

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// linked are the links between the vertices of an embedding, in its order.
type linked struct {
	net   *network.Network // of all training links
	split *network.Split   // nil where there is a network only
	test  []network.Link   // that the split hides; how many they are counts, never which
	learn *network.Split   // what the embedding's run learnt from, as it stood, if these are those links; else nil
	other *OtherData       // that the embedding was trained on, if so
}

// withLinks returns the embedding that the flags name, with its links where they are known.
func (p program) withLinks(c *cli.Context) (*embedding, error) {
	e, err := p.embedding(c)
	if err != nil {
		return nil, err
	}
	return e, p.readLinks(c, e)
}

// readLinks finds the links of an embedding, if they are known.
func (p program) readLinks(c *cli.Context, e *embedding) (err error) {
	e.links, err = p.linksOf(c, e)
	return err
}

// linksOf reads the network or the split that the flags name, or else the one that the record of the embedding's run names, or the split that the run made, if
// it still is what it was. It returns nil where there is neither.
func (p program) linksOf(c *cli.Context, e *embedding) (*linked, error) {
	if c.IsSet("network") || c.IsSet("dataset") || c.IsSet("split") {
		l, err := data.Load(p.Program, c)
		if err != nil {
			return nil, err
		}
		out, err := e.link(l)
		if err == nil && e.Record != nil {
			if out.learn = learnt(c.Context, e.Record, l); out.learn == nil && l.Split != nil {
				out.other = CompareData(c.Context, p.Program, e.Record, e.path, l.Split)
			}
		}
		return out, err
	}
	if e.Record != nil && len(e.Record.Command) > 1 && e.Record.Command[1] == "embed" {
		return p.grownLinks(c, e)
	}
	s, ok := p.sourceOf(e.Record, e.path)
	if !ok {
		return nil, nil
	}
	l, learn := p.dataOf(c.Context, e.Record, e.path)
	if c.Context.Err() != nil {
		return nil, c.Context.Err()
	}
	if learn == nil {
		p.Log.Info("the links in the run's record are missing or have changed; give --network or --split", "record_says", s.Network+s.Dataset+s.Split)
		return nil, nil
	}
	p.Log.Info("links of "+l.Path+", which the model was trained on", "training_links", e.Record.Dataset.Train)
	out, err := e.link(l)
	if err == nil {
		out.learn = learn
	}
	return out, err
}

// grownLinks returns the links of a model that embed wrote: those of the model that it began with, and the new ones.
func (p program) grownLinks(c *cli.Context, e *embedding) (*linked, error) {
	words := e.Record.Command[1:]
	out := shell.ValueOf(words, "out")
	parent, err := p.embeddingAt(besideModel(shell.ValueOf(words, "model"), out, e.path), "")
	if err != nil || parent.Record == nil || !parent.Record.Finished.Before(e.Record.Finished) {
		return nil, nil // moved away, or written over
	}
	before, err := p.linksOf(c, parent)
	if before == nil || err != nil {
		return nil, err
	}
	from := source.Source{Network: besideModel(shell.ValueOf(words, "links"), out, e.path), Directed: before.net.Directed()}
	from.Read.Memory = p.Available().Bytes
	later, err := from.Load(c.Context)
	if err != nil {
		p.Log.Info("the links that the model was grown by are missing or have changed; give --network or --split", "record_says", from.Network)
		return nil, nil
	}
	grown, err := run.Grow(before.net, later.Network)
	if err != nil {
		return nil, shell.Bad(err)
	}
	return e.link(source.Loaded{Name: later.Name, Path: later.Path, Network: grown.Network})
}

// ofRecord has flags say what data a model learnt from, where none of them is given.
func (p program) ofRecord(c *cli.Context, e *embedding) error {
	if e == nil || c.IsSet("bibliography") || c.IsSet("schema") || c.IsSet("dataset") {
		return nil
	}
	s, _ := p.sourceOf(e.Record, e.path)
	for name, value := range map[string]string{"bibliography": s.Bibliography, "schema": s.Schema, "dataset": s.Dataset} {
		if value != "" {
			return c.Set(name, value)
		}
	}
	return nil
}

// sourceOf returns the data that the command line of a run named, if there is a record of it. model is the folder of the run, or a file in it.
func (p program) sourceOf(r *results.Record, model string) (s source.Source, ok bool) {
	if r == nil {
		return s, false
	}
	said := func(name string) string { return shell.ValueOf(r.Command, name) }
	s.DataDir, s.Read.Memory, s.Dataset = p.Data, p.Available().Bytes, said("dataset")
	for name, to := range map[string]*string{"network": &s.Network, "split": &s.Split, "bibliography": &s.Bibliography, "schema": &s.Schema} {
		*to = besideModel(said(name), said("out"), model)
	}
	for _, arg := range r.Command {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && slices.Contains(data.ReadFlags, name) && data.SetReadOption(&s.Read, name, said(name), value != "false") != nil {
			return s, false
		}
	}
	s.Directed = s.Read.Direction == formats.Directed
	return s, s.Network != "-" && s.Network+s.Dataset+s.Split != ""
}

// besideModel returns where the file or the folder lies that a run read from path and whose results it wrote to out, both as they were typed: from
// the run's folder it is as far as it was from out, whatever the working folder is now and wherever both were moved to. The path is as it was typed
// where that says nothing, or nothing lies there.
func besideModel(path, out, model string) string {
	if path == "" || path == "-" || out == "" || filepath.IsAbs(path) || filepath.IsAbs(out) {
		return path
	}
	from, err := filepath.Rel(out, path)
	if err != nil {
		return path
	}
	if fi, err := os.Stat(model); err == nil && !fi.IsDir() {
		model = filepath.Dir(model)
	}
	at := filepath.Join(model, from)
	if _, err := os.Stat(at); err != nil {
		return path
	}
	return at
}

// learnt returns what a run learnt from, if these are its data by their checksum, else nil.
func learnt(ctx context.Context, r *results.Record, l source.Loaded) *network.Split {
	sum, all := r.Dataset.SHA256, l.Split
	if all == nil && l.Network != nil {
		all = l.Network.TrainOnly()
	}
	switch {
	case all == nil:
		return nil
	case all.Checksum() == sum:
		return all
	case l.Split == nil: // perhaps with links that chose the epoch
		if held, err := network.Whole(ctx, l.Network, r.Seed); err == nil && held.Checksum() == sum {
			return all
		}
	}
	return nil
}

// link brings links into the order of the embedding. Vertices of a network without a vector are left out; a split must have
// none, as for evaluate.
func (e *embedding) link(l source.Loaded) (*linked, error) {
	train, err := l.Training()
	if err != nil {
		return nil, shell.Bad(err)
	}
	to := make([]int32, train.Vertices())
	missing, first := 0, ""
	for v, name := range train.Names() {
		at, ok := e.at[name]
		if to[v] = at; !ok {
			if to[v] = -1; missing == 0 {
				first = name
			}
			missing++
		}
	}
	if missing > 0 && (l.Split != nil || missing == len(to)) {
		return nil, shell.Badf("%d of %d vertices of %s have no vector in %s, the first is %q: expected one for each", missing, len(to), l.Path, e.path, render.Printable(first))
	}
	moved := func(links []network.Link) []network.Link {
		out := make([]network.Link, 0, len(links))
		for _, link := range links {
			if u, v := to[link.From], to[link.To]; u >= 0 && v >= 0 {
				out = append(out, network.Link{From: u, To: v})
			}
		}
		return out
	}
	out := &linked{}
	if s := l.Split; s != nil {
		out.split = &network.Split{Names: e.Names, Directed: s.Directed, Options: s.Options, Train: moved(s.Train), TrainNeg: moved(s.TrainNeg)}
		out.test = moved(s.Test)
	}
	if out.net, err = network.New(e.Names, moved(train.List()), nil, train.Directed()); err != nil {
		return nil, shell.Bad(err)
	}
	return out, nil
}

// has says whether two vertices are linked, in whatever direction.
func (l *linked) has(u, v int32) bool { return l.net.Has(u, v) || l.net.Has(v, u) }

// named returns the score that a word of --score stands for.
func (e *embedding) named(word string) (string, error) {
	if l := e.links; l != nil && l.split != nil {
		return e.score(word, "lr")
	}
	return e.score(word, "cosine")
}

// scorer returns what scores links by a score, and by coefficients if it is one of those that need some.
func (p program) scorer(c *cli.Context, e *embedding, score string, fitted map[string]*eval.Coefficients) (*eval.LinkScorer, error) {
	var split *network.Split
	if l := e.links; l != nil {
		split = l.split
		if s := eval.Scorers.Get(score); s.Untrained || split == nil && s.Links && !s.Classifier {
			split = l.net.TrainOnly()
		}
	}
	if eval.Scorers.Get(score).Untrained && split == nil {
		return nil, shell.Badf("--score %s: the links are not known: expected --network or --split", score)
	}
	if eval.Scorers.Get(score).Classifier && split == nil {
		return nil, shell.Badf("--score %s: no split given, whose training links and negatives a classifier needs: expected --split DIR, or --score cosine", score)
	}
	v, err := store.Aligned(e.Embedding, e.Names)
	if err != nil {
		return nil, shell.Bad(err)
	}
	out, err := eval.Fit(c.Context, score, v, split, eval.ScoreOptions{Threads: p.Threads, Coefficients: fitted})
	return out, shell.Bad(err)
}

// score returns how links are scored: as is asked, or for native as the record of the embedding's run says, or as is usual. It returns an
// error where the embedding has not what that needs; what DeepWalk leaves beside its vectors are contexts.
func (e *embedding) score(asked, usual string) (string, error) {
	if asked == shell.ScoreNative {
		if asked = usual; e.Record != nil && e.has(e.Record.ScoreName(), usual == "lr") {
			asked = e.Record.ScoreName()
		}
	}
	scorer, err := eval.Scorers.Find(asked)
	if err != nil || !scorer.Several {
		return asked, shell.Bad(err)
	}
	if m, err := methods.Find(e.method); err == nil && !slices.Contains(m.Scorings, asked) {
		return "", shell.Badf("--score %s: %s holds a run of %s: expected %s", asked, e.path, e.method, strings.Join(m.Scorings, ", "))
	}
	if _, err := e.multiEmbedding(); err != nil {
		return "", fmt.Errorf("--score %s: %w", asked, err)
	}
	return asked, nil
}

// has reports whether there is what a score of a record reads, with or without a split.
func (e *embedding) has(name string, split bool) bool {
	s, err := eval.Scorers.Find(name)
	if m, _ := methods.Find(e.method); err != nil || m != nil && m.Typed {
		return false // which ranks authors
	}
	switch {
	case s.Several:
		return e.MultiVectors != nil
	case s.Sides && (e.Center == nil || e.Contexts == nil && e.MultiVectors == nil):
		return false
	}
	return split || !s.Classifier && !s.Held && (e.links != nil || !s.Links && !s.Untrained)
}

// scoreBest is the score that predict chooses.
const scoreBest = "best"
