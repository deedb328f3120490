package run

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

const prototypeGarbage = 30 << 20 // of steps and of the rankings that the method is compared with, before it is collected

// addPrototypes adds what the method prototype holds of texts and the vertices that have written them, in place of walks and an encoder.
func addPrototypes(p *Plan, o graphs.Options, texts [][]int32, authors, vocabulary int) {
	const chunk = hetnet.TextsAtOnce
	d, w, words := float64(o.Dim), float64(hetnet.Own(o).WordDim), float64(vocabulary)
	var read, longest float64 // distinct words, of all texts and of the longest
	met := make(map[int32]bool)
	for _, t := range texts {
		clear(met)
		for _, word := range t[:min(len(t), hetnet.Own(o).TextLength)] {
			met[word] = true
		}
		read, longest = read+float64(len(met)), max(longest, float64(len(met)))
	}
	learnt := words + d*w + 1
	derived := words + float64(authors)*(d+1)
	p.Parameters = int64(learnt)
	p.parts.tables = 4 * (4*learnt + 2*derived)
	batch := float64(o.Batch)
	p.parts.graph = 4*(2*(float64(len(texts))+float64(authors))*w+words*w) + // vectors of texts, sums of authors, of an epoch and at its end
		16*(batch+chunk)*longest + 4*(batch*(8*w+6*float64(o.Negatives))+4*float64(o.Negatives)*w+2*chunk*w+6*(words+d*w))
	p.parts.garbage = prototypeGarbage
	p.parts.walks, p.parts.batches = 0, 0
	p.parts.data += 8*read + textBytes*float64(len(texts))
}
