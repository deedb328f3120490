package main

import (
	"bufio"
	"os"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/asp2vec/asp2vec/walks"
)

// writeWalks writes the walks over the training links of a split, a line each, as asp2vec draws them.
func writeWalks(path, split string, seed uint64) error {
	s, err := network.ReadSplit(split, false)
	if err != nil {
		return err
	}
	net, err := s.TrainNetwork()
	if err != nil {
		return err
	}
	usual := graphs.Default()
	src, err := walks.NewUniform(net, walks.Options{PerVertex: usual.Walks, Length: usual.Length, Seed: seed})
	if err != nil {
		return err
	}
	names, err := vectors.Spell(net.Names(), vectors.SpellingEscaped)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewWriter(f)
	var walk []int32
	for i := range src.Walks() {
		walk = src.Walk(i, walk)
		for j, v := range walk {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(names[v])
		}
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return f.Close()
}
