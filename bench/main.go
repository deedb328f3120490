// Command bench has other programs and this one train the same models in turns, and says how many pairs each trains per second and
// which AUC it reaches after how much processor time.
//
//	go run ./bench --splits ppi/split,ca-hepth/split --rounds 3 --python /usr/bin/python3
//
// It draws the walks of a split once. Then the programs train one after the other, round after round, every other round in reverse, so
// that what else the machine does falls on all of them. One evaluation judges all of them. It writes NAME.json and a page
// NAME.md; a program that is not installed or fails is reported as missing, and the others go on.
//
// README.md in this folder says how to install the other programs, what is counted, and what is fair about it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options of a run.
type options struct {
	splits                     []string // folders, one for each network
	methods, protocols, scores []string // of this program
	asp2vec, python, peers     string   // program, or "build"; interpreter; folder of the Python programs
	out, name                  string   // folder of what is written, and base name of the files; an empty folder prints the page only
	only                       string   // part of the names of contestants that take part
	rates                      []string // gensim's learning rates
	epochs                     []string // gensim's
	dim, aspects, deepWalkDim  int
	threads, rounds            int
	seed                       uint64
	limit                      time.Duration // of processor time, for PyTorch
	timeout                    time.Duration // of one run, by the clock
}

func parseOptions(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	lists := map[*[]string]*string{
		&o.splits:    f.String("splits", "", "folders of splits between commas, one for each network (required)"),
		&o.methods:   f.String("methods", "asp2vec,deepwalk,prone,ppr", "models to train"),
		&o.scores:    f.String("scores", "walk,neighbourhood", "scores of the network that need no training"),
		&o.protocols: f.String("protocols", "standard,validated,paper", "protocols of this program"),
		&o.epochs:    f.String("gensim-epochs", "1,5", "gensim's epochs"),
		&o.rates:     f.String("gensim-rates", ".002,.005,.025", "gensim's learning rates"),
	}
	f.StringVar(&o.asp2vec, "asp2vec", "build", `this program; "build" compiles ./cmd/asp2vec`)
	f.StringVar(&o.python, "python", "python3", "Python with torch, gensim and numpy; Debian's is /usr/bin/python3")
	f.StringVar(&o.peers, "peers", "bench", "folder of torch_asp2vec.py and gensim_deepwalk.py")
	f.StringVar(&o.out, "out", "results/benchmarks", "folder of what is written; empty prints the page only")
	f.StringVar(&o.name, "name", "peers", "base name of the files")
	f.StringVar(&o.only, "only", "", "measure only programs whose name contains this")
	f.IntVar(&o.dim, "dim", 20, "dimensions of asp2vec")
	f.IntVar(&o.aspects, "aspects", 5, "aspects of asp2vec")
	f.IntVar(&o.deepWalkDim, "deepwalk-dim", 100, "dimensions of DeepWalk")
	f.IntVar(&o.threads, "threads", 1, "threads of each program")
	f.IntVar(&o.rounds, "rounds", 3, "rounds")
	f.Uint64Var(&o.seed, "seed", 1, "seed of walks and trainings")
	f.DurationVar(&o.limit, "torch-limit", time.Minute, "processor time after which PyTorch ends, which chooses no epoch")
	f.DurationVar(&o.timeout, "timeout", 30*time.Minute, "longest time of one run")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for list, text := range lists {
		*list = strings.FieldsFunc(*text, func(r rune) bool { return r == ',' })
	}
	for _, m := range o.methods {
		if m != methodAsp2vec && m != methodDeepWalk && !slices.Contains(atOnce, m) {
			err = errors.Join(err, fmt.Errorf("methods: %q: expected asp2vec, deepwalk, prone or ppr", m))
		}
	}
	if len(o.splits) == 0 || f.NArg() > 0 {
		err = errors.Join(err, errors.New("expected --splits with folders of splits, and flags only"))
	}
	if min(o.dim, o.aspects, o.deepWalkDim, o.threads, o.rounds) < 1 {
		err = errors.Join(err, errors.New("dim, aspects, deepwalk-dim, threads, rounds: expected at least 1"))
	}
	return o, err
}

func main() {
	o, err := parseOptions(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// run measures every split and writes what was measured. It fails if no program could be measured.
func run(ctx context.Context, o options, stdout, log io.Writer) error {
	tmp, err := os.MkdirTemp("", "asp2vec-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.asp2vec == "build" {
		o.asp2vec = filepath.Join(tmp, "asp2vec")
		if _, _, err := output(ctx, "go", "build", "-o", o.asp2vec, "./cmd/asp2vec"); err != nil {
			return err
		}
	}
	r := newRecord(o)
	for _, split := range o.splits {
		n := &measured{Name: datasetName(split), split: split, tmp: tmp, walks: filepath.Join(tmp, "walks.txt")}
		if err := writeWalks(n.walks, split, o.seed); err != nil {
			return err
		}
		n.Contestants = n.contestants(o)
		n.measure(ctx, o, log)
		r.Networks = append(r.Networks, n)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.page(stdout)
	if !slices.ContainsFunc(r.Networks, func(n *measured) bool {
		return slices.ContainsFunc(n.Contestants, func(c *contestant) bool { return len(c.Runs) > 0 })
	}) {
		return errors.New("no program could be measured")
	}
	if o.out == "" {
		return nil
	}
	return r.write(o.out, o.name)
}

// datasetName is the name of a split's folder, or that of the folder above for one called "split".
func datasetName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if filepath.Base(dir) == "split" {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}
