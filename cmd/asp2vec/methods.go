package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/urfave/cli/v2"
)

func (p *program) methodsCommand() *cli.Command {
	return &cli.Command{
		Name:        "methods",
		Usage:       "what each method is, where it comes from, what is done otherwise here, and its defaults",
		ArgsUsage:   "[NAME]",
		Description: example("asp2vec methods", "asp2vec methods splitter"),
		Action:      p.methods,
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
		return badf("%d names of methods: want one, or none for all", c.NArg())
	}
	if c.NArg() == 1 {
		if _, err := methods.Find(c.Args().First()); err != nil {
			return badf("method %q: want %s", c.Args().First(), nearest(c.Args().First(), names, ""))
		}
		names = []string{c.Args().First()}
	}
	var notes []methodNote
	for _, name := range names {
		m, err := methods.Find(name)
		if err != nil {
			return err
		}
		o, err := methods.Options(name, graphs.Default)
		if err != nil {
			return err
		}
		options, err := json.Marshal(o.Complete())
		if err != nil {
			return err
		}
		notes = append(notes, methodNote{m.Name, m.Title, m.Source, m.Differs, m.Scorings, m.Formula, options})
	}
	return p.emit(notes, func(b *bytes.Buffer) error {
		for i, n := range notes {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s\n", n.Name)
			note(b, "source", n.Source)
			note(b, "here", n.Differs)
			note(b, "links", "ranked by "+strings.Join(n.Scorings, ", or "))
			note(b, "learns", n.Formula+" numbers, by the paper's formula")
			note(b, "options", strings.NewReplacer(`"`, "", "{", "", "}", "", ":", " ", ",", ", ").Replace(string(n.Options)))
		}
		return nil
	})
}

// note writes a labelled text in lines of at most eighty columns.
func note(b *bytes.Buffer, label, text string) {
	const width, indent = 80, 11
	fmt.Fprintf(b, "  %-*s", indent-2, label)
	column := indent
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && column+1+len([]rune(word)) > width:
			fmt.Fprintf(b, "\n%*s", indent, "")
			column = indent
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len([]rune(word))
	}
	b.WriteByte('\n')
}
