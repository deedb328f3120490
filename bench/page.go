package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/results"
)

// page prints Markdown.
type page struct {
	io.Writer
	o options
}

func (p page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func newPage(w io.Writer, o options) page {
	p := page{w, o}
	p.printf("# This program beside others\n\nTest AUC by one evaluation for all, against the processor time (user and system) of the whole training process. ")
	p.printf("Pairs per second are those of the training alone. The programs run in turns, on one thread; the table has medians over %d rounds and [smallest, largest].\n", o.rounds)
	return p
}

func (p page) network(n *measured) {
	p.printf("\n## %s\n\n| method | program | setting | test AUC | processor time, s | million pairs/s | peak memory, MB |\n|---|---|---|---:|---:|---:|---:|\n", n.name)
	for _, c := range n.contestants {
		p.printf("| %s | %s | %s | ", c.method, c.program, c.setting)
		if len(c.runs) == 0 {
			p.printf("missing: %s | | | |\n", strings.NewReplacer("|", `\|`, "\n", " ").Replace(c.missing))
			continue
		}
		p.printf("%s | %s | %s | %s |\n", c.spread("%.4f", 1, func(t training) float64 { return t.auc }), c.spread("%.1f", 1, func(t training) float64 { return t.cpu }),
			c.spread("%.2f", 1e6, func(t training) float64 { return t.rate }), c.spread("%.0f", 1e6, func(t training) float64 { return t.memory }))
	}
	p.printf("\n| pairs per second, within each round | ratio |\n|---|---:|\n")
	for _, r := range n.ratios() {
		p.printf("| %s | %s |\n", r[0], r[1])
	}
	p.printf("\n")
	for _, c := range n.contestants {
		command := filepath.Base(c.argv[0]) + " " + strings.Join(c.argv[1:], " ")
		p.printf("- %s, %s: `%s`\n", c.method, strings.TrimSpace(c.program+" "+c.setting), strings.NewReplacer(n.tmp+string(filepath.Separator), "", n.split, "SPLIT").Replace(command))
	}
}

// end prints what it was measured on.
func (p page) end(ctx context.Context) {
	_, host := results.Environment()
	version, _, err := output(ctx, p.o.asp2vec, "version")
	peers, _, missing := output(ctx, p.o.python, "-c", "import gensim, numpy, torch; print('gensim', gensim.__version__, 'numpy', numpy.__version__, 'torch', torch.__version__)")
	load, _ := os.ReadFile("/proc/loadavg")
	p.printf("\n## Machine\n\n- %s UTC, %s, %d processors, load averages at the end `%.14s`\n- %s\n", time.Now().UTC().Format("2006-01-02 15:04"), host.CPU, host.CPUs, load,
		strings.Join(strings.Fields(strings.ReplaceAll(version, "─", "")+" "+peers), " "))
	if err = cmp.Or(err, missing); err != nil {
		p.printf("- %v\n", err)
	}
	p.printf("- `go run ./bench --splits SPLITS --rounds %d --seed %d --torch-limit %v`\n", p.o.rounds, p.o.seed, p.o.limit)
}

// ratios compares this program with each of the others, round by round.
func (n *measured) ratios() (rows [][2]string) {
	for _, c := range n.contestants {
		i := slices.IndexFunc(n.contestants, func(own *contestant) bool { return own.program == "asp2vec" && own.method == c.method })
		if c.program == "asp2vec" {
			continue
		}
		var x []float64
		for round, own := range n.contestants[i].runs[:min(len(n.contestants[i].runs), len(c.runs))] {
			x = append(x, own.rate/c.runs[round].rate)
		}
		if len(x) > 0 {
			rows = append(rows, [2]string{fmt.Sprintf("%s: asp2vec / %s", c.method, strings.TrimSpace(c.program+" "+c.setting)), spread("%.2f", x)})
		}
	}
	return rows
}

// spread prints what the runs of a contestant came to, in some unit; "-" for zeros.
func (c *contestant) spread(format string, unit float64, of func(training) float64) string {
	var x []float64
	for _, t := range c.runs {
		x = append(x, of(t)/unit)
	}
	if slices.Max(x) == 0 {
		return "-"
	}
	return spread(format, x)
}

// spread prints the median of numbers, at least one, with the smallest and the largest where they differ in print.
func spread(format string, x []float64) string {
	x = slices.Sorted(slices.Values(x))
	print := func(v float64) string { return strings.TrimPrefix(fmt.Sprintf(format, v), "0") } // .5, as the paper prints AUC
	text := print((x[(len(x)-1)/2] + x[len(x)/2]) / 2)
	if lo, hi := print(x[0]), print(x[len(x)-1]); lo != hi {
		text += " [" + lo + ", " + hi + "]"
	}
	return text
}
