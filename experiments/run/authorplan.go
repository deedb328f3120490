package run

import (
	"math"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// What the methods on papers and authors hold beside their tables and encoders, fitted to the peaks of records on DBLP, mlpapers and its
// titles, with vectors of 40 to 500 numbers.
const (
	headCopies     = 12       // of a paper's vectors for the aspects
	m2vGarbage     = 48 << 20 // of steps, before it is collected
	tapemFixed     = 540 << 20
	tapemMeans     = 300 << 20 // in its place, with the encoder mean
	meanGarbage    = 30 << 20  // of steps of Camel with the encoder mean
	tapemPerDim    = 3.3 * (1 << 20)
	tapemTexts     = 3.5 // of a batch and its paths, by the batch
	tapemGraphs    = 2   // of two lengths of paths, each with an encoder
	distinctShare  = 0.6 // of the words of an abstract, each once
	textBytes      = 64  // of a word of a text, and of a vertex
	tfidfWordBytes = 20  // of a word of an author
)

// newAuthorPlan returns the plan of a run on papers and authors.
func newAuthorPlan(b *hetnet.Bibliography, o graphs.Options) Plan {
	a, d, w := int64(len(b.Authors)), int64(o.Dim), int64(hetnet.Own(o).WordDim)
	encoder := newEncoderPlan(o, len(b.Words))
	paths := int64(1 + strings.Count(hetnet.Own(o).MetaPaths, ","))
	p := Plan{Vertices: len(b.Authors) + len(b.Train), Train: len(b.Train), Test: len(b.Test), Walks: a * int64(o.Walks) * paths}
	p.Pairs = p.Walks * PairsOfWalk(int64(o.Length), int64(o.Window))
	papers := float64(max(1, len(b.Train)))
	own, more := int64(1), int64(0)                                        // vectors of an author, and parameters besides these and the encoder's
	encoders, used := 1.0, min(1, 2*float64(o.Batch)/papers)               // the share of the papers that a step encodes
	drawn := float64(o.Batch) * float64(1+o.Negatives) / 2                 // papers in the pairs of a batch, as good as at random
	reached := func(n float64) float64 { return -math.Expm1(-n / papers) } // the share of the papers that so many draws come by
	switch o.Method.Name {
	case hetnet.MethodM2V:
		used = reached(drawn)
		p.parts.garbage = m2vGarbage
	case hetnet.MethodCamel:
		more = 1
		if encoder.mean {
			p.parts.garbage = meanGarbage
		}
	case hetnet.MethodTaPEm:
		more = 1000*d + 112202
		encoders, used = tapemGraphs, min(1, tapemTexts*float64(o.Batch)/papers)
		p.parts.graph += tapemFixed + tapemPerDim*float64(d)
		if encoder.mean {
			p.parts.graph += tapemMeans - tapemFixed
		}
	case hetnet.MethodAsp2vecHet:
		own += int64(o.Aspects)
		used = reached(2 * drawn) // of the windows around authors and of those around papers
		p.parts.graph += 4 * headCopies * float64(own*d) * float64(len(b.Train))
		if hetnet.Own(o).Variant == hetnet.VariantHeads {
			more = int64(o.Aspects) * d * d
		}
	}
	p.Parameters = a*d*own + encoder.parameters() + more
	rows := float64(p.Vertices) * float64(own+2) * float64(d) // tables, with rows for papers, and the best epoch
	var ofAuthors float64                                     // words
	var texts [][]int32
	for _, t := range b.Train {
		encoder.add(b.Papers[t].Tokens)
		texts = append(texts, b.Papers[t].Tokens)
		ofAuthors += float64(len(b.Papers[t].Tokens) * len(b.Papers[t].Authors))
	}
	words := float64(len(b.Words))
	p.parts.tables = 4 * (4*float64(p.Parameters) + 2*rows)
	p.parts.graph += encoders*(encoder.own()+encoder.step(used)) + encoder.scored(float64(len(b.Test))/2/papers) // of the half that is scored
	if o.Engine == graphs.EngineGraph && (o.Is(hetnet.MethodM2V) || o.Is(hetnet.MethodAsp2vecHet)) {
		width := float64(max(own-1, 1) * d) // of a row that the graph of a step looks up
		if o.Is(hetnet.MethodAsp2vecHet) && hetnet.Own(o).Variant == hetnet.VariantTarget {
			width *= float64(o.Aspects)
		}
		p.parts.graph += 4 * width * (15*float64(p.Vertices) + 9*float64(o.Batch*(1+o.Negatives)))
	}
	p.parts.walks = 4 * float64(p.Walks) * float64(o.Length)
	slots := 2 * float64(o.Window) * float64(1+o.Negatives)
	p.parts.batches = 2 * float64(o.Batch) / float64(2*o.Window) * slots * (slotBytes + 4*float64(own))
	if o.Is(hetnet.MethodPrototype) {
		addPrototypes(&p, o, texts, len(b.Authors), len(b.Words))
	}
	p.parts.data += textBytes*(encoder.read+float64(p.Vertices)) + 4*words*float64(w)
	if len(b.Test) > 0 && !o.Is(hetnet.MethodTaPEm) { // by then TaPEm has less than when its graphs were made
		p.parts.data += tfidfWordBytes*distinctShare*ofAuthors + 4*float64(len(b.Authors))*float64(w) // of the rankings by words that methods are compared with
	}
	p.Memory = int64(p.parts.total())
	return p
}
