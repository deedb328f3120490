package walks

// Index turns a batch around: for each vertex, where the batch uses it. With it, the gradient of a row of a table is added
// up by the one worker who owns the row, in a fixed order, without locks.
//
// Slots number the rows that the W windows use: context c of window w is slot w*C+c, and its negative m is slot W*C + (w*C+c)*M+m.
type Index struct {
	// Vertex v is used by Slots[Start[v]:Start[v+1]], window by window, contexts before negatives; Owners are the windows of these slots.
	Start, Slots, Owners []int32
	// Vertex v is the centre of the windows Windows[CenterStart[v]:CenterStart[v+1]], in increasing order.
	CenterStart, Windows []int32

	entries *entries // room to sort in, which the batches of a stream share so that it stays in cache
}

// entries are what an index is sorted from, in the batch's order.
type entries struct{ vertex, slot, owner []int32 }

// SlotsPerWindow returns how many rows a window uses, C*(1+M).
func (b *Batch) SlotsPerWindow() int { return b.Slots * (1 + b.Negatives) }

// InBatch says whether the pair of context slot c of window w belongs to the batch.
func (b *Batch) InBatch(w, c int) bool { return int32(c) >= b.First[w] && int32(c) < b.Last[w] }

// Build fills the index from a batch over a network of the given number of vertices, a counting sort. It lists the slots
// that have a gradient: the contexts in the readout bag or in a pair of the batch, and the negatives of its pairs.
func (x *Index) Build(b *Batch, vertices int) {
	if x.entries == nil {
		x.entries = new(entries)
	}
	e := x.entries
	e.list(b)
	x.Start = zeroed(x.Start, vertices+1)
	x.CenterStart = zeroed(x.CenterStart, vertices+1)
	for _, v := range e.vertex {
		x.Start[v+1]++
	}
	for _, v := range b.Center {
		x.CenterStart[v+1]++
	}
	for v := range vertices {
		x.Start[v+1] += x.Start[v]
		x.CenterStart[v+1] += x.CenterStart[v]
	}
	// Each entry goes to where its vertex's list begins, which then begins one further; a shift puts that right again.
	n := len(e.vertex)
	x.Slots, x.Owners, x.Windows = sized(x.Slots, n), sized(x.Owners, n), sized(x.Windows, b.Windows())
	for j, v := range e.vertex {
		i := x.Start[v]
		x.Start[v] = i + 1
		x.Slots[i], x.Owners[i] = e.slot[j], e.owner[j]
	}
	for w, v := range b.Center {
		i := x.CenterStart[v]
		x.CenterStart[v] = i + 1
		x.Windows[i] = int32(w)
	}
	unshift(x.Start)
	unshift(x.CenterStart)
}

// list writes the slots that have a gradient, window by window, with their vertices and windows.
func (e *entries) list(b *Batch) {
	s, slots, m := b.SlotsPerWindow(), b.Slots, b.Negatives
	negatives := b.Windows() * slots // the first of their slots
	e.vertex, e.slot, e.owner = sized(e.vertex, b.Windows()*s), sized(e.slot, b.Windows()*s), sized(e.owner, b.Windows()*s)
	n := 0
	for w := range b.Center {
		first, last := int(b.First[w]), int(b.Last[w])
		for c, v := range b.Context[w*slots : w*slots+int(b.Count[w])] {
			if b.Bag[w]>>c&1 == 1 || c >= first && c < last {
				e.vertex[n], e.slot[n], e.owner[n] = v, int32(w*slots+c), int32(w)
				n++
			}
		}
		for i, v := range b.Negative[(w*slots+first)*m : (w*slots+last)*m] {
			e.vertex[n], e.slot[n], e.owner[n] = v, int32(negatives+(w*slots+first)*m+i), int32(w)
			n++
		}
	}
	e.vertex, e.slot, e.owner = e.vertex[:n], e.slot[:n], e.owner[:n]
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
