package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

func (p *program) benchCommand() *cli.Command {
	flags := append(sourceFlags(), &cli.Float64Flag{Name: "seconds", Value: 5, Usage: "train each model for this long"})
	return &cli.Command{
		Description: "Without data, it trains on a synthetic network of the size of PPI. Without --method, it measures\n" +
			"asp2vec and DeepWalk on one processor and on all, in less than a minute.\n\n" +
			example("asp2vec bench", "asp2vec bench --split data/ppi/split --method asp2vec --threads 1 --json"),
		Flags:  append(flags, optionFlags()...),
		Action: p.bench,
	}
}

func (p *program) bench(c *cli.Context) error {
	o, _, err := options(c)
	if err != nil {
		return err
	}
	duration := time.Duration(c.Float64("seconds") * float64(time.Second))
	if !(c.Float64("seconds") > 0 && c.Float64("seconds") <= 3600) { // written so that NaN fails too
		return badf("--seconds %v: expected a number above 0, up to 3600", c.Float64("seconds"))
	}
	name, net, err := p.benchNetwork(c)
	if err != nil {
		return err
	}
	m := o.Method
	single := c.IsSet("method")
	plans := []benchPlan{{o, p.threads}}
	if !single {
		plans = benchPlans(o, p.threads, c.IsSet("threads"))
	}
	for _, plan := range plans {
		if err := p.checkMemory(run.NewBenchPlan(net, plan.Options)); err != nil {
			return err
		}
	}
	type described struct {
		Name     string `json:"name"`
		Vertices int    `json:"vertices"`
		Links    int    `json:"links"`
		SHA256   string `json:"sha256"`
	}
	doc := struct {
		*run.BenchRun                // where there is one run only
		Runs          []run.BenchRun `json:"runs"`
		Network       described      `json:"network"`
		Code          results.Code   `json:"code"`
		Host          results.Host   `json:"host"`
		Kernel        string         `json:"kernel"`
	}{Network: described{name, net.Vertices(), net.Links(), net.Checksum()}, Kernel: kernel.Variant()}
	doc.Code, doc.Host = results.Environment()
	for _, plan := range plans {
		p.log.Info("training", "method", plan.Method.Name, "dim", plan.Dim, "aspects", plan.Aspects, "threads", plan.threads, "seconds", duration.Seconds())
		runtime.GOMAXPROCS(plan.threads)
		r, err := run.Bench(c.Context, net, plan.Options, plan.threads, duration)
		if c.Context.Err() != nil {
			return errors.New("interrupted")
		}
		if err != nil {
			return err
		}
		doc.Runs = append(doc.Runs, r)
	}
	if single {
		doc.BenchRun = &doc.Runs[0]
	}
	return p.emit(doc, func(b *printout) {
		var rows [][]string
		for _, r := range doc.Runs {
			rows = append(rows, []string{r.Method, fmt.Sprint(r.Dim), fmt.Sprint(r.Aspects), fmt.Sprint(r.Threads), count(r.Batch), rate(r.PairsPerSecond).String()})
		}
		b.table(2, []string{"method", "dim", "aspects", "threads", "batch", m.Unit() + "/s"}, rows)
		b.printf("\n%s: %s vertices, %s links; optimizer %s\n%s, %d processors, %s kernels, %s; peak memory %s\n",
			name, count(net.Vertices()), count(net.Links()), o.Optimizer,
			doc.Host.CPU, doc.Host.CPUs, kernel.Variant(), doc.Code.Go, size(doc.Runs[len(doc.Runs)-1].PeakRSSBytes))
	})
}

// benchNetwork returns the network to train on, and its name.
func (p *program) benchNetwork(c *cli.Context) (string, *network.Network, error) {
	if !slices.ContainsFunc([]string{"network", "dataset", "split"}, c.IsSet) {
		n, err := run.BenchNetwork()
		return "synthetic network", n, err
	}
	l, n, err := p.training(c)
	return l.Name, n, err
}

// benchPlan is one thing to measure.
type benchPlan struct {
	graphs.Options
	threads int
}

// benchPlans returns asp2vec and DeepWalk, of as many dimensions for each vertex, with one processor and with all unless their number was given.
func benchPlans(o graphs.Options, threads int, given bool) []benchPlan {
	flat := o.As(graphs.MethodOf(graphs.MethodDeepWalk))
	flat.Dim = o.Dim * o.Aspects
	var plans []benchPlan
	for _, method := range []graphs.Options{o, flat} {
		if !given && threads > 1 {
			plans = append(plans, benchPlan{method, 1})
		}
		plans = append(plans, benchPlan{method, threads})
	}
	return plans
}
