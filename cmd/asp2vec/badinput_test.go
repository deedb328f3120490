package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is wrong with what was given: exit code 2, one line that says what was given and what is wanted, nothing on
// standard output, nothing written.
func TestBadInput(t *testing.T) {
	karate(t)
	train(t, "--split", "split", "--out", "run")
	club := read(t, "karate.tsv")
	write(t, "empty", "")
	write(t, "comments", "# nothing\n\n")
	write(t, "onevertex", "a a\n")
	write(t, "onefield", "a b\nc\n")
	write(t, "nan", "a\tb\tNaN\n")
	write(t, "negative", "a\tb\t-1\n")
	write(t, "binary", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\n\x03\x00>\x00\n")
	write(t, "tree", "a b\nb c\nc d\nd e\ne f\nf g\n")
	write(t, "file", "I am in the way\n")
	write(t, "mine/precious.txt", "not a run\n")
	write(t, "unknown.vec", "2 2\na 1 2\nb 3 4\n")
	write(t, "short.vec", "3 2\n1 1 2\n")
	for _, f := range []string{"train", "train_neg", "test", "test_neg"} {
		write(t, "strange/"+f+".tsv", "a\tb\nb\tc\nc\ta\n")
	}
	write(t, "strange/test.tsv", "a\tnobody\n")
	write(t, "half/train.tsv", "a\tb\n")
	write(t, "data/dblp/papers.tsv", "x\n")
	write(t, "data/cora/edges.tsv", club)

	write(t, "big.yaml", "datasets: karate.tsv\nseeds: 1000000\n")
	must(t, "data", "generate", "bibliography", "--authors", "30", "--papers", "60", "--topics", "3", "--vocabulary", "40", "--out", "papers")
	must(t, "train", "--bibliography", "papers", "--method", "m2v++", "--dim", "4", "--word-dim", "4", "--epochs", "1", "--results", "none", "--out", "papers.run")
	must(t, "data", "generate", "typed", "--users", "20", "--items", "30", "--genres", "2", "--tastes", "1", "--likes", "5", "--out", "music")
	must(t, "train", "--schema", "music", "--dim", "2", "--epochs", "1", "--results", "none", "--out", "music.run")

	network := []string{"train", "--network"}
	on := func(args ...string) []string { return append([]string{"train", "--network", "karate.tsv"}, args...) }
	for _, c := range []struct {
		name string
		args []string
		want []string // all of them in the message
	}{
		{"empty file", append(network, "empty"), []string{"empty", "expected lines of two ids"}},
		{"one vertex", append(network, "onevertex", "--protocol", "validated"), []string{"has 1 vertex: expected at least 2", "--select last needs none"}},
		{"NaN weight", append(network, "nan"), []string{"nan:1", "NaN", "finite number > 0"}},
		{"binary", append(network, "binary"), []string{"binary: is binary and starts with"}},
		{"no such file", append(network, "nowhere"), []string{"nowhere: no such file"}},
		{"a folder", append(network, "split"), []string{"split is a folder", "--bibliography"}},
		{"no cycle to take links from", append(network, "tree", "--protocol", "validated"), []string{"expected", `select = "last" needs none`}},
		{"split of unknown vertices", []string{"train", "--split", "strange"}, []string{"test.tsv:1", "nobody", "not in train"}},
		{"split is a file", []string{"train", "--split", "file"}, []string{"is a file", "expected a folder"}},
		{"no data", []string{"train"}, []string{"no data given", "FILE or --dataset or --split"}},
		{"unknown data set", []string{"train", "--dataset", "Korra"}, []string{"Korra", "expected one of", "cora"}},
		{"absent data set", []string{"train", "--dataset", "Filmtrust", "--data", "data"}, []string{"Filmtrust is not here", "edges.tsv.gz"}},
		{"directed undirected data set", []string{"train", "--dataset", "Cora", "--data", "data", "--directed"}, []string{"Cora is undirected"}},

		{"q = Inf", on("--method", "node2vec", "-q", "inf"), []string{"q = +Inf", "expected a number from 1e-100 to 1e+100"}},
		{"K = 0", on("--aspects", "0"), []string{"aspects = 0", "expected 1 to"}},
		{"dim is no number", on("--dim", "many"), []string{"many", "-dim"}},
		{"negative seed", on("--seed", "-1"), []string{"-1", "-seed"}},
		{"two wrong options in one line", on("--dim", "0", "--walks", "0"), []string{"dim = 0", "; walks = 0"}},
		{"unknown selection", on("--selection", "gumble"), []string{`"gumble"`, "gumbel, hard"}},
		{"unknown protocol", on("--protocol", "published"), []string{`"published"`, "paper, standard, validated"}},
		{"unknown method", on("--method", "no-such-method"), []string{`"no-such-method"`, "deepwalk, node2vec"}},
		{"aspects of DeepWalk", on("--method", "deepwalk", "--aspects", "5"), []string{"--aspects 5", "deepwalk", "polydw, asp2vec"}},
		{"test links of a whole network", on("--protocol", "validated", "--select", "test"), []string{"--select test", "expected --split DIR"}},
		{"threads", on("--threads", "-2"), []string{"--threads -2", "at least 1"}},
		{"checkpoint-every", on("--checkpoint-every", "sometimes"), []string{"--checkpoint-every", "sometimes", "5m"}},
		{"checkpoints without a place", on("--checkpoint-every", "5m", "--out", noOut), []string{"--out none", "--results"}},
		{"log level", on("--log-level", "loud"), []string{`"loud"`, "debug, info"}},

		{"out is a file", on("--out", "file"), []string{"--out", "file"}},
		{"out holds a run", on("--out", "run"), []string{"run holds a run of asp2vec, seed 1", "--force"}},
		{"out holds something else", on("--out", "mine", "--force"), []string{"precious.txt"}},
		{"out is nothing", on("--out", ""), []string{`--out ""`}},
		{"force without out", on("--force", "--out", noOut), []string{"--force with --out none"}},
		{"results below a file", on("--results", "file/store"), []string{"--results", "file"}},

		{"unknown command", []string{"trian"}, []string{`unknown command "trian"`, "did you mean train?"}},
		{"unknown subcommand", []string{"data", "lst"}, []string{`unknown command "lst"`, "did you mean list?"}},
		{"unknown flag", on("--dimension", "5"), []string{"unknown flag --dimension", "--dim"}},
		{"flag that there was", on("--engine", "graph"), []string{"unknown flag --engine", "one engine"}},
		{"unknown flag of a command with subcommands", []string{"evaluate", "--run", "x"}, []string{"unknown flag --run"}},
		{"flag without value", on("--dim"), []string{"needs an argument: -dim"}},
		{"file and network", []string{"train", "karate.tsv", "--network=tree"}, []string{`"karate.tsv"`}},
		{"help of no command", []string{"trian", "--help"}, []string{"did you mean train?"}},
		{"file and flag without value", []string{"train", "karate.tsv", "--dim"}, []string{"needs an argument: -dim"}},
		{"unknown command of one that does something", []string{"evaluate", "labls"}, []string{`unknown command "labls": did you mean labels?`}},
		{"flag instead of value", []string{"train", "--network", "--dim", "5"}, []string{"5", "train [flags] [FILE]"}},
		{"no switch", on("--warm-up=maybe"), []string{"maybe", "-warm-up"}},
		{"switch without =", on("--warm-up", "false"), []string{`"false"`, "after ="}},
		{"words", on("more"), []string{"more", "train [flags] [FILE]"}},

		{"evaluate: no split", []string{"evaluate", "--embedding", "unknown.vec"}, []string{"expected --split"}},
		{"evaluate: other vertices", []string{"evaluate", "--split", "split", "--embedding", "unknown.vec"}, []string{"34 of 34 vertices have no vector", `"1"`}},
		{"evaluate: cut off", []string{"evaluate", "--split", "split", "--embedding", "short.vec"}, []string{"short.vec", "1 vectors", "3"}},
		{"evaluate: no such file", []string{"evaluate", "--split", "split", "--embedding", "nowhere"}, []string{"nowhere: no such file"}},
		{"predict: no name", []string{"predict", "--model", "run", "--top", "3", "--out", ""}, []string{`--out ""`, "name of a file"}},
		{"nearest: no model", []string{"nearest", "--model", "split", "1"}, []string{"split: expected the folder of a trained model", "embedding.vec"}},
		{"evaluate: vertices of text", []string{"evaluate", "--split", "split", "--embedding", "run", "--vertices", "run/vertices.txt"}, []string{"contains names"}},
		{"split: no out", []string{"split", "--network", "karate.tsv"}, []string{"expected --out"}},
		{"split: remove", []string{"split", "--network", "karate.tsv", "--out", "s", "--remove", "1"}, []string{"remove = 1", "between 0 and 1"}},
		{"split: force on something else", []string{"split", "--network", "karate.tsv", "--out", "mine", "--force"}, []string{"precious.txt"}},
		{"data show: unknown", []string{"data", "show", "Nope"}, []string{"Nope", "Cora"}},
		{"data generate: kind", []string{"data", "generate", "lattice", "--out", "g"}, []string{`"lattice"`, "planted, merged, bibliography, typed, karate"}},
		{"data generate: options", []string{"data", "generate", "planted", "--mixing", "2", "--out", "g"}, []string{"mixing = 2"}},
		{"data generate: no out", []string{"data", "generate", "bibliography"}, []string{"expected --out"}},
		{"predict: unknown vertex", []string{"predict", "--model", "run", "--vertex", "nobody"}, []string{`no vertex "nobody"`}},
		{"predict: half a pair", []string{"predict", "--model", "run", "--pairs", "onefield"}, []string{"onefield:1", "vertex"}},
		{"predict: text for a model of links", []string{"predict", "--model", "run", "--text", "x"}, []string{"no model of papers and authors"}},
		{"predict: no vertex of a type", []string{"predict", "--model", "music.run"}, []string{"expected --vertex NAME"}},
		{"predict: unknown words", []string{"predict", "--model", "papers.run", "--text", "quantum foam!"}, []string{"--text: none of its 2 words"}},
		{"predict: unknown paper", []string{"predict", "--model", "papers.run", "--bibliography", "papers", "--paper", "p0x"}, []string{`--paper "p0x"`, "no such paper"}},
		{"nearest: two vertices", []string{"nearest", "1", "2", "--model", "run"}, []string{"2 vertices given: expected 1"}},
		{"nearest: aspect", []string{"nearest", "1", "--model", "run", "--learned", "--aspect", "3"}, []string{"--aspect 3", "expected 1 to 2"}},
		{"nearest: aspect beyond numbers", []string{"nearest", "1", "--model", "run", "--network", "karate.tsv", "--aspect", "4294967297"}, []string{"--aspect 4294967297", "expected 1 to"}},
		{"nearest: learned", []string{"nearest", "1", "--model", "run", "--learned"}, []string{"--learned without --aspect"}},
		{"data generate: share", []string{"data", "generate", "merged", "--network", "karate.tsv", "--share", "2", "--out", "g"}, []string{"share 2", "expected 0 to 1"}},
		{"data generate: none to merge", []string{"data", "generate", "merged", "--network", "karate.tsv", "--share", "0", "--out", "g"}, []string{"no pair among"}},
		{"data generate: flag of another kind", []string{"data", "generate", "merged", "--network", "karate.tsv", "--mixing", "0.1", "--out", "g"}, []string{"--mixing with merged"}},
		{"aspects: of one vector", []string{"aspects", "a", "--model", "unknown.vec", "--learned"}, []string{"one vector per vertex"}},
		{"aspects: no links", []string{"aspects", "a", "--model", "unknown.vec"}, []string{"aspects are groups of links", "expected --network or --split"}},
		{"export: format", []string{"export", "--model", "run", "--format", "xml", "--out", "x"}, []string{`"xml"`, "graphml"}},
		{"explore: no out", []string{"explore", "run"}, []string{"nowhere to write the page"}},
		{"embed: nothing new", []string{"embed", "--model", "run", "--links", "karate.tsv", "--network", "karate.tsv", "--out", "x"}, []string{"have vectors already"}},
		{"embed: no model", []string{"embed", "--model", "unknown.vec", "--links", "tree", "--out", "x"}, []string{"no known method"}},
		{"figure: unknown", []string{"figure", "6", "--out", "p"}, []string{`figure "6"`, "4, 5, curves"}},
		{"plot: picture's ending", []string{"plot", "run", "--out", "x.jpg"}, []string{"expected a file that ends in .svg"}},
		{"plot: no labels", []string{"plot", "run", "--color", "label", "--out", "x.svg"}, []string{"no labels given"}},
		{"evaluate labels: of others", []string{"evaluate", "labels", "--model", "run", "--labels", "tree"}, []string{"none of its 6 vertices is in run"}},
		{"evaluate labels: two models", []string{"evaluate", "labels", "run", "run/", "--labels", "karate.memberships.tsv"}, []string{"2 embeddings named"}},
		{"evaluate: of one vector", []string{"evaluate", "--split", "split", "--embedding", "unknown.vec", "--scoring", "sum"}, []string{"--score sum", "one vector per vertex"}},
		{"results show: unknown", []string{"results", "show", "tabel3"}, []string{`no table "tabel3": did you mean table3?`}},
		{"results show: unknown method", []string{"results", "show", "table3", "--methods", "asp2vek"}, []string{`no "asp2vek": did you mean asp2vec?`}},
		{"results best: no file", []string{"results", "best", "none.yaml"}, []string{"none.yaml"}},
		{"sweep: too many", []string{"sweep", "big.yaml"}, []string{"expands to 1000000 runs: expected at most"}},
		{"methods: option", []string{"methods", "deepwalk", "aspects=3"}, []string{`deepwalk has no option "aspects"`}},
		{"papers: method of links", []string{"train", "--bibliography", "papers", "--method", "asp2vec"}, []string{"papers has papers and authors"}},
		{"papers: meta-path", []string{"train", "--bibliography", "papers", "--method", "camel", "--meta-paths", "AXA"}, []string{`"AXA": no type with the initial "X"`}},
		{"papers: no such folder", []string{"train", "--bibliography", "nowhere"}, []string{"nowhere", "no such file"}},
		{"schema: method of links", []string{"train", "--schema", "music", "--method", "deepwalk"}, []string{"music is a heterogeneous network"}},
		{"schema: folder without", []string{"train", "--schema", "mine"}, []string{"schema.yaml"}},
	} {
		refused(t, c.name, c.args, c.want...)
	}
}

// refused runs the program, which must say no, with all of want in its message.
func refused(t *testing.T, name string, args []string, want ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		before := tree(t)
		r := invoke(append([]string{"--log-level", "error"}, args...)...)
		if r.code != 2 || r.out != "" {
			t.Errorf("exit code %d, output %q: expected 2 and none", r.code, r.out)
		}
		if !strings.HasPrefix(r.err, "asp2vec: ") || strings.Count(r.err, "\n") != 1 || strings.Contains(r.err, "goroutine") {
			t.Errorf("message %q: expected one line that begins with asp2vec:", r.err)
		}
		for _, want := range want {
			if !strings.Contains(r.err, want) {
				t.Errorf("message %q: expected %q in it", r.err, want)
			}
		}
		if after := tree(t); after != before {
			t.Errorf("files before\n%s\nand after\n%s", before, after)
		}
	})
}

// tree lists all files below the current folder with their contents.
func tree(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		b.WriteString(path + "\n")
		if err == nil && !d.IsDir() {
			b.WriteString(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
