package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

// record is what a measurement leaves: enough to repeat it and to judge it.
type record struct {
	Schema   string       `json:"schema"`
	Started  time.Time    `json:"started"`
	Command  string       `json:"command"` // that would repeat it, given the same splits
	Host     results.Host `json:"host"`
	Code     results.Code `json:"code"`
	Load     string       `json:"load"` // averages before; above 0 if others used the machine
	Rounds   int          `json:"rounds"`
	Networks []*measured  `json:"networks"`
}

func newRecord(o options) *record {
	r := &record{Schema: "asp2vec-bench-1", Started: time.Now().UTC().Truncate(time.Second), Rounds: o.rounds}
	r.Command = fmt.Sprintf("go run ./bench --splits SPLITS --methods %s --protocols %s --gensim-epochs %s --gensim-rates %s --dim %d --aspects %d --deepwalk-dim %d --threads %d --rounds %d --seed %d --torch-limit %v",
		strings.Join(o.methods, ","), strings.Join(o.protocols, ","), strings.Join(o.epochs, ","), strings.Join(o.rates, ","), o.dim, o.aspects, o.deepWalkDim, o.threads, o.rounds, o.seed, o.limit)
	r.Code, r.Host = results.Environment()
	if commit, _, err := output(context.Background(), "git", "rev-parse", "HEAD"); err == nil && r.Code.Commit == "" { // go run leaves it out
		r.Code.Commit = strings.TrimSpace(commit)
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		r.Load = strings.Join(strings.Fields(string(text))[:3], " ")
	}
	return r
}

// write writes NAME.json and NAME.md, each whole or not at all.
func (r *record) write(dir, name string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for ending, write := range map[string]func(io.Writer) error{
		".json": func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", " ")
			return e.Encode(r)
		},
		".md": func(w io.Writer) error {
			r.page(w)
			return nil
		},
	} {
		if err := atomicfile.Write(filepath.Join(dir, name+ending), write); err != nil {
			return err
		}
	}
	return nil
}

// page prints the record as Markdown. Write errors are left to the writer: stdout, or a file that is flushed later.
func (r *record) page(w io.Writer) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("# This program beside others\n\nTest AUC by one evaluation for all, against the processor time (user and system) of the whole training process. ")
	p("Pairs per second are those of the training alone. The programs run in turns; the table has medians over %d rounds and [smallest, largest].\n", r.Rounds)
	for _, n := range r.Networks {
		p("\n## %s\n\n| method | program | setting | test AUC | processor time, s | million pairs/s | peak memory, MB |\n|---|---|---|---:|---:|---:|---:|\n", n.Name)
		for _, c := range n.Contestants {
			if len(c.Runs) == 0 {
				p("| %s | %s | %s | missing: %s | | | |\n", c.Method, c.Name, c.Setting, strings.NewReplacer("|", `\|`, "\n", " ").Replace(cmp.Or(c.Missing, "not run")))
				continue
			}
			p("| %s | %s | %s | %s | %s | %s | %s |\n", c.Method, c.Name, c.Setting, c.spread("%.4f", point.auc), c.spread("%.1f", point.cpu),
				c.speed(), spread("%.0f", each(c.Runs, func(t *oneRun) float64 { return t.Memory / 1e6 })))
		}
		p("\n| pairs per second, within each round | ratio |\n|---|---:|\n")
		for _, ratio := range n.ratios() {
			p("| %s | %s |\n", ratio[0], ratio[1])
		}
		p("\n")
		for _, c := range n.Contestants {
			p("- %s, %s: `%s`\n", c.Method, strings.TrimSpace(c.Name+" "+c.Setting), c.Command)
		}
	}
	p("\n## Machine\n\n- %s UTC, %s, %d processors, load averages before `%s`\n- %s, commit %s%s%s\n- `%s`\n", r.Started.Format("2006-01-02 15:04"), r.Host.CPU, r.Host.CPUs, r.Load,
		r.Code.Go, cmp.Or(r.Code.Commit, "unknown"), map[bool]string{true: " with changes"}[r.Code.Dirty], r.versions(), r.Command)
}

// versions are those of the other programs.
func (r *record) versions() (text string) {
	seen := map[string]bool{}
	for _, n := range r.Networks {
		for _, c := range n.Contestants {
			for _, t := range c.Runs {
				if !c.own && !seen[t.Of] {
					seen[t.Of] = true
					text += "; " + t.Of
				}
			}
		}
	}
	return text
}

// ratios compares this program, under its first protocol, with each of the others, round by round.
func (n *measured) ratios() (rows [][2]string) {
	for _, c := range n.Contestants {
		i := slices.IndexFunc(n.Contestants, func(own *contestant) bool { return own.own && own.Method == c.Method })
		if c.own || i < 0 {
			continue
		}
		own := n.Contestants[i]
		var x []float64
		for round := range min(len(own.Runs), len(c.Runs)) {
			a, b := own.Runs[round].end(), c.Runs[round].end()
			if b.rate() > 0 && (a.Stage == b.Stage || b.Stage == "") {
				x = append(x, a.rate()/b.rate())
			}
		}
		if len(x) > 0 {
			rows = append(rows, [2]string{fmt.Sprintf("%s: %s / %s", c.Method, own.Name, strings.TrimSpace(c.Name+" "+c.Setting)), spread("%.2f", x)})
		}
	}
	return rows
}

func (p point) auc() float64 { return p.AUC }
func (p point) cpu() float64 { return p.CPU }

// speed prints the million pairs per second of the stage that runs ended in, and which that was where it is a warm-up.
func (c *contestant) speed() string {
	end := c.Runs[0].end()
	switch {
	case end.rate() == 0:
		return "-"
	case end.Stage == results.StageWarmUp:
		return c.spread("%.2f", point.millions) + " in the warm-up"
	}
	return c.spread("%.2f", point.millions)
}

func (p point) millions() float64 { return p.rate() / 1e6 }

// end is what a run reports.
func (t *oneRun) end() point { return t.Points[len(t.Points)-1] }

// spread prints what the runs of a contestant report.
func (c *contestant) spread(format string, of func(point) float64) string {
	return spread(format, each(c.Runs, func(t *oneRun) float64 { return of(t.end()) }))
}

func each(runs []*oneRun, of func(*oneRun) float64) (x []float64) {
	for _, t := range runs {
		x = append(x, of(t))
	}
	return x
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
