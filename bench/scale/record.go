package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

// record is what a run leaves: enough to repeat it, to judge it and to draw it.
type record struct {
	Schema  string       `json:"schema"`
	Started time.Time    `json:"started"`
	Command string       `json:"command"`
	Host    results.Host `json:"host"`
	Code    results.Code `json:"code"`
	Load    [2]string    `json:"load"` // load averages before and after; above 0 before means that others used the machine
	Points  []point      `json:"points"`
}

const schema = "asp2vec-scale-1"

func newRecord(command string) *record {
	r := &record{Schema: schema, Started: time.Now().UTC().Truncate(time.Second), Command: command}
	r.Code, r.Host = machine.Environment()
	r.Load[0] = machine.Load()
	return r
}

func (r *record) finish() { r.Load[1] = machine.Load() }

func readRecord(path string) (*record, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("scale: %s: %w", path, err)
	}
	if r.Schema != schema || len(r.Points) == 0 {
		return nil, fmt.Errorf("scale: %s: schema %q with %d points: want %q with at least one", path, r.Schema, len(r.Points), schema)
	}
	return r, nil
}

func (r *record) write(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// draw writes the table and the plot.
func (r *record) draw(dir string) error {
	err := atomicfile.Write(filepath.Join(dir, "scale.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, r.markdown())
		return err
	})
	if err != nil {
		return err
	}
	return r.plot(dir)
}

// A series is points that differ in size alone.
type series struct {
	threads int
	name    string
	grown   bool // batches grow with the network
	points  []point
}

func (r *record) series() []series {
	var all []series
	for _, p := range r.Points {
		grown := p.Batch != publishedBatch
		name := p.Optimizer
		if grown {
			name += ", batch = vertices"
		}
		i := len(all) - 1
		if i < 0 || all[i].threads != p.Threads || all[i].name != name {
			s := series{threads: p.Threads, name: name, grown: grown}
			if grown && i >= 0 { // smaller networks have the published batch in both
				for _, q := range all[i].points {
					if q.Vertices <= publishedBatch && q.Optimizer == p.Optimizer && q.Threads == p.Threads {
						s.points = append(s.points, q)
					}
				}
			}
			all, i = append(all, s), i+1
		}
		all[i].points = append(all[i].points, p)
	}
	return all
}

func (r *record) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Cost of training by the size of the network

asp2vec with 20 dimensions, 5 aspects, window 3, 2 negatives and the regularizer, from random vectors, on networks with planted communities
and a mean degree of %d. Walks are generated again in each epoch. Each point is a process of its own that trains for a limited time.

- **ns/pair** is the processor time of all threads together, which other work on the machine affects least; with several rounds, the
  smallest. **pairs/s** is by wall-clock time, in the same round.
- **ratio** is ns/pair divided by that of the smallest network of the series.
- **rows/pair** is the number of aspect blocks (5 x 20 numbers) that a batch uses, divided by its pairs. lazy-adam and sgd regularize and update this
  many rows per pair; adam updates vertices/batch rows.

![cost by size](scale.svg)

`, meanDegree)
	list := r.series()
	for i, s := range list {
		if i == 0 || s.threads != list[i-1].threads {
			fmt.Fprintf(&b, "## %s\n\n| optimizer | vertices | links | batch | rows/pair | ns/pair | ratio | million pairs/s | peak MB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", threadsText(s.threads))
		}
		for _, p := range s.points {
			if s.grown && p.Batch == publishedBatch {
				continue // is above
			}
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %.2f | %.0f | %.2f | %.2f | %d |\n",
				p.Optimizer, p.Vertices, p.Links, p.Batch, p.RowsPerPair, p.cost(), p.cost()/s.points[0].cost(), 1e3/p.wall(), p.PeakBytes>>20)
		}
		if i == len(list)-1 || list[i+1].threads != s.threads {
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "`%s`\n\n%s, %d processors, %s/%s, %s; commit %s%s; %s; load before %s, after %s.\n",
		r.Command, r.Host.CPU, r.Host.CPUs, r.Host.OS, r.Host.Arch, r.Code.Go, r.Code.Commit, map[bool]string{true: " with changes"}[r.Code.Dirty],
		r.Started.Format(time.DateOnly), r.Load[0], r.Load[1])
	return b.String()
}

func threadsText(n int) string {
	if n == 1 {
		return "One thread"
	}
	return fmt.Sprintf("%d threads", n)
}
