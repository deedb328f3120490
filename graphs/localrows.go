package graphs

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// localRows is the part of a table that one chunk of windows uses, as a small table of its own: a graph that looked rows up
// in the whole table would return a gradient as large as the table for every chunk.
type localRows struct {
	table *Table    // the whole table
	part  *Table    // rows of the chunk, in the order in which they were met; the rest is left over from earlier chunks
	met   []int32   // vertices of the rows in part
	place []int32   // of each vertex, its row in part, or -1
	grad  []float32 // of the whole table: the gradient of the batch's chunks so far
	moved []int32   // vertices whose rows of grad are in use
	inUse []bool    // of each vertex, whether it is in moved
}

// newLocalRows returns room for at most that many different rows.
func newLocalRows(t *Table, most int) *localRows {
	l := &localRows{
		table: t, part: NewTable(t.Name, min(most, t.Rows), t.Block...),
		place: make([]int32, t.Rows), grad: make([]float32, len(t.X)), inUse: make([]bool, t.Rows),
	}
	for v := range l.place {
		l.place[v] = -1
	}
	return l
}

// row returns where part has vertex v, copying it there if it has not been met.
func (l *localRows) row(v int32) int {
	if l.place[v] < 0 {
		l.place[v] = int32(len(l.met))
		copy(l.part.Row(len(l.met)), l.table.Row(int(v)))
		l.met = append(l.met, v)
	}
	return int(l.place[v])
}

// collect adds the gradient of part to that of the whole table, and forgets the chunk.
func (l *localRows) collect(partGrad []float32) {
	w := l.table.Width()
	for i, v := range l.met {
		if !l.inUse[v] {
			l.inUse[v] = true
			l.moved = append(l.moved, v)
		}
		kernel.Axpy(l.gradient(int(v)), partGrad[i*w:][:w], 1)
		l.place[v] = -1
	}
	l.met = l.met[:0]
}

// gradient returns row v of the gradient.
func (l *localRows) gradient(v int) []float32 {
	w := l.table.Width()
	return l.grad[v*w:][:w]
}

// reset forgets the batch.
func (l *localRows) reset() {
	for _, v := range l.moved {
		clear(l.gradient(int(v)))
		l.inUse[v] = false
	}
	l.moved = l.moved[:0]
}
