package walks

// Index turns a batch around: for each vertex, where the batch uses it. With it, the gradient of a row of a table is added
// up by the one worker who owns the row, in a fixed order, without locks.
//
// Slots number the rows that a window uses, S = C*(1+M) of them: its contexts are slots 0 to C-1, and its negatives, M for
// each context, slots C to S-1. Slot s of window w has number w*S+s.
type Index struct {
	// Vertex v is used by Slots[Start[v]:Start[v+1]], in increasing order; Owners are the centres of their windows.
	Start, Slots, Owners []int32
	// Vertex v is the centre of the windows Windows[CenterStart[v]:CenterStart[v+1]], in increasing order.
	CenterStart, Windows []int32
}

// SlotsPerWindow returns S.
func (b *Batch) SlotsPerWindow() int { return b.Slots * (1 + b.Negatives) }

// InBatch says whether the pair of context slot c of window w belongs to the batch.
func (b *Batch) InBatch(w, c int) bool { return int32(c) >= b.First[w] && int32(c) < b.Last[w] }

// Build fills the index from a batch over a network of the given number of vertices, a counting sort. It lists the slots
// that have a gradient: the contexts in the readout bag or in a pair of the batch, and the negatives of its pairs.
func (x *Index) Build(b *Batch, vertices int) {
	x.Start = zeroed(x.Start, vertices+1)
	x.CenterStart = zeroed(x.CenterStart, vertices+1)
	for _, v := range b.Center {
		x.CenterStart[v+1]++
	}
	var total int32
	x.each(b, func(_, _, v int32) {
		x.Start[v+1]++
		total++
	})
	for v := range vertices {
		x.Start[v+1] += x.Start[v]
		x.CenterStart[v+1] += x.CenterStart[v]
	}
	// Each entry goes to where its vertex's list begins, which then begins one further; a shift puts that right again.
	x.Slots, x.Owners, x.Windows = sized(x.Slots, int(total)), sized(x.Owners, int(total)), sized(x.Windows, b.Windows())
	x.each(b, func(w, slot, v int32) {
		i := x.Start[v]
		x.Start[v] = i + 1
		x.Slots[i], x.Owners[i] = slot, b.Center[w]
	})
	for w, v := range b.Center {
		i := x.CenterStart[v]
		x.CenterStart[v] = i + 1
		x.Windows[i] = int32(w)
	}
	unshift(x.Start)
	unshift(x.CenterStart)
}

// each calls use for every slot that has a gradient, in increasing order.
func (x *Index) each(b *Batch, use func(w, slot, v int32)) {
	s, c, m := int32(b.SlotsPerWindow()), int32(b.Slots), int32(b.Negatives)
	for w := range int32(b.Windows()) {
		first, last := b.First[w], b.Last[w]
		for i, v := range b.Context[w*c : w*c+b.Count[w]] {
			if i := int32(i); b.Bag[w]>>i&1 == 1 || i >= first && i < last {
				use(w, w*s+i, v)
			}
		}
		for i, v := range b.Negative[(w*c+first)*m : (w*c+last)*m] {
			use(w, w*s+c+first*m+int32(i), v)
		}
	}
}

func unshift(start []int32) {
	copy(start[1:], start[:len(start)-1])
	start[0] = 0
}

func sized(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, n+n/8)
	}
	return s[:n]
}

func zeroed(s []int32, n int) []int32 {
	s = sized(s, n)
	clear(s)
	return s
}

// Used says whether the batch has a gradient for v as context or negative.
func (x *Index) Used(v int) bool { return x.Start[v] < x.Start[v+1] }

// UsedAsCenter says whether a window of the batch has v as its centre.
func (x *Index) UsedAsCenter(v int) bool { return x.CenterStart[v] < x.CenterStart[v+1] }
