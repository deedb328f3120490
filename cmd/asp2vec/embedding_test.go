package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

type nearDoc struct {
	Vertex  string
	Nearest []struct {
		Vertex string
		Cosine float64
		Linked *bool
	}
}

func (d nearDoc) names() (out []string) {
	for _, n := range d.Nearest {
		out = append(out, n.Vertex)
	}
	return out
}

// Four vectors whose cosines are plain to see, in every format that holds them.
func TestNearestVertices(t *testing.T) {
	enter(t)
	write(t, "v.vec", "4 2\na 1 0\nb 3 4\nc 2 0\nthe\\sd -1 0\n")
	must(t, "export", "--model", "v.vec", "--format", "npz", "--out", "v.npz")
	must(t, "export", "--model", "v.npz", "--format", "word2vec", "--out", "back.vec")
	if read(t, "back.vec") != read(t, "v.vec") {
		t.Error("through NumPy's format and back the file has changed")
	}
	for _, model := range []string{"v.vec", "v.npz", "back.vec"} {
		d := answer[nearDoc](t, "nearest", "a", "--model", model)
		if !slices.Equal(d.names(), []string{"c", "b", "the d"}) || d.Nearest[0].Cosine != 1 || math.Abs(d.Nearest[1].Cosine-.6) > 1e-12 || d.Nearest[2].Cosine != -1 {
			t.Errorf("%s: %+v", model, d)
		}
	}
	if d := answer[nearDoc](t, "nearest", "the d", "--model", "v.npz", "--top", "1"); d.Vertex != "the d" || len(d.Nearest) != 1 {
		t.Errorf("%+v", d)
	}
	says(t, must(t, "nearest", "a", "--model", "v.vec").out, "vectors  final", "0.6000")
}

// What predict says of test links and their negatives ranks them as evaluate does.
func TestPredictAgreesWithEvaluate(t *testing.T) {
	karate(t)
	train(t, "--split", "split", "--out", "run")
	must(t, "train", "--split", "split", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	split := call.Of(network.ReadSplit("split", false))(t)
	lines := func(links []network.Link) string {
		var b strings.Builder
		for _, l := range links {
			fmt.Fprintf(&b, "%s\t%s\n", split.Names[l.From], split.Names[l.To])
		}
		return b.String()
	}
	write(t, "pos", "# test links\n"+lines(split.Test))
	write(t, "neg", lines(split.TestNeg))
	for model, scoring := range map[string]string{"run": "lr", "personas": "max"} {
		var sides [2][]float64
		for i, file := range []string{"pos", "neg"} {
			d := answer[predicted](t, "predict", "--model", model, "--split", "split", "--score", "native", "--pairs", file)
			if d.Score != scoring || d.Count != len(d.Links) || d.Links[0].Probability == nil || *d.Links[0].Linked {
				t.Errorf("%s: %+v", model, d)
			}
			for _, l := range d.Links {
				sides[i] = append(sides[i], l.Score)
			}
		}
		for i := range sides {
			slices.Sort(sides[i])
		}
		got := eval.Metrics.Get("auc").Of(sides[0], sides[1])
		if want := evaluateJSON(t, "--embedding", model).AUCRandom; got != want {
			t.Errorf("%s: AUC of the predictions %v; evaluate says %v", model, got, want)
		}
		// Without flags the split is found where the record says.
		d := answer[predicted](t, "predict", "--model", model, "--score", "native", "--top", "100000")
		if d.Score != scoring || d.Count != 34*33/2-len(split.Train) {
			t.Errorf("%s: %d new links by %s, expected all but the %d", model, d.Count, d.Score, len(split.Train))
		}
		write(t, "pair", d.Links[0].From+" "+d.Links[0].To+"\n")
		one := answer[predicted](t, "predict", "--pairs", "pair", "--score", "native", "--model", model).Links[0]
		if one.Score != d.Links[0].Score || *one.Linked {
			t.Errorf("given %+v, new %+v", one, d.Links[0])
		}
	}
	v := answer[predicted](t, "predict", "--model", "run", "--network", "karate.tsv", "--score", "native", "--vertex", "1", "--top", "99")
	if v.Score != "cosine" || v.Count != 33-16 || v.Links[0].From != "1" { // 16 friends
		t.Errorf("vertex 1: %+v", v)
	}
	must(t, "predict", "--model", "run", "--split", "split", "--pairs", "pos", "--out", "scores.tsv")
	if text := read(t, "scores.tsv"); strings.Count(text, "\n") != len(split.Test) || strings.Count(text, "\t") != 3*len(split.Test) {
		t.Errorf("scores %q", text)
	}
	// A network that has changed is not taken for that of the run.
	write(t, "links.tsv", "a b\nb c\nc a\n")
	train(t, "--network", "links.tsv", "--out", "own")
	says(t, must(t, "aspects", "a", "--model", "own").out, "* linked with a", "links    2", "group")
	write(t, "labels", "b\tred hat\nc\tred hat\nc\tx\n")
	says(t, must(t, "aspects", "a", "--model", "own", "--labels", "labels").out, "red hat ×2  x ×1")
	write(t, "links.tsv", "a b\nb c\nc a\nc d\n")
	invoke("aspects", "a", "--model", "own").exits(t, 2, "have changed", "aspects are groups of links, which are not known")
}

// labelled is what evaluate labels prints with --json.
type labelled struct {
	Labels   string
	Count    int `json:"labels_count"`
	Vertices int
	Vectors  []struct {
		Vectors string
		Dim     int
		Shares  []eval.Classified
		NMI     *float64
	}
}

// Labels that are the planted communities are found; labels dealt out without sense are not.
func TestEvaluateLabels(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "300", "--communities", "6", "--memberships", "1", "--mean-degree", "14", "--out", "links.tsv")
	must(t, "train", "--network", "links.tsv", "--out", "run", "--dim", "8", "--aspects", "2", "--pairs-per-vertex", "800")
	args := []string{"evaluate", "labels", "--model", "run", "--shares", "0.1,0.5", "--splits", "3", "--json", "--labels"}
	d := answer[labelled](t, append(args, "links.memberships.tsv", "--vectors", "all")...)
	if d.Count != 6 || d.Vertices != 300 || len(d.Vectors) != 4 || d.Vectors[2].Dim != 16 || d.Vectors[3].Dim != 24 || d.Vectors[2].Vectors != "aspects" {
		t.Errorf("%+v", d)
	}
	for _, v := range d.Vectors {
		if s := v.Shares[1]; s.Train != 150 || s.F1.Micro < .95 || s.F1.Macro < .95 || s.Frequent.Micro > .4 || *v.NMI < .8 {
			t.Errorf("%s: %+v, expected the communities found", v.Vectors, s)
		}
	}
	var b strings.Builder
	for v := range 250 { // and some of no vertex, and some vertices without
		fmt.Fprintf(&b, "%d\tL%d\n", v, v*7%5)
	}
	b.WriteString("nobody\tAbsent\n") // no label of the task
	write(t, "nonsense", b.String())
	r := must(t, append(args, "nonsense")...)
	if d := decode[labelled](t, r.out); d.Vertices > 250 || d.Count != 5 || d.Vectors[0].Shares[1].F1.Micro > .4 || *d.Vectors[0].NMI > .2 || !strings.Contains(r.err, "labelled_vertices_without_vectors=1") {
		t.Errorf("%+v\n%s", d, r.err)
	}
	if again := must(t, append(args, "nonsense", "--threads", "1")...); again.out != r.out {
		t.Error("another number of threads gives another result")
	}
	text := must(t, "evaluate", "labels", "--model", "run", "--labels", "links.memberships.tsv", "--shares", "0.5", "--splits", "2").out
	says(t, text, "micro F1", "50 %, 150 vertices", " vertices      300\n")
}

// Labels are read from attributes of vertices in the network's own file, or from a column of a table.
func TestLabelsFrom(t *testing.T) {
	enter(t)
	write(t, "n.json", `{"nodes": [{"id": "a", "club": "red hat"}, {"id": "b", "club": "x"}, {"id": "c", "club": "red hat"}, {"id": "d"}], "links": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}, {"source": "c", "target": "d"}]}`)
	write(t, "people.csv", "name,Club\na,red hat\nb,x\nc,red hat\nd,\n")
	must(t, "train", "--network", "n.json", "--out", "run", "--method", "deepwalk", "--epochs", "1", "--select", "last")
	write(t, "alone.vec", read(t, "run/embedding.vec"))
	for _, args := range [][]string{{"run"}, {"run", "--labels", "people.csv"}, {"alone.vec", "--network", "n.json"}} {
		d := answer[labelled](t, append([]string{"evaluate", "labels", "--shares", "0.7", "--splits", "1", "--labels-from", "club"}, args...)...)
		if d.Count != 2 || d.Vertices != 3 || !strings.HasSuffix(d.Labels, ": club") {
			t.Errorf("%v: %+v", args, d)
		}
	}
	for _, args := range [][]string{{"aspects", "a", "--model", "run"}, {"explore", "run", "--out", "p.html"}, {"plot", "run", "--out", "p.svg"}} {
		must(t, append(args, "--labels-from", "club")...)
	}
	for _, c := range []struct{ want, args string }{
		{"no such attribute of the vertices of n.json: expected one of club", "run --labels-from klub"},
		{`no column "klub": expected one of name, Club`, "run --labels people.csv --labels-from klub"},
		{"no file of a network to read it from", "alone.vec --labels-from club"},
		{"the format links has no attributes of vertices", "alone.vec --network people.csv --labels-from club"},
	} {
		invoke(append([]string{"evaluate", "labels"}, strings.Fields(c.args)...)...).exits(t, 2, c.want)
	}
}

// hostileVectors writes a file of vectors whose names could break other formats.
func hostileVectors(t *testing.T) []string {
	t.Helper()
	names := []string{"a", "tab\there", "line\nend", `"quoted" <b>&`, "\x1b[31mred", "back\\slash"}
	var data []float32
	for v := range names {
		data = append(data, float32(v), 1)
	}
	var b bytes.Buffer
	call.OK(t, vectors.WriteVec(&b, names, data, 2))
	write(t, "hostile.vec", b.String())
	return names
}

func TestExport(t *testing.T) {
	karate(t)
	train(t, "--split", "split", "--out", "run")
	export := func(args ...string) ran { return must(t, append([]string{"export", "--model", "run"}, args...)...) }
	export("--format", "word2vec", "--aspect", "2", "--out", "two.vec")
	if text := read(t, "two.vec"); !strings.HasPrefix(text, "34 4\n") || text == read(t, "run/embedding.vec") {
		t.Errorf("aspect 2 begins %.20q", text)
	}
	export("--format", "npz", "--out", "run.npz")
	for _, args := range [][]string{{"--scoring", "lr"}, {"--scoring", "max"}} {
		if a, b := evaluateJSON(t, append(args, "--embedding", "run")...), evaluateJSON(t, append(args, "--embedding", "run.npz")...); a != b {
			t.Errorf("%v: %+v of the run, %+v of its .npz", args, a, b)
		}
	}
	near := func(model string) nearDoc {
		return answer[nearDoc](t, "nearest", "1", "--model", model, "--learned", "--aspect", "1")
	}
	if a, b := near("run"), near("run.npz"); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%v differs from that of the .npz\n%v", a, b)
	}
	export("--format", "graphml", "--network", "karate.tsv", "--map", "tsne", "--perplexity", "5", "--out", "map.graphml")
	if d := answer[struct{ Vertices int }](t, "data", "import", "map.graphml", "--out", "back"); d.Vertices != 34 { // read back
		t.Errorf("GraphML with positions holds %+v", d)
	}
	export("--format", "graphml", "--network", "karate.tsv", "--labels", "karate.memberships.tsv", "--out", "run.graphml")
	if text := read(t, "run.graphml"); strings.Count(text, "<edge ") != 78 || strings.Count(text, `<data key="d4">`) != 34 || !strings.Contains(text, `edgedefault="undirected"`) {
		t.Errorf("%s", text)
	}
	// DeepWalk's second table holds contexts, which are no aspects.
	must(t, "train", "--split", "split", "--method", "deepwalk", "--dim", "4", "--epochs", "2", "--out", "flat")
	must(t, "export", "--model", "flat", "--format", "npz", "--out", "flat.npz")
	if e, err := vectors.ReadWhole("flat.npz", ""); err != nil || e.MultiVectors != nil {
		t.Errorf("%+v, %v", e, err)
	}
}
