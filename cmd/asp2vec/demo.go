package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
)

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Description: example("asp2vec demo", "asp2vec demo --seed 2      # another network and other walks"),
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the network and of all other random numbers"},
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
	r, err := demo.Run(c.Context, demo.Default(c.Uint64("seed")), p.threads, begin)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	return p.emit(r, func(b *printout) { demoReport(b, r) })
}

func demoReport(b *printout, r *demo.Result) {
	n := r.Network
	b.printf("A network of %s vertices and %s links. Each vertex is in up to %d of %d communities, and each link joins two members of\n"+
		"a community (%.0f %% are random). %.0f %% of the links are hidden; training sees only the others.\n\n",
		count(r.Vertices), count(r.Train+r.Test), n.Memberships, n.Communities, 100*n.Mixing, 100*r.Split.Remove)
	var predicted, matched [][]string
	for _, m := range r.Methods {
		name := map[string]string{graphs.MethodAsp2vec: "asp2vec", graphs.MethodDeepWalk: "DeepWalk"}[m.Name]
		if m.AspectStart == graphs.StartNeighbors {
			name += " --aspect-start " + m.AspectStart
		}
		predicted = append(predicted, []string{name, fmt.Sprintf("%d of %d dimensions", m.Aspects, m.Dim), auc(m.AUC).String(), seconds(m.Seconds)})
		if m.LinkAspects == nil {
			continue
		}
		agreement := func(a *aspects.Agreement) []string { return []string{auc(a.NMI).String(), auc(a.Chance).String()} }
		matched = append(matched, slices.Concat([]string{name}, agreement(m.LinkAspects), agreement(m.VertexAspects)))
	}
	b.table(2, []string{"predicting the hidden links", "contexts or aspects per vertex", "AUC", "time"}, predicted)
	b.WriteByte('\n')
	b.table(1, []string{"do aspects match communities?", "hidden links", "by chance", "of a vertex", "by chance"}, matched)
	b.WriteString("\nThe aspect of a link u,v is the aspect of v that is nearest to u. The numbers are NMI with the communities: 1 if the aspect determines\n" +
		"the community, and the value by chance if it says nothing. All options are the defaults of train but for --aspect-start.\n\n")
	b.WriteString(verdict(r))
}

// verdict says in a sentence what came out, whatever it is.
func verdict(r *demo.Result) string {
	flat, plain, apart := r.Methods[0], r.Methods[1], r.Methods[2]
	gain := plain.AUC - flat.AUC
	place := "ahead of"
	if gain < 0 {
		place = "behind"
	}
	match := "match the communities better than chance"
	// Four standard deviations: chance reaches that once in thirty thousand runs.
	for _, a := range []*aspects.Agreement{apart.LinkAspects, apart.VertexAspects} {
		if a.NMI < a.Chance+4*a.ChanceSD {
			match = "match the communities no better than chance"
		}
	}
	return fmt.Sprintf("asp2vec is %s DeepWalk by %.4f. Aspects that begin apart %s.\n", place, max(gain, -gain), match)
}
