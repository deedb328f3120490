package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/methods"
)

func (p *program) methodsCommand() *cli.Command {
	return &cli.Command{
		Name:        "methods",
		Usage:       "describe the methods: source, differences, defaults",
		ArgsUsage:   "[NAME]",
		Description: example("asp2vec methods", "asp2vec methods splitter", "asp2vec methods --format markdown > methods.md"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "protocol", Value: run.DefaultProtocol, Usage: "`NAME` of the protocol whose defaults are shown: " + names(run.Protocols)},
			oneOf(cli.StringFlag{Name: "format", Value: "terminal", Usage: "terminal or markdown"}, "terminal", "markdown"),
		},
		Action: p.methods,
	}
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

func (p *program) methods(c *cli.Context) error {
	names := methods.Names()
	if c.NArg() > 1 {
		return badf("%d methods named: want one, or none for all", c.NArg())
	}
	if c.NArg() == 1 {
		if _, err := methods.Find(c.Args().First()); err != nil {
			return badf("method %q: want %s", c.Args().First(), nearest(c.Args().First(), names))
		}
		names = []string{c.Args().First()}
	}
	var notes []methodNote
	for _, name := range names {
		o, err := protocolOptions(name, c.String("protocol"))
		if err != nil {
			return err
		}
		m := o.Method
		options, err := json.Marshal(o.Complete())
		if err != nil {
			return err
		}
		notes = append(notes, methodNote{m.Name, m.Title, m.Source, m.Differs, m.Scorings, m.Formula, options})
	}
	return p.emit(notes, func(b *printout) {
		if c.String("format") == "markdown" {
			for _, n := range notes {
				n.markdown(b)
			}
			return
		}
		for i, n := range notes {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.printf("%s\n", n.Name)
			note(b, "source", n.Source)
			note(b, "here", n.Differs)
			note(b, "links", "ranked by "+strings.Join(n.Scorings, ", or "))
			note(b, "learns", n.Formula+" parameters")
			note(b, "options", n.settings(" ", ", "))
		}
	})
}

// settings lists the options with their values, those without a value left out.
func (n methodNote) settings(equals, between string) string {
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
			return strings.Join(parts, between)
		}
		if text := fmt.Sprint(value); text != "" && key != "method" {
			parts = append(parts, fmt.Sprint(key)+equals+text)
		}
	}
}

// markdown writes the note as a section of a page.
func (n methodNote) markdown(b *printout) {
	b.printf("## %s: `--method %s`\n\n", n.Title, n.Name)
	ranked := "Ranks links or authors by"
	b.printf("- **Source**: %s.\n- **Here**: %s.\n- **%s** `%s`.\n- **Parameters**: %s.\n- **Defaults**: `%s`.\n\n",
		n.Source, n.Differs, ranked, strings.Join(n.Scorings, "`, or `"), n.Formula, n.settings("=", "`, `"))
}

// note writes a labelled text in lines of at most eighty columns.
func note(b *printout, label, text string) {
	const width, indent = 80, 11
	for _, row := range narrow([][]string{{label, text}}, width-indent) {
		b.printf("  %-*s%s\n", indent-2, row[0], row[1])
	}
}
