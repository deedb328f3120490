package network

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A table without names has two ids and a weight only if nothing speaks against it. reading is what its first lines say, columns as wholes.
type reading struct {
	rows  [][3]string
	third thirdKind // of all lines
}

// readingLines is how many lines of a table are looked at.
const readingLines = 10000

func (r *reading) take(fields [][]byte) {
	if len(r.rows) < readingLines {
		r.rows = append(r.rows, [3]string{string(fields[0]), string(fields[1]), string(fields[2])})
	}
}

// doubt returns why the first two columns may not be the ends of links, or the third no weight, with the other columns that --columns could name; "" where
// nothing speaks against it.
//
// Ends share their values: two columns are alike that have three in ten of the values of the larger in common, and five. A column that shares one in five with neither holds
// something else: a time or a number of the link before its ends, the kind of a relation between them.
func (r *reading) doubt() (why, columns string) {
	var values [3]map[string]bool
	for i := range values {
		values[i] = map[string]bool{}
		for _, row := range r.rows {
			values[i][row[i]] = true
		}
	}
	common := func(i, j int) (n int) {
		for v := range values[i] {
			if values[j][v] {
				n++
			}
		}
		return n
	}
	alike := func(i, j int) bool { n := common(i, j); return n >= 5 && 10*n >= 3*max(len(values[i]), len(values[j])) }
	apart := func(i, j, k int) bool { return 5*(common(i, j)+common(i, k)) <= len(values[i]) && !alike(0, 1) }
	first := func(i int) float64 { x, _ := ParseNumber(r.rows[i][0]); return x }
	switch {
	case len(r.rows) < 3:
		return "", ""
	case alike(1, 2) && apart(0, 1, 2):
		columns = "-,source,target"
		if rises := !slices.ContainsFunc(r.rows, func(row [3]string) bool { return !isDecimal(row[0]) }); rises && len(values[0]) < len(r.rows) {
			columns = "time,source,target"
		}
		return fmt.Sprintf("the second and the third column have %d values in common, and the first has almost none of them", common(1, 2)), columns
	case alike(0, 2) && apart(1, 0, 2):
		return fmt.Sprintf("the first and the third column have %d values in common, and the second has almost none of them", common(0, 2)), "source,-,target"
	}
	counts := first(0) <= 1
	for i, row := range r.rows {
		counts = counts && isDecimal(row[0]) && first(i) == first(0)+float64(i)
	}
	switch {
	case counts && !r.third.other && r.third.least < r.third.most:
		return "the first column counts the lines and could be an index", "-,source,target"
	case r.third.neverFalls() && !r.third.times():
		return "the third column could be times, as its numbers never fall", "source,target,time"
	}
	return "", ""
}

// error returns what is said of a doubt: both ways to read the table, with its first line under each.
func (r *reading) error(why, columns string) error {
	row := r.rows[0]
	from, to := row[1], row[2]
	switch columns {
	case "source,target,time":
		return fmt.Errorf("%s: expected --columns %s, which leaves them out, or --columns source,target,weight, by which the first link has weight %s", why, columns, row[2])
	case "source,-,target":
		from = row[0]
	}
	return fmt.Errorf("%s: expected --columns %s, by which the first line is a link of %.20q and %.20q, or --columns source,target,weight: %.20q and %.20q, of weight %s", why, columns, from, to, row[0], row[1], row[2])
}

// thirdKind is what the numbers of a column are like.
type thirdKind struct {
	count, steps          int // numbers, and how many were larger than the one before
	falls, other, undated bool
	last, least, most     float64
}

func (k *thirdKind) take(x float64) {
	if k.count == 0 {
		k.last, k.least, k.most = x, x, x
	}
	k.count++
	k.other = k.other || x != math.Trunc(x)
	k.falls = k.falls || x < k.last
	if x > k.last {
		k.steps++
	}
	k.last, k.least, k.most = x, min(k.least, x), max(k.most, x)
	k.undated = k.undated || !isDay(x)
}

// isDay says whether a number is a day from 1900 to 2100 as YYYYMMDD.
func isDay(x float64) bool {
	_, err := time.Parse("20060102", fmt.Sprintf("%.0f", x))
	return err == nil && x >= 19000101 && x <= 21001231
}

// times says whether all numbers are times: seconds since 1970 with or without a fraction, or milliseconds or microseconds, from 1980 to 2100; years from 1900 to 2100; or days
// as YYYYMMDD.
func (k *thirdKind) times() bool {
	const from, to = 315_532_800, 4_102_444_800
	within := func(least, most float64) bool { return k.least >= least && k.most <= most }
	switch {
	case k.count == 0 || k.other:
		return k.count > 0 && within(from, to)
	case within(1900, 2100):
		return k.count > 1 && k.least < k.most
	}
	return within(from, to) || within(from*1000, to*1000) || within(from*1e6, to*1e6) || !k.undated
}

// neverFalls says whether there are many numbers, whole ones, in ascending order, as times have it in files of events.
func (k *thirdKind) neverFalls() bool { return !k.other && !k.falls && k.steps >= 50 }
