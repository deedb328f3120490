package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/layout"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/plot"
)

// mostDrawn is how many vertices a drawing of a network shows; more are a tangle.
const mostDrawn = 5000

// mostNamed is up to how many vertices a drawing has the names of all.
const mostNamed = 100

// nameFew has the names of all points drawn if they are few, after those that are named already.
func nameFew(m *plot.Map) {
	if n := len(m.At) / 2; n <= mostNamed {
		for v := range int32(n) {
			m.Named = append(m.Named, v)
		}
	}
}

func (p *program) plotNetwork(c *cli.Context) error {
	files, err := pictureFiles(c, "network")
	if err != nil {
		return err
	}
	l, net, err := p.training(c)
	if err != nil {
		return err
	}
	links := &linked{net: net}
	var e *embedding
	if c.IsSet("model") {
		if e, err = p.embedding(c); err != nil {
			return err
		}
		if links, err = e.link(l); err != nil {
			return err
		}
	}
	net = links.net
	if net.Vertices() > mostDrawn {
		return badf("%s has %s vertices: expected at most %s for a readable drawing; asp2vec plot of a model draws a map of more", l.Path, count(net.Vertices()), count(mostDrawn))
	}
	g, err := p.colored(c, net.Names(), e, links)
	if err != nil {
		return err
	}
	at, err := layout.Forces(c.Context, net, c.Uint64("seed"))
	if err != nil {
		return err
	}
	m := plot.Map{Title: printable(l.Name), At: at, Links: seq.Map(net.Simple().List(), func(l network.Link) [2]int32 { return [2]int32{l.From, l.To} }), Name: func(v int32) string { return printable(net.Name(v)) }}
	colour(&m, g)
	nameFew(&m)
	return p.writeMap(c, m, g, files, "network")
}
