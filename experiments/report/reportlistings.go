package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// listings are what a reader may look up.
func (s shown) listings() []webpage.Listing {
	all := []webpage.Listing{s.settings(), s.networks(), s.machines(), s.versions(), s.failures(), s.allRuns()}
	return seq.Filter(all, func(l webpage.Listing) bool { return len(l.Rows) > 0 })
}

// optionTexts returns the options that a method reads by name, as text, without the seed; nil where they cannot be written.
func optionTexts(o graphs.Options) map[string]string {
	words, err := grid.OptionWords(o)
	if err != nil {
		return nil
	}
	delete(words, "seed")
	return words
}

// special writes the options of a job that are not the defaults of its method and protocol; those of "validated" for a
// protocol without a name.
func special(j store.Job) string {
	protocol, ok := run.Protocols[j.Protocol]
	if !ok {
		protocol = graphs.Default
	}
	defaults := optionTexts(graphs.OptionsOf(j.Options.Method, protocol))
	var parts []string
	for name, value := range optionTexts(j.Options) {
		if defaults[name] != value {
			parts = append(parts, name+"="+value)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// group is a row of a listing, with the runs that it stands for.
type group struct {
	cells   []string
	runs    int
	seconds float64
	seeds   distinct // of networks
}

// grouped returns rows of the cells that runs have, in the order of the runs.
func (s shown) grouped(cells func(r shownRun) []string) []group {
	var out []group
	at := map[string]int{}
	for _, r := range s.runs {
		c := cells(r)
		key := fmt.Sprintf("%q", c)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, group{cells: c, seeds: distinct{}})
		}
		out[i].runs++
		out[i].seconds += r.TrainSeconds + r.EvalSeconds
		out[i].seeds.add(r.Dataset.Name)
	}
	return out
}

func (s shown) settings() webpage.Listing {
	l := webpage.Listing{Title: "Settings", Text: "Other options have the default of their method under its protocol (asp2vec methods).",
		Columns: []string{"Method", "Protocol", "Options other than the defaults", "Networks (seeds)", "Seconds"}}
	rows := s.grouped(func(r shownRun) []string { return []string{r.Method, r.Protocol, r.special} })
	slices.SortStableFunc(rows, func(a, b group) int { return store.CompareMethods(a.cells[0], b.cells[0]) })
	for _, g := range rows {
		networks := seq.Map(slices.SortedFunc(maps.Keys(g.seeds), store.CompareNetworks), func(name string) string { return fmt.Sprintf("%s (%d)", name, g.seeds[name]) })
		l.Rows = append(l.Rows, append(g.cells, strings.Join(networks, ", "), fmt.Sprintf("%.0f", g.seconds)))
	}
	return l
}

// counted has a row for each of the cells that runs have, with the number of runs behind them.
func (s shown) counted(title string, columns []string, cells func(r shownRun) []string) webpage.Listing {
	rows := seq.Map(s.grouped(cells), func(g group) []string { return append(g.cells, strconv.Itoa(g.runs)) })
	return webpage.Listing{Title: title, Columns: append(columns, "Runs"), Rows: rows}
}

func (s shown) networks() webpage.Listing {
	return s.counted("Data", []string{"Network", "Vertices", "Links", "Directed", "Train", "Test", "SHA-256 of the split"}, func(r shownRun) []string {
		d := r.Dataset
		return []string{d.Name, strconv.Itoa(d.Vertices), strconv.Itoa(d.Links), yes(d.Directed), strconv.Itoa(d.Train), strconv.Itoa(d.Test), beginning(d.SHA256)}
	})
}

// machine names a kind of machine.
func machine(h results.Host) string {
	return fmt.Sprintf("%s, %d processors, %.0f GiB, %s/%s", h.CPU, h.CPUs, float64(h.MemoryBytes)/(1<<30), h.OS, h.Arch)
}

func (s shown) machines() webpage.Listing {
	l := webpage.Listing{Title: "Machines", Columns: []string{"Machine", "Threads", "Runs", "Seconds"}}
	for _, g := range s.grouped(func(r shownRun) []string { return []string{machine(r.Host), strconv.Itoa(r.Host.Threads)} }) {
		l.Rows = append(l.Rows, append(g.cells, strconv.Itoa(g.runs), fmt.Sprintf("%.0f", g.seconds)))
	}
	return l
}

func (s shown) versions() webpage.Listing {
	return s.counted("Versions", []string{"Commit", "Changed after it", "Version", "Go", "Gorgonia", "Tensor"}, func(r shownRun) []string {
		c := r.Code
		return []string{beginning(c.Commit), yes(c.Dirty), c.Version, c.Go, c.Gorgonia, c.Tensor}
	})
}

func (s shown) failures() webpage.Listing {
	l := webpage.Listing{Title: "Failed and interrupted runs", Columns: []string{"Network", "Method", "Protocol", "Seed", "Why"}}
	for _, r := range s.failed {
		l.Rows = append(l.Rows, []string{r.Dataset.Name, r.Method, r.Protocol, strconv.FormatUint(r.Seed, 10), cmp.Or(r.Error, "interrupted")})
	}
	return l
}

func (s shown) allRuns() webpage.Listing {
	l := webpage.Listing{Title: "All runs", Folded: true, Text: "AUC: on directed networks with reversed links among the negatives, as in the paper; the next column has random negatives only.",
		Columns: []string{"Network", "Method", "Protocol", "Options other than the defaults", "Seed", "AUC", "AUC, random negatives", "Epoch", "Seconds", "Peak MiB"}}
	for _, r := range s.runs {
		epoch := ""
		if r.BestEpoch > 0 {
			epoch = fmt.Sprintf("%s %d", r.BestStage, r.BestEpoch)
		}
		memory := ""
		if r.PeakMemoryBytes > 0 {
			memory = strconv.FormatUint(r.PeakMemoryBytes>>20, 10)
		}
		l.Rows = append(l.Rows, []string{r.Dataset.Name, r.Method, r.Protocol, r.special, strconv.FormatUint(r.Seed, 10), metric(r.Record, "auc"),
			metric(r.Record, "auc_random"), epoch, fmt.Sprintf("%.1f", r.TrainSeconds+r.EvalSeconds), memory})
	}
	return l
}

// beginning returns enough of a checksum to know it by.
func beginning(sum string) string { return sum[:min(12, len(sum))] }

// metric writes a score; "" for one that is not there.
func metric(r results.Record, name string) string {
	if x, ok := r.Metrics[name]; ok {
		return fmt.Sprintf("%.4f", x)
	}
	return ""
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
