package main

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

// globalFlags are accepted by every command, before and after its name.
func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", EnvVars: []string{"ASP2VEC_DATA"}, DefaultText: "a folder of the user's",
			Usage: "`DIR` of the data sets"},
		&cli.StringFlag{Name: "results", EnvVars: []string{"ASP2VEC_RESULTS"}, Value: "results", DefaultText: "results; train: none",
			Usage: "`DIR` of the store of records; none to record nothing"},
		newFlag("threads", 0, "use `N` processors; results do not depend on it", "", "all"),
		newFlag("memory-limit", "", "refuse what needs more memory than `SIZE`, such as 4GiB", "", "what is free"),
		oneOf(newFlag("log-level", "", "`LEVEL` is debug, info, warn or error", "", "info"), "debug", "info", "warn", "error"),
		oneOf(newFlag("log-format", "text", "`FORMAT` is text or json"), "text", "json"),
		newFlag("no-progress", false, "show no progress bar, even on a terminal"),
		newFlag("json", false, "print one JSON document instead of tables"),
	}
}

// app returns the command line, with what the commands need that some words name.
func (p *program) app(words ...string) *cli.App {
	code, _ := results.Environment()
	app := &cli.App{
		DisableSliceFlagSeparator: true, // --where takes its own commas apart
		Name:                      "asp2vec",
		Usage:                     "node embeddings with several vectors per vertex (Park et al., KDD 2020)",
		Version:                   code.Version,
		EnableBashCompletion:      true,
		HideHelpCommand:           true, // cli's is one for all programs, and holds itself
		Reader:                    p.in,
		Writer:                    p.out,
		ErrWriter:                 p.err,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usageError,
		Flags:                     globalFlags(),
		Before:                    p.applyGlobalFlags,
		Action:                    p.showHelp,
		Commands:                  p.commandsNamed(words),
	}
	p.finish("asp2vec", app.Commands)
	return app
}

// finish gives commands what all of them have.
func (p *program) finish(before string, commands []*cli.Command) {
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
				case !c.Args().Present() || c.Command.ArgsUsage != "" && c.Command.ArgsUsage != networkArgument:
				case len(c.Command.Subcommands) > 0:
					return p.showHelp(c)
				default:
					return badf("%q: expected %s; a flag that is on or off takes its value after =, as in --flag=false", c.Args().First(), c.Command.UsageText)
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
		known := append(globalFlags(), c.Command.Flags...)
		if own := ourNames[strings.ReplaceAll(name, "_", "-")]; own != "" && find(known, own) != nil {
			return badf("unknown flag --%s: it is called --%s here", name, own)
		}
		return badf("unknown flag --%s: the nearest is %s; asp2vec %s --help all lists all", name, cli.SuggestFlag(known, name, false), c.Command.Name)
	}
	if text, ok := strings.CutSuffix(err.Error(), ": parse error"); ok {
		return badf("%s: expected a number, or a word as --help has it", text)
	}
	return bad(err)
}

// showHelp is what a group of commands does itself.
func (p *program) showHelp(c *cli.Context) error {
	if c.Args().Present() {
		return badf("unknown command %q: %s", c.Args().First(), p.similarCommand(c.Args().First(), c.Command.Subcommands))
	}
	if c.Command.Name == c.App.Name {
		return p.appHelp(c.App)
	}
	words := strings.TrimSuffix(strings.TrimSuffix(c.Command.UsageText, " COMMAND [flags]"), " [flags] "+c.Command.ArgsUsage)
	return p.commandHelp(c.Command, words, "", "", "")
}

// execute parses args and runs the command they name.
func (p *program) execute(ctx context.Context, args []string) error {
	app := p.app(args[1:]...)
	if last := args[len(args)-1]; last != "--generate-bash-completion" {
		rest, topic, asked := askedHelp(args[1:])
		if len(rest) == 0 || rest[0] == "help" {
			rest, asked = rest[min(1, len(rest)):], true
		}
		if asked {
			return p.help(app, rest, topic)
		}
		args, p.args = arranged(app, rest)
		args = append([]string{app.Name}, args...)
	}
	return app.RunContext(ctx, args)
}

// defaultData returns the folder of data sets where none is given: asp2vec in the user's data folder, "" where there is none.
func defaultData() string {
	dir, err := userData()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "asp2vec")
}

// userData returns the folder for data of the user's: $XDG_DATA_HOME or ~/.local/share on Unix.
func userData() (string, error) {
	switch runtime.GOOS {
	case "windows", "darwin", "ios":
		return os.UserConfigDir() // AppData, Library/Application Support
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // others do not count, says the standard
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}

// mostThreads is how many threads may be asked for on any machine; on large ones it is four times the processors.
const mostThreads = 256

// applyGlobalFlags takes over what the global flags say.
func (p *program) applyGlobalFlags(c *cli.Context) error {
	p.json = c.Bool("json")
	if p.threads = c.Int("threads"); p.threads < 0 {
		return badf("--threads %d: expected at least 1, or 0 for all", p.threads)
	}
	if most := max(mostThreads, 4*runtime.NumCPU()); p.threads > most {
		return badf("--threads %d: expected at most %d, on %d processors", p.threads, most, runtime.NumCPU())
	}
	if p.threads > 0 {
		runtime.GOMAXPROCS(p.threads)
	} else {
		p.threads = runtime.GOMAXPROCS(0)
	}
	if err := p.limitMemory(c.String("memory-limit")); err != nil {
		return err
	}
	if p.data = c.String("data"); p.data == "" {
		p.data = defaultData()
	}
	if dir := c.String("results"); dir != "" && dir != "none" {
		p.results = dir
	}
	p.applyLogFlags(c.String("log-level"), c.String("log-format"), !c.Bool("no-progress"))
	return nil
}

func (p *program) applyLogFlags(level, format string, wantBar bool) {
	p.progress = p.terminal && wantBar && format == "text"
	p.epochs = slog.LevelInfo
	if level == "" && p.progress {
		p.epochs = slog.LevelDebug // the bar shows them
	}
	threshold := slog.LevelInfo
	_ = threshold.UnmarshalText([]byte(level)) // "" stays info
	p.log = slog.New(newLineHandler(clearing{p}, threshold))
	if format == "json" {
		p.log = slog.New(slog.NewJSONHandler(p.err, &slog.HandlerOptions{Level: threshold}))
	}
}

// clearing is the program's standard error, where a line first takes the bar's place.
type clearing struct{ p *program }

func (w clearing) Write(b []byte) (int, error) {
	w.p.hideBar()
	return w.p.err.Write(b)
}

// example formats the end of a command's help.
func example(lines ...string) string {
	return fmt.Sprintf("Example:\n   %s", strings.Join(lines, "\n   "))
}
