package shell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

// helpWidth is where lines of flags are broken where nothing says how wide a terminal is.
const helpWidth = 100

// topics are what --help can be asked for, beside the flags that a command lists first.
var topics = []string{"all", "walks", "training", "papers"}

// askedHelp says whether help is asked for, and of what topic; rest is the line without both.
func askedHelp(args []string) (rest []string, topic string, asked bool) {
	end := len(args)
	if i := slices.Index(args, "--"); i >= 0 {
		end = i
	}
	i := slices.IndexFunc(args[:end], func(arg string) bool { return arg == "--help" || arg == "-h" })
	if i < 0 {
		return args, "", false
	}
	next := i + 1
	if next < end && slices.Contains(topics, args[next]) {
		topic = args[next]
		next++
	}
	return slices.Concat(args[:i], args[next:]), topic, true
}

// help prints the help that a line without --help is of.
func (p *Program) help(app *cli.App, args []string, topic string) error {
	_, typed, _ := arranged(app, args)
	c, words, word := &cli.Command{Subcommands: app.Commands}, "asp2vec", ""
	for _, word = range typed {
		next := c.Command(word)
		if next == nil {
			break
		}
		c, words, word = next, words+" "+word, ""
	}
	switch {
	case words == "asp2vec" && word != "" && !strings.HasPrefix(word, "-"):
		return Badf("unknown command %q: %s", word, p.similarCommand(word, app.Commands))
	case words == "asp2vec":
		return p.appHelp(app)
	}
	return p.commandHelp(c, words, topic, ValueOf(args, "method"), ValueOf(args, "protocol"))
}

// helpText returns an empty text as wide as help is.
func (p *Program) helpText() printout {
	return printout{width: min(cmp.Or(p.BreakAt, helpWidth), helpWidth)}
}

func (p *Program) appHelp(app *cli.App) error {
	b := p.helpText()
	b.printf("%s", reflowed("asp2vec - "+app.Usage+"\n\nUsage: asp2vec COMMAND [flags]; the flags of every command stand before or after its name\n\n"+
		"   asp2vec demo               see what it does, without any data\n   asp2vec train links.tsv    your own network\n"+
		"   asp2vec COMMAND --help     what a command does, and its flags\n", b.width))
	for _, g := range p.groups {
		if g.Name != "" {
			b.listed(g.Name, seq.Map(g.Commands, func(c Command) string { return c.Name + "\t" + c.Usage }))
		}
	}
	b.flags("Flags of every command", GlobalFlags())
	b.printf("\n%s, and --version; asp2vec completion, asp2vec version\n", "--help")
	return p.print(b.String())
}

// commandHelp prints the help of a command: the flags that it lists first, those of a topic, or those of a method under a protocol, with its defaults.
func (p *Program) commandHelp(c *cli.Command, words, topic, method, protocol string) error {
	shown, all := c.Flags, topic == "all"
	trains := FindFlag(c.Flags, "method") != nil && FindFlag(c.Flags, "aspects") != nil
	more := ""
	switch first := strings.Fields(p.shownBy(words)); {
	case trains && method+protocol != "":
		own, err := methodFlags(cmp.Or(method, graphs.MethodAsp2vec), cmp.Or(protocol, run.DefaultProtocol))
		if err != nil {
			return err
		}
		every := OptionFlags()
		shown = append(slices.DeleteFunc(slices.Clone(shown), func(f cli.Flag) bool { return FindFlag(every, f.Names()[0]) != nil }), own...)
	case topic != "" && !all:
		shown = seq.Filter(shown, func(f cli.Flag) bool { return ofTopic(f, topic) })
		if len(shown) == 0 {
			return Badf("%s has no flags on %s: expected --help, or --help all", words, topic)
		}
	case !all && len(first) > 0:
		shown = nil
		for _, name := range first {
			shown = append(shown, FindFlag(c.Flags, name))
		}
		more = words + " --help all lists all " + Count(len(c.Flags)) + " flags"
		if trains {
			more += ", --help walks, training or papers a part;\n" + words + " --method NAME --help those of a method, with its defaults"
		}
	}
	b := p.helpText()
	b.printf("%s - %s\n\nUsage: %s\n", words, c.Usage, c.UsageText)
	if c.Description != "" && (topic == "" || all) {
		b.printf("\n%s", reflowed(c.Description, b.width))
	}
	b.listed("Commands", seq.Map(c.Subcommands, func(c *cli.Command) string { return c.Name + "\t" + c.Usage }))
	if more != "" {
		b.flags("Flags", shown)
		b.printf("\n%s\n", more)
		return p.print(b.String())
	}
	var headings []string
	of := map[string][]cli.Flag{}
	for _, f := range shown {
		heading := cmp.Or(categoryOf(f), "Flags")
		of[heading] = append(of[heading], f)
		if !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
	}
	for _, heading := range headings {
		b.flags(heading, of[heading])
	}
	return p.print(b.String())
}

// categoryOf returns the heading of a flag; "" for none.
func categoryOf(f cli.Flag) string {
	if in, ok := f.(cli.CategorizableFlag); ok {
		return in.GetCategory()
	}
	return ""
}

// shownBy returns the names of the flags that a command lists first.
func (p *Program) shownBy(words string) string {
	for _, g := range p.groups {
		for _, c := range g.Commands {
			if words == "asp2vec "+c.Name {
				return c.Shown
			}
		}
	}
	return ""
}

// ofTopic says whether a flag belongs to a topic of help.
func ofTopic(f cli.Flag, topic string) bool {
	name, category := f.Names()[0], categoryOf(f)
	switch topic {
	case "walks":
		return category == "Walks" || slices.Contains(methods.Readers(name), graphs.MethodNode2vec) && len(methods.Readers(name)) == 1
	case "training":
		return category == "Training" || category == "Output" || strings.HasPrefix(category, "Schedule")
	}
	readers := methods.Readers(name)
	return name == "bibliography" || name == "schema" || len(readers) > 0 && !slices.ContainsFunc(readers, func(name string) bool {
		m, err := methods.Find(name)
		return err != nil || !m.Typed
	})
}

// flags writes a list of flags under a heading.
func (b *printout) flags(heading string, all []cli.Flag) {
	b.listed(heading, seq.Map(all, func(f cli.Flag) string { return strings.TrimSuffix(f.String(), " (default: false)") }))
}

// listed writes lines of a word and what it means, in columns under a heading; nothing for none.
func (b *printout) listed(heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.printf("\n%s\n", heading)
	const long = 34 // a word that has a line of its own
	widest := 0
	for _, line := range lines {
		if name, _, _ := strings.Cut(line, "\t"); len(name) <= long {
			widest = max(widest, len(name))
		}
	}
	for _, line := range lines {
		name, text, _ := strings.Cut(line, "\t")
		if len(name) > long {
			b.printf("   %s\n", name)
			name = ""
		}
		for _, part := range wrapped(text, max(b.width-widest-6, 30)) {
			b.printf("   %-*s   %s\n", widest, name, part)
			name = ""
		}
	}
}

// reflowed breaks the paragraphs of a text anew; lines that are indented, or come before such, stay.
func reflowed(text string, width int) string {
	var b strings.Builder
	paragraph := ""
	flush := func() {
		if paragraph != "" {
			b.WriteString(strings.Join(wrapped(paragraph, width), "\n") + "\n")
		}
		paragraph = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == ' ' {
			flush()
			if example, note, has := strings.Cut(line, " # "); has && len(line) > width {
				line = "   # " + note + "\n" + strings.TrimRight(example, " ")
			}
			b.WriteString(line + "\n")
			continue
		}
		paragraph += line + " "
	}
	flush()
	return b.String()
}

// wrapped breaks a text into lines of at most so many letters, where words allow it.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
