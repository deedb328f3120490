package kernel

// genericShape is the tile of the Go implementation, whose half fits into the registers of most processors.
var genericShape = tileShape{4, 4}

// gemmPanelsGeneric multiplies panels of A by a panel of B into C or, with add, adds to C.
func gemmPanelsGeneric(half bool, panels, k int, a strided, b []float32, bRow int, c []float32, cRow int, add bool) {
	columns := genericShape.columns
	if half {
		columns /= 2
	}
	for q := range panels {
		for j := 0; j < columns; j += 2 {
			var sums [4][2]float32
			halfTile(&sums, k, a.x[q*genericShape.rows*a.row:], a.row, a.column, b[j:], bRow)
			for r, sum := range sums {
				row := c[(q*genericShape.rows+r)*cRow+j:][:2]
				if add {
					sum[0] += row[0]
					sum[1] += row[1]
				}
				row[0], row[1] = sum[0], sum[1]
			}
		}
	}
}

// halfTile sums four rows by two columns.
func halfTile(sums *[4][2]float32, k int, a []float32, aRow, aColumn int, b []float32, bRow int) {
	var s00, s01, s10, s11, s20, s21, s30, s31 float32
	a1, a2, a3 := a[aRow:], a[2*aRow:], a[3*aRow:]
	for p := range k {
		y := b[p*bRow:][:2]
		x0, x1, x2, x3 := a[p*aColumn], a1[p*aColumn], a2[p*aColumn], a3[p*aColumn]
		s00 += x0 * y[0]
		s01 += x0 * y[1]
		s10 += x1 * y[0]
		s11 += x1 * y[1]
		s20 += x2 * y[0]
		s21 += x2 * y[1]
		s30 += x3 * y[0]
		s31 += x3 * y[1]
	}
	*sums = [4][2]float32{{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}}
}
