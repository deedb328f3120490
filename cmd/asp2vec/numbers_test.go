//go:build paper

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/shelf"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// numbers are what trainings came to, by their names: the SHA-256 of embedding.vec, and scores of the record.
type numbers map[string]string

// variantOff are the settings of GODEBUG with which a processor runs each variant of the kernels, the fastest first.
var variantOff = []struct{ variant, godebug string }{
	{"avx512", ""}, {"avx2", "cpu.avx512f=off"}, {"purego", "cpu.avx2=off"},
}

const numbersFile = "testdata/numbers.json"

// Every method, under every protocol, and every choice that a method leaves trains the vectors that it trained when numbers.json was written,
// with every variant of the kernels that this processor has. The file is not to change with code: see CONTRIBUTING.md.
func TestSameVectors(t *testing.T) {
	const mark = "numbers: "
	if os.Getenv("ASP2VEC_TEST_NUMBERS") != "" {
		text := call.Of(json.Marshal(trainNumbers(t)))(t)
		fmt.Printf("%s%s\n", mark, text)
		return
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the bytes are those of amd64")
	}
	have := slices.IndexFunc(variantOff, func(v struct{ variant, godebug string }) bool { return v.variant == kernel.Variant() })
	if have < 0 {
		t.Fatalf("kernel.Variant() = %q: expected one of %v", kernel.Variant(), variantOff)
	}
	want := map[string]numbers{}
	if text, err := os.ReadFile(numbersFile); err == nil {
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", numbersFile, err)
		}
	}
	for _, v := range variantOff[have:] {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestSameVectors$")
		cmd.Env = append(os.Environ(), "ASP2VEC_TEST_NUMBERS=1", "GODEBUG="+v.godebug)
		out, err := cmd.CombinedOutput()
		_, text, found := strings.Cut(string(out), mark)
		line, _, _ := strings.Cut(text, "\n")
		got := numbers{}
		if err != nil || !found || json.Unmarshal([]byte(line), &got) != nil {
			t.Fatalf("%s: %v\n%s", v.variant, err, out)
		}
		if *updateDocs {
			want[v.variant] = got
			continue
		}
		for name, n := range got {
			if was := want[v.variant][name]; was != n {
				t.Errorf("%s, %s: %s, expected %s", v.variant, name, n, was)
			}
		}
		for name := range want[v.variant] {
			if _, there := got[name]; !there {
				t.Errorf("%s: %s was not trained", v.variant, name)
			}
		}
	}
	if *updateDocs && !t.Failed() {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetIndent("", "\t")
		call.OK(t, e.Encode(want))
		call.OK(t, os.WriteFile(numbersFile, text.Bytes(), 0o666))
	}
}

// trainNumbers trains everything on small planted data.
func trainNumbers(t *testing.T) numbers {
	music := call.Of(filepath.Abs("testdata/music"))(t) // training links of users, items in an order of their own
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "150", "--communities", "6", "--out", "net")
	must(t, "split", "--network", "net/edges.tsv.gz", "--remove", "0.5", "--rule", "ce1", "--out", "split")
	o := shelf.Options()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.Candidates = 40, 120, 4, 100, 15
	shelf.Write(t, "papers", o)
	data := map[string][]string{
		"net":    {"--split", "split", "--epochs", "4", "--walks", "4", "--walk-length", "20"},
		"papers": {"--bibliography", "papers", "--dim", "24", "--epochs", "3"},
		"music":  {"--schema", music, "--dim", "16", "--epochs", "3"},
	}
	links := []string{"deepwalk", "node2vec", "dgi", "polydw", "splitter", "asp2vec", "prone", "ppr"}
	papers := []string{"m2v++", "camel", "tapem", "asp2vec-het"}
	types := []string{"metapath2vec", "asp2vec-het"}
	all := numbers{}
	one := func(on string, args ...string) {
		name := on + " " + strings.Join(args, " ")
		out := filepath.Join("runs", fmt.Sprint(len(all)))
		must(t, slices.Concat([]string{"train", "--results", "", "--out", out}, readBy(args[1], data[on]), args)...)
		sum := sha256.Sum256([]byte(read(t, filepath.Join(out, vectors.EmbeddingFile))))
		var record results.Record
		call.OK(t, json.Unmarshal([]byte(read(t, filepath.Join(out, results.RecordFile))), &record))
		text := hex.EncodeToString(sum[:])
		for _, metric := range []string{"auc", "recall@10"} {
			if score, there := record.Metrics[metric]; there {
				text += fmt.Sprintf(" %s %.6f", metric, score)
			}
		}
		all[name] = text
	}
	for _, protocol := range []string{"standard", "validated", "paper"} {
		for on, methods := range map[string][]string{"net": links, "papers": papers, "music": types} {
			for _, method := range methods {
				if on == "music" && protocol != "standard" {
					continue // which would choose by scores, of which there are none
				}
				one(on, "--method", method, "--protocol", protocol)
			}
		}
	}
	for _, choice := range strings.Split(choices, "\n") {
		if args := strings.Fields(choice); len(args) > 0 {
			one(args[0], args[1:]...)
		}
	}
	return all
}

// readBy leaves out what a method does not read.
func readBy(method string, args []string) (kept []string) {
	for i := 0; i < len(args); i += 2 {
		if method == "dgi" && strings.HasPrefix(args[i], "--walk") || factorised(method) && args[i] != "--split" {
			continue
		}
		kept = append(kept, args[i:i+2]...)
	}
	return kept
}

// factorised says whether a method has no epochs and no walks.
func factorised(method string) bool { return method == "prone" || method == "ppr" }

// choices are those that a method leaves, one in a line behind what is learned from.
const choices = `
net --method asp2vec --selection softmax
net --method asp2vec --selection hard
net --method asp2vec --selection none
net --method asp2vec --selection random
net --method asp2vec --selection entmax15
net --method asp2vec --selection straight-through
net --method asp2vec --readout max
net --method asp2vec --readout sum
net --method asp2vec --noise window --lambda-mean=false --aspects 3
net --method asp2vec --pair-loss margin
net --method asp2vec --pair-loss infonce
net --method asp2vec --regularizer cosine2
net --method asp2vec --regularizer entropy
net --method asp2vec --order grouped --resample-negatives=false
net --method asp2vec --protocol validated --warm-up=false --refit
net --method asp2vec --protocol validated --optimizer sgd
net --method asp2vec --scoring max
net --method asp2vec --embedding center
net --method asp2vec --shrink-window --optimizer lazy-adam
net --method deepwalk --shrink-window --embedding mean
net --method splitter --clustering components
net --method deepwalk --optimizer adam --pilot 0.2
net --method deepwalk --pair-loss margin --hold-out 0.1
net --method node2vec --p 0.25 --q 4
net --method splitter --scoring sum
net --method polydw --scoring max --aspects 3
net --method prone --normalize-rows --filter-order 4
net --method ppr --ppr-restart 0.4 --ppr-floor 0.1
net --method ppr --ppr-landmarks 12
papers --method m2v++ --encoder mean
papers --method asp2vec-het --aspect-context both --selection softmax
papers --method asp2vec-het --aspect-variant literal
papers --method asp2vec-het --warm-up=false --readout max --regularizer entropy
papers --method asp2vec-het --authors papers --noise window
papers --method tapem --encoder mean --authors papers
papers --method camel --encoder gru
papers --method camel --cell reset-before --protocol validated
papers --method tapem --warm-up=false
music --method asp2vec-het --aspects 2 --selection hard
music --method metapath2vec --pair-loss margin
`
