package main

import (
	"context"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// batchWriter writes the first n batches of the first epoch, those that the learner has.
type batchWriter = func(f *arrays, n int) error

// hetBatches are the batches of asp2vec-het along one meta-path: windows around authors and windows around papers. It also
// returns how many an epoch has.
func hetBatches(ctx context.Context, b *hetnet.Bibliography, o graphs.Options) (batchWriter, int, error) {
	path, err := hetnet.NewMetaPath(b, hetnet.Own(o).MetaPaths, typed.WalkOptions{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
	if err != nil {
		return nil, 0, err
	}
	corpus, err := walks.Store(ctx, path, 1)
	if err != nil {
		return nil, 0, err
	}
	stream := func(batch int, types walks.Types) (*walks.Stream, error) {
		types.Start = path.Layout().Start
		return walks.NewStream(ctx, corpus, int(types.Start[2]), walks.StreamOptions{
			Window: o.Window, Negatives: o.Negatives, Batch: batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed, Types: &types,
		})
	}
	authors, err := stream(o.Batch, walks.Types{Centers: []bool{true, false}, Readout: []bool{false, true}})
	if err != nil {
		return nil, 0, err
	}
	around := walks.Types{Centers: []bool{false, true}}
	papers, err := stream(1, around)
	if err != nil {
		return nil, 0, err
	}
	steps := (authors.Pairs() + int64(o.Batch) - 1) / int64(o.Batch)
	if papers, err = stream(int((papers.Pairs()+steps-1)/steps), around); err != nil { // as many batches
		return nil, 0, err
	}
	return func(f *arrays, n int) error {
		for name, s := range map[string]*walks.Stream{"authors": authors, "papers": papers} {
			i := 0
			for batch := range s.Pass(ctx, 1) {
				if i++; i > n {
					break
				}
				f.windows(name, i-1, batch)
			}
		}
		return f.err
	}, int(steps), nil
}

// windows writes W windows of C slots with M negatives: center (W), context (W,C), negative (W,C,M), bag (W,C), which has one
// over their number at the contexts that are read out, and weight (W,C), which has one over the number of pairs at each.
func (f *arrays) windows(name string, i int, b *walks.Batch) {
	w := b.Windows()
	bag, weight := make([]float32, w*b.Slots), make([]float32, w*b.Slots)
	for j := range w {
		for c := range b.Slots {
			if b.Bag[j]>>c&1 == 1 {
				bag[j*b.Slots+c] = 1 / float32(b.BagSize(j))
			}
			if c >= int(b.First[j]) && c < int(b.Last[j]) {
				weight[j*b.Slots+c] = 1 / float32(b.Pairs)
			}
		}
	}
	f.ints(f.number(name+"-center", i), b.Center, w)
	f.ints(f.number(name+"-context", i), b.Context, w, b.Slots)
	f.ints(f.number(name+"-negative", i), b.Negative, w, b.Slots, b.Negatives)
	f.floats(f.number(name+"-bag", i), bag, w, b.Slots)
	f.floats(f.number(name+"-weight", i), weight, w, b.Slots)
}

// camelBatches are the batches of Camel, drawn as it draws them: triples of a training paper, an author of its own or near it,
// and another one. It also returns how many an epoch has.
func camelBatches(ctx context.Context, b *hetnet.Bibliography, o graphs.Options) (batchWriter, int, error) {
	near, err := nearAuthors(ctx, b, o)
	if err != nil {
		return nil, 0, err
	}
	var pairs, direct [][3]int32
	for i, p := range b.Train {
		for _, a := range b.Papers[p].Authors {
			pairs = append(pairs, [3]int32{int32(i), a})
		}
	}
	other := func(s *rng.Stream, paper int32) int32 {
		for {
			if a := int32(s.Intn(len(b.Authors))); !slices.Contains(b.Papers[b.Train[paper]].Authors, a) {
				return a
			}
		}
	}
	s := rng.New(o.Seed, "direct", 1)
	for _, j := range s.Perm(len(pairs)) {
		t := pairs[j]
		t[2] = other(s, t[0])
		direct = append(direct, t)
	}
	var list, indirect [][3]int32
	count := 0
	for _, authors := range near {
		count += len(authors)
	}
	s = rng.New(o.Seed, "indirect", 1)
	keep := float64(len(pairs))/float64(max(count, 1)) + 0.003
	for p, authors := range near {
		for _, a := range authors {
			if s.Float64() >= keep {
				continue
			}
			far := other(s, int32(p))
			for try := 0; slices.Contains(authors, far) && try < 100; try++ {
				far = other(s, int32(p))
			}
			list = append(list, [3]int32{int32(p), a, far})
		}
	}
	for _, j := range s.Perm(len(list)) {
		indirect = append(indirect, list[j])
	}
	batch := min(o.Batch, len(direct))
	steps := (len(direct) + batch - 1) / batch
	return func(f *arrays, n int) error {
		for i := range min(n, steps) {
			for name, list := range map[string][][3]int32{"direct": direct, "indirect": indirect} {
				var flat []int32
				for _, t := range list[min(i*batch, len(list)):min((i+1)*batch, len(list))] {
					flat = append(flat, t[:]...)
				}
				f.ints(f.number(name, i), flat, len(flat)/3, 3)
			}
		}
		return f.err
	}, steps, nil
}

// nearAuthors returns, for each training paper, the authors that walks have near it and that are not its own, sorted.
func nearAuthors(ctx context.Context, b *hetnet.Bibliography, o graphs.Options) ([][]int32, error) {
	near := make([][]int32, len(b.Train))
	for name := range strings.SplitSeq(hetnet.Own(o).MetaPaths, ",") {
		path, err := hetnet.NewMetaPath(b, name, typed.WalkOptions{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
		if err != nil {
			return nil, err
		}
		types := path.Layout().Start
		first := types[len(types)-2] // paper
		for w := range path.Walks() {
			walk := path.Walk(w, nil)
			for i, v := range walk {
				if v < first {
					continue
				}
				own := b.Papers[b.Train[v-first]].Authors
				for _, a := range walk[max(0, i-o.Window):min(len(walk), i+o.Window+1)] {
					if a < types[1] && !slices.Contains(own, a) {
						near[v-first] = append(near[v-first], a)
					}
				}
			}
		}
	}
	for _, authors := range near {
		slices.Sort(authors)
	}
	return near, ctx.Err()
}
