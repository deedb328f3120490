package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// arrange checks args and puts them into the order that the parser wants: the command, its flags, then its arguments. So
// flags can stand anywhere, and an error says what was meant. Flags have the names that this program gives them, and a network's
// file that is given without a flag has --network.
func arrange(app *cli.App, args []string) ([]string, error) {
	flags, words, err := sortOut(app, args[1:])
	if err != nil {
		return nil, err
	}
	help := slices.ContainsFunc(flags, func(f given) bool { return f.name == "help" })
	if len(words) > 0 && words[0] == "help" {
		help, words = true, words[1:]
	}
	path, own, words, err := resolve(app, words)
	if err != nil {
		all := everyFlag(app.Commands)
		for _, f := range flags {
			if f.name != "help" && find(all, f.name) == nil && len(path) > 0 { // the word is no command, but its value
				return nil, f.unknown(path, own)
			}
		}
		return nil, err
	}
	out := append([]string{args[0]}, path...)
	if help || own.isGroup {
		return append(out, "--help"), own.fit(flags)
	}
	for _, f := range flags {
		flag := find(own.flags, f.name)
		if flag == nil {
			return nil, f.unknown(path, own)
		}
		if err := f.check(flag); err != nil {
			return nil, err
		}
		out = append(out, "--"+f.name+"="+f.value)
	}
	asNetwork := own.command.ArgsUsage == networkArgument
	if asNetwork && len(words) > 0 && !slices.ContainsFunc(flags, func(f given) bool { return f.name == "network" }) {
		out, words = append(out, "--network="+words[0]), words[1:]
	}
	if len(words) == 0 {
		return out, nil
	}
	if asNetwork {
		return nil, fmt.Errorf("%q: want one FILE or --network FILE, not both or several; a flag that is on or off takes its value after =, as in --flag=false", words[0])
	}
	if !own.takesWords {
		return nil, fmt.Errorf("%q: want flags only after %q; a flag that is on or off takes its value after =, as in --flag=false",
			words[0], strings.Join(path, " "))
	}
	return append(append(out, "--"), words...), nil
}

// asTyped returns an arranged command line as one would type it, for the record of a run.
func asTyped(app *cli.App, arranged []string) (typed []string) {
	all := everyFlag(app.Commands)
	if i := slices.Index(arranged, "--"); i >= 0 && !slices.ContainsFunc(arranged[i:], func(word string) bool { return len(word) > 2 && word[0] == '-' }) {
		flags := slices.IndexFunc(arranged, func(arg string) bool { return strings.HasPrefix(arg, "--") })
		arranged = slices.Concat(arranged[:flags], arranged[i+1:], arranged[flags:i])
	}
	for i, arg := range arranged {
		name, value, isFlag := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		_, isSwitch := find(all, name).(*cli.BoolFlag)
		switch {
		case arg == "--":
			return append(typed, arranged[i:]...)
		case !isFlag || !strings.HasPrefix(arg, "--") || isSwitch && value != "true":
			typed = append(typed, arg)
		case isSwitch:
			typed = append(typed, "--"+name)
		default:
			typed = append(typed, "--"+name, value)
		}
	}
	return typed
}

// given is a flag as it was given.
type given struct{ name, value string }

// unknown is the error of a flag that a command does not have.
func (f given) unknown(path []string, own resolved) error {
	return fmt.Errorf("unknown flag --%s: want %s; asp2vec %s --help shows all", f.name, nearest(f.name, flagNames(own.flags), "--"), strings.Join(path, " "))
}

// sortOut tells flags with their values from other words. What it cannot know yet is which flags the command has.
func sortOut(app *cli.App, args []string) (flags []given, words []string, err error) {
	all := everyFlag(app.Commands)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(words, args[i+1:]...), nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			words = append(words, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		name = canonical(name, all)
		switch name {
		case "h", "help":
			flags = append(flags, given{name: "help"})
			continue
		case "version":
			if len(words) == 0 {
				words = append(words, "version")
				continue
			}
		}
		_, isSwitch := find(all, name).(*cli.BoolFlag)
		switch {
		case hasValue:
		case isSwitch:
			value = "true"
		case find(all, name) == nil: // the error waits until the command is known
		case i+1 == len(args):
			return nil, nil, fmt.Errorf("--%s: want a value after it", name)
		case isFlag(all, args[i+1]):
			return nil, nil, fmt.Errorf("--%s %s: want a value between them", name, args[i+1])
		default:
			i++
			value = args[i]
		}
		flags = append(flags, given{name, value})
	}
	return flags, words, nil
}

func isFlag(all []cli.Flag, arg string) bool {
	name, dashes := strings.CutPrefix(arg, "--")
	return dashes && find(all, name) != nil
}

// check says whether the value does for the flag.
func (f given) check(flag cli.Flag) error {
	var err error
	var want string
	switch flag.(type) {
	case *cli.BoolFlag:
		_, err = strconv.ParseBool(f.value)
		want = "true or false"
	case *cli.IntFlag:
		_, err = strconv.ParseInt(f.value, 0, 0)
		want = "a whole number"
	case *cli.Uint64Flag:
		_, err = strconv.ParseUint(f.value, 0, 64)
		want = "a whole number, at least 0"
	case *cli.Float64Flag:
		_, err = strconv.ParseFloat(f.value, 64)
		want = "a number"
	}
	if errors.Is(err, strconv.ErrRange) {
		want += " in the range of 64 bits"
	}
	if err != nil {
		return fmt.Errorf("--%s %q: want %s", f.name, f.value, want)
	}
	return nil
}

// resolved is what a command accepts.
type resolved struct {
	command    *cli.Command // nil before any is named
	flags      []cli.Flag
	takesWords bool
	isGroup    bool // of commands: only help can be had
}

// fit makes the help of a command that trains be of one method, where --method or --protocol is given beside --help: its options
// alone, with its defaults.
func (r resolved) fit(given []given) error {
	method, protocol := graphs.MethodAsp2vec, run.DefaultProtocol
	found := false
	for _, f := range given {
		switch f.name {
		case "method":
			method, found = f.value, true
		case "protocol":
			protocol, found = f.value, true
		}
	}
	if !found || r.command == nil || find(r.flags, "method") == nil {
		return nil
	}
	fitting, err := methodFlags(method, protocol)
	if err != nil {
		return err
	}
	every := optionFlags()
	others := slices.DeleteFunc(slices.Clone(r.flags), func(f cli.Flag) bool { return find(every, f.Names()[0]) != nil })
	r.command.Flags = append(others, fitting...)
	return nil
}

// resolve follows words to a command, and returns the words after it. With an error path is as far as it came.
func resolve(app *cli.App, words []string) (path []string, own resolved, rest []string, err error) {
	own = resolved{isGroup: true}
	commands := app.Commands
	for len(commands) > 0 && len(words) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.Name == words[0] })
		if i < 0 && own.takesWords {
			break // a word of the command itself
		}
		if i < 0 {
			names := seq.Map(commands, func(c *cli.Command) string { return c.Name })
			return path, own, nil, fmt.Errorf("unknown command %q: want %s", strings.Join(append(path, words[0]), " "), nearest(words[0], names, ""))
		}
		c := commands[i]
		path, words = append(path, c.Name), words[1:]
		own = resolved{command: c, flags: c.Flags, takesWords: c.ArgsUsage != "", isGroup: isGroup(c)}
		commands = c.Subcommands
	}
	return path, own, words, nil
}

// everyFlag returns the flags of all commands. A name that several have means the same kind of value in each.
func everyFlag(commands []*cli.Command) []cli.Flag {
	var all []cli.Flag
	for _, c := range commands {
		all = append(append(all, c.Flags...), everyFlag(c.Subcommands)...)
	}
	return all
}

func find(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func flagNames(flags []cli.Flag) []string {
	return seq.Flat(flags, cli.Flag.Names)
}
