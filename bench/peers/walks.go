package main

import (
	"bufio"
	"os"
	"strconv"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// writeWalks writes the paper's corpus over the training links of the split, 10 uniform walks of 80 vertices from each,
// one a line, vertices as numbers from 0. Every peer reads this file; asp2vec draws its own walks, with the same options.
func writeWalks(o options, path string) (*network.Network, error) {
	split, err := network.ReadSplit(o.split, false)
	if err != nil {
		return nil, err
	}
	net, err := split.TrainNetwork()
	if err != nil {
		return nil, err
	}
	corpus, err := walks.NewUniform(net, walks.Options{PerVertex: 10, Length: 80, Seed: o.seed})
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	var buf []int32
	var line []byte
	for i := range corpus.Walks() {
		buf = corpus.Walk(i, buf)
		line = line[:0]
		for _, v := range buf {
			line = append(strconv.AppendInt(line, int64(v), 10), ' ')
		}
		line[len(line)-1] = '\n'
		if _, err := w.Write(line); err != nil {
			return nil, err
		}
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return net, f.Close()
}
