package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

// record is what a run leaves: enough to repeat it and to judge it.
type record struct {
	Schema       string            `json:"schema"`
	Started      time.Time         `json:"started"`
	Command      string            `json:"command"`
	Host         results.Host      `json:"host"`
	Code         results.Code      `json:"code"`
	Versions     map[string]string `json:"versions"` // torch, numpy, python
	Load         [2]string         `json:"load"`     // load averages before and after; above 0 before means that others used the machine
	Bibliography struct {
		Name    string `json:"name"`
		Papers  int    `json:"training_papers"`
		Authors int    `json:"authors"`
		Words   int    `json:"words"`
	} `json:"bibliography"`
	Rounds  int       `json:"rounds"`
	Threads int       `json:"threads"`
	Results []*result `json:"results"`
}

// result is what both sides took for a task, round by round: this project, and PyTorch.
type result struct {
	task
	StepsPerEpoch int               `json:"steps_per_epoch"`
	Tokens        int               `json:"tokens"` // of the training papers
	Times         [2][]timing       `json:"times"`
	Versions      map[string]string `json:"-"`
}

func newRecord(o options, b *hetnet.Bibliography) *record {
	r := &record{Schema: "asp2vec-papers-1", Started: time.Now().UTC().Truncate(time.Second), Rounds: o.rounds, Threads: o.threads, Versions: map[string]string{}}
	r.Command = fmt.Sprintf("go run ./bench/papers --bibliography BIBLIOGRAPHY --python PYTHON --threads %d --rounds %d --limit %v --most %v --tasks %s",
		o.threads, o.rounds, o.limit, o.most, o.list)
	r.Code, r.Host = machine.Environment()
	r.Bibliography.Name, r.Bibliography.Papers = b.Name, len(b.Train)
	r.Bibliography.Authors, r.Bibliography.Words = len(b.Authors), len(b.Words)
	r.Load[0] = machine.Load()
	return r
}

// add adds a result with the versions that its peer told, and the load after it.
func (r *record) add(res *result) {
	r.Results, r.Load[1] = append(r.Results, res), machine.Load()
	maps.Copy(r.Versions, res.Versions)
}

// epochs returns the seconds of an epoch in each round, on the clock or of processor time.
func (r *result) epochs(side int, cpu bool) (x []float64) {
	for _, t := range r.Times[side] {
		seconds := t.Wall
		if cpu {
			seconds = t.CPU
		}
		x = append(x, seconds/float64(t.Steps)*float64(r.StepsPerEpoch))
	}
	return x
}

// ratios returns how many times as long the peer took, in each round.
func (r *result) ratios(cpu bool) (x []float64) {
	own, peer := r.epochs(0, cpu), r.epochs(1, cpu)
	for i := range min(len(own), len(peer)) {
		x = append(x, peer[i]/own[i])
	}
	return x
}

// wanted are the seconds that the epoch of a method may take, on titles with 40 dimensions.
var wanted = map[string]float64{hetnet.MethodCamel: 30, hetnet.MethodAsp2vecHet: 60}

// wantedRatio is how many times as long PyTorch should take.
const wantedRatio = 5

func (r *record) markdown() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# Papers and authors, against PyTorch, on %s\n\n", r.Bibliography.Name)
	p("%d training papers, %d authors, %d words. Seconds per epoch (the time of a step, multiplied by the number of steps); for the encoder: "+
		"the forward and backward pass over all training papers, %d at a time. Titles are those of the data; abstracts of about 100 words are "+
		"generated from its vocabulary. %d threads each; up to %d rounds, in turns. Median [smallest, largest] of the rounds. Ratios are "+
		"PyTorch's time divided by that of asp2vec in the same round. If the machine was shared (see the load), processor time is more reliable.\n\n",
		r.Bibliography.Papers, r.Bibliography.Authors, r.Bibliography.Words, encoderBatch, r.Threads, r.Rounds)
	p("| task | words | steps | rounds | asp2vec, s | PyTorch, s | ratio | asp2vec, s of processor | PyTorch, s of processor | ratio |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, res := range r.Results {
		p("| %v | %.1f | %d | %d |", res.task, float64(res.Tokens)/float64(max(r.Bibliography.Papers, 1)), res.StepsPerEpoch, len(res.Times[0]))
		for _, cpu := range []bool{false, true} {
			p(" %s | %s | %s |", spread(res.epochs(0, cpu)), spread(res.epochs(1, cpu)), spread(res.ratios(cpu)))
		}
		p("\n")
	}
	p("\n| wanted | measured | met |\n|:--|--:|:--|\n")
	for _, res := range r.Results {
		if most := wanted[res.Model]; most > 0 && res.Texts == "titles" && res.Dim == 40 {
			x := median(res.epochs(0, false))
			p("| %v: an epoch in under %.0f s | %.3g | %s |\n", res.task, most, x, yes(x < most))
		}
		if ratios := res.ratios(false); len(ratios) > 0 && wanted[res.Model] > 0 {
			x := median(ratios)
			p("| %v: %d times as fast as PyTorch | %.3g | %s |\n", res.task, wantedRatio, x, yes(x >= wantedRatio))
		}
	}
	p("\n## Machine and command\n\n- %s, %s; %s; %d processors, %.0f GB of memory\n", r.Started.Format("2006-01-02 15:04 MST"), r.Host.CPU, r.Host.Kernel,
		r.Host.CPUs, float64(r.Host.MemoryBytes)/1e9)
	p("- load averages before `%s`, after `%s`\n- %s, commit %s%s", r.Load[0], r.Load[1], r.Code.Go, r.Code.Commit, map[bool]string{true: " with changes"}[r.Code.Dirty])
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		p("; %s %s", name, r.Versions[name])
	}
	p("\n- `%s`\n", r.Command)
	return b.String()
}

func yes(met bool) string { return map[bool]string{true: "yes", false: "no"}[met] }

// median returns the median of some numbers; 0 for none.
func median(x []float64) float64 {
	s, h := slices.Sorted(slices.Values(x)), len(x)/2
	switch {
	case len(s) == 0:
		return 0
	case len(s)%2 == 0:
		return (s[h-1] + s[h]) / 2
	}
	return s[h]
}

// spread returns the median of some numbers with the smallest and largest, as text.
func spread(x []float64) string {
	if len(x) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g [%.3g, %.3g]", median(x), slices.Min(x), slices.Max(x))
}

// write puts papers.json and papers.md into a folder.
func (r *record) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := atomicfile.Write(filepath.Join(dir, "papers.json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "papers.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, r.markdown())
		return err
	})
}
