package main

import (
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
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
		return p.watch(o, scoreOf(o))
	}
	r, err := demo.Run(c.Context, demo.Default(c.Uint64("seed")), p.threads, begin)
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
	name := map[string]string{graphs.MethodAsp2vec: "asp2vec", graphs.MethodDeepWalk: "DeepWalk"}
	b.table(2, []string{"predicting the hidden links", "vectors per vertex", "AUC", "time"}, seq.Map(r.Methods, func(m demo.Trained) []string {
		return []string{name[m.Name], fmt.Sprintf("%d of %d dimensions", m.Vectors, m.Dim), auc(m.AUC).String(), seconds(m.Seconds)}
	}))
	b.WriteByte('\n')
	b.table(1, []string{"do aspects match communities?", "hidden links", "by chance", "of a vertex", "by chance"}, seq.Map(r.Aspects, func(m demo.Matched) []string {
		what := "aspects by " + name[m.Name] + "'s vectors"
		if m.Learned {
			what = "aspects learned by " + name[m.Name]
		}
		return []string{what, auc(m.Hidden.NMI).String(), auc(m.Hidden.Chance).String(), auc(m.Vertices.NMI).String(), auc(m.Vertices.Chance).String()}
	}))
	b.WriteString("\nThe aspects of a vertex are groups of its links. The numbers are NMI with the communities: 1 if the aspect of a link determines its\n" +
		"community, and the value by chance if it says nothing. All options are the defaults of train.\n\n")
	b.WriteString(verdict(r))
}

// verdict says in a sentence what came out, whatever it is.
func verdict(r *demo.Result) string {
	gain, place := r.Methods[1].AUC-r.Methods[0].AUC, "ahead of"
	if gain < 0 {
		place = "behind"
	}
	match := "match the communities better than chance"
	for _, m := range r.Aspects {
		// Four standard deviations: chance reaches that once in thirty thousand runs.
		for _, a := range []aspects.Agreement{m.Hidden, m.Vertices} {
			if !m.Learned && a.NMI < a.Chance+4*a.ChanceSD {
				match = "match the communities no better than chance"
			}
		}
	}
	return fmt.Sprintf("asp2vec is %s DeepWalk by %.4f. Aspects %s.\n", place, max(gain, -gain), match)
}
