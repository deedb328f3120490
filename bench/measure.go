package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/results"
)

// oneRun is one training of a contestant.
type oneRun struct {
	CPU    float64 `json:"process_cpu_seconds"` // of all that the process did
	Wall   float64 `json:"process_wall_seconds"`
	Memory float64 `json:"peak_rss_bytes"`
	Of     string  `json:"versions,omitempty"` // of what it ran on
	Points []point `json:"points"`             // in order of time; the last is what is reported
}

// point is what was reached at some time.
type point struct {
	CPU      float64 `json:"cpu_seconds"`       // of the process up to then, without what only the measurement needs
	TrainCPU float64 `json:"train_cpu_seconds"` // of the training alone
	Pairs    int64   `json:"pairs"`             // that were trained
	AUC      float64 `json:"auc"`               // of the test links
	Stage    string  `json:"stage,omitempty"`   // of the training, such as a warm-up
	Before   *point  `json:"before,omitempty"`  // where its stage began; nil for the beginning
	File     string  `json:"file,omitempty"`
}

// measure runs every contestant once a round; odd rounds go backwards. The first failure retires a contestant.
func (n *measured) measure(ctx context.Context, o options, log io.Writer) {
	for round := range o.rounds {
		order := slices.Clone(n.Contestants)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, c := range order {
			if c.Missing != "" || ctx.Err() != nil {
				continue
			}
			what := strings.TrimSpace(fmt.Sprintf("%s, round %d: %s, %s %s", n.Name, round+1, c.Method, c.Name, c.Setting))
			limited, cancel := context.WithTimeout(ctx, o.timeout)
			r, err := n.once(limited, o, c)
			cancel()
			if err != nil {
				c.Missing = strings.ReplaceAll(err.Error(), n.tmp, "")
				fmt.Fprintf(log, "%s: missing: %v\n", what, err)
				continue
			}
			c.Runs = append(c.Runs, r)
			last := r.Points[len(r.Points)-1]
			fmt.Fprintf(log, "%s: AUC %.4f after %.1f s, %.2f million pairs/s\n", what, last.AUC, last.CPU, last.rate()/1e6)
		}
	}
}

// rate is the number of pairs trained in a second of processor time, in the stage of the point: those of another are others. It is 0 where nothing is trained by pairs.
func (p point) rate() float64 {
	var from point
	if p.Before != nil {
		from = *p.Before
	}
	if p.Pairs == from.Pairs {
		return 0
	}
	return float64(p.Pairs-from.Pairs) / (p.TrainCPU - from.TrainCPU)
}

// once runs a contestant and judges what it left.
func (n *measured) once(ctx context.Context, o options, c *contestant) (*oneRun, error) {
	defer os.RemoveAll(c.out)
	start := time.Now()
	text, state, err := output(ctx, c.argv[0], c.argv[1:]...)
	if err != nil {
		return nil, err
	}
	r := &oneRun{Wall: time.Since(start).Seconds(), CPU: (state.UserTime() + state.SystemTime()).Seconds()}
	switch {
	case c.Method == methodScore:
		p := point{CPU: r.CPU, TrainCPU: r.CPU}
		p.AUC, err = aucOf(text)
		r.Points = []point{p}
	case c.own:
		err = r.readOwn(c.out)
	default:
		err = r.readPeer(text)
	}
	if err == nil && len(r.Points) == 0 {
		err = errors.New("no points: expected what was reached")
	}
	if err != nil {
		return nil, err
	}
	for i := range r.Points {
		if p := &r.Points[i]; p.File != "" {
			if p.AUC, err = n.auc(ctx, o, p.File); err != nil {
				return nil, err
			}
			p.File = ""
		}
	}
	return r, nil
}

// auc has this program judge an embedding by the test links.
func (n *measured) auc(ctx context.Context, o options, path string) (float64, error) {
	text, _, err := output(ctx, o.asp2vec, "evaluate", "--split", n.split, "--embedding", path, "--baselines", "none", "--json")
	if err != nil {
		return 0, err
	}
	return aucOf(text)
}

// aucOf returns what evaluate --json printed.
func aucOf(text string) (float64, error) {
	var doc struct {
		Scores []struct {
			Metrics map[string]float64 `json:"metrics"`
		} `json:"scores"`
	}
	if err := document(text, &doc); err != nil || len(doc.Scores) != 1 {
		return 0, cmp.Or(err, errors.New("evaluate: expected one score"))
	}
	return doc.Scores[0].Metrics["auc_random"], nil
}

// readOwn reads the folder that asp2vec left: a point for each epoch whose test AUC the protocol looks at, and the model that is reported.
// The record has times by the clock; they are scaled to the processor time of the process. All that is not training or evaluation is taken
// to come first, and evaluations to be of equal length, of which the last is of the test links and not counted.
func (r *oneRun) readOwn(dir string) error {
	rec, err := results.ReadRecord(dir)
	if err != nil {
		return err
	}
	r.Of, r.Memory = rec.Code.Go, float64(rec.PeakMemoryBytes)
	scored := slices.DeleteFunc(slices.Clone(rec.Epochs), func(e results.Epoch) bool { return e.TestAUC == nil && e.ValidationAUC == nil })
	scale, each := r.CPU/r.Wall, rec.EvalSeconds/float64(len(scored)+1)
	clock, train := max(r.Wall-rec.TrainSeconds-rec.EvalSeconds, 0), 0.
	var pairs int64
	var before *point
	stage := ""
	for _, e := range rec.Epochs {
		if e.Stage != stage {
			stage, before = e.Stage, &point{TrainCPU: train * scale, Pairs: pairs}
		}
		train, pairs, clock = train+e.Seconds, pairs+e.Pairs, clock+e.Seconds
		if e.TestAUC != nil || e.ValidationAUC != nil {
			clock += each
		}
		if e.TestAUC != nil {
			r.Points = append(r.Points, point{CPU: clock * scale, TrainCPU: train * scale, Pairs: pairs, AUC: *e.TestAUC, Stage: stage, Before: before})
		}
	}
	r.Points = append(r.Points, point{CPU: (r.Wall - each) * scale, TrainCPU: train * scale, Pairs: pairs, File: dir, Stage: stage, Before: before})
	return nil
}

// readPeer reads what a peer printed, which names the embeddings that it wrote.
func (r *oneRun) readPeer(text string) error {
	var doc struct {
		Points               []point `json:"points"`
		Memory               float64 `json:"peak_rss_bytes"`
		Torch, Gensim, Numpy string
	}
	if err := document(text, &doc); err != nil {
		return err
	}
	r.Points, r.Memory = doc.Points, doc.Memory
	for _, v := range [][2]string{{"torch", doc.Torch}, {"gensim", doc.Gensim}, {"numpy", doc.Numpy}} {
		if v[1] != "" {
			r.Of = strings.TrimPrefix(r.Of+", "+v[0]+" "+v[1], ", ")
		}
	}
	return nil
}

// output returns what a command printed, and how it ended. Its error ends with the last line that the command wrote to stderr.
func output(ctx context.Context, name string, args ...string) (string, *os.ProcessState, error) {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(stderr.String())
		text = text[strings.LastIndexByte(text, '\n')+1:]
		return "", nil, fmt.Errorf("%s: %w: %.200s", filepath.Base(name), err, text)
	}
	return stdout.String(), cmd.ProcessState, nil
}

// document reads the JSON document that a program printed, on the last line or over the whole output.
func document(text string, v any) error {
	text = strings.TrimSpace(text)
	if json.Unmarshal([]byte(text[strings.LastIndexByte(text, '\n')+1:]), v) == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return fmt.Errorf("output %.80q: expected one JSON document: %w", text, err)
	}
	return nil
}
