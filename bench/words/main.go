// Command words measures word vectors by how often the texts are read and how many of the frequent words are left out: how far the vectors
// have moved apart, and how well they rank authors before any method is trained.
//
//	go run ./bench/words --bibliography DIR --passes 5,15,40 --samples 0,.001,.0001 --out vectors
//
// It prints a table, and writes the vectors for `asp2vec train --word-vectors`. Only development papers are ranked; no test paper is looked at. results/recipe/authors.md has the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results/vectors"
)

func main() {
	dir := flag.String("bibliography", "", "folder of a bibliography (required)")
	passes := flag.String("passes", "5,15,40", "numbers of passes over the texts")
	samples := flag.String("samples", "0,.001,.0001", "thresholds of subsampling; 0 for none, and gensim has .001")
	threads := flag.Int("threads", 1, "threads")
	seed := flag.Uint64("seed", 1, "seed")
	out := flag.String("out", "", "folder for the vectors, as SAMPLE-PASSES.vec; empty for none")
	flag.Parse()
	if err := measure(context.Background(), os.Stdout, *dir, strings.Split(*passes, ","), strings.Split(*samples, ","), *threads, *seed, *out); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, w io.Writer, dir string, passes, samples []string, threads int, seed uint64, out string) error {
	b, _, err := hetnet.Read(dir)
	if err != nil {
		return err
	}
	if out != "" {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return err
		}
	}
	task, err := hetnet.NewTask(b, hetnet.TaskOptions{Halves: hetnet.HalvesPublished})
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "| subsampling | words kept | passes | mean cosine | effective rank | seconds | dev Recall@5 | dev Recall@10 | dev AUC |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, sample := range samples {
		for _, n := range passes {
			text, err := newTexts(b, sample, n, seed)
			if err != nil {
				return err
			}
			o := graphs.TokenOptions()
			o.Dim, o.Epochs, o.Seed, o.WalksInMemory = hetnet.DefaultWords().Dim, 1, seed, "false"
			start := time.Now()
			trained, err := graphs.TrainTokens(ctx, text, len(b.Words), o, threads)
			if err != nil {
				return err
			}
			took := time.Since(start).Seconds()
			words := &hetnet.Words{Dim: o.Dim, Vectors: trained}
			if out != "" {
				if err := atomicfile.Write(filepath.Join(out, sample+"-"+n+".vec"), func(w io.Writer) error {
					return vectors.WriteVec(w, b.Words, trained, o.Dim)
				}); err != nil {
					return err
				}
			}
			r := words.Report(b)
			means, err := task.WordMeans(ctx, words, threads)
			if err != nil {
				return err
			}
			score, err := task.Evaluate(ctx, means, task.Dev, threads)
			if err != nil {
				return err
			}
			dev := score.Metrics()
			fmt.Fprintf(w, "| %s | %.0f %% | %s | %.3f | %.0f | %.0f | %.4f | %.4f | %.4f |\n", sample, 100*text.kept(b), n, r.MeanCosine, r.EffectiveRank, took,
				dev["recall@5"], dev["recall@10"], dev["auc"])
		}
	}
	return nil
}

// number reads one that is at least 0.
func number(word, what string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	if err != nil || !(x >= 0) {
		return 0, fmt.Errorf("%s %q: want a number, at least 0", what, word)
	}
	return x, nil
}
