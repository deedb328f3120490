// Command scale measures what training costs by the size of the network, for each optimizer.
//
//	go run ./bench/scale --out results/benchmarks
//
// It trains asp2vec (20 dimensions, 5 aspects, regularizer on) for a bounded time on generated networks of equal mean degree,
// on one thread and on all, each point in a process of its own so that its peak memory is its own. Points are measured round
// after round, so that what else the machine does meanwhile falls on all of them, and the least disturbed round is reported.
// It writes scale.json, a table in scale.md and a plot in scale.svg and scale.png; --redraw makes the last three from the
// first without measuring.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
)

type options struct {
	out                string // folder of what is written
	vertices           []int
	optimizers         []string
	threads            []int
	seconds            float64 // of each point in each round
	rounds             int
	redraw             bool
	point              string // measure this one point, in JSON, and print it: how the command runs itself
	vertexList, kinds  string
	threadList, called string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("scale", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.out, "out", "results/benchmarks", "folder for scale.json, scale.md, scale.svg and scale.png")
	f.StringVar(&o.vertexList, "vertices", "5000,15000,50000,150000,500000", "sizes of the networks")
	f.StringVar(&o.kinds, "optimizers", strings.Join([]string{graphs.OptimizerAdam, graphs.OptimizerLazyAdam, graphs.OptimizerSGD}, ","), "optimizers")
	f.StringVar(&o.threadList, "threads", "", `numbers of threads; empty for 1 and all that there are`)
	f.Float64Var(&o.seconds, "seconds", 15, "training time of each point in each round, after a fifth of it to warm up")
	f.IntVar(&o.rounds, "rounds", 1, "rounds over all points")
	f.BoolVar(&o.redraw, "redraw", false, "measure nothing: draw from scale.json")
	f.StringVar(&o.point, "point", "", "measure one point, given in JSON, and print it")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("scale: argument %q: want flags only", f.Arg(0))
	}
	if !(o.seconds > 0) || o.rounds < 1 {
		return o, fmt.Errorf("scale: %v seconds, %d rounds: want above 0 and at least 1", o.seconds, o.rounds)
	}
	if o.threadList == "" {
		o.threadList = "1," + strconv.Itoa(runtime.NumCPU())
	}
	o.optimizers = strings.Split(o.kinds, ",")
	if o.vertices, err = numbers("vertices", o.vertexList); err != nil {
		return o, err
	}
	o.threads, err = numbers("threads", o.threadList)
	o.called = fmt.Sprintf("go run ./bench/scale --vertices %s --optimizers %s --threads %s --seconds %v --rounds %d", o.vertexList, o.kinds, o.threadList, o.seconds, o.rounds)
	return o, err
}

// numbers reads a comma separated list of positive numbers and sorts it; a number given twice is kept once.
func numbers(flag, list string) ([]int, error) {
	var all []int
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("scale: --%s %q: want positive numbers between commas", flag, list)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args, os.Stderr)
	if err != nil {
		return err
	}
	if o.point != "" {
		return measureAndPrint(ctx, o.point, o.seconds)
	}
	path := filepath.Join(o.out, "scale.json")
	if o.redraw {
		r, err := readRecord(path)
		if err != nil {
			return err
		}
		return r.draw(o.out)
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	r, err := measureAll(ctx, o)
	if err != nil {
		return err
	}
	if err := r.write(path); err != nil {
		return err
	}
	return r.draw(o.out)
}

// measureAll measures every point in every round, each in a child process.
func measureAll(ctx context.Context, o options) (*record, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := newRecord(o.called)
	todo := o.points()
	r.Points = make([]point, len(todo))
	for round := range o.rounds {
		for i, p := range todo {
			arg, err := json.Marshal(p)
			if err != nil {
				return nil, err
			}
			cmd := exec.CommandContext(ctx, self, "--point", string(arg), "--seconds", fmt.Sprint(o.seconds))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				return nil, fmt.Errorf("scale: %s: %w", arg, err)
			}
			var got point
			if err := json.Unmarshal(out, &got); err != nil {
				return nil, fmt.Errorf("scale: %s: %w", arg, err)
			}
			fmt.Fprintf(os.Stderr, "round %d: %s\n", round+1, got)
			r.Points[i].merge(got)
		}
	}
	r.finish()
	return r, nil
}
