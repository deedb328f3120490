package main

import (
	"fmt"
	"path/filepath"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// typedCounts say what the files of a data set with types hold.
type typedCounts struct {
	Vertices []typeCount `json:"vertices"`
	Links    []linkCount `json:"links"`
	Test     int         `json:"test"`        // pairs of the links that are ranked
	Sources  int         `json:"sources"`     // that these begin at
	Unknown  int         `json:"unknown"`     // test pairs with a vertex that has no link
	Known    int         `json:"known"`       // test pairs that are training links too
	Ranked   string      `json:"ranked"`      // the type of links that is ranked, "" for none
	SHA256   string      `json:"sha256"`      // of links and test pairs, as records have it
	Measured bool        `json:"as_measured"` // they are the data of the published records
}

type typeCount struct {
	Name     string `json:"name"`
	Vertices int    `json:"vertices"`
}

type linkCount struct {
	Name     string `json:"name"`
	From     string `json:"from"`
	To       string `json:"to"`
	Links    int    `json:"links"`
	Repeated int    `json:"repeated"` // given again, and left out
}

// countTyped reads a data set with types; train is its file of training links.
func countTyped(d network.Dataset, train string) (*typedCounts, error) {
	n, task, report, err := typed.ReadAs(d.Schema, filepath.Dir(train), 1)
	if err != nil {
		return nil, err
	}
	c := &typedCounts{Unknown: report.Unknown, Known: report.Known, SHA256: n.Checksum()}
	for t, typ := range n.Types {
		c.Vertices = append(c.Vertices, typeCount{typ.Name, n.Vertices(t)})
	}
	for i, typ := range n.Schema.Links {
		c.Links = append(c.Links, linkCount{typ.Name, n.Types[typ.From].Name, n.Types[typ.To].Name, len(n.Links[i].From), report.Repeated[i]})
	}
	if task != nil {
		sources := seq.Set(task.Test, func(pair typed.Pair) int32 { return pair.Source })
		c.Ranked, c.Test, c.Sources, c.SHA256 = n.Schema.Links[task.Link].Name, len(task.Test), len(sources), task.Checksum(n)
	}
	c.Measured = c.SHA256 == d.SHA256
	return c, nil
}

// rows says it in a table.
func (c *typedCounts) rows() (rows [][]string) {
	for _, t := range c.Vertices {
		rows = append(rows, []string{"vertices: " + t.Name, count(t.Vertices)})
	}
	for _, l := range c.Links {
		text := fmt.Sprintf("%s from %s to %s", count(l.Links), l.From, l.To)
		if l.Repeated > 0 {
			text += fmt.Sprintf(", and %s repetitions", count(l.Repeated))
		}
		rows = append(rows, []string{"links: " + l.Name, text})
	}
	if c.Ranked != "" {
		rows = append(rows, []string{"test pairs", fmt.Sprintf("%s of type %s, from %s vertices; %s with a vertex without links, %s that are training links",
			count(c.Test), c.Ranked, count(c.Sources), count(c.Unknown), count(c.Known))})
	}
	return append(rows, []string{"checksum", fmt.Sprintf("%.12s", c.SHA256)}, []string{"as measured", yesNo(c.Measured)})
}
