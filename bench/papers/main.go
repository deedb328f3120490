// Command papers measures the methods on papers and authors against the same ones in PyTorch, in one run on one machine.
//
//	go run ./bench/papers --bibliography dblp --python /usr/bin/python3
//
// A task is a model, texts and the numbers of a vector, as camel/titles/40. Models are camel and asp2vec-het, which take whole
// steps of training, and encoder, which encodes 500 papers forward and backward. Titles are the bibliography's; abstracts, of
// 60 to 140 words, are generated from its vocabulary. Both sides take turns on the same texts, round after round, so that what
// else the machine does meanwhile falls on both; a ratio is taken within a round. Without --python only this project is measured.
//
// It prints a page and writes it to --out, with the record. With --check nothing is timed: both sides take the same steps
// from the same parameters, without noise, and their losses are compared.
//
// README.md in the folder above says what is measured, and what is fair about it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/hetnet"
)

// options of a run.
type options struct {
	bibliography, python, peer, out string

	tasks           []task
	list            string // of the tasks, as given
	threads, rounds int
	limit, most     time.Duration
	check           bool
}

// task is one thing to measure.
type task struct {
	Model string `json:"model"` // encoder, or the name of a method
	Texts string `json:"texts"` // titles or abstracts
	Dim   int    `json:"dim"`
}

func (t task) String() string { return fmt.Sprintf("%s/%s/%d", t.Model, t.Texts, t.Dim) }

const modelEncoder = "encoder"

const defaultTasks = "camel/titles/40,camel/abstracts/40,camel/titles/200,camel/abstracts/200,asp2vec-het/titles/40,asp2vec-het/abstracts/40," +
	"encoder/titles/40,encoder/abstracts/40,encoder/titles/200,encoder/abstracts/200"

func parseOptions(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("papers", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.bibliography, "bibliography", "", "folder of a bibliography; empty for a generated one of DBLP's size")
	f.StringVar(&o.python, "python", "", "interpreter with PyTorch; empty to leave it out")
	f.StringVar(&o.peer, "peer", "bench/papers/peer.py", "PyTorch's program")
	f.StringVar(&o.out, "out", "", "folder for papers.json and papers.md; empty for none")
	f.StringVar(&o.list, "tasks", defaultTasks, "tasks: model/texts/numbers of a vector, ...")
	f.IntVar(&o.threads, "threads", 2, "threads of each side")
	f.IntVar(&o.rounds, "rounds", 3, "rounds")
	f.DurationVar(&o.limit, "limit", 10*time.Second, "time of a side in a round of a task: an epoch, or the steps begun by then")
	f.DurationVar(&o.most, "most", 90*time.Second, "time after which a task begins no further round; each has at least one")
	f.BoolVar(&o.check, "check", false, "compare losses instead of times")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	var errs []error
	for name := range strings.SplitSeq(o.list, ",") {
		t, err := parseTask(strings.TrimSpace(name))
		errs = append(errs, err)
		o.tasks = append(o.tasks, t)
	}
	if o.threads < 1 || o.rounds < 1 || min(o.limit, o.most) <= 0 {
		errs = append(errs, fmt.Errorf("papers: %d threads, %d rounds, times of %v and %v: want at least 1, and times above 0",
			o.threads, o.rounds, o.limit, o.most))
	}
	if o.check && o.python == "" {
		errs = append(errs, errors.New("papers: check without python: want an interpreter with PyTorch"))
	}
	if f.NArg() > 0 {
		errs = append(errs, fmt.Errorf("papers: %q: want flags only", f.Args()))
	}
	return o, errors.Join(errs...)
}

func parseTask(name string) (t task, err error) {
	if parts := strings.Split(name, "/"); len(parts) == 3 {
		t.Model, t.Texts = parts[0], parts[1]
		t.Dim, err = strconv.Atoi(parts[2])
	}
	model := t.Model == modelEncoder || t.Model == hetnet.MethodCamel || t.Model == hetnet.MethodAsp2vecHet
	if !model || t.Texts != "titles" && t.Texts != "abstracts" || err != nil || t.Dim < 1 {
		return t, fmt.Errorf("papers: task %q: want %s, %s or %s, then titles or abstracts, then a number, as in camel/titles/40",
			name, modelEncoder, hetnet.MethodCamel, hetnet.MethodAsp2vecHet)
	}
	return t, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.threads))
	b, err := readBibliography(o.bibliography)
	if err != nil {
		return err
	}
	if o.check {
		return checkAll(ctx, o, b, stdout)
	}
	r := newRecord(o, b)
	for _, t := range o.tasks {
		res, err := measure(ctx, o, b, t, stderr)
		if err != nil {
			return fmt.Errorf("papers: %v: %w", t, err)
		}
		r.add(res)
		if o.out == "" {
			continue
		}
		if err := r.write(o.out); err != nil { // after each task: a run takes minutes
			return err
		}
	}
	_, err = io.WriteString(stdout, r.markdown())
	return err
}

// measure lets both sides take turns at a task.
func measure(ctx context.Context, o options, b *hetnet.Bibliography, t task, log io.Writer) (res *result, err error) {
	own, p, err := sides(ctx, o, b, t)
	if err != nil {
		return nil, err
	}
	res = &result{task: t, StepsPerEpoch: own.steps, Tokens: own.tokens}
	all := []side{own}
	if p != nil {
		defer func() { err = errors.Join(err, p.close()) }()
		all, res.Versions = append(all, p), p.versions
	}
	start := time.Now()
	for round := -1; round < o.rounds; round++ {
		if round > 0 && time.Since(start) > o.most {
			break
		}
		for i, s := range all {
			most := own.steps
			if round < 0 {
				most = 1 // to warm up
			}
			took, err := s.run(ctx, most, o.limit)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				fmt.Fprintf(log, "%v, round %d, %s: %d steps in %.2f s, %.2f s of processor time\n", t, round+1, s.name(), took.Steps, took.Wall, took.CPU)
				took.Losses = nil
				res.Times[i] = append(res.Times[i], took)
			}
		}
	}
	return res, nil
}

// checkSteps is after how many steps losses still have to agree: the second and third say that gradients do too.
const checkSteps = 3

// checkAll compares the losses of both sides.
func checkAll(ctx context.Context, o options, b *hetnet.Bibliography, w io.Writer) error {
	for _, t := range o.tasks {
		if t.Model == modelEncoder {
			continue
		}
		own, p, err := sides(ctx, o, b, t)
		if err != nil {
			return err
		}
		most := min(checkSteps, own.steps)
		a, err := own.run(ctx, most, time.Hour)
		if err != nil {
			return errors.Join(err, p.close())
		}
		c, err := p.run(ctx, most, time.Hour)
		if err := errors.Join(err, p.close()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%v: losses here %.6f, in PyTorch %.6f\n", t, a.Losses, c.Losses)
		if err := agree(a.Losses, c.Losses); err != nil {
			return fmt.Errorf("papers: %v: %w", t, err)
		}
	}
	return nil
}

// agree returns an error unless losses are the same to one in ten thousand.
func agree(a, b []float64) error {
	if len(a) != len(b) || len(a) == 0 {
		return fmt.Errorf("%d and %d losses: want as many", len(a), len(b))
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) < 1e-4*max(1, math.Abs(b[i]))) {
			return fmt.Errorf("loss %d is %v and %v: want the same", i+1, a[i], b[i])
		}
	}
	return nil
}
