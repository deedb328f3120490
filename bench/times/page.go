package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// medians returns the points that all runs of a contestant have, each with the medians of its runs. What is reported, the last
// one, is that of each run.
func (c *contestant) medians() []point {
	if c.Missing != "" || len(c.Runs) == 0 {
		return nil
	}
	least := len(c.Runs[0].Points)
	for _, r := range c.Runs {
		least = min(least, len(r.Points))
	}
	out := make([]point, 0, least)
	for i := range least {
		of := func(value func(p point) float64) float64 {
			var x []float64
			for _, r := range c.Runs {
				at := i
				if i == least-1 {
					at = len(r.Points) - 1
				}
				x = append(x, value(r.Points[at]))
			}
			return median(x)
		}
		p := c.Runs[0].Points[i]
		if i == least-1 {
			p = c.Runs[0].Points[len(c.Runs[0].Points)-1]
		}
		p.CPU, p.TrainCPU = of(func(p point) float64 { return p.CPU }), of(func(p point) float64 { return p.TrainCPU })
		p.AUC, p.Random = of(func(p point) float64 { return p.AUC }), of(func(p point) float64 { return p.Random })
		out = append(out, p)
	}
	return out
}

// median returns the middle of some numbers, which are not none.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// looks of programs, by the number of their colour.
var programs = []string{nameOurs + " validated", nameOurs + " standard", nameGensim, nameOurs + " paper", nameTorch}

// label is what a contestant is called in print.
func (c *contestant) label() string {
	switch {
	case c.Name == nameTorch:
		return "PyTorch"
	case strings.HasPrefix(c.Name, nameOurs+" "):
		return "this program, " + strings.TrimPrefix(c.Name, nameOurs+" ")
	}
	return c.Name
}

// panels are the networks with their series: all rates of gensim are drawn alike, a line for each through its numbers of epochs,
// and so are runs of standard with further arguments.
func (r *record) panels() []plot.TimePanel {
	var out []plot.TimePanel
	for _, n := range r.Networks {
		panel := plot.TimePanel{Title: fmt.Sprintf("%s, %d vertices", n.Name, n.Vertices), Level: n.Degrees, Means: "product of degrees, not trained"}
		at := map[string]int{}
		type ofRate struct {
			name string
			rate float64
		}
		lines := map[ofRate]int{}
		for _, c := range n.Contestants {
			points := c.medians()
			if len(points) == 0 {
				continue
			}
			name := c.Method + ", " + c.label()
			i, known := at[name]
			if !known {
				i = len(panel.Series)
				at[name] = i
				program := slices.Index(programs, c.Name)
				if program < 0 {
					program = len(programs)
				}
				method := 0
				if c.Method == "deepwalk" {
					method = 1
				}
				panel.Series = append(panel.Series, plot.TimeSeries{Name: name, Program: program, Method: method})
			}
			s := &panel.Series[i]
			var way []plot.TimePoint
			for _, p := range points {
				way = append(way, plot.TimePoint{Seconds: p.CPU, AUC: p.AUC})
			}
			if c.Rate > 0 || c.Setting == "" { // further budgets of this program are on its line
				s.Ends = append(s.Ends, way[len(way)-1])
			}
			key := ofRate{name, c.Rate}
			if line, begun := lines[key]; begun && len(way) == 1 {
				s.Lines[line] = append(s.Lines[line], way...)
			} else {
				lines[key] = len(s.Lines)
				s.Lines = append(s.Lines, way)
			}
		}
		for i := range panel.Series {
			for _, line := range panel.Series[i].Lines {
				slices.SortStableFunc(line, func(a, b plot.TimePoint) int { return compare(a.Seconds, b.Seconds) })
			}
		}
		out = append(out, panel)
	}
	return out
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// picture draws AUC against processor time.
func (r *record) picture() (*plot.Picture, error) { return plot.DrawTimes(r.panels()) }

// markdown prints the record as a page. Write errors are left to the writer: stdout, or a file that is flushed later.
func (r *record) markdown(w io.Writer, name string) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("# AUC against time\n\n![AUC against processor time](%s.svg)\n\n", name)
	p("Test AUC, with the same evaluation for all programs, against the processor time in seconds (user and system) of the whole training process, from its start and " +
		"with the reading of data; *training* is the time of training alone. Writing embeddings and the final evaluation are not counted. The programs run in turns; the table has the " +
		"median of the rounds and [the smallest, the largest]. Curves of the picture show the AUC during training, points the reported result; " +
		"AUCs more than .2 below the best are left out.\n")
	for _, n := range r.Networks {
		n.markdown(p)
	}
}

func (n *networkRecord) markdown(p func(string, ...any)) {
	degrees := ""
	if n.Degrees > 0 { // the first records had none
		degrees = " Ranking links by the product of the degrees of their ends: " + auc(n.Degrees) + "."
	}
	p("\n## %s\n\n%d vertices, %d training links, %d test links; asp2vec d=%d K=%d, DeepWalk d=%d; seed %d, %s, %s; at most %.0f s a run.%s\n\n",
		n.Name, n.Vertices, n.Links, n.Test, n.Dim, n.Aspects, n.DeepWalkDim, n.Seed, plural(n.Threads, "thread"), plural(n.Rounds, "round"), n.Limit, degrees)
	p("| method | program | setting | test AUC | processor time, s | training, s | million pairs | |\n|---|---|---|---:|---:|---:|---:|---|\n")
	var best *contestant // of gensim's settings
	settings := 0
	for _, c := range n.Contestants {
		points := c.medians()
		if len(points) == 0 {
			why := c.Missing
			if why == "" {
				why = "not run"
			}
			p("| %s | %s | %s | missing: %s | | | | |\n", c.Method, c.label(), cell(c.Setting), cell(why))
			continue
		}
		last := points[len(points)-1]
		if c.Rate > 0 {
			if settings++; best == nil || best.end().AUC < last.AUC {
				best = c
			}
		}
		var aucs, cpu []float64
		var notes []string
		for _, r := range c.Runs {
			end := r.Points[len(r.Points)-1]
			aucs, cpu = append(aucs, end.AUC), append(cpu, end.CPU)
			if r.Cut && !slices.Contains(notes, "cut off") {
				notes = append(notes, "cut off")
			}
			if how := chosen(r.Stop); how != "" && !slices.Contains(notes, how) {
				notes = append(notes, how)
			}
		}
		p("| %s | %s | %s | %s%s | %.1f%s | %.1f | %.1f | %s |\n", c.Method, c.label(), cell(c.Setting), auc(last.AUC), within(aucs, auc), last.CPU,
			within(cpu, func(x float64) string { return fmt.Sprintf("%.1f", x) }), last.TrainCPU, float64(last.Pairs)/1e6, strings.Join(notes, ", "))
	}
	if settings > 1 {
		p("\nThe best setting of gensim, **chosen by the test links**: %s after %.1f s (%s).\n", auc(best.end().AUC), best.end().CPU, best.Setting)
	}
	p("\n- %s UTC, %s, %d processors, load averages before `%s`, after `%s`\n", n.Started.Format("2006-01-02 15:04"), n.Host.CPU, n.Host.CPUs, n.Load[0], n.Load[1])
	p("- %s, commit %s%s; split %.12s", n.Code.Go, n.Code.Commit, map[bool]string{true: " with changes"}[n.Code.Dirty], n.Checksum)
	var versions []string
	for _, c := range n.Contestants {
		for _, r := range c.Runs {
			if !strings.HasPrefix(r.Of, "go") && r.Of != "" && !slices.Contains(versions, r.Of) {
				versions = append(versions, r.Of)
			}
		}
	}
	if len(versions) > 0 {
		p("; %s", strings.Join(versions, "; "))
	}
	p("\n- `%s`\n", n.Command)
	for _, s := range n.Sittings {
		p("- resumed; before: %s UTC, load averages `%s` and `%s`, commit %.10s: `%s`\n", s.Started.Format("2006-01-02 15:04"), s.Load[0], s.Load[1], s.Commit, s.Command)
	}
	seen := map[string]bool{}
	for _, c := range n.Contestants {
		if key := c.Name + c.Method; !seen[key] {
			seen[key] = true
			p("- %s, %s: `%s`\n", c.Method, c.label(), c.Command)
		}
	}
}

// end is what a contestant that ran reports.
func (c *contestant) end() point {
	points := c.medians()
	return points[len(points)-1]
}

// chosen says how the reported epoch was chosen, where there was a choice.
func chosen(selection string) string {
	switch selection {
	case results.ValidationBest:
		return "epoch chosen by validation links"
	case results.TestBest:
		return "epoch chosen by test links"
	case results.LossBest:
		return "epoch chosen by the loss"
	}
	return ""
}

// within is the smallest and largest of several values that differ in print.
func within(x []float64, print func(float64) string) string {
	lo, hi := print(slices.Min(x)), print(slices.Max(x))
	if lo == hi {
		return ""
	}
	return " [" + lo + ", " + hi + "]"
}

// auc prints as the paper does, without a leading zero.
func auc(x float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(x, 'f', 4, 64), "0")
}

func plural(n int, what string) string { return fmt.Sprintf("%d %s%s", n, what, ending(n)) }

func ending(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// cell makes a text fit for a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s)
}
