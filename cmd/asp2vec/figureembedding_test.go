package main

import (
	"slices"
	"strings"
	"testing"
)

// Pictures of an embedding and of a network are the same bytes for any number of threads, and say what their colours are.
func TestFigureEmbedding(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	pictures := map[string][]string{
		"labels":    {"embedding", "run", "--labels", "karate.memberships.tsv"},
		"community": {"embedding", "--model", "run", "--map", "pca"},
		"aspect":    {"embedding", "run", "--color", "aspect", "--vectors", "aspects"},
		"vertex":    {"embedding", "run", "--vertex", "1", "--top", "3"},
		"persona":   {"embedding", "personas", "--vertex", "1"},
		"network":   {"network", "--network", "karate.tsv", "--labels", "karate.memberships.tsv"},
		"used":      {"network", "--network", "karate.tsv", "--model", "run", "--color", "aspect"},
	}
	for name, args := range pictures {
		for _, threads := range []string{"1", "2"} {
			must(t, slices.Concat([]string{"figure"}, args, []string{"--out", name + threads + ".svg", "--threads", threads})...)
		}
		svg := read(t, name+"1.svg")
		if svg != read(t, name+"2.svg") {
			t.Errorf("%s: another number of threads gives another picture", name)
		}
		for key, want := range map[string]string{"labels": ">label<", "community": "community 1", "aspect": "most used aspect", "vertex": "aspect 2, used ", "persona": "near in", "network": ">label<", "used": "aspect 2"} {
			if key == name && !strings.Contains(svg, want) {
				t.Errorf("%s: no %q in the picture", name, want)
			}
		}
	}
	d := decode[pictureDoc](t, must(t, "figure", "embedding", "run", "--map", "pca", "--labels", "karate.memberships.tsv", "--out", "pictures", "--json").out)
	if len(d.Files) != 3 || d.Color != "label" || len(d.Groups) != 2 || d.Groups[0].Vertices != 17 || !exists("pictures/embedding.pdf") {
		t.Errorf("%+v", d)
	}
}

// A map of hostile names is still XML, and holds none of them as markup.
func TestFigureHostileNames(t *testing.T) {
	enter(t)
	names := hostileVectors(t)
	var labels strings.Builder
	for i, name := range names[3:] {
		if i != 1 {
			labels.WriteString(name + "\t<script>x</script>\n")
		}
	}
	write(t, "labels", labels.String())
	must(t, "figure", "embedding", "hostile.vec", "--labels", "labels", "--out", "m.svg")
	if svg := read(t, "m.svg"); strings.Contains(svg, "<script") || strings.Contains(svg, "\x1b") || !strings.Contains(svg, "&lt;script&gt;") {
		t.Errorf("the picture holds what its labels hold: %s", svg)
	}
}

// A map of few vertices has their names, and says which a PNG cannot show.
func TestFigureNames(t *testing.T) {
	enter(t)
	write(t, "few.vec", "4 2\nZoë\\sMüller 1 0\n李明 1 1\nb 0 1\nc -1 0\n")
	r := must(t, "figure", "embedding", "few.vec", "--out", "few.svg")
	if svg := read(t, "few.svg"); !strings.Contains(svg, ">Zoë Müller<") || !strings.Contains(svg, ">李明<") || strings.Contains(r.err, "warn") {
		t.Errorf("names are missing, or a warning is too much: %s", r.err)
	}
	if r = must(t, "figure", "embedding", "few.vec", "--out", "few.png"); !strings.Contains(r.err, "lacks letters of some names; svg shows them names=1 such_as=李明") {
		t.Errorf("no warning of letters that are left out: %s", r.err)
	}
}

func TestFigureEmbeddingBadInput(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "deepwalk", "--dim", "4", "--epochs", "2", "--out", "flat")
	write(t, "there.svg", "mine")
	for _, c := range []struct {
		args string
		want string
	}{
		{"embedding run", "no file given for the picture"},
		{"embedding run --out x.gif.txt/ --format gif", `--format "gif": want svg, png, pdf`},
		{"embedding run --out there.svg", "--force"},
		{"embedding --out x.svg", "no embedding given"},
		{"embedding run flat --out x.svg", "2 embeddings named"},
		{"embedding run --model flat --out x.svg", "want one embedding"},
		{"embedding none --out x.svg", "none"},
		{"embedding run --map umap --out x.svg", "want one of tsne, pca"},
		{"embedding run --perplexity 0 --out x.svg", "--perplexity 0"},
		{"embedding run --map pca --perplexity 5 --out x.svg", "--perplexity with --map pca"},
		{"embedding run --color shape --out x.svg", "want one of label, community, aspect, none"},
		{"embedding run --color label --out x.svg", "no labels given"},
		{"embedding run --labels karate.memberships.tsv --color none --out x.svg", "--labels with --color none"},
		{"embedding flat --color aspect --out x.svg", "a run of deepwalk"},
		{"embedding flat --vertex 1 --out x.svg", "a run of deepwalk"},
		{"embedding run --vertex 99 --out x.svg", `no vertex "99"`},
		{"embedding run --vertex 1 --color none --out x.svg", "--vertex with --color"},
		{"embedding run --top 3 --out x.svg", "--top without --vertex"},
		{"embedding run --out x.svg --format png", "--format with --out x.svg"},
		{"embedding run --out x.jpg", "want a file that ends in .svg"},
		{"embedding run --out karate.tsv", "want a folder, or a file that ends in"},
		{"network --out x.svg", "no data given"},
		{"network --network karate.tsv --color aspect --out x.svg", "no embedding given"},
		{"network --network karate.tsv --color label --out x.svg", "no labels given"},
		{"network run --network karate.tsv --out x.svg", "want asp2vec figure network"},
	} {
		r := invoke(append([]string{"figure"}, strings.Fields(c.args)...)...)
		if r.code != 2 || !strings.Contains(r.err, c.want) {
			t.Errorf("figure %s: exit code %d, %q: want 2 and %q", c.args, r.code, r.err, c.want)
		}
	}
	if read(t, "there.svg") != "mine" || exists("x.svg") {
		t.Error("a command that was refused has written")
	}
}
