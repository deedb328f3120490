package data

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

const networkUsage = "`FILE` of links, in any format of docs/formats.md; - for standard input"

// networkFlags say how to take the file of a network where it does not tell.
func networkFlags(category string) []cli.Flag {
	return []cli.Flag{
		shell.NewFlag("columns", "", "`NAMES` of its columns, as source,target,weight,-; or source=NAME,target=NAME", category),
		shell.NewFlag("header", false, "read the first line as names of columns, or with =false as a link", category, "as names if they are known"),
		shell.NewFlag("network-format", "", "`FORMAT` of the file, if its content does not tell: "+strings.Join(formats.Names(), ", "), category),
	}
}

// ReadFlags are the flags that say so.
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

// SetReadOption sets what one flag says.
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
