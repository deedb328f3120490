package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// completionScripts ask the program itself what may come next, so that they are never out of date. Where it has nothing to offer the
// shell offers names of files.
var completionScripts = map[string]string{
	"bash": `_asp2vec() {
    local IFS=$'\n'
    COMPREPLY=($(asp2vec complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _asp2vec asp2vec
`,
	"zsh": `#compdef asp2vec
_asp2vec() {
    local -a offered
    offered=("${(@f)$(asp2vec complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${offered[1]}" ]]; then compadd -a offered; else _files; fi
}
if [[ $funcstack[1] = _asp2vec ]]; then _asp2vec "$@"; else compdef _asp2vec asp2vec; fi
`,
	"fish": `complete -c asp2vec -a '(asp2vec complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

func (p *program) completionCommand() *cli.Command {
	shells := strings.Join(slices.Sorted(maps.Keys(completionScripts)), "|")
	return &cli.Command{
		Name: "completion", Usage: "print a script that completes commands, flags and values in a shell", ArgsUsage: shells,
		Description: example(
			"asp2vec completion bash > ~/.local/share/bash-completion/completions/asp2vec",
			"asp2vec completion zsh > ~/.zfunc/_asp2vec # with fpath+=~/.zfunc before compinit in ~/.zshrc",
			"asp2vec completion fish > ~/.config/fish/completions/asp2vec.fish"),
		Action: func(c *cli.Context) error {
			script, ok := completionScripts[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return badf("completion %q: want %s", strings.Join(c.Args().Slice(), " "), shells)
			}
			_, err := io.WriteString(p.out, script)
			return err
		},
	}
}

// completeCommand is what the scripts call.
func (p *program) completeCommand() *cli.Command {
	return &cli.Command{
		Name: "complete", Hidden: true, Usage: "print the words that can come next on a command line, one per line", ArgsUsage: "-- WORD...",
		Description: example("asp2vec complete -- train --me"),
		Action: func(c *cli.Context) error {
			for _, word := range offers(p.app(), c.Args().Slice()) {
				if _, err := fmt.Fprintln(p.out, word); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// offers returns what the last of words may become: a command, a flag or a value of the flag before it.
func offers(app *cli.App, words []string) (offered []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	all := everyFlag(app.Commands)
	var path []string
	var open cli.Flag // whose value comes next
	for _, w := range before {
		switch name, isFlag := strings.CutPrefix(w, "-"); {
		case open != nil:
			open = nil
		case isFlag:
			f := find(all, canonical(strings.TrimLeft(name, "-"), all))
			if _, isSwitch := f.(*cli.BoolFlag); !isSwitch {
				open = f
			}
		default:
			path = append(path, w)
		}
	}
	_, own, _, err := resolve(app, path)
	if err != nil && own.command == nil {
		return nil
	}
	var candidates []string
	switch {
	case open != nil:
		candidates = flagValues(open)
	case strings.HasPrefix(last, "-"):
		candidates = seq.Map(own.flags, func(f cli.Flag) string { return "--" + f.Names()[0] })
	default:
		commands := app.Commands
		if own.command != nil {
			commands = own.command.Subcommands
		}
		commands = seq.Filter(commands, func(c *cli.Command) bool { return !c.Hidden })
		candidates = seq.Map(commands, func(c *cli.Command) string { return c.Name })
	}
	offered = seq.Filter(candidates, func(word string) bool { return strings.HasPrefix(word, last) })
	slices.Sort(offered)
	return slices.Compact(offered)
}

// flagValues are the values that a flag can have, where they are few; nil for any.
func flagValues(f cli.Flag) []string {
	if f, ok := f.(*wordFlag); ok {
		return f.words
	}
	name := f.Names()[0]
	switch name {
	case "method", "methods":
		return methods.Names()
	case "protocol":
		return slices.Sorted(maps.Keys(run.Protocols))
	case "dataset", "datasets":
		return seq.Map(network.Datasets(), func(d network.Dataset) string { return d.Folder })
	}
	if entries := graphs.Entries(name); entries != nil {
		return entries
	}
	return optionChoices()[name]
}
