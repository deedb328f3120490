package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// markdown prints the record as a page. Write errors are left to the writer: stdout, or a file that is flushed later.
func (r *record) markdown(w io.Writer) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("# Pairs per second on %s\n\n", r.Network.Name)
	p("%d vertices, %d training links; asp2vec d=%d K=%d with noise per %s, DeepWalk d=%d; window 3, 2 negatives, batches of 50,000 pairs. ",
		r.Network.Vertices, r.Network.Links, r.Dim, r.Aspects, r.Noise, r.DeepWalkDim)
	p("%d rounds, in each of which all programs run in turns. Median [smallest, largest] of the rounds.\n", r.Rounds)
	for _, method := range r.methods() {
		p("\n## %s\n\n", method)
		p("| program | threads | million pairs/s | peak memory, MB |\n|---|---:|---:|---:|\n")
		for _, c := range r.Contestants {
			if c.Method != method {
				continue
			}
			if c.Missing != "" {
				p("| %s | %d | missing: %s | |\n", c.Name, c.Threads, cell(c.Missing))
				continue
			}
			var rate, kernel, memory []float64
			for _, run := range c.Runs {
				rate, memory = append(rate, run.PairsPerSecond/1e6), append(memory, run.PeakRSSBytes/1e6)
				if run.KernelPairsPerSecond > 0 {
					kernel = append(kernel, run.KernelPairsPerSecond/1e6)
				}
			}
			p("| %s | %d | %v | %.0f |\n", c.Name, c.Threads, spreadOf(rate), spreadOf(memory).Median)
			if len(kernel) > 0 {
				p("| %s, forward and backward only | %d | %v | |\n", c.Name, c.Threads, spreadOf(kernel))
			}
		}
		p("\n| ratio, computed within each round | measured | wanted | met |\n|---|---:|---:|---|\n")
		for _, c := range r.Claims {
			if c.Method != method {
				continue
			}
			ratio, want, met := "missing", "", ""
			if c.Ratio != nil {
				ratio = c.Ratio.String()
			}
			if c.Want > 0 {
				want = fmt.Sprintf("≥ %.3g", c.Want)
				if c.Ratio != nil {
					met = map[bool]string{true: "yes", false: "no"}[c.Ratio.Median >= c.Want]
				}
			}
			p("| %s | %s | %s | %s |\n", c.What, ratio, want, met)
		}
	}
	p("\n## Machine and commands\n\n")
	p("- %s, %s; %s; %d processors, %.0f GB of memory\n", r.Started.Format("2006-01-02 15:04 MST"), r.Host.CPU, strings.Join(r.CPUFlags, " "), r.Host.CPUs, float64(r.Host.MemoryBytes)/1e9)
	p("- load averages before `%s`, after `%s`\n", r.Load[0], r.Load[1])
	p("- %s, commit %s%s", r.Code.Go, r.Code.Commit, map[bool]string{true: " with changes"}[r.Code.Dirty])
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		p("; %s %s", name, r.Versions[name])
	}
	p("\n- C flags: `%s`, and `-DD=%d -DK=%d` for asp2vec, `-DD=%d -DK=1` for DeepWalk\n- `%s`\n", r.CFlags, r.Dim, r.Aspects, r.DeepWalkDim, r.Command)
	for _, c := range r.Contestants {
		p("- %s, %s: `%s`\n", c.Method, c.Name, c.Command)
	}
}

// methods lists the models in the order of the contestants.
func (r *record) methods() []string {
	var out []string
	for _, c := range r.Contestants {
		if !slices.Contains(out, c.Method) {
			out = append(out, c.Method)
		}
	}
	return out
}

// cell makes a text safe for a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s)
}

func (s spread) String() string { return fmt.Sprintf("%.3g [%.3g, %.3g]", s.Median, s.Min, s.Max) }
