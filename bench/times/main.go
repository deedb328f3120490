// Command times measures what AUC programs reach after how much processor time: this one by each of its protocols, gensim by
// number of epochs and rate, PyTorch batch by batch.
//
//	go run ./bench/times --splits ppi/split,ca-hepth/split --rounds 2
//
// The contestants train one after the other on one split, round after round, in turning order, and one evaluation judges all
// of them. A contestant that would take more processor time than --limit is cut off and keeps what it had reached. Processor
// time is that of the whole process, start and reading included, without writing embeddings and without the AUC of test
// links that the program itself does not use. It writes NAME.json, a page NAME.md, and a picture in NAME.svg and NAME.png;
// --redraw makes the last three from the first without measuring.
//
// README.md in the folder above says how to install the peers, and what is fair about the comparison.
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

	"github.com/asp2vec/asp2vec/graphs"
)

// options of a run. Lists are comma separated on the command line.
type options struct {
	splits              []string // folders, one for each network
	out, name, peers    string   // folder and base name of what is written; folder of the peers
	asp2vec, ours, more string   // binary of asp2vec, or "build"; template of its command, and arguments of further runs
	python              string
	methods, protocols  []string
	torchMethods        []string
	epochs              []int     // gensim's
	rates               []float64 // gensim's
	dim, aspects, dwDim int
	threads, rounds     int
	warmUp              int           // PyTorch's epochs of warm-up
	limit, torchLimit   time.Duration // of processor time of a run
	timeout             time.Duration // of a run, by the clock
	seed                uint64
	only                string
	keep, resume        bool
	redraw              bool
	called              string
}

// oursTemplate trains a model with asp2vec and leaves its folder. {model} is filled in by modelArguments, since a method refuses
// the options of others.
const oursTemplate = "{bin} train --split {split} --method {method} --protocol {protocol} {model} --seed {seed} --threads {threads} --out {out} --results= --checkpoint-every off --no-progress"

// modelArguments says how large a model of a method is.
func (o options) modelArguments(method string) string {
	if method == graphs.MethodDeepWalk {
		return fmt.Sprintf("--dim %d", o.dwDim)
	}
	return fmt.Sprintf("--dim %d --aspects %d", o.dim, o.aspects)
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("times", flag.ContinueOnError)
	f.SetOutput(stderr)
	splits := f.String("splits", "", "folders of splits, one for each network (required, but for --redraw)")
	f.StringVar(&o.out, "out", "results/benchmarks", "folder of what is written")
	f.StringVar(&o.name, "name", "time", "base name of the files")
	f.StringVar(&o.peers, "peers", "bench", "folder of torch_asp2vec.py and gensim_deepwalk.py")
	f.StringVar(&o.asp2vec, "asp2vec", "build", `binary of asp2vec; "build" compiles ./cmd/asp2vec, empty leaves it out`)
	f.StringVar(&o.ours, "asp2vec-command", oursTemplate, "command line of asp2vec, split at spaces after {model}, before the other braces are filled in")
	f.StringVar(&o.more, "standard-also", "", `arguments of further runs under "standard", runs between commas: "--epochs 1,--epochs 4"`)
	f.StringVar(&o.python, "python", "python3", "Python with torch, gensim and numpy; Debian's is /usr/bin/python3")
	methods := f.String("methods", graphs.MethodAsp2vec+","+graphs.MethodDeepWalk, "models to measure")
	protocols := f.String("protocols", "standard,validated,paper", "protocols of asp2vec")
	epochs := f.String("gensim-epochs", "1,2,5", "gensim's numbers of epochs")
	rates := f.String("gensim-rates", ".005,.01,.025", "gensim's learning rates at first; the last is .0001")
	torchMethods := f.String("torch-methods", graphs.MethodAsp2vec+","+graphs.MethodDeepWalk, "those of --methods that PyTorch trains")
	f.IntVar(&o.dim, "dim", 20, "numbers per embedding in asp2vec")
	f.IntVar(&o.aspects, "aspects", 5, "aspects")
	f.IntVar(&o.dwDim, "deepwalk-dim", 100, "numbers per embedding in DeepWalk")
	f.IntVar(&o.threads, "threads", 1, "threads of each contestant")
	f.IntVar(&o.rounds, "rounds", 2, "rounds")
	f.IntVar(&o.warmUp, "torch-warm-up", 1, "epochs of DeepWalk before PyTorch's asp2vec")
	f.DurationVar(&o.limit, "limit", 10*time.Minute, "longest processor time of a run")
	f.DurationVar(&o.torchLimit, "torch-limit", 0, "the same for PyTorch, which stops for nothing else; 0 for --limit")
	f.DurationVar(&o.timeout, "timeout", time.Hour, "longest time of a run by the clock")
	f.Uint64Var(&o.seed, "seed", 1, "seed of walks and training")
	f.StringVar(&o.only, "only", "", "measure only contestants whose name contains this")
	f.BoolVar(&o.keep, "keep", false, "keep what the JSON file holds of other networks")
	f.BoolVar(&o.resume, "resume", false, "the same, and keep the runs that it holds of a network and command, without measuring them again")
	f.BoolVar(&o.redraw, "redraw", false, "measure nothing: write page and picture from the JSON file")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	var errs []error
	o.splits, o.methods, o.protocols = list(*splits), list(*methods), list(*protocols)
	o.torchMethods, o.keep = list(*torchMethods), o.keep || o.resume
	for _, m := range slices.Concat(o.methods, o.torchMethods) {
		if m != graphs.MethodAsp2vec && m != graphs.MethodDeepWalk {
			errs = append(errs, fmt.Errorf("methods: %q: want asp2vec or deepwalk", m))
		}
	}
	for _, s := range list(*epochs) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			errs = append(errs, fmt.Errorf("gensim-epochs: %q: want numbers of at least 1", s))
		}
		o.epochs = append(o.epochs, n)
	}
	for _, s := range list(*rates) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x > 0) {
			errs = append(errs, fmt.Errorf("gensim-rates: %q: want numbers above 0", s))
		}
		o.rates = append(o.rates, x)
	}
	if o.torchLimit == 0 {
		o.torchLimit = o.limit
	}
	switch {
	case len(o.splits) == 0 && !o.redraw:
		errs = append(errs, errors.New("splits: want the folder of a split"))
	case f.NArg() > 0:
		errs = append(errs, fmt.Errorf("%q: want flags only", f.Args()))
	case min(o.rounds, o.dim, o.aspects, o.dwDim, o.threads) < 1 || o.warmUp < 0 || min(o.limit, o.torchLimit, o.timeout) <= 0:
		errs = append(errs, errors.New("rounds, dim, aspects, threads, limits and timeout: want at least 1"))
	}
	o.called = "go run ./bench/times --splits SPLIT"
	f.Visit(func(f *flag.Flag) {
		if !slices.Contains([]string{"splits", "out", "name", "peers", "asp2vec", "python", "keep", "resume"}, f.Name) {
			o.called += fmt.Sprintf(" --%s %s", f.Name, quoted(f.Value.String()))
		}
	})
	return o, errors.Join(errs...)
}

// list parts a list at its commas.
func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// quoted is a word of a command line.
func quoted(s string) string {
	if s == "" || strings.ContainsAny(s, " ;&|<>$*{}\"") {
		return "'" + s + "'"
	}
	return s
}

func main() {
	o, err := parseOptions(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "times: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err = measureAll(ctx, o, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "times: %v\n", err)
		os.Exit(1)
	}
}

// measureAll measures network by network, and writes what there is after each run of a contestant: a long measurement that is stopped
// leaves its first part.
func measureAll(ctx context.Context, o options, stdout, stderr io.Writer) error {
	path := filepath.Join(o.out, o.name+".json")
	var rec record
	if o.keep || o.redraw {
		if err := rec.read(path); err != nil && !(o.keep && errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if o.redraw {
		return rec.draw(o.out, o.name)
	}
	tmp, err := os.MkdirTemp("", "asp2vec-times-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	bin, noBin := o.binary(ctx, tmp)
	for i, dir := range o.splits {
		n, err := newNet(o, dir, filepath.Join(tmp, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		n.Contestants = n.contestants(o, bin, noBin)
		if o.resume {
			n.resume(rec.find(n.Name))
		}
		rec.replace(&n.networkRecord)
		n.measure(ctx, o, stderr, func() error { return rec.write(path) })
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := rec.draw(o.out, o.name); err != nil {
		return err
	}
	rec.markdown(stdout, o.name)
	if !rec.measured() {
		return errors.New("no contestant could be measured")
	}
	return nil
}
