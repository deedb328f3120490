package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

const networkUsage = "`FILE` of links, in any format of docs/formats.md; - for standard input"

// networkFlags say how to take the file of a network where it does not tell.
func networkFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "columns", Category: category, Usage: "`NAMES` of its columns, as source,target,weight,-; or source=NAME,target=NAME"},
		&cli.BoolFlag{Name: "header", Category: category, DefaultText: "as names if they are known", Usage: "read the first line as names of columns, or with =false as a link"},
		&cli.StringFlag{Name: "network-format", Category: category, Usage: "`FORMAT` of the file, if its content does not tell: " + strings.Join(formats.Names(), ", ")},
	}
}

// readOptions returns how the flags say to take the file of a network.
func readOptions(c *cli.Context) (o formats.Options, err error) {
	for _, name := range []string{"columns", "network-format", "header", "directed"} {
		if err == nil && c.IsSet(name) {
			err = setReadOption(&o, name, c.String(name), c.Bool(name))
		}
	}
	return o, err
}

// setReadOption sets what one flag says.
func setReadOption(o *formats.Options, name, text string, on bool) (err error) {
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
	return bad(err)
}

// tellOfFormat says what was read, and what of the file was not.
func (p *program) tellOfFormat(path string, r network.Report, attrs []any) {
	if r.Format != "" && r.Format != formats.Links {
		attrs = append([]any{"format", r.Format}, attrs...)
	}
	attrs = counted(attrs, amount{"vertices_without_links_left_out", r.Isolated}, amount{"names_without_their_outer_spaces", r.Padded}, amount{"columns_without_their_quotes", r.Unquoted})
	if r.NamedBy != "" {
		attrs = append(attrs, "vertices_named_by", r.NamedBy)
	}
	if r.RowNames {
		attrs = append(attrs, "first_column", "names of rows, not read")
	}
	if r.Ignored != "" {
		attrs = append(attrs, "columns_not_read", r.Ignored)
	}
	if r.Sides {
		attrs = append(attrs, "two_kinds_of_vertices", "left:ID, right:ID")
	}
	p.log.Info("read "+path, attrs...)
	if r.Times {
		p.log.Warn("the third column contains times and is not read; --columns source,target,weight reads it as weights")
	}
	if r.Comments > 0 {
		p.log.Warn("lines that begin with # or % are comments and were left out", "lines", whole(r.Comments))
	}
	if r.Missing != "" {
		p.log.Warn("ids that may stand for a missing value are vertices", "ids", r.Missing)
	}
	if r.Quotes > 0 {
		p.log.Warn("columns begin with a quote and do not end with one: it is part of the id", "columns", whole(r.Quotes))
	}
	if r.Doubtful != "" {
		p.log.Warn("no other line has the vertices of the first; if it has the names of columns: --header", "first_line", r.Doubtful)
	}
	if r.Spellings != "" {
		p.log.Warn("ids that are the same number are different vertices", "ids", r.Spellings)
	}
	if r.Kinds {
		p.log.Warn("the columns seem to number different things, such as users and films, and a number in both is one vertex here; --schema keeps them apart")
	}
	if r.Conflicting > 0 {
		p.log.Warn("links repeated with another weight; the first weight counts; if links have directions: --directed; if the two columns number different things, such as users and films: --schema",
			"links", whole(r.Conflicting))
	}
	if r.Links > 0 && r.SelfLoops == r.Links-r.Repeated {
		p.log.Warn("no link joins two different vertices: vectors will say nothing about who is near whom")
	}
}
