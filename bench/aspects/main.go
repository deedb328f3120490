// Command aspects measures whether the aspects of vertices stand for anything, where that is known: on generated networks with overlapping
// communities, and on real ones with pairs of vertices merged into one.
//
//	go run ./bench/aspects --data DATA --out results/benchmarks
//
// It trains each method with its defaults on the whole network, with several seeds that also draw the network or the pairs, and writes aspects.json
// and aspects.md; --redraw makes the second from the first without measuring.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

const (
	share       = 0.3 // of the vertices with leastDegree links or more that are merged in pairs
	leastDegree = 5
	groups      = 5 // of k-means for a method with one vector
)

// planted are the generated networks.
var planted = []struct {
	name    string
	options network.PlantedOptions
}{
	{"planted, 500 vertices", network.PlantedOptions{Vertices: 500, Communities: 25, Memberships: 2, MeanDegree: 16, Mixing: 0.1}},
	{"planted, hubs", demo.DefaultDemo(0).Network},
	{"planted, 3,000 vertices", network.PlantedOptions{Vertices: 3000, Communities: 60, Memberships: 3, MeanDegree: 20, Mixing: 0.1}},
}

// contestants are the methods, each with its defaults but for what change sets.
var contestants = []struct {
	name, options string
	method        string
	change        func(*graphs.Options)
}{
	{"asp2vec", "", graphs.MethodAsp2vec, func(*graphs.Options) {}},
	{"asp2vec", "--aspect-start neighbors", graphs.MethodAsp2vec, func(o *graphs.Options) { o.AspectStart = graphs.StartNeighbors }},
	{"asp2vec", "--warm-up=false --window 2 --tau 0.2 --lambda 1", graphs.MethodAsp2vec, func(o *graphs.Options) {
		o.WarmUp, o.Window, o.Tau, o.Lambda = false, 2, 0.2, 1
	}},
	{"Splitter", "", graphs.MethodSplitter, func(*graphs.Options) {}},
	{"PolyDW", "", graphs.MethodPolyDW, func(*graphs.Options) {}},
	{"DeepWalk", "", graphs.MethodDeepWalk, func(*graphs.Options) {}},
}

// measured is one run.
type measured struct {
	Network string             `json:"network"`
	Method  string             `json:"method"`
	Options string             `json:"options,omitempty"`
	Seed    uint64             `json:"seed"`
	Match   aspects.LabelMatch `json:"match"`
	Seconds float64            `json:"train_seconds"`
}

// contestant names the method with its options.
func (m measured) contestant() string {
	if m.Options == "" {
		return m.Method
	}
	return m.Method + " `" + m.Options + "`"
}

// document is aspects.json.
type document struct {
	Command string       `json:"command"`
	Date    time.Time    `json:"date"`
	Code    results.Code `json:"code"`
	Host    results.Host `json:"host"`
	Runs    []measured   `json:"runs"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("aspects", flag.ContinueOnError)
	data := f.String("data", os.Getenv("ASP2VEC_DATA"), "folder of the real networks")
	out := f.String("out", "results/benchmarks", "folder for aspects.json and aspects.md")
	real := f.String("networks", "cora,ppi,ca-hepth", "real networks, separated by commas; empty for none")
	seeds := f.Uint64("seeds", 3, "seeds 1 to this")
	threads := f.Int("threads", 1, "threads of training")
	redraw := f.Bool("redraw", false, "measure nothing: write aspects.md from aspects.json")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("aspects: argument %q: want flags only", f.Arg(0))
	}
	file := filepath.Join(*out, "aspects.json")
	var doc document
	if *redraw {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	} else {
		doc.Command = fmt.Sprintf("go run ./bench/aspects --networks %s --seeds %d --threads %d", *real, *seeds, *threads)
		doc.Date = time.Now().UTC().Round(time.Minute)
		doc.Code, doc.Host = machine.Environment()
		doc.Host.Threads = *threads
		if err := doc.measure(ctx, *data, strings.Split(*real, ","), *seeds, *threads); err != nil {
			return err
		}
		text, err := json.MarshalIndent(doc, "", "\t")
		if err != nil {
			return err
		}
		if err := write(file, append(text, '\n')); err != nil {
			return err
		}
	}
	return write(filepath.Join(*out, "aspects.md"), []byte(doc.page()))
}

// write writes a file whole or not at all.
func write(path string, text []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func (doc *document) measure(ctx context.Context, data string, real []string, seeds uint64, threads int) error {
	for seed := uint64(1); seed <= seeds; seed++ {
		for _, p := range planted {
			o := p.options
			o.Seed = seed
			made, err := o.Generate()
			if err != nil {
				return err
			}
			if err := doc.add(ctx, p.name, made.Network, communityLinks(made), seed, threads); err != nil {
				return err
			}
		}
		for _, name := range real {
			if name == "" {
				continue
			}
			net, _, err := network.Read(filepath.Join(data, name, "edges.tsv.gz"), network.ReadOptions{})
			if err != nil {
				return err
			}
			m, err := merge(net, share, leastDegree, seed)
			if err != nil {
				return err
			}
			if err := doc.add(ctx, name+", merged", m.net, m.links, seed, threads); err != nil {
				return err
			}
		}
	}
	return nil
}

// communityLinks are the links of each vertex that a community made, with that as their label.
func communityLinks(p *network.PlantedNetwork) []aspects.VertexLinks {
	at := make([]aspects.VertexLinks, p.Network.Vertices())
	for v := range at {
		at[v].Vertex = int32(v)
	}
	for i, l := range p.Network.List() {
		if c := p.Origins[i]; c >= 0 {
			at[l.From].Near, at[l.From].Label = append(at[l.From].Near, l.To), append(at[l.From].Label, c)
			at[l.To].Near, at[l.To].Label = append(at[l.To].Near, l.From), append(at[l.To].Label, c)
		}
	}
	return at
}

// add trains all methods on a network and compares their aspects with the labels of its links.
func (doc *document) add(ctx context.Context, name string, net *network.Network, links []aspects.VertexLinks, seed uint64, threads int) error {
	for _, c := range contestants {
		o := graphs.OptionsOf(graphs.MethodOf(c.method), graphs.Standard)
		o.Seed = seed
		c.change(&o)
		split, err := network.Whole(ctx, net, seed)
		if err != nil {
			return err
		}
		out, err := run.Run(ctx, run.Data{Name: name, Split: split}, o.Complete(), run.StandardProtocol, threads, run.Watch{})
		if err != nil {
			return fmt.Errorf("%s, %s: %w", name, c.name, err)
		}
		if out.Result.Interrupted {
			return errors.Join(ctx.Err(), errors.New("aspects: stopped"))
		}
		m, err := aspects.MatchLinks(ctx, aspects.VectorsOf(*out.Result.Embedding, o.Method), links, groups, seed, threads)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", name, c.name, err)
		}
		doc.Runs = append(doc.Runs, measured{name, c.name, c.options, seed, m, out.Record.TrainSeconds})
		fmt.Fprintf(os.Stderr, "%s\t%s %s\tseed %d\t%s\t%.0f s\n", name, c.name, c.options, seed, beyond(m), out.Record.TrainSeconds)
	}
	return nil
}

func beyond(m aspects.LabelMatch) string {
	if m.Aspects == nil {
		return fmt.Sprintf("k-means %.3f", m.Groups.Adjusted())
	}
	return fmt.Sprintf("aspects %.3f, k-means %.3f", m.Aspects.Adjusted(), m.Groups.Adjusted())
}
