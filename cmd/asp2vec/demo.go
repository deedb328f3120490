package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// demoCommand is the command demo, which compares asp2vec, DeepWalk and ppr on a network that it makes.
func demoCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		Description: shell.Example("asp2vec demo", "asp2vec demo --seed 2      # another network and other walks"),
		Flags: []cli.Flag{
			shell.NewFlag("seed", uint64(1), "`SEED` of the network and of all other random numbers"),
		},
		Action: program{p}.demo,
	}
}

func (p program) demo(c *cli.Context) error {
	p.Epochs = slog.LevelDebug // thirty lines that nobody wants to read here
	begin := func(o graphs.Options) run.Watch {
		p.Log.Info("training " + o.Method.Name)
		return models.Watch(p.Program, o)
	}
	r, err := demo.Run(c.Context, demo.Default(c.Uint64("seed")), p.Threads, begin)
	if err != nil {
		return err
	}
	d := p.Answer()
	demoReport(d, r)
	return p.Show(d)
}

func demoReport(d *shell.Doc, r *demo.Result) {
	n := r.Network
	d.Data("network", n, "split", r.Split, "options", r.Options, "vertices", r.Vertices, "train", r.Train, "test", r.Test)
	d.Say("A network of %s vertices and %s links. Each vertex is in up to %d of %d communities, and each link joins two members of\n"+
		"a community (%.0f %% are random). %.0f %% of the links are hidden; training sees only the others.",
		shell.Count(r.Vertices), shell.Count(r.Train+r.Test), n.Memberships, n.Communities, 100*n.Mixing, 100*r.Split.Remove)
	name := map[string]string{graphs.MethodAsp2vec: "asp2vec", graphs.MethodDeepWalk: "DeepWalk", demo.Untrained[0]: "degrees, no vectors", demo.Untrained[1]: "neighbourhood, no vectors"}
	d.Table("methods", seq.Map(r.Methods, func(m demo.Ranked) []any {
		row := []any{cmp.Or(name[m.Name], m.Name), shell.Known(m.Vectors), shell.Known(m.Dim)}
		return append(row, shell.AUC(m.AUC), shell.AUC(m.Matched), m.Seconds)
	}), "method", "vectors", "dim", "auc", "auc_matched", "seconds")
	d.Table("aspects", seq.Map(r.Aspects, func(m demo.Matched) []any {
		what := "found by " + name[m.Name] + "'s vectors"
		if m.Learned {
			what = "learned by " + name[m.Name]
		}
		return []any{what, shell.AUC(m.Hidden.NMI), shell.AUC(m.Hidden.Chance), shell.AUC(m.Vertices.NMI), shell.AUC(m.Vertices.Chance)}
	}), "aspects", "hidden_links", "hidden_by_chance", "of_a_vertex", "vertex_by_chance")
	d.Say("A regression on what vectors say of a pair, and on degrees, ranks the hidden links. It is fitted to links that the vectors did not\n" +
		"see. Negatives are random pairs (auc), or pairs whose ends have as many links (auc matched).")
	d.Say("The aspects of a vertex are groups of its links. The numbers are NMI with the communities: 1 if the aspect of a link determines its\n" +
		"community, and the value by chance if it says nothing. All options are the defaults of train.")
	d.Say("%s", verdict(r))
}

// verdict returns in two sentences what came out, whatever it is.
func verdict(r *demo.Result) string {
	first := func(of func(demo.Ranked) float64) string {
		best := slices.MaxFunc(r.Methods, func(a, b demo.Ranked) int { return cmp.Compare(of(a), of(b)) })
		return fmt.Sprintf("%s (%.4f)", best.Name, of(best))
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
	return fmt.Sprintf("First against random pairs is %s, and against matched\npairs %s. Aspects %s.",
		first(func(m demo.Ranked) float64 { return m.AUC }), first(func(m demo.Ranked) float64 { return m.Matched }), match)
}
