package hetnet

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/internal/test/music"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/network"
)

// tastes returns users with tastes and the items that they like; tags says how many words an item has.
func tastes(t testing.TB, tags int) Input {
	t.Helper()
	in := Input{Network: music.Network(t, music.Options{Users: 80, Items: 90, Genres: 5, Tastes: 2, Likes: 12, Friends: 3, Tags: tags, Mixing: 0.05})}
	if tags > 0 {
		in.Words = &encode.Words{Dim: 6, Vectors: normals(6*len(in.Network.Words), 1, "words")}
	}
	return in
}

// likedAUC says how often an item that a user likes is nearer to the user, by inner product, than another.
func likedAUC(in Input, e *graphs.Embedding) float64 {
	at := map[string][]float32{}
	for v, name := range in.VertexNames() {
		at[name] = e.Final[v*e.D:][:e.D]
	}
	vectors := func(typ int) (all [][]float32) {
		for _, name := range in.Network.VertexNames(typ) {
			all = append(all, at[name])
		}
		return all
	}
	users, items, liked := vectors(0), vectors(1), map[[2]int32]bool{}
	likes := in.Network.Links[0]
	for i, u := range likes.From {
		liked[[2]int32{u, likes.To[i]}] = true
	}
	right, all := 0., 0.
	for i, u := range likes.From {
		x := kernel.Dot(users[u], items[likes.To[i]])
		for v := range int32(len(items)) {
			if !liked[[2]int32{u, v}] {
				if all++; kernel.Dot(users[u], items[v]) < x {
					right++
				}
			}
		}
	}
	return right / all
}

// featured gives the items features in place of tags.
func featured(in Input) Input {
	n := *in.Network
	n.Types, n.Contents = slices.Clone(n.Types), slices.Clone(n.Contents)
	n.Types[1].Content = typed.Features
	f := &network.Features{Columns: 7, Offsets: []int64{0}}
	s := rng.New(1, "features")
	for range n.Names[1] {
		for c := range int32(7) {
			if s.Float64() < 0.4 {
				f.Index, f.Value = append(f.Index, c), append(f.Value, 1)
			}
		}
		f.Offsets = append(f.Offsets, int64(len(f.Index)))
	}
	n.Contents[1].Features = f
	return Input{Network: &n}
}

func typedOptions(method string) graphs.Options {
	o := graphs.OptionsOf(MethodOf(method), graphs.Validated)
	o.Dim, o.Batch, o.Walks, o.Length, o.LearningRate = 8, 500, 3, 10, 0.02
	o.Epochs, o.Select, o.WarmUp = 8, graphs.SelectLast, false
	if method == MethodAsp2vecHet {
		o.Aspects = 3
	}
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = AllMetaPaths })
	return o.Complete()
}

// Each method learns what users like, with the same numbers for any number of threads.
func TestTypedMethods(t *testing.T) {
	for _, c := range []struct {
		name, method string
		tags         int
		features     bool
		least        float64
	}{
		{"free", MethodMetapath2vec, 0, false, 0.75}, {"aspects", MethodAsp2vecHet, 0, false, 0.75},
		{"texts", MethodM2V, 4, false, 0.75}, {"texts and aspects", MethodAsp2vecHet, 4, false, 0.75},
		{"features", MethodAsp2vecHet, 0, true, 0}, {"features alone", MethodM2V, 0, true, 0}, {"hidden features", MethodM2V, 0, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := tastes(t, c.tags)
			if c.features {
				in = featured(in)
			}
			o := typedOptions(c.method)
			if c.name == "hidden features" {
				graphs.Edit(&o, func(p *PaperOptions) { p.FeatureHidden = 5 })
			}
			auc := func(threads int) (float64, []*engine.Table) {
				res := call.Of(graphs.Train(context.Background(), graphs.Input{Typed: in}, o, threads, graphs.Monitor{}))(t)
				if got, want := len(res.Embedding.Final), len(in.VertexNames())*o.Dim; got != want {
					t.Fatalf("%d numbers of vectors, expected %d", got, want)
				}
				return likedAUC(in, res.Embedding), res.Learner.Parameters()
			}
			got, one := auc(1)
			if got < c.least {
				t.Errorf("AUC %v, expected above %v", got, c.least)
			}
			_, three := auc(3)
			for i := range one {
				if !slices.Equal(one[i].X, three[i].X) {
					t.Errorf("other %s with three threads", one[i].Name)
				}
			}
		})
	}
}

// Without contents the loss of asp2vec-het is that of its windows around free vertices and the regularizer, and its gradients are right.
func TestHetWithoutContents(t *testing.T) {
	in := tastes(t, 0)
	o := typedOptions(MethodAsp2vecHet)
	o.Dim, o.Batch, o.Negatives, o.Lambda, o.Epsilon = 3, 12, 2, 0.3, 0.1
	c := call.Of(newCorpus(context.Background(), in, o, 1))(t)
	kinds, err := c.hetWindows(o)
	if err != nil || len(kinds) != 1 {
		t.Fatalf("%d kinds of windows, %v", len(kinds), err)
	}
	model := guard.Model{Name: "free", Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		learnt := []*engine.Table{engine.NewTable("P", c.FreeVertices(), o.Dim), engine.NewTable("Q", c.FreeVertices(), o.Aspects, o.Dim)}
		return buildWalked(g, dt, o, c, hetGraph(o, false, learnt...), kinds[0].types)
	}}
	if report := guard.Check(model); report.Err() != nil {
		t.Error(report)
	}
}

// Camel and TaPEm learn from any network whose ranked links join texts with vertices that have none, whichever of the two the targets are,
// and with other types among them: as if the texts were papers and the others their authors.
func TestTextsOfUsers(t *testing.T) {
	golden.StillPaper(t)
	in := tastes(t, 4)
	turned := *in.Network // items like users there, and cities stand before users
	turned.Types = []typed.Type{{Name: "city"}, in.Network.Types[1], in.Network.Types[0]}
	turned.Names = [][]string{{"a", "b"}, in.Network.Names[1], in.Network.Names[0]}
	turned.Contents = []typed.Content{{}, in.Network.Contents[1], in.Network.Contents[0]}
	likes, lives := in.Network.Links[0], typed.Links{}
	for u := range in.Network.Names[0] {
		lives.From, lives.To = append(lives.From, int32(u)), append(lives.To, int32(u%2))
	}
	turned.Schema.Links = []typed.LinkType{{Name: "likes", From: 1, To: 2}, {Name: "lives", From: 2, To: 0}}
	turned.Links = []typed.Links{{From: likes.To, To: likes.From}, lives}
	turned.Paths = []string{"user-item-user", "user-city-user-item"}
	for _, c := range []struct {
		method, scoring string
		n               *typed.Network
	}{
		{MethodCamel, graphs.ScoringDot, in.Network}, {MethodCamel, graphs.ScoringDistance, &turned},
		{MethodTaPEm, graphs.ScoringPair, in.Network}, {MethodTaPEm, graphs.ScoringPair, &turned},
	} {
		t.Run(c.method+" "+c.scoring, func(t *testing.T) {
			o := typedOptions(c.method)
			o.Scoring, o.Batch, o.Epochs = c.scoring, 100, 6
			words := in.Words
			in := OfNetwork(c.n, o.Method)
			in.Words = words
			res := call.Of(graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 2, graphs.Monitor{}))(t)
			if got, want := len(res.Embedding.Final), len(res.Names)*o.Dim; got != want || len(res.Names) != 80+90 {
				t.Fatalf("%d numbers of vectors for %d names, expected %d", got, len(res.Names), want)
			}
		})
	}
}

// With an aspect that the context tells, windows around items with texts are as those around users, beside others or alone: what is trained is the
// definition.
func TestContentsWhoseContextTells(t *testing.T) {
	golden.StillPaper(t)
	for _, alone := range []bool{true, false} {
		in := tastes(t, 4)
		n := *in.Network
		n.Types = slices.Clone(n.Types)
		n.Types[1].Aspect = typed.AspectByContext
		if !alone { // users have features then, and a third type is free
			n.Types = append(n.Types, typed.Type{Name: "city"})
			n.Types[0].Content = typed.Features
			n.Names, n.Contents = append(slices.Clone(n.Names), []string{"a", "b"}), append(slices.Clone(n.Contents), typed.Content{})
			f := &network.Features{Columns: 3, Offsets: []int64{0}}
			lives := typed.Links{}
			for u := range n.Names[0] {
				f.Index, f.Value, f.Offsets = append(f.Index, int32(u%3)), append(f.Value, 1), append(f.Offsets, int64(u+1))
				lives.From, lives.To = append(lives.From, int32(u)), append(lives.To, int32(u%2))
			}
			n.Contents[0].Features = f
			n.Schema.Links = append(slices.Clone(n.Schema.Links), typed.LinkType{Name: "lives", From: 0, To: 2})
			n.Links = append(slices.Clone(n.Links), lives)
			n.Paths = []string{"item-user-city"}
		}
		in.Network = &n
		o := typedOptions(MethodAsp2vecHet)
		o.Epochs, o.Lambda, o.Epsilon = 2, 0.1, 0.2
		for _, variant := range []string{VariantHeads, VariantLiteral} {
			o := o
			graphs.Edit(&o, func(p *PaperOptions) { p.Variant = variant })
			c := call.Of(newCorpus(context.Background(), in, o, 2))(t)
			m := call.Of(newAsp2vecHet(in, o, 2))(t)
			call.OK(t, m.prepare(context.Background(), c))
			for _, table := range m.learnt {
				table.Disturb(9, 0.3)
			}
			compareWithDefinition(t, &m.walked)
		}
	}
}

// The gradients of the vectors of features are right.
func TestFeatureVectors(t *testing.T) {
	in := tastes(t, 0)
	f := featured(in).Network.Contents[1].Features
	x := call.Of(op.NewSparse(f.Columns, f.Offsets[:6], f.Index[:f.Offsets[5]], f.Value[:f.Offsets[5]]))(t)
	o := typedOptions(MethodM2V)
	one := func(g *G.ExprGraph, dt tensor.Dtype) []*G.Node {
		return []*G.Node{guardTable(g, dt, o, "w", f.Columns, 3), guardTable(g, dt, o, "b", 3)}
	}
	two := func(g *G.ExprGraph, dt tensor.Dtype) []*G.Node {
		return []*G.Node{guardTable(g, dt, o, "w", f.Columns, 4), guardTable(g, dt, o, "b", 4), guardTable(g, dt, o, "v", 3, 4), guardTable(g, dt, o, "c", 3)}
	}
	for name, params := range map[string]func(g *G.ExprGraph, dt tensor.Dtype) []*G.Node{"a layer": one, "two layers": two} {
		checkFeatureVectors(t, name, x, o, params)
	}
	call.Refused(t)(encode.FeatureVectors(x, nil, 1))
}

// checkFeatureVectors holds the gradients by some parameters against differences.
func checkFeatureVectors(t *testing.T, name string, x *op.Sparse, o graphs.Options, params func(g *G.ExprGraph, dt tensor.Dtype) []*G.Node) {
	t.Helper()
	model := guard.Model{Name: name, Build: func(g *G.ExprGraph, dt tensor.Dtype) (graph guard.Graph, err error) {
		graph.Params = params(g, dt)
		weights := guardTable(g, dt, o, "weights", 5, 3)
		graph.Inputs = []*G.Node{weights}
		out, err := encode.FeatureVectors(x, graph.Params, 1)
		if err != nil {
			return graph, err
		}
		graph.Loss, err = op.Total(G.Must(G.HadamardProd(out, weights)))
		return graph, err
	}}
	if report := guard.Check(model); report.Err() != nil {
		t.Error(report)
	}
}

// A type with contents that no meta-path has leaves nothing behind: neither an encoder that is trained, nor heads of its vectors.
func TestContentsOffThePaths(t *testing.T) {
	in := tastes(t, 3)
	for _, method := range []string{MethodM2V, MethodAsp2vecHet} {
		o := typedOptions(method)
		o.Epochs = 2
		graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = "user-user" })
		if _, err := graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 1, graphs.Monitor{}); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}
