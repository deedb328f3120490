package kernel

import (
	"sync"

	"github.com/asp2vec/asp2vec/internal/par"
)

// The blocks of a product (Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008). A panel of B, as wide
// as the assembly's tile and blockDepth deep, stays in the first-level cache while panels of A pass by it; a tile's block of A,
// tileRows by blockDepth, stays in the second-level cache. C's tiles are what threads share out.
const (
	slabDepth   = 2048 // k of the packed part of B
	blockDepth  = 256
	tileRows    = 96 // a multiple of every variant's rows
	tileColumns = 512

	// A B that the assembly can read where it lies is packed only for so many rows of A' that it pays.
	packFromRows = 192

	// The words of a transpose lie far apart: it is packed for so many columns of B that it pays.
	packFromColumns = 96
)

// A tileShape is that of C's part that the assembly sums in registers: columns wide, or half of it.
type tileShape struct{ rows, columns int }

// the greatest of the variants' shapes
const mostRows, mostColumns = 12, 32

// tileScratch is what a block of C needs: for the edges, a panel of A and a tile of C.
type tileScratch struct {
	a [tileRows * blockDepth]float32
	c [mostRows * mostColumns]float32
}

var tileScratches = sync.Pool{New: func() any { return new(tileScratch) }}

// byTiles packs B and computes C's tiles, each over all of k; k <= slabDepth.
func (g *product) byTiles() {
	shape := gemmShape
	b := packedB{shape: shape, all: g.b, n: g.n, k: g.k}
	panels := (g.n + shape.columns - 1) / shape.columns
	if g.b.column == 1 && g.m < packFromRows {
		b.first = panels
		if width, used := b.size(panels - 1); used < width {
			b.first--
		}
	}
	packed := packedPanels.take((panels - b.first) * shape.columns * g.k)
	defer packedPanels.Put(packed)
	b.packed = *packed
	par.Blocks(g.threads, panels-b.first, func(_, i int) { b.pack(b.first + i) })

	across := (g.n + tileColumns - 1) / tileColumns
	par.Blocks(g.threads, (g.m+tileRows-1)/tileRows*across, func(_, block int) {
		s := tileScratches.Get().(*tileScratch)
		g.tile(&b, s, block/across*tileRows, block%across*tileColumns)
		tileScratches.Put(s)
	})
}

// packedB is B as panels of as many columns as the assembly's tile has. Those before panel first stay where they are in all.
type packedB struct {
	shape  tileShape
	all    strided
	n, k   int
	first  int
	packed []float32
}

// size returns the width of a panel, half the tile's if that is enough for the last, and how many of its columns B has.
func (b *packedB) size(panel int) (width, used int) {
	width = b.shape.columns
	used = min(b.n-panel*width, width)
	if used <= width/2 {
		width /= 2
	}
	return width, used
}

func (b *packedB) pack(panel int) {
	width, used := b.size(panel)
	pack(b.packed[(panel-b.first)*b.shape.columns*b.k:], b.all.from(0, panel*b.shape.columns), b.k, used, width)
}

// panel returns a panel from row p on, and the distance of its rows.
func (b *packedB) panel(panel, p int) (x []float32, row int) {
	if panel < b.first {
		return b.all.from(p, panel*b.shape.columns).x, b.all.row
	}
	width, _ := b.size(panel)
	return b.packed[(panel-b.first)*b.shape.columns*b.k+p*width:], width
}

// pack copies the first n rows and used columns of x to dst, width words a row. Nobody reads what comes of the columns after them:
// they are zeros because old words might be denormal, and slow.
func pack(dst []float32, x strided, n, used, width int) {
	dst = dst[:n*width]
	if used < width {
		clear(dst)
	}
	if x.column == 1 {
		for p := range n {
			copyWords(dst[p*width:][:used], x.x[p*x.row:])
		}
		return
	}
	for j := range used {
		column := x.x[j*x.column:]
		for p := range n {
			dst[p*width+j] = column[p*x.row]
		}
	}
}

// copyWords is copy for a few words, where a call would take longer.
func copyWords(to, from []float32) {
	if len(to) > mostColumns {
		copy(to, from)
		return
	}
	from = from[:len(to)]
	for len(to) >= 4 {
		*(*[4]float32)(to) = *(*[4]float32)(from)
		to, from = to[4:], from[4:]
	}
	if len(to) >= 2 {
		*(*[2]float32)(to) = *(*[2]float32)(from)
		to, from = to[2:], from[2:]
	}
	if len(to) > 0 {
		to[0] = from[0]
	}
}

// panelsA is a block of A as panels of as many rows as the assembly's tile has: whole ones where they lie, and a last one, if there
// are rows left, packed in edge.
type panelsA struct {
	strided
	rows, whole int
	edge        strided
}

func (a *panelsA) panel(i int) strided {
	if i == a.whole {
		return a.edge
	}
	return a.from(i*a.rows, 0)
}

// tile computes the part of C from row i0 and column j0 on, up to tileRows by tileColumns.
func (g *product) tile(b *packedB, s *tileScratch, i0, j0 int) {
	shape := b.shape
	rows := min(tileRows, g.m-i0)
	blocks := (g.k + blockDepth - 1) / blockDepth
	for block := range blocks {
		p := block * g.k / blocks
		depth := (block+1)*g.k/blocks - p
		add := g.add || block > 0
		a := panelsA{g.a.from(i0, p), shape.rows, rows / shape.rows, strided{s.a[:], 1, shape.rows}}
		if ragged := rows % shape.rows; g.a.row == 1 && g.n >= packFromColumns {
			pack(s.a[:], a.transposed(), depth, rows, tileRows)
			a.strided = strided{s.a[:], 1, tileRows}
			a.edge = a.from(a.whole*shape.rows, 0)
		} else if ragged > 0 {
			pack(s.a[:], a.from(a.whole*shape.rows, 0).transposed(), depth, ragged, shape.rows)
		}
		for j := j0; j < min(j0+tileColumns, g.n); j += shape.columns {
			width, used := b.size(j / shape.columns)
			half := width < shape.columns
			y, row := b.panel(j/shape.columns, p)
			c := g.c[i0*g.ldc+j:]
			done := 0
			if used == width && a.whole > 0 {
				gemmPanels(half, a.whole, depth, a.strided, y, row, c, g.ldc, add)
				done = a.whole
			}
			for i := done; i*shape.rows < rows; i++ {
				gemmPanels(half, 1, depth, a.panel(i), y, row, s.c[:], width, false)
				merge(c[i*shape.rows*g.ldc:], g.ldc, s.c[:], width, min(shape.rows, rows-i*shape.rows), used, add)
			}
		}
	}
}

// merge writes or adds rows and columns of a tile to C.
func merge(c []float32, ldc int, tile []float32, width, rows, columns int, add bool) {
	for i := range rows {
		to, from := c[i*ldc:][:columns], tile[i*width:][:columns]
		if !add {
			copy(to, from)
			continue
		}
		for j, v := range from {
			to[j] += v
		}
	}
}
