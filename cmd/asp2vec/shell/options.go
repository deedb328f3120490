package shell

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// OptionFlags returns the flags of a model, one for each option that is declared, with asp2vec's values under the standard protocol as their
// defaults, or else those of a method that reads the option; the help names the methods that have others.
func OptionFlags() []cli.Flag {
	usual := map[string]graphs.Options{}
	for _, name := range methods.Names() {
		usual[name], _ = usually(name, run.DefaultProtocol)
	}
	return flagsOf(graphs.MethodAsp2vec, methods.Declared(), func(d option.Param) (value any, note string) {
		readers := methods.Readers(d.Key)
		if i := slices.Index(readers, graphs.MethodAsp2vec); i > 0 {
			readers = slices.Insert(slices.Delete(readers, i, i+1), 0, graphs.MethodAsp2vec)
		}
		var others []string
		for i, name := range readers {
			if x, _ := usual[name].Get(d.Key); i == 0 {
				value = x
			} else if x != value {
				others = append(others, fmt.Sprintf("%v for %s", x, name))
			}
		}
		const few = 3
		if len(others) > few {
			return value, "other methods have others"
		}
		return value, strings.Join(others, ", ")
	})
}

// methodFlags are those of optionFlags that one method reads, with its own defaults under a protocol. It returns an error for an unknown
// method or protocol.
func methodFlags(method, protocol string) ([]cli.Flag, error) {
	o, err := usually(method, protocol)
	if err != nil {
		return nil, err
	}
	read := slices.DeleteFunc(methods.Declared(), func(d option.Param) bool { return !o.Method.Reads(d.Key) })
	return flagsOf(method, read, func(d option.Param) (any, string) {
		value, _ := o.Get(d.Key)
		return value, ""
	}), nil
}

// usually returns the options that a method has under a protocol on the data that it is for, complete.
func usually(method, protocol string) (graphs.Options, error) {
	o, err := ProtocolOptions(method, protocol)
	if err == nil && o.Method.Typed && !o.Method.Reads("text-length") {
		o = graphs.OptionsOf(o.Method, graphs.Protocol(protocol).OfSchema())
	}
	return o.Complete(), err
}

func flagsOf(method string, declared []option.Param, usual func(option.Param) (value any, note string)) []cli.Flag {
	flags := []cli.Flag{
		NewFlag("protocol", run.DefaultProtocol, "set all options at once; other flags override them: "+strings.Join(run.Protocols, ", "), "Training"),
		NewFlag("method", method, "`NAME` of the method to train (asp2vec methods lists them)", "Model", method+"; "+hetnet.MethodM2V+" for papers and authors, "+hetnet.MethodMetapath2vec+" for another --schema"),
	}
	for _, d := range declared {
		value, note := usual(d)
		flags = append(flags, optionFlag(d, value, note))
	}
	return flags
}

// optionFlag returns the flag of an option with its default value, and a note on other defaults.
func optionFlag(d option.Param, value any, note string) cli.Flag {
	help := strings.NewReplacer("<", "`", ">", "`").Replace(d.Usage())
	if slices.ContainsFunc(d.Words, func(word string) bool { return !strings.Contains(help, word) }) {
		help += ": " + strings.Join(d.Words, ", ")
	}
	text := ""
	if reflect.ValueOf(value).IsZero() {
		text = d.Zero
	}
	if note != "" {
		text = cmp.Or(text, fmt.Sprint(value)) + "; " + note
	}
	return NewFlag(d.Key, value, help, optionCategory(d), text)
}

// optionCategory is the heading of an option in help: the methods, where one or two alone read it, else its group. The schedule stays together: its
// parts depend on one another, and a page explains them.
func optionCategory(d option.Param) string {
	if d.Group == "Schedule" {
		return "Schedule of the protocol standard (docs/options.md)"
	}
	if readers := methods.Readers(d.Key); len(readers) <= 2 {
		return "Only " + strings.Join(readers, " and ")
	}
	return d.Group
}

// ProtocolOptions returns the options of a method under a protocol.
func ProtocolOptions(method, protocol string) (graphs.Options, error) {
	if !slices.Contains(run.Protocols, protocol) {
		return graphs.Options{}, Badf("--protocol %q: expected one of %s", protocol, strings.Join(run.Protocols, ", "))
	}
	o, err := methods.Options(method, graphs.Protocol(protocol))
	if err != nil {
		return o, Badf("--method %q: %s", method, DidYouMean(method, methods.Names()))
	}
	return o, nil
}

// methodOf returns the method that was asked for, or the one to take for the data: M2V++ for papers and authors, and for other heterogeneous
// networks metapath2vec, which learns from any schema.
func methodOf(c *cli.Context) string {
	d, _ := network.Lookup(c.String("dataset"))
	switch {
	case c.IsSet("method"):
	case c.String("bibliography") != "", d.Typed:
		return hetnet.MethodM2V
	case c.String("schema") != "":
		return hetnet.MethodMetapath2vec
	}
	return c.String("method")
}

// Options returns the options of the protocol with the flags that were given over them.
func Options(c *cli.Context) (o graphs.Options, protocol string, err error) {
	protocol = c.String("protocol")
	name := methodOf(c)
	if o, err = ProtocolOptions(name, protocol); err != nil {
		return o, "", err
	}
	if c.String("schema") != "" {
		o = graphs.OptionsOf(o.Method, graphs.Protocol(protocol).OfSchema())
	}
	var given []string
	for _, d := range methods.Declared() {
		switch {
		case !c.IsSet(d.Key):
		case !o.Method.Reads(d.Key):
			return o, "", Badf("--%s %v: %s has no such option; it is one of %s", d.Key, c.Value(d.Key), name, strings.Join(methods.Readers(d.Key), ", "))
		default:
			given = append(given, fmt.Sprintf("%s=%v", d.Key, c.Value(d.Key)))
		}
	}
	if o, err = grid.SetWords(o, given); err != nil {
		return o, protocol, Bad(err)
	}
	switch {
	case c.IsSet("patience") && o.Select == graphs.SelectLast:
		return o, protocol, Badf("--patience %d with --select %s: all epochs are trained: expected --patience only with --select validation or test", o.Patience, o.Select)
	case c.IsSet("warm-up-epochs") && o.Method.Reads("warm-up") && !o.WarmUp:
		return o, protocol, Badf("--warm-up-epochs %d with --warm-up=false: expected one of them", o.WarmUpEpochs)
	}
	return o, protocol, nil
}
