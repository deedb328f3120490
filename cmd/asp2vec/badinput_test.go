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
	write(t, "onefield", "a b\nc\n")
	write(t, "nan", "a\tb\tNaN\n")
	write(t, "negative", "a\tb\t-1\n")
	write(t, "tree", "a b\nb c\nc d\nd e\ne f\nf g\n")
	write(t, "file", "I am in the way\n")
	write(t, "mine/precious.txt", "not a run\n")
	write(t, "unknown.vec", "2 2\na 1 2\nb 3 4\n")
	for _, f := range []string{"train", "train_neg", "test", "test_neg"} {
		write(t, "strange/"+f+".tsv", "a\tb\nb\tc\nc\ta\n")
	}
	write(t, "strange/test.tsv", "a\tnobody\nd\te\nf\tg\n")
	write(t, "half/train.tsv", "a\tb\n")
	write(t, "data/dblp/papers.tsv", "x\n")
	write(t, "data/cora/edges.tsv", club)

	write(t, "big.yaml", "datasets: karate.tsv\nseeds: 1000000\n")
	plantPapers(t, 30, 60, 3, 40)
	must(t, "train", "--bibliography", "papers", "--method", "m2v++", "--dim", "4", "--word-dim", "4", "--epochs", "1", "--results", "none", "--out", "papers.run")
	writeMusic(t, 0)
	must(t, "train", "--schema", "music", "--dim", "2", "--epochs", "1", "--results", "none", "--out", "music.run")

	network := []string{"train", "--network"}
	on := func(args ...string) []string { return append([]string{"train", "--network", "karate.tsv"}, args...) }
	for _, c := range []struct {
		name string
		args []string
		want []string // all of them in the message
	}{
		{"empty file", append(network, "empty"), []string{"empty", "expected lines of two ids"}},
		{"NaN weight", append(network, "nan"), []string{"nan:1", "NaN", "finite number > 0"}},
		{"no such file", append(network, "nowhere"), []string{"nowhere: no such file"}},
		{"a folder", append(network, "split"), []string{"split is a folder", "--bibliography"}},
		{"split of unknown vertices", []string{"train", "--split", "strange"}, []string{"test.tsv:1", "nobody", "not in train"}},
		{"split is a file", []string{"train", "--split", "file"}, []string{"is a file", "expected a folder"}},
		{"no data", []string{"train"}, []string{"no data given", "FILE or --dataset or --split"}},

		{"dim is no number", on("--dim", "many"), []string{"many", "-dim"}},
		{"two wrong options in one line", on("--dim", "0", "--walks", "0"), []string{"dim = 0", "; walks = 0"}},
		{"unknown protocol", on("--protocol", "published"), []string{`"published"`, "paper, standard, validated"}},
		{"aspects of DeepWalk", on("--method", "deepwalk", "--aspects", "5"), []string{"--aspects 5", "deepwalk", "polydw, asp2vec"}},
		{"checkpoints at no time", on("--checkpoint-every", "1epoch"), []string{`--checkpoint-every "1epoch": expected a time such as 5m, or off`}},
		{"checkpoints without a place", on("--checkpoint-every", "5m", "--out", "none"), []string{"--out none", "--results"}},

		{"out holds a run", on("--out", "run"), []string{"run holds a run of asp2vec, seed 1", "--force"}},
		{"out holds something else", on("--out", "mine", "--force"), []string{"precious.txt"}},
		{"force without out", on("--force", "--out", "none"), []string{"--force with --out none"}},

		{"unknown command", []string{"trian"}, []string{`unknown command "trian"`, "did you mean train?"}},
		{"a subcommand without its command", []string{"compare"}, []string{`did you mean results compare?`}},
		{"unknown subcommand", []string{"data", "lst"}, []string{`unknown command "lst"`, "did you mean list?"}},
		{"unknown flag", on("--dimension", "5"), []string{"unknown flag --dimension", "--dim"}},
		{"unknown flag of a command below another", []string{"results", "show", "--protocl", "x"}, []string{"nearest is --protocol; asp2vec results show --help all"}},
		{"flag without value", on("--dim"), []string{"needs an argument: -dim"}},
		{"file and flag without value", []string{"train", "karate.tsv", "--dim"}, []string{"needs an argument: -dim"}},
		{"unknown command of one that does something", []string{"evaluate", "labls"}, []string{`unknown command "labls": did you mean labels?`}},
		{"switch without =", on("--warm-up", "false"), []string{`"false"`, "after ="}},

		{"evaluate: no split", []string{"evaluate", "--embedding", "unknown.vec"}, []string{"expected --split"}},
		{"nearest: no model", []string{"nearest", "--model", "split", "1"}, []string{"split: expected the folder of a trained model", "embedding.vec"}},
		{"split: force on something else", []string{"split", "--network", "karate.tsv", "--out", "mine", "--force"}, []string{"precious.txt"}},
		{"data show: unknown", []string{"data", "show", "Nope"}, []string{"Nope", "Cora"}},
		{"data generate: kind", []string{"data", "generate", "lattice", "--out", "g"}, []string{`"lattice"`, "planted, karate"}},
		{"data generate: no out", []string{"data", "generate", "planted"}, []string{"expected --out"}},
		{"predict: unknown vertex", []string{"predict", "--model", "run", "--vertex", "nobody"}, []string{`no vertex "nobody"`}},
		{"predict: text for a model of links", []string{"predict", "--model", "run", "--text", "x"}, []string{"no model of papers and authors"}},
		{"predict: unknown words", []string{"predict", "--model", "papers.run", "--text", "quantum foam!"}, []string{"--text: none of its 2 words"}},
		{"nearest: two vertices", []string{"nearest", "1", "2", "--model", "run"}, []string{"2 vertices given: expected 1"}},
		{"nearest: aspect", []string{"nearest", "1", "--model", "run", "--learned", "--aspect", "3"}, []string{"--aspect 3", "expected 1 to 2"}},
		{"data generate: flag of another kind", []string{"data", "generate", "karate", "--mixing", "0.1", "--out", "g"}, []string{"--mixing with karate"}},
		{"aspects: no links", []string{"aspects", "a", "--model", "unknown.vec"}, []string{"aspects are groups of links", "expected --network or --split"}},
		{"export: format", []string{"export", "--model", "run", "--format", "xml", "--out", "x"}, []string{`"xml"`, "graphml"}},
		{"explore: no out", []string{"explore", "run"}, []string{"nowhere to write the page"}},
		{"embed: nothing new", []string{"embed", "--model", "run", "--links", "karate.tsv", "--network", "karate.tsv", "--out", "x"}, []string{"have vectors already"}},
		{"plot: picture's ending", []string{"plot", "run", "--out", "x.jpg"}, []string{"expected a file that ends in .svg"}},
		{"evaluate labels: of others", []string{"evaluate", "labels", "--model", "run", "--labels", "tree"}, []string{"none of its 6 vertices is in run"}},
		{"evaluate: of a schema", []string{"evaluate", "music.run"}, []string{"nothing of it was hidden"}},
		{"schema: nothing chooses", []string{"train", "--schema", "music", "--protocol", "validated"}, []string{"nothing of a network with a schema is scored"}},
		{"results show: unknown", []string{"results", "show", "tabel3"}, []string{`no table "tabel3": did you mean table3?`}},
		{"sweep: too many", []string{"sweep", "big.yaml"}, []string{"expands to 1000000 runs: expected at most"}},
		{"methods: option", []string{"methods", "deepwalk", "aspects=3"}, []string{`deepwalk has no option "aspects"`}},
		{"papers: method of links", []string{"train", "--bibliography", "papers", "--method", "asp2vec"}, []string{"papers has papers and authors"}},
		{"schema: method of links", []string{"train", "--schema", "music", "--method", "deepwalk"}, []string{"music is a heterogeneous network"}},
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
		says(t, r.err, want...)
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
