// Command peers measures asp2vec against other programs that train the same models, in one run on one machine.
//
//	go run ./bench/peers --split ppi/split --rounds 5
//
// It draws the walks once, compiles the C kernel, and then lets the contestants run one after the other, round after round,
// in turning order, so that what else the machine does meanwhile falls on all of them. A ratio is taken within a round; its
// median and its smallest and largest value are printed and written to results/benchmarks as JSON and Markdown. A
// contestant that is not installed or fails is reported as missing, with the reason, and the others go on.
//
// README.md in the folder above says how to install the peers, what is measured, and what is fair about it.
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
	"strconv"
	"strings"
	"time"
)

// options of a run. Lists are comma separated on the command line.
type options struct {
	split, out, name, peers string        // folder of the split; folder and base name of what is written; folder of the peers
	asp2vec, ours           string        // binary of asp2vec, or "build"; template of its command
	python, cc, cflags      string        // interpreter, compiler and its flags
	methods                 []string      // "asp2vec", "deepwalk"
	threads                 []int         // >= 1
	dim, aspects, dwDim     int           // numbers per embedding, aspects of asp2vec; numbers of DeepWalk
	rounds                  int           // >= 1
	torchBatches, cBatches  int           // batches timed, of 50,000 pairs
	seconds                 float64       // that asp2vec trains in each run
	timeout                 time.Duration // of one run of one contestant
	seed                    uint64        // of the walks
	noise                   string        // "pair" or "window": granularity of asp2vec's Gumbel noise
	only                    string        // contestants whose name contains it; empty for all
}

// oursTemplate is the command that measures asp2vec itself; it prints one JSON line, see result. The protocol is that of what
// the peers do: dense Adam at one rate, batches of 50,000 pairs. {model} is the arguments of a model in modelTemplates.
const oursTemplate = "{bin} bench --json --protocol validated --method {method} --engine {engine} --split {split} {model} --threads {threads} --seconds {seconds}"

// modelTemplates say how large a model is and how it trains. A method refuses the options of others, so each has its own.
var modelTemplates = map[string]string{
	"asp2vec":  "--dim {dim} --aspects {aspects} --noise {noise}",
	"deepwalk": "--dim {dim}",
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("peers", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.split, "split", "", "folder of the split whose training links are walked (required)")
	f.StringVar(&o.out, "out", "results/benchmarks", "folder for the JSON and Markdown files; empty writes none")
	f.StringVar(&o.name, "name", "peers", "base name of those files")
	f.StringVar(&o.peers, "peers", "bench", "folder of ckernel.c, torch_asp2vec.py and gensim_deepwalk.py")
	f.StringVar(&o.asp2vec, "asp2vec", "build", `binary of asp2vec; "build" compiles ./cmd/asp2vec, empty leaves it out`)
	f.StringVar(&o.ours, "asp2vec-command", oursTemplate, "command line of asp2vec, split at spaces after {model}, before the other braces are filled in")
	f.StringVar(&o.python, "python", "python3", "Python with torch, gensim and numpy; Debian's is /usr/bin/python3")
	f.StringVar(&o.cc, "cc", "gcc", "C compiler")
	f.StringVar(&o.cflags, "cflags", "-O3 -march=native -ffast-math -Wno-psabi", "its flags")
	methods := f.String("methods", "asp2vec,deepwalk", "models to measure")
	threads := f.String("threads", "1,2", "numbers of threads")
	f.IntVar(&o.dim, "dim", 20, "numbers per embedding in asp2vec")
	f.IntVar(&o.aspects, "aspects", 5, "aspects")
	f.StringVar(&o.noise, "noise", "pair", "granularity of asp2vec's Gumbel noise, pair or window, for all contestants alike")
	f.IntVar(&o.dwDim, "deepwalk-dim", 100, "numbers per embedding in DeepWalk")
	f.IntVar(&o.rounds, "rounds", 5, "rounds")
	f.IntVar(&o.torchBatches, "torch-batches", 20, "batches that PyTorch is timed over")
	f.IntVar(&o.cBatches, "c-batches", 200, "batches that the C kernel is timed over")
	f.Float64Var(&o.seconds, "asp2vec-seconds", 5, "how long asp2vec is timed, in each of its runs")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "longest time of one run of one contestant")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the walks")
	f.StringVar(&o.only, "only", "", "measure only contestants whose name contains this")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	var errs []error
	for _, m := range strings.Split(*methods, ",") {
		if modelTemplates[m] == "" {
			errs = append(errs, fmt.Errorf("methods: %q: want asp2vec or deepwalk", m))
		}
		o.methods = append(o.methods, m)
	}
	for _, t := range strings.Split(*threads, ",") {
		n, err := strconv.Atoi(t)
		if err != nil || n < 1 {
			errs = append(errs, fmt.Errorf("threads: %q: want numbers of at least 1", t))
		}
		o.threads = append(o.threads, n)
	}
	slices.Sort(o.threads)
	o.threads = slices.Compact(o.threads)
	if o.noise != "pair" && o.noise != "window" {
		errs = append(errs, fmt.Errorf("noise: %q: want pair or window", o.noise))
	}
	if o.split == "" {
		errs = append(errs, errors.New("split: want the folder of a split"))
	}
	if f.NArg() > 0 {
		errs = append(errs, fmt.Errorf("%q: want flags only", f.Args()))
	}
	if min(o.rounds, o.dim, o.aspects, o.dwDim, o.torchBatches, o.cBatches) < 1 || o.timeout <= 0 || !(o.seconds > 0) {
		errs = append(errs, errors.New("rounds, dim, aspects, batches, seconds and timeout: want at least 1"))
	}
	return o, errors.Join(errs...)
}

func main() {
	o, err := parseOptions(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err = run(ctx, o, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(1)
	}
}

// run prepares, measures and reports. It fails only if no contestant could be measured or nothing could be written.
func run(ctx context.Context, o options, stdout, stderr io.Writer) error {
	tmp, err := os.MkdirTemp("", "asp2vec-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	walks := filepath.Join(tmp, "walks.txt")
	net, err := writeWalks(o, walks)
	if err != nil {
		return err
	}
	rec := newRecord(o, net)
	contestants := prepare(ctx, o, tmp, walks)
	measure(ctx, o, contestants, stderr)
	rec.finish(contestants, claims(o))
	if err := ctx.Err(); err != nil {
		return err
	}
	rec.markdown(stdout)
	if !slices.ContainsFunc(contestants, func(c *contestant) bool { return len(c.Runs) > 0 && c.Missing == "" }) {
		return errors.New("no contestant could be measured")
	}
	if o.out == "" {
		return nil
	}
	return rec.write(o.out, o.name)
}
