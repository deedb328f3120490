package data

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/asp2vec/asp2vec/network/formats"
)

// Category heads the flags that say where data come from.
const Category = "Data"

// Flags say where data come from: one of --network, --dataset and --split.
func Flags() []cli.Flag {
	return append([]cli.Flag{
		shell.NewFlag("network", "", networkUsage, Category),
		shell.NewFlag("dataset", "", "`NAME` of a data set (asp2vec data list)", Category),
		shell.NewFlag("split", "", "`DIR` of a split, which asp2vec split makes", Category),
		shell.NewFlag("directed", false, "read links as directed, or with =false as undirected", Category, "as the data say"),
	}, networkFlags(Category)...)
}

// BibliographyFlag is for commands that also know networks of papers and authors.
func BibliographyFlag() cli.Flag {
	return shell.NewFlag("bibliography", "", "`DIR` with papers, authors and words", Category)
}

// Load reads what the flags of Flags name, and tells what a user should know of it.
func Load(p *shell.Program, c *cli.Context) (l source.Loaded, err error) {
	s := source.Source{Directed: c.Bool("directed"), DataDir: p.Data, Input: p.In}
	if s.Read, err = ReadOptions(c); err != nil {
		return l, err
	}
	s.Read.Memory = p.Available().Bytes
	var given, possible []string
	for _, f := range []struct {
		name string
		to   *string
	}{{"network", &s.Network}, {"dataset", &s.Dataset}, {"split", &s.Split}, {"bibliography", &s.Bibliography}, {"schema", &s.Schema}} {
		if shell.FindFlag(c.Command.Flags, f.name) == nil {
			continue
		}
		possible = append(possible, "--"+f.name)
		if *f.to = c.String(f.name); *f.to != "" {
			given = append(given, "--"+f.name)
		} else if c.IsSet(f.name) {
			return l, shell.Badf("--%s \"\": expected a name", f.name)
		}
	}
	switch {
	case len(given) == 0:
		if c.Command.ArgsUsage == shell.NetworkArgument {
			possible = append([]string{"FILE"}, possible[1:]...)
		}
		return l, shell.Badf("no data given: expected %s", strings.Join(possible, " or "))
	case len(given) > 1:
		return l, shell.Badf("%s given together: expected one of them", strings.Join(given, " and "))
	case s.Network == "" && (s.Read.Columns.Given() || s.Read.Header != network.HeaderAuto || s.Read.Format != ""):
		return l, shell.Badf("--columns, --header and --network-format apply to the file of --network: expected none of them with %s", given[0])
	}
	if l, err = s.Load(c.Context); err != nil {
		return l, shell.WithNearest(withFetch(otherSource(s.Network, err)))
	}
	if l.Typed != nil && shell.FindFlag(c.Command.Flags, "schema") == nil || l.Bibliography != nil && shell.FindFlag(c.Command.Flags, "bibliography") == nil {
		return l, shell.Badf("%s: %w", l.Name, source.ErrTyped)
	}
	tellOf(p, l)
	return l, nil
}

// tellOf says what was read.
func tellOf(p *shell.Program, l source.Loaded) {
	var sizes []any
	switch {
	case l.Bibliography != nil:
		for _, x := range l.Bibliography.Sizes() {
			sizes = append(sizes, x.Name, x.Count)
		}
	case l.Typed != nil:
		for t, typ := range l.Typed.Types {
			sizes = append(sizes, typ.Name, l.Typed.Vertices(t))
		}
		for i, typ := range l.Typed.Schema.Links {
			sizes = append(sizes, typ.Name, len(l.Typed.Links[i].From))
		}
	case l.Network != nil:
		sizes = []any{"vertices", l.Network.Vertices(), "links", l.Network.Links(), "directed", l.Network.Directed()}
	default:
		sizes = []any{"name", l.Name, "vertices", len(l.Split.Names), "directed", l.Split.Directed, "train", len(l.Split.Train), "test", len(l.Split.Test)}
		if alone := len(l.Split.Stranded()); alone > 0 { // also of names that are misspelt
			sizes = append(sizes, "without_training_link", alone)
		}
	}
	p.Tell(l.Path, sizes, l.Notes)
}

// otherSource adds to the error of a file what else its name may be meant as.
func otherSource(path string, err error) error {
	if info, no := os.Stat(path); path == "" {
		return err
	} else if no != nil {
		if d, unknown := network.Lookup(path); unknown == nil {
			return fmt.Errorf("%w; expected --dataset %s for the data set", err, strings.ToLower(d.Name))
		}
	} else if info.IsDir() {
		return shell.Badf("%s is a folder: expected a file of links, or --split, --bibliography or --schema before the folder", path)
	}
	return err
}

// withFetch adds to the error of a data set that is not here how to get it.
func withFetch(err error) error {
	if absent := (*network.AbsentError)(nil); errors.As(err, &absent) && len(fetch.Files(absent.Dataset)) > 0 {
		return fmt.Errorf("%w; asp2vec data fetch %s gets it", err, strings.ToLower(absent.Dataset.Name))
	}
	return err
}

const networkUsage = "`FILE` of links, in any format of docs/formats.md; - for standard input"

// networkFlags say how to take the file of a network where it does not tell.
func networkFlags(category string) []cli.Flag {
	return []cli.Flag{
		shell.NewFlag("columns", "", "`NAMES` of its columns, as source,target,weight,-; or source=NAME,target=NAME", category),
		shell.NewFlag("header", false, "read the first line as names of columns, or with =false as a link", category, "as names if they are known"),
		shell.NewFlag("network-format", "", "`FORMAT` of the file, if its content does not tell: "+strings.Join(formats.Names(), ", "), category),
	}
}

// ReadFlags are the flags that say how to take the file of a network.
var ReadFlags = []string{"columns", "network-format", "header", "directed"}

// ReadOptions returns how the flags say to take the file of a network.
func ReadOptions(c *cli.Context) (o formats.Options, err error) {
	for _, name := range ReadFlags {
		if err == nil && c.IsSet(name) {
			err = SetReadOption(&o, name, c.String(name), c.Bool(name))
		}
	}
	return o, err
}

// SetReadOption sets what one of ReadFlags says: as a text, or whether it is on. It returns an error for columns that are none.
func SetReadOption(o *formats.Options, name, text string, on bool) (err error) {
	switch name {
	case "columns":
		o.Columns, err = network.ParseColumns(text)
	case "network-format":
		o.Format = text
	case "header":
		if o.Header = network.HeaderNo; on {
			o.Header = network.HeaderYes
		}
	case "directed":
		if o.Direction = formats.Undirected; on {
			o.Direction = formats.Directed
		}
	}
	return shell.Bad(err)
}
