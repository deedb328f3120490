package main

import (
	"fmt"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/methods"
	"github.com/urfave/cli/v2"
)

func init() { cli.FlagStringer = flagLine }

// optionChoices are the values of those options that have a fixed set of them, by key.
var optionChoices = sync.OnceValue(func() map[string][]string {
	choices := map[string][]string{}
	for _, d := range methods.Declared() {
		choices[d.Key] = d.Words
	}
	return choices
})

// flagLine is a flag in help: its names with what stands for its value, a tab, what it does, and its default.
func flagLine(f cli.Flag) string {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	usage, value := d.GetUsage(), ""
	if before, rest, quoted := strings.Cut(usage, "`"); quoted {
		var after string
		value, after, _ = strings.Cut(rest, "`")
		usage = before + value + after
	}
	if value == "" {
		value = valueName(f, d)
	}
	var names []string
	for _, name := range f.Names() {
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		names = append(names, strings.TrimSpace(dashes+name+" "+value))
	}
	if text := d.GetDefaultText(); text != "" && text != "false" {
		usage += fmt.Sprintf(" (default: %s)", text)
	}
	if env := d.GetEnvVars(); len(env) > 0 {
		usage += " [$" + strings.Join(env, ", $") + "]"
	}
	return strings.Join(names, ", ") + "\t" + usage
}

// valueName stands for the value of a flag whose help names nothing for it.
func valueName(f cli.Flag, d cli.DocGenerationFlag) string {
	if !d.TakesValue() {
		return ""
	}
	if words := optionChoices()[f.Names()[0]]; len(words) > 0 {
		return strings.Join(words, "|")
	}
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag:
		return "N"
	case *cli.Float64Flag:
		return "X"
	}
	return "VALUE"
}

// fitted breaks the lines of a help text for a terminal of so many columns, under the column that a line ends with; 0 leaves them.
func fitted(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	const least = 20 // columns for the text, however narrow the terminal
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		indent := lastColumn(line)
		if indent > max(0, columns-least) {
			indent = 6
		}
		for len(line) > columns {
			at := strings.LastIndexByte(line[:columns+1], ' ')
			if at <= indent {
				break // a word that is longer than the line
			}
			b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", indent) + strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// lastColumn is where the text of a line begins that has a name and a text with two spaces or more between, else its indentation.
func lastColumn(line string) int {
	start := len(line) - len(strings.TrimLeft(line, " "))
	if gap := strings.Index(line[start:], "  "); gap >= 0 && start > 0 {
		rest := line[start+gap:]
		return start + gap + len(rest) - len(strings.TrimLeft(rest, " "))
	}
	return start
}
