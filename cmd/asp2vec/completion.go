package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

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

// completionName is the command that needs to know all others.
const completionName = "completion"

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: "bash|zsh|fish",
		Description: example(
			"asp2vec completion bash > ~/.local/share/bash-completion/completions/asp2vec",
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
				return badf("completion %q: expected bash, zsh or fish", c.Args().First())
			}
			_, err := io.WriteString(p.out, script)
			return err
		},
	}
}
