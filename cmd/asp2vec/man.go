package main

import (
	"bytes"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"
)

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page, with all commands and flags",
		Description: example("asp2vec man > ~/.local/share/man/man1/asp2vec.1", "asp2vec man | man -l -"),
		Action: func(*cli.Context) error {
			_, err := p.out.Write(md2man.Render([]byte(manual(p.app()))))
			return err
		},
	}
}

// manual is the manual page in Markdown, as md2man takes it.
func manual(app *cli.App) string {
	var b bytes.Buffer
	b.WriteString("asp2vec 1 \"\" \"asp2vec\" \"User Commands\"\n====\n\n# NAME\n\nasp2vec - " + app.Usage + "\n\n# SYNOPSIS\n\n**asp2vec** *COMMAND* [*flags*]\n")
	flags := func(all []cli.Flag) {
		for _, f := range all {
			if v, ok := f.(cli.VisibleFlag); ok && v.IsVisible() {
				name, usage, _ := strings.Cut(flagLine(f), "\t")
				b.WriteString("\n**" + name + "**\n: " + manText.Replace(usage) + "\n")
			}
		}
	}
	var commands func(all []*cli.Command)
	commands = func(all []*cli.Command) {
		for _, c := range all {
			if c.Hidden {
				continue
			}
			b.WriteString("\n## " + c.UsageText + "\n\n" + manText.Replace(c.Usage) + ".\n")
			if c.Description != "" {
				b.WriteString("\n```\n" + c.Description + "\n```\n")
			}
			flags(c.Flags)
			commands(c.Subcommands)
		}
	}
	b.WriteString("\n# FLAGS OF EVERY COMMAND\n")
	flags(app.Flags)
	b.WriteString("\n# COMMANDS\n")
	commands(app.Commands)
	b.WriteString("\n# EXIT STATUS\n\n0: done; 1: the run failed; 2: bad usage or bad input; 128 plus the number of the signal that stopped it.\n")
	return b.String()
}

// manText keeps characters from being taken for Markdown.
var manText = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "`", "'")
