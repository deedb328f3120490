package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

func (p *program) methodsCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage:   "[NAME [OPTION=VALUE ...]]",
		Description: "Without a name, lists the methods, and the scores and metrics of links.\n\n" + example("asp2vec methods", "asp2vec methods splitter"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "protocol", Value: run.DefaultProtocol, Usage: "`NAME` of the protocol whose defaults are shown: " + names(run.Protocols)},
			&cli.StringFlag{Name: "dataset", Usage: "`NAME` of the data set whose defaults are shown, where they are others"},
		},
		Action: p.methods,
	}
}

func (p *program) methods(c *cli.Context) error {
	protocol := c.String("protocol")
	var plans []graphs.Options
	name, settings := c.Args().First(), c.Args().Tail()
	if name != "" {
		o, err := optionsOn(c, name, protocol)
		if err != nil {
			return err
		}
		if o, err = grid.SetWords(o, settings); err != nil {
			return bad(err)
		}
		plans = append(plans, o)
	}
	if name == "" {
		for _, name := range methods.Names() {
			o, err := protocolOptions(name, protocol)
			if err != nil {
				return err
			}
			plans = append(plans, o)
		}
	}
	return p.describe(plans)
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

// methodNote is what methods prints of one.
type methodNote struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Source   string          `json:"source"`
	Differs  string          `json:"differs"`
	Scorings []string        `json:"scorings"` // its own first
	Formula  string          `json:"parameters"`
	Options  json.RawMessage `json:"options"` // with their defaults
}

// describe prints a note of a method, or a list of several and of scores.
func (p *program) describe(plans []graphs.Options) error {
	var notes []methodNote
	for _, o := range plans {
		m := o.Method
		options, err := json.Marshal(o.Complete())
		if err != nil {
			return err
		}
		notes = append(notes, methodNote{m.Name, m.Title, m.Source, m.Differs, m.Scorings, m.Formula, options})
	}
	doc := struct {
		Methods []methodNote `json:"methods"`
		Scores  []scoreDoc   `json:"scores,omitempty"`
	}{notes, nil}
	if len(notes) > 1 {
		doc.Scores = scoreDocs()
	}
	return p.emit(doc, func(b *printout) {
		if len(notes) > 1 {
			b.table(3, []string{"method", "learns from", "source"}, seq.Map(plans, func(o graphs.Options) []string {
				source, _, _ := strings.Cut(o.Method.Source, " (")
				source, _, _ = strings.Cut(source, ", and ")
				return []string{o.Method.Name, learnsFrom(o.Method), source}
			}))
			b.printf("\nasp2vec methods NAME says how a method differs from its paper, and its defaults.\n\n")
			listScores(b, doc.Scores)
			return
		}
		for _, n := range notes {
			b.printf("%s\n", n.Name)
			note(b, "source", n.Source)
			note(b, "here", n.Differs)
			note(b, "links", "ranked by "+strings.Join(n.Scorings, ", or "))
			note(b, "learns", n.Formula+" parameters")
			note(b, "options", n.settings())
		}
	})
}

// settings lists the options with their values, those without a value left out.
func (n methodNote) settings() string {
	var parts []string
	d := json.NewDecoder(bytes.NewReader(n.Options))
	d.UseNumber()
	for {
		key, err := d.Token()
		if _, brace := key.(json.Delim); brace && err == nil {
			continue
		}
		value, verr := d.Token()
		if err != nil || verr != nil {
			return strings.Join(parts, ", ")
		}
		if text := fmt.Sprint(value); text != "" && key != "method" {
			parts = append(parts, fmt.Sprint(key)+" "+text)
		}
	}
}

// note writes a labelled text in lines of at most eighty columns.
func note(b *printout, label, text string) {
	const width, indent = 80, 11
	for _, row := range narrow([][]string{{label, text}}, width-indent) {
		b.printf("  %-*s%s\n", indent-2, row[0], row[1])
	}
}
