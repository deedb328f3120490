package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gzipped returns text compressed, and as a string.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

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
	zipped := gzipped(t, club)
	write(t, "cut.gz", zipped[:len(zipped)/2])
	write(t, "tree", "a b\nb c\nc d\n")
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

	network := []string{"train", "--network"}
	on := func(args ...string) []string { return append([]string{"train", "--network", "karate.tsv"}, args...) }
	for _, c := range []struct {
		name string
		args []string
		want []string // all of them in the message
	}{
		{"empty file", append(network, "empty"), []string{"empty", "want lines of two ids"}},
		{"comments only", append(network, "comments"), []string{"no link in the file"}},
		{"one vertex", append(network, "onevertex", "--protocol", "validated"), []string{"has 1 vertex: want at least 2", "--select last needs none"}},
		{"one field", append(network, "onefield"), []string{"onefield:2", "want"}},
		{"NaN weight", append(network, "nan"), []string{"nan:1", "NaN", "finite number > 0"}},
		{"negative weight", append(network, "negative"), []string{"negative:1", "-1"}},
		{"binary", append(network, "binary"), []string{"binary: is binary and starts with"}},
		{"cut off gzip", append(network, "cut.gz"), []string{"cut.gz", "stop in the middle"}},
		{"no such file", append(network, "nowhere"), []string{"nowhere: no such file"}},
		{"a folder", append(network, "split"), []string{"split: cannot be read", "directory"}},
		{"no cycle to take links from", append(network, "tree", "--protocol", "validated"), []string{"want", `select = "last" needs none`}},
		{"split of unknown vertices", []string{"train", "--split", "strange"}, []string{"test.tsv:1", "nobody", "not in train"}},
		{"half a split", []string{"train", "--split", "half"}, []string{"train_neg", "missing"}},
		{"split is a file", []string{"train", "--split", "file"}, []string{"is a file", "want a folder"}},
		{"undirected split", []string{"train", "--split", "split", "--directed"}, []string{"undirected"}},
		{"no data", []string{"train"}, []string{"no data given", "--network or --dataset or --split"}},
		{"two data", []string{"train", "--network", "karate.tsv", "--split", "split"}, []string{"--network and --split", "want one"}},
		{"empty name", []string{"train", "--network", ""}, []string{`--network ""`}},
		{"unknown data set", []string{"train", "--dataset", "Korra"}, []string{"Korra", "want one of", "Cora"}},
		{"absent data set", []string{"train", "--dataset", "Filmtrust", "--data", "data"}, []string{"Filmtrust is not here", "edges.tsv.gz"}},
		{"typed data set that is none", []string{"train", "--dataset", "DBLP", "--data", "data"}, []string{"papers.tsv:1", "1 columns: want 6"}},
		{"directed undirected data set", []string{"train", "--dataset", "Cora", "--data", "data", "--directed"}, []string{"Cora is undirected"}},

		{"q = Inf", on("--method", "node2vec", "-q", "inf"), []string{"q = +Inf", "want a number from 1e-100 to 1e+100"}},
		{"a value to try", on("--method", "node2vec", "--try", "p=1e200,1"), []string{"try p=1e+200", "p = 1e+200", "from 1e-100 to 1e+100"}},
		{"another value to try", on("--method", "node2vec", "--try", "q=0"), []string{"try q=0", "q = 0", "from 1e-100 to 1e+100"}},
		{"given and tried", on("--method", "node2vec", "-p", "3", "--try", "p=1"), []string{"--p 3 with --try p=1", "not both"}},
		{"K = 0", on("--aspects", "0"), []string{"aspects = 0", "want 1 to"}},
		{"tau = 0", on("--tau", "0"), []string{"tau = 0", "want a number"}},
		{"tau = NaN", on("--tau", "NaN"), []string{"tau = NaN"}},
		{"tau = -1", on("--tau", "-1"), []string{"tau = -1"}},
		{"facets", on("--method", "polydw", "--aspects", "65"), []string{"aspects = 65", "want 1 to 64"}},
		{"facet copies", on("--method", "polydw", "--facet-copies", "999999999999"), []string{"facet-copies = 999999999999", "want 1 to 65536"}},
		{"epsilon = 1.5", on("--epsilon", "1.5"), []string{"epsilon = 1.5", "0 to 1"}},
		{"epsilon = -0.1", on("--epsilon=-0.1"), []string{"epsilon = -0.1"}},
		{"lambda = Inf", on("--lambda", "Inf"), []string{"lambda = +Inf"}},
		{"dim is no number", on("--dim", "many"), []string{"many", "-dim"}},
		{"dim is a fraction", on("--dim", "2.5"), []string{"2.5", "-dim"}},
		{"dim is huge", on("--dim", "99999999999999999999"), []string{"-dim", "range"}},
		{"negative seed", on("--seed", "-1"), []string{"-1", "-seed"}},
		{"two wrong options in one line", on("--dim", "0", "--walks", "0"), []string{"dim = 0", "; walks = 0"}},
		{"unknown selection", on("--selection", "gumble"), []string{`"gumble"`, "gumbel, hard"}},
		{"unknown protocol", on("--protocol", "published"), []string{`"published"`, "paper, standard, validated"}},
		{"unknown method", on("--method", "no-such-method"), []string{`"no-such-method"`, "deepwalk, node2vec"}},
		{"aspects of DeepWalk", on("--method", "deepwalk", "--aspects", "5"), []string{"--aspects 5", "deepwalk", "polydw, asp2vec"}},
		{"test links of a whole network", on("--protocol", "validated", "--select", "test"), []string{"--select test", "want a split"}},
		{"threads", on("--threads", "-2"), []string{"--threads -2", "at least 1"}},
		{"threads without end", on("--threads", "2147483648"), []string{"--threads 2147483648", "at most"}},
		{"checkpoint-every", on("--checkpoint-every", "sometimes"), []string{"--checkpoint-every", "sometimes", "5m"}},
		{"finish of nothing", on("--finish"), []string{"--finish", "no checkpoint"}},
		{"checkpoints without a place", on("--checkpoint-every", "5m", "--results", "none"), []string{"--out", "--results none"}},
		{"log level", on("--log-level", "loud"), []string{`"loud"`, "debug, info"}},
		{"log format", on("--log-format", "xml"), []string{`"xml"`, "text, json"}},

		{"out below a file", on("--out", "file/run"), []string{"--out", "file"}},
		{"out is a file", on("--out", "file"), []string{"--out", "file"}},
		{"out holds a run", on("--out", "run"), []string{"--out run exists", "--force"}},
		{"out holds something else", on("--out", "mine", "--force"), []string{"precious.txt"}},
		{"out is nothing", on("--out", ""), []string{`--out ""`}},
		{"force without out", on("--force"), []string{"--force without --out"}},
		{"results below a file", on("--results", "file/store"), []string{"--results", "file"}},
		{"results is a file", on("--results", "file"), []string{"--results", "file"}},

		{"unknown command", []string{"trian"}, []string{`unknown command "trian"`, "want train"}},
		{"unknown subcommand", []string{"data", "lst"}, []string{`unknown command "lst"`, "want list"}},
		{"unknown flag", on("--dimension", "5"), []string{"unknown flag --dimension", "--dim"}},
		{"unknown flag of a command with subcommands", []string{"evaluate", "--run", "x"}, []string{"unknown flag --run"}},
		{"unknown short flag", on("-x"), []string{"unknown flag --x"}},
		{"flag of another command", []string{"version", "--dim", "5"}, []string{"unknown flag --dim"}},
		{"flag without value", on("--dim"), []string{"needs an argument: -dim"}},
		{"flag instead of value", []string{"train", "--network", "--dim", "5"}, []string{"5", "train [flags] [FILE]"}},
		{"no switch", on("--warm-up=maybe"), []string{"maybe", "-warm-up"}},
		{"switch without =", on("--warm-up", "false"), []string{`"false"`, "after ="}},
		{"words", on("more"), []string{"more", "train [flags] [FILE]"}},

		{"evaluate: no split", []string{"evaluate", "--embedding", "run"}, []string{"want --split"}},
		{"evaluate: no embedding", []string{"evaluate", "--split", "split"}, []string{"want --embedding"}},
		{"evaluate: other vertices", []string{"evaluate", "--split", "split", "--embedding", "unknown.vec"}, []string{"34 of 34 vertices have no vector", `"1"`}},
		{"evaluate: cut off", []string{"evaluate", "--split", "split", "--embedding", "short.vec"}, []string{"short.vec", "1 vectors", "3"}},
		{"evaluate: no such file", []string{"evaluate", "--split", "split", "--embedding", "nowhere"}, []string{"nowhere: no such file"}},
		{"predict: no name", []string{"predict", "--model", "run", "--top", "3", "--out", ""}, []string{`--out ""`, "name of a file"}},
		{"nearest: no model", []string{"nearest", "--model", "split", "1"}, []string{"split: want the folder of a trained model", "embedding.vec"}},
		{"evaluate: vertices of text", []string{"evaluate", "--split", "split", "--embedding", "run", "--vertices", "run/vertices.txt"}, []string{"contains names"}},
		{"split: no out", []string{"split", "--network", "karate.tsv"}, []string{"want --out"}},
		{"split: remove", []string{"split", "--network", "karate.tsv", "--out", "s", "--remove", "1"}, []string{"remove = 1", "between 0 and 1"}},
		{"split: remove NaN", []string{"split", "--network", "karate.tsv", "--out", "s", "--remove", "nan"}, []string{"remove = NaN"}},
		{"split: rule", []string{"split", "--network", "karate.tsv", "--out", "s", "--rule", "ce7"}, []string{`"ce7"`, "ce5, ce1"}},
		{"split: a tree", []string{"split", "--network", "tree", "--out", "s"}, []string{"want"}},
		{"split: out exists", []string{"split", "--network", "karate.tsv", "--out", "split"}, []string{"--force"}},
		{"split: force on something else", []string{"split", "--network", "karate.tsv", "--out", "mine", "--force"}, []string{"precious.txt"}},
		{"walk: length", []string{"walk", "--network", "karate.tsv", "--walk-length", "1"}, []string{"walks of 1 vertices"}},
		{"walk: out is a folder", []string{"walk", "--network", "karate.tsv", "--out", "mine"}, []string{"is a folder"}},
		{"walk: JSON to standard output", []string{"walk", "--network", "karate.tsv", "--json"}, []string{"--json", "--out"}},
		{"data show: no name", []string{"data", "show"}, []string{"0 names"}},
		{"data show: unknown", []string{"data", "show", "Nope"}, []string{"Nope", "Cora"}},
		{"data verify: none here", []string{"data", "verify", "--data", "nodata"}, []string{"nodata", "--data DIR"}},
		{"data verify: absent", []string{"data", "verify", "PPI", "--data", "data"}, []string{"PPI is not here"}},
		{"data generate: kind", []string{"data", "generate", "lattice", "--out", "g"}, []string{`"lattice"`, "planted, bibliography, typed, karate"}},
		{"data generate: options", []string{"data", "generate", "planted", "--mixing", "2", "--out", "g"}, []string{"mixing = 2"}},
		{"data generate: karate's size", []string{"data", "generate", "karate", "--vertices", "9", "--out", "g"}, []string{"--vertices with karate"}},
		{"data generate: another kind's flag", []string{"data", "generate", "planted", "--topics", "9", "--out", "g"}, []string{"--topics with planted"}},
		{"data generate: another kind's size", []string{"data", "generate", "bibliography", "--vertices", "9", "--out", "g"}, []string{"--vertices with bibliography"}},
		{"data generate: topics", []string{"data", "generate", "bibliography", "--topics", "0", "--mixing", "2", "--out", "g"}, []string{"topics = 0", "mixing = 2"}},
		{"data generate: no out", []string{"data", "generate", "bibliography"}, []string{"want --out"}},
		{"data generate: force on a network", []string{"data", "generate", "bibliography", "--out", "mine", "--force"}, []string{"precious.txt", "topics.tsv"}},
		{"data show: papers", []string{"data", "show", "dblp", "--data", "data"}, []string{"papers.tsv:1", "1 columns"}},
		{"data verify: papers", []string{"data", "verify", "dblp", "--data", "data"}, []string{"papers.tsv:1", "1 columns"}},
		{"data generate: force on something else", []string{"data", "generate", "karate", "--out", "mine", "--force"}, []string{"precious.txt"}},
		{"bench: seconds", []string{"bench", "--seconds", "NaN"}, []string{"--seconds NaN", "above 0"}},
		{"check: options", []string{"check", "--tau", "0"}, []string{"tau = 0"}},
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
			t.Errorf("exit code %d, output %q: want 2 and none", r.code, r.out)
		}
		if !strings.HasPrefix(r.err, "asp2vec: ") || strings.Count(r.err, "\n") != 1 || strings.Contains(r.err, "goroutine") {
			t.Errorf("message %q: want one line that begins with asp2vec:", r.err)
		}
		for _, want := range want {
			if !strings.Contains(r.err, want) {
				t.Errorf("message %q: want %q in it", r.err, want)
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
