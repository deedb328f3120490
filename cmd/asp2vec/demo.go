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
			newFlag("seed", uint64(1), "`SEED` of the network and of all other random numbers"),
		},
		Action: p.demo,
	}
}

func (p *program) demo(c *cli.Context) error {
	p.epochs = slog.LevelDebug // thirty lines that nobody wants to read here
	begin := func(o graphs.Options) run.Watch {
		p.log.Info("training " + o.Method.Name)
		return p.watch(o)
	}
	r, err := demo.Run(c.Context, demo.Default(c.Uint64("seed")), p.threads, begin)
	if err != nil {
		return err
	}
	d := p.answer()
	demoReport(d, r)
	return p.show(d)
}

func demoReport(d *doc, r *demo.Result) {
	n := r.Network
	d.data("network", n, "split", r.Split, "options", r.Options, "vertices", r.Vertices, "train", r.Train, "test", r.Test)
	d.say("A network of %s vertices and %s links. Each vertex is in up to %d of %d communities, and each link joins two members of\n"+
		"a community (%.0f %% are random). %.0f %% of the links are hidden; training sees only the others.",
		count(r.Vertices), count(r.Train+r.Test), n.Memberships, n.Communities, 100*n.Mixing, 100*r.Split.Remove)
	name := map[string]string{graphs.MethodAsp2vec: "asp2vec", graphs.MethodDeepWalk: "DeepWalk"}
	d.table("methods", seq.Map(r.Methods, func(m demo.Trained) []any { return []any{name[m.Name], m.Vectors, m.Dim, auc(m.AUC), m.Seconds} }),
		"method", "vectors", "dim", "auc", "seconds")
	d.table("aspects", seq.Map(r.Aspects, func(m demo.Matched) []any {
		what := "found by " + name[m.Name] + "'s vectors"
		if m.Learned {
			what = "learned by " + name[m.Name]
		}
		return []any{what, auc(m.Hidden.NMI), auc(m.Hidden.Chance), auc(m.Vertices.NMI), auc(m.Vertices.Chance)}
	}), "aspects", "hidden_links", "hidden_by_chance", "of_a_vertex", "vertex_by_chance")
	d.say("The aspects of a vertex are groups of its links. The numbers are NMI with the communities: 1 if the aspect of a link determines its\n" +
		"community, and the value by chance if it says nothing. All options are the defaults of train.")
	d.say("%s", verdict(r))
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
	return fmt.Sprintf("asp2vec is %s DeepWalk by %.4f. Aspects %s.", place, max(gain, -gain), match)
}
