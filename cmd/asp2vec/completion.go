package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/runs"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/render"
)

// complete prints what may come next: values of the flag before it or names of tables where there is a list of them, else commands and flags.
func complete(c *cli.Context) {
	before := os.Args[max(0, len(os.Args)-2)] // the last word asks for completion
	flag, isFlag := strings.CutPrefix(before, "--")
	next := valuesOf(flag, c.Command.Name)
	switch words := c.Command.ArgsUsage; {
	case isFlag && next != nil:
	case !isFlag && before == c.Command.Name && strings.HasPrefix(words, runs.ProductNames()[0]):
		next = runs.ProductNames()
	case !isFlag && before == c.Command.Name && strings.HasPrefix(words, "[table1"):
		next = append(runs.ProductNames(), runs.AllRuns)
	case !isFlag && c.Command.Name == "fetch":
		next = valuesOf("dataset", "")
	default:
		cli.DefaultCompleteWithFlags(c.Command)(c)
	}
	for _, word := range next {
		fmt.Fprintln(c.App.Writer, word)
	}
}

// valuesOf returns the values of a flag of a command, where there is a list of them.
func valuesOf(flag, command string) []string {
	switch flag {
	case "method", "methods":
		return methods.Names()
	case "dataset", "datasets":
		return seq.Map(network.Datasets(), func(d network.Dataset) string { return d.Folder })
	case "score", "scoring":
		return eval.Scorers.Names()
	case "metric":
		return eval.Metrics.Names()
	case "negatives":
		return eval.NegativesKinds.Names()
	case "protocol":
		return run.Protocols
	case "format":
		if command == "export" {
			return []string{models.FormatWord2vec, models.FormatNPZ, models.FormatGraphML}
		}
		return render.Formats()
	}
	d, _ := option.Find(methods.Declared(), flag)
	return d.Words
}

// completionScripts ask the program itself what may come next. Where it has nothing to offer the shell offers names of files.
var completionScripts = map[string]string{
	"bash": `_asp2vec() {
    local word="${COMP_WORDS[COMP_CWORD]}"
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:COMP_CWORD}" $([[ $word == -* ]] && echo "$word") --generate-bash-completion 2>/dev/null)" -- "$word"))
}
complete -o default -F _asp2vec asp2vec
`,
	"zsh": `#compdef asp2vec
_asp2vec() {
    local word="${words[CURRENT]}"
    local -a offered
    offered=("${(@f)$("${(@)words[1,CURRENT-1]}" ${word:#^-*} --generate-bash-completion 2>/dev/null)}")
    if [[ -n "${offered[1]}" ]]; then compadd -a offered; else _files; fi
}
if [[ $funcstack[1] = _asp2vec ]]; then _asp2vec "$@"; else compdef _asp2vec asp2vec; fi
`,
}

func completionCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: "bash|zsh|fish",
		Description: shell.Example(
			"asp2vec completion bash > ~/.local/share/bash-completion/completions/asp2vec # mkdir -p that folder first",
			"asp2vec completion zsh > ~/.zfunc/_asp2vec # with fpath+=~/.zfunc before compinit in ~/.zshrc",
			"asp2vec completion fish > ~/.config/fish/completions/asp2vec.fish"),
		Action: func(c *cli.Context) error {
			script, ok := completionScripts[c.Args().First()]
			if c.Args().First() == "fish" {
				var err error
				if script, err = c.App.ToFishCompletion(); err != nil {
					return err
				}
			} else if !ok {
				return shell.Badf("completion %q: expected bash, zsh or fish", c.Args().First())
			}
			_, err := io.WriteString(p.Out, script)
			return err
		},
	}
}
