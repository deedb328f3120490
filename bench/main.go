// Command bench has other programs and this one train the same models in turns, and says how many pairs each trains per second and
// which AUC it reaches after how much processor time.
//
//	go run ./bench --splits ppi/split,ca-hepth/split --rounds 3 --python /usr/bin/python3
//
// It draws the walks of a split once. Then the programs train one after the other on one thread, round after round, every other round in reverse, so
// that what else the machine does falls on all of them. One evaluation judges all of them. It prints a page; a program that is not installed or
// fails is reported as missing, and the others go on.
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
	"strings"
	"time"
)

// options of a run.
type options struct {
	splits                 []string // folders, one for each network
	asp2vec, python, peers string   // program, or "build"; interpreter; folder of the Python programs
	rounds                 int
	seed                   uint64
	limit                  time.Duration // of processor time, for PyTorch, which chooses no epoch
}

func parseOptions(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	splits := f.String("splits", "", "folders of splits between commas, one for each network (required)")
	f.StringVar(&o.asp2vec, "asp2vec", "build", `this program; "build" compiles ./cmd/asp2vec`)
	f.StringVar(&o.python, "python", "python3", "Python with torch, gensim and numpy; Debian's is /usr/bin/python3")
	f.StringVar(&o.peers, "peers", "bench", "folder of torch_asp2vec.py and gensim_deepwalk.py")
	f.IntVar(&o.rounds, "rounds", 3, "rounds")
	f.Uint64Var(&o.seed, "seed", 1, "seed of walks and trainings")
	f.DurationVar(&o.limit, "torch-limit", time.Minute, "processor time after which PyTorch ends")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.splits = strings.FieldsFunc(*splits, func(r rune) bool { return r == ',' }); len(o.splits) == 0 || f.NArg() > 0 || o.rounds < 1 {
		err = errors.New("expected --splits with folders of splits, flags only, and a round or more")
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

// run measures every split and prints what was measured.
func run(ctx context.Context, o options, stdout, log io.Writer) error {
	tmp, err := os.MkdirTemp("", "asp2vec-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.asp2vec == "build" {
		o.asp2vec = filepath.Join(tmp, "asp2vec")
		if _, _, err := output(ctx, "go", "build", "-buildvcs=true", "-o", o.asp2vec, "./cmd/asp2vec"); err != nil {
			return err
		}
	}
	p := newPage(stdout, o)
	for _, split := range o.splits {
		n := &measured{name: datasetName(split), split: split, tmp: tmp}
		if err := writeWalks(filepath.Join(tmp, "walks.txt"), split, o.seed); err != nil {
			return err
		}
		n.contestants = contestants(n, o)
		n.measure(ctx, o, log)
		if err := ctx.Err(); err != nil {
			return err
		}
		p.network(n)
	}
	p.end(ctx)
	return nil
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
