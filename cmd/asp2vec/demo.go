package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
)

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "compare asp2vec with DeepWalk on a synthetic network with known communities",
		Description: example("asp2vec demo", "asp2vec demo --seed 2      # another network and other walks",
			"asp2vec demo --het         # papers and authors: who wrote a paper?"),
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the network and of all other random numbers"},
			&cli.BoolFlag{Name: "het", Usage: "compare asp2vec-het with Camel on synthetic papers and authors with known topics"},
		},
		Action: p.demo,
	}
}

func (p *program) demo(c *cli.Context) error {
	p.epochs = slog.LevelDebug // thirty lines that nobody wants to read here
	begin := func(o graphs.Options) run.Watch {
		p.log.Info("training " + o.Method.Name)
		return p.watch(o, scoreOf(o, false))
	}
	var doc any
	var report func(*printout)
	var err error
	if c.Bool("het") {
		var r *demo.HetDemoResult
		r, err = demo.HetDemo(c.Context, demo.DefaultHetDemo(c.Uint64("seed")), p.threads, begin)
		doc, report = r, func(b *printout) { hetDemoReport(b, r) }
	} else {
		var r *demo.DemoResult
		r, err = demo.Demo(c.Context, demo.DefaultDemo(c.Uint64("seed")), p.threads, begin)
		doc, report = r, func(b *printout) { demoReport(b, r) }
	}
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	return p.emit(doc, report)
}

func demoReport(b *printout, r *demo.DemoResult) {
	n := r.Network
	b.printf("A network of %s vertices and %s links. Each vertex is in up to %d of %d communities, and each link joins two members of\n"+
		"a community (%.0f %% are random). %.0f %% of the links are hidden. Both methods train on the same walks over the others.\n\n",
		count(r.Vertices), count(r.Train+r.Test), n.Memberships, n.Communities, 100*n.Mixing, 100*r.Split.Remove)
	names := map[string]string{graphs.MethodAsp2vec: "asp2vec", graphs.MethodDeepWalk: "DeepWalk"}
	var rows [][]string
	for _, m := range r.Methods {
		vectors := fmt.Sprintf("%d of %d dimensions", m.Aspects, m.Dim)
		rows = append(rows, []string{names[m.Name], vectors, auc(m.AUC).String(), fmt.Sprint(m.Epoch), seconds(m.Seconds)})
	}
	b.table(2, []string{"predicting the hidden links", "contexts or aspects per vertex", "AUC", "epoch", "time"}, rows)
	b.WriteByte('\n')
	agreement := func(what, of string, a aspects.Agreement) []string {
		return []string{what, auc(a.NMI).String(), fmt.Sprintf("%.4f ± %.4f", a.Chance, a.ChanceSD), count(a.Count) + " " + of}
	}
	b.table(1, []string{"do aspects match communities?", "NMI", "by chance", "of"}, [][]string{
		agreement("the aspect of a hidden link", "links", r.LinkAspects),
		agreement("among the links of one vertex", "vertices", r.VertexAspects),
	})
	b.WriteString("\nThe aspect of a link u,v is the aspect of v that is nearest to u. NMI is 1 if it determines the community, and 0, or the value\n" +
		"by chance, if it does not. Epochs were chosen on validation links, not on the hidden links.\n\n")
	b.WriteString(verdict(r))
}

// verdict says in a sentence what came out, whatever it is.
func verdict(r *demo.DemoResult) string {
	gain := r.Methods[1].AUC - r.Methods[0].AUC
	place := "ahead of"
	if gain < 0 {
		place = "behind"
	}
	match := "match the communities better than chance"
	// Four standard deviations: chance reaches that once in thirty thousand runs.
	for _, a := range []aspects.Agreement{r.LinkAspects, r.VertexAspects} {
		if a.NMI < a.Chance+4*a.ChanceSD {
			match = "match the communities no better than chance"
		}
	}
	return fmt.Sprintf("asp2vec is %s DeepWalk by %.4f, and its aspects %s.\n", place, max(gain, -gain), match)
}
