package network

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/asp2vec/asp2vec/internal/seq"
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
// Ends share their values: two columns are alike that have three in ten of the values of the larger in common, and five. A column that shares one in five with neither, or has
// a third of their values, holds something else: a time, a weight or a number of the link before its ends, the kind of a relation between them.
func (r *reading) doubt() (why, columns string) {
	if len(r.rows) < 3 {
		return "", ""
	}
	var values [3]map[string]bool
	for i := range values {
		values[i] = seq.Set(r.rows, func(row [3]string) string { return row[i] })
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
	apart := func(i, j, k int) bool {
		return alike(j, k) && !alike(0, 1) && (5*(common(i, j)+common(i, k)) <= len(values[i]) || 3*len(values[i]) <= min(len(values[j]), len(values[k])))
	}
	const ends = "the %s and the third column have %d values in common, and the %s has few of them"
	counts := r.third.count > 0
	from, _ := strconv.Atoi(r.rows[0][0])
	for i, row := range r.rows {
		counts = counts && row[0] == strconv.Itoa(i+min(from, 1))
	}
	digits := len(strconv.FormatFloat(r.third.least, 'f', 0, 64))
	switch {
	case apart(0, 1, 2):
		return fmt.Sprintf(ends, "second", common(1, 2), "first"), "-,source,target"
	case apart(1, 0, 2):
		return fmt.Sprintf(ends, "first", common(0, 2), "second"), "source,-,target"
	case r.third.other || r.third.least == r.third.most:
	case counts:
		return "the first column counts the lines and could be an index", "-,source,target"
	case r.third.times():
	case !r.third.falls && r.third.steps >= 50:
		return "the third column could be times, as its numbers never fall", "source,target,-"
	case len(r.rows) >= 50 && len(values[2]) == len(r.rows) && r.third.most-r.third.least < float64(2*r.third.count):
		return "the third column could be numbers of links, as no two are the same", "source,target,-"
	case digits >= 6 && digits == len(strconv.FormatFloat(r.third.most, 'f', 0, 64)):
		return fmt.Sprintf("the third column could be ids or times, as its numbers have %d digits each", digits), "source,target,-"
	}
	return "", ""
}

// error returns what is said of a doubt: both ways to read the table, with its first line under each.
func (r *reading) error(why, columns string) error {
	row := r.rows[0]
	from, to := row[1], row[2]
	switch columns {
	case "source,target,-":
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
