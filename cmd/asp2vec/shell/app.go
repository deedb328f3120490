package shell

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/results"
)

// GlobalFlags are accepted by every command, before and after its name.
func GlobalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", EnvVars: []string{"ASP2VEC_DATA"}, DefaultText: "a folder of the user's",
			Usage: "`DIR` of the data sets"},
		&cli.StringFlag{Name: "results", EnvVars: []string{"ASP2VEC_RESULTS"}, Value: "results", DefaultText: "results; train: none",
			Usage: "`DIR` of the store of records; none to record nothing"},
		NewFlag("threads", 0, "use `N` processors; results do not depend on it", "", "all"),
		NewFlag("memory-limit", "", "refuse what needs more memory than `SIZE`, such as 4GiB", "", "what is free"),
		OneOf(NewFlag("log-level", "", "`LEVEL` is debug, info, warn or error", "", "info"), "debug", "info", "warn", "error"),
		OneOf(NewFlag("log-format", "text", "`FORMAT` is text or json"), "text", "json"),
		NewFlag("no-progress", false, "show no progress bar, even on a terminal"),
		NewFlag("json", false, "print one JSON document instead of tables"),
	}
}

// app returns the command line, with what the commands need that some words name.
func (p *Program) app(words ...string) *cli.App {
	code, _ := results.Environment()
	app := &cli.App{
		DisableSliceFlagSeparator: true, // --where takes its own commas apart
		Name:                      "asp2vec",
		Usage:                     "node embeddings with several vectors per vertex (Park et al., KDD 2020)",
		Version:                   code.Version,
		EnableBashCompletion:      true,
		HideHelpCommand:           true, // cli's is one for all programs, and holds itself
		Reader:                    p.In,
		Writer:                    p.Out,
		ErrWriter:                 p.Err,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usageError,
		Flags:                     GlobalFlags(),
		Before:                    p.applyGlobalFlags,
		Action:                    p.showHelp,
		Commands:                  p.commandsNamed(words),
	}
	p.finish("asp2vec", app.Commands)
	return app
}

// finish gives commands what all of them have.
func (p *Program) finish(before string, commands []*cli.Command) {
	for _, c := range commands {
		words := before + " " + c.Name
		c.UsageText = strings.TrimSpace(words + " [flags] " + c.ArgsUsage)
		c.HideHelpCommand = true
		c.OnUsageError, c.BashComplete = usageError, p.complete
		if isGroup(c) {
			c.ArgsUsage, c.Action = groupArgument, p.showHelp
			c.UsageText = words + " COMMAND [flags]"
		} else {
			action := c.Action
			c.Action = func(c *cli.Context) error {
				switch {
				case !c.Args().Present() || c.Command.ArgsUsage != "" && c.Command.ArgsUsage != NetworkArgument:
				case len(c.Command.Subcommands) > 0:
					return p.showHelp(c)
				default:
					return Badf("%q: expected %s; a flag that is on or off takes its value after =, as in --flag=false", c.Args().First(), c.Command.UsageText)
				}
				return action(c)
			}
		}
		p.finish(words, c.Subcommands)
	}
}

// groupArgument is the argument of a command that only holds others. One that does something itself may hold others too.
const groupArgument = "COMMAND"

func isGroup(c *cli.Command) bool {
	return len(c.Subcommands) > 0 && (c.Action == nil || c.ArgsUsage == groupArgument)
}

// ourNames are those of flags that other programs have, by their names there.
var ourNames = map[string]string{
	"dimensions": "dim", "dimension": "dim", "size": "dim", "vector-size": "dim", "embedding-dim": "dim", "d": "dim", "number-walks": "walks", "num-walks": "walks", "walk-number": "walks", "walks-per-node": "walks",
	"window-size": "window", "context-size": "window", "workers": "threads", "iter": "epochs", "num-negative-samples": "negatives", "negative": "negatives", "lr": "learning-rate", "alpha": "learning-rate",
	"input": "network", "output": "out", "num-aspects": "aspects", "number-of-aspects": "aspects", "random-state": "seed", "random-seed": "seed",
}

// usageError is the error of flags that a command does not take.
func usageError(c *cli.Context, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		known := append(GlobalFlags(), c.Command.Flags...)
		if own := ourNames[strings.ReplaceAll(name, "_", "-")]; own != "" && FindFlag(known, own) != nil {
			return Badf("unknown flag --%s: it is called --%s here", name, own)
		}
		return Badf("unknown flag --%s: the nearest is %s; %s --help all lists all", name, cli.SuggestFlag(known, name, false), c.Command.HelpName)
	}
	if text, ok := strings.CutSuffix(err.Error(), ": parse error"); ok {
		return Badf("%s: expected a number, or a word as --help has it", text)
	}
	return Bad(err)
}

// showHelp is what a group of commands does itself.
func (p *Program) showHelp(c *cli.Context) error {
	if c.Args().Present() {
		return Badf("unknown command %q: %s", c.Args().First(), p.similarCommand(c.Args().First(), c.Command.Subcommands))
	}
	return p.help(c.App, p.Command[1:], "")
}

// execute parses args and runs the command they name.
func (p *Program) execute(ctx context.Context, args []string) error {
	app := p.app(args[1:]...)
	if last := args[len(args)-1]; last != "--generate-bash-completion" {
		rest, topic, asked := askedHelp(args[1:])
		if len(rest) == 0 || rest[0] == "help" {
			rest, asked = rest[min(1, len(rest)):], true
		}
		if asked {
			return p.help(app, rest, topic)
		}
		parsed, typed, err := arranged(app, rest)
		if err != nil {
			return err
		}
		args, p.Command = append([]string{app.Name}, parsed...), append([]string{app.Name}, typed...)
	}
	return app.RunContext(ctx, args)
}

// defaultData returns the folder of data sets where none is given: asp2vec in the user's folder for data, which is $XDG_DATA_HOME or
// ~/.local/share on Unix; "" where there is none.
func defaultData() string {
	dir, err := os.Getenv("XDG_DATA_HOME"), error(nil)
	switch runtime.GOOS {
	case "windows", "darwin", "ios":
		dir, err = os.UserConfigDir() // AppData, Library/Application Support
	default:
		if !filepath.IsAbs(dir) { // others do not count, says the standard
			dir, err = os.UserHomeDir()
			dir = filepath.Join(dir, ".local", "share")
		}
	}
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "asp2vec")
}

// mostThreads is how many threads may be asked for on any machine; on large ones it is four times the processors.
const mostThreads = 256

// applyGlobalFlags takes over what the global flags say.
func (p *Program) applyGlobalFlags(c *cli.Context) error {
	p.JSON = c.Bool("json")
	if p.Threads = c.Int("threads"); p.Threads < 0 {
		return Badf("--threads %d: expected at least 1, or 0 for all", p.Threads)
	}
	if most := max(mostThreads, 4*runtime.NumCPU()); p.Threads > most {
		return Badf("--threads %d: expected at most %d, on %d processors", p.Threads, most, runtime.NumCPU())
	}
	if p.Threads > 0 {
		runtime.GOMAXPROCS(p.Threads)
	} else {
		p.Threads = runtime.GOMAXPROCS(0)
	}
	if err := p.limitMemory(c.String("memory-limit")); err != nil {
		return err
	}
	if p.Data = c.String("data"); p.Data == "" {
		p.Data = defaultData()
	}
	if dir := c.String("results"); dir != "" && dir != "none" {
		p.Results = dir
	}
	p.applyLogFlags(c.String("log-level"), c.String("log-format"), !c.Bool("no-progress"))
	return nil
}

func (p *Program) applyLogFlags(level, format string, wantBar bool) {
	p.Progress = p.Terminal && wantBar && format == "text"
	p.Epochs = slog.LevelInfo
	if level == "" && p.Progress {
		p.Epochs = slog.LevelDebug // the bar shows them
	}
	threshold := slog.LevelInfo
	_ = threshold.UnmarshalText([]byte(level)) // "" stays info
	p.Log = slog.New(&lineHandler{p: p, level: threshold})
	if format == "json" {
		p.Log = slog.New(slog.NewJSONHandler(p.Err, &slog.HandlerOptions{Level: threshold}))
	}
}

// Example formats the end of a command's help.
func Example(lines ...string) string {
	return fmt.Sprintf("Example:\n   %s", strings.Join(lines, "\n   "))
}
