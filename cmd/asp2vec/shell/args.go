package shell

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// arranged puts a command line into the order in which it is parsed: the flags of every command, the
// command's name, its own flags, its arguments. So flags may stand anywhere. The file of a network that is
// given without a flag gets --network. typed is what one would type for the same, as records have it. It
// returns an error for a flag with a value that is given twice, unless it takes several.
func arranged(app *cli.App, args []string) (parsed, typed []string, err error) {
	everywhere := append(GlobalFlags(), cli.VersionFlag)
	var global, path, flags, words []string
	command := &cli.Command{Subcommands: app.Commands}
	seen := map[string]bool{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		next := command.Command(arg)
		switch {
		case arg == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case len(arg) > 1 && arg[0] == '-':
			name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			to, flag := &flags, FindFlag(command.Flags, name)
			if f := FindFlag(everywhere, name); f != nil {
				to, flag = &global, f
			}
			*to = append(*to, arg)
			f, ok := flag.(cli.DocGenerationFlag)
			if _, several := flag.(cli.DocGenerationSliceFlag); ok && f.TakesValue() && !several {
				if seen[flag.Names()[0]] {
					err = Badf("--%s is given twice: expected it once", name)
				}
				seen[flag.Names()[0]] = true
			}
			if ok && f.TakesValue() && !hasValue && i+1 < len(args) {
				i++
				*to = append(*to, args[i])
			}
		case next != nil && len(words) == 0:
			command, path = next, append(path, arg)
		default:
			words = append(words, arg)
		}
	}
	if command.ArgsUsage == NetworkArgument && len(words) == 1 && ValueOf(flags, "network") == "" {
		flags, words = append([]string{"--network", words[0]}, flags...), nil // first, lest it be taken for the value of a flag that lacks one
	}
	of := slices.Index([]string{ModelArgument, ModelAndVertexArgument}, command.ArgsUsage) // words beside the model
	if of == 1 && len(words) == 2 && !IsPath(words[0]) && IsPath(words[1]) {
		slices.Reverse(words) // the vertex stood first
	}
	if of >= 0 && len(words) == of+1 && ValueOf(flags, "model") == "" {
		flags, words = append([]string{"--model", words[0]}, flags...), words[1:]
	}
	switch typed = slices.Concat(path, words, flags, global); {
	case len(path) == 0 || isGroup(command): // a word is the name of no command, which is the error to tell
		return slices.Concat(global, path, words, flags), typed, err
	case len(words) > 0:
		flags = append(flags, "--")
	}
	return slices.Concat(global, path, flags, words), typed, err
}

// NetworkArgument is the argument of commands that take a network's file without a flag, too.
const NetworkArgument = "[FILE]"

// Arguments of commands that take a model without a flag, too.
const (
	ModelArgument          = "[MODEL]"
	ModelAndVertexArgument = "[MODEL] VERTEX"
)

// IsPath says whether there is a file or a folder of a name.
func IsPath(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// FindFlag returns the flag of a name, or nil.
func FindFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// ValueOf returns the last value that arranged arguments give a flag, "" where there is none.
func ValueOf(args []string, name string) (value string) {
	for i, arg := range args {
		given, text, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case given != name || !strings.HasPrefix(arg, "-"):
		case hasValue:
			value = text
		case i+1 < len(args):
			value = args[i+1]
		}
	}
	return value
}
