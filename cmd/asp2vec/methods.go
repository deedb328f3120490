package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

func methodsCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage:   "[NAME [OPTION=VALUE ...]]",
		Description: "Without a name, lists the methods, and the scores and metrics of links.\n\n" + shell.Example("asp2vec methods", "asp2vec methods splitter"),
		Flags: []cli.Flag{
			shell.NewFlag("protocol", run.DefaultProtocol, "`NAME` of the protocol whose defaults are shown: "+strings.Join(run.Protocols, ", ")),
		},
		Action: func(c *cli.Context) error {
			names, settings := methods.Names(), c.Args().Tail()
			if c.Args().Present() {
				names = []string{c.Args().First()}
			}
			var plans []graphs.Options
			for _, name := range names {
				o, err := shell.ProtocolOptions(name, c.String("protocol"))
				if err != nil {
					return err
				}
				if o, err = grid.SetWords(o, settings); err != nil {
					return shell.Bad(err)
				}
				plans = append(plans, o)
			}
			return describe(p, plans)
		},
	}
}

// learnsFrom says what data a method is for.
func learnsFrom(m *graphs.Method) string {
	switch {
	case !m.Typed:
		return "links"
	case m.Reads("text-length") && m.Reads("feature-hidden"):
		return "papers and authors, other types"
	case m.Reads("text-length"):
		return "papers and authors"
	}
	return "types of vertices"
}

// describe prints what there is to say of a method, or a list of several and of scores.
func describe(p *shell.Program, plans []graphs.Options) error {
	d := p.Answer()
	d.Fold()
	notes := seq.Map(plans, func(o graphs.Options) shell.Fields {
		m := o.Method
		return shell.Fields{"name", m.Name, "title", m.Title, "source", m.Source, "differs", m.Differs, "scorings", m.Scorings, "parameters", m.Formula, "options", o.Complete()}
	})
	d.Data("methods", notes)
	if len(plans) > 1 {
		d.Rows(seq.Map(plans, func(o graphs.Options) []any {
			source, _, _ := strings.Cut(o.Method.Source, " (")
			source, _, _ = strings.Cut(source, ", and ")
			return []any{o.Method.Name, learnsFrom(o.Method), source}
		}), "method", "learns from", "source")
		d.Say("asp2vec methods NAME says how a method differs from its paper, and its defaults.")
		listScores(d)
		return p.Show(d)
	}
	m := plans[0].Method
	d.Line("method", m.Name)
	d.Line("source", m.Source)
	d.Line("here", m.Differs)
	d.Line("links", "ranked by "+strings.Join(m.Scorings, ", or "))
	d.Line("learns", m.Formula+" parameters")
	var words []string // options without a value left out
	o := plans[0].Complete()
	for _, key := range o.Written() {
		if value, _ := o.Get(key); value != "" {
			words = append(words, key+" "+grid.Word(value))
		}
	}
	d.Line("options", strings.Join(words, ", "))
	return p.Show(d)
}

// listScores lists the scores and the metrics of links.
func listScores(d *shell.Doc) {
	d.Table("scores", seq.Map(eval.Scorers.Names(), func(name string) []any {
		s := eval.Scorers.Get(name)
		return []any{name, s.Help, seq.Map(s.Parameters, func(p option.Param) string { return p.Key })}
	}), "score", "is", "options")
	d.Table("metrics", seq.Map(eval.MetricNames(), func(name string) []any { return []any{name, eval.Metrics.Get(name).Help} }), "metric", "is")
}
