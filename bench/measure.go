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

// measured is a network and what its contestants reached.
type measured struct {
	name, split, tmp string
	contestants      []*contestant
}

// contestant is one program with one setting. Its runs are those of the rounds in which it took part.
type contestant struct {
	method  string // "not trained" for a score of the network alone
	program string // "asp2vec", "gensim" or "torch"
	setting string
	missing string // why it is
	argv    []string
	runs    []training
}

// training is what one training came to.
type training struct {
	auc    float64 // of the test links
	cpu    float64 // seconds, user and system, of the whole process but for writing and the evaluation at the end
	rate   float64 // pairs a second of processor time, of the stage that it ended in; 0 where nothing is trained by pairs
	memory float64 // bytes, at most
}

const notTrained = "not trained"

// contestants lists those of a network. Vectors have 100 numbers for each vertex, in asp2vec five times 20.
func contestants(n *measured, o options) (all []*contestant) {
	add := func(method, program, setting string, argv ...any) {
		c := &contestant{method: method, program: program, setting: setting}
		for _, a := range argv {
			c.argv = append(c.argv, fmt.Sprint(a))
		}
		all = append(all, c)
	}
	out, walks := filepath.Join(n.tmp, "out"), filepath.Join(n.tmp, "walks.txt")
	for _, score := range []string{"walk", "neighbourhood"} {
		add(notTrained, "asp2vec", score, o.asp2vec, "evaluate", "--split", n.split, "--score", score, "--negatives", "uniform", "--baselines", "none", "--threads", 1, "--json", "--no-progress")
	}
	for _, method := range []string{"asp2vec", "deepwalk", "ppr", "prone"} {
		dim := 100
		if method == "asp2vec" {
			dim = 20
		}
		add(method, "asp2vec", "standard", o.asp2vec, "train", "--split", n.split, "--method", method, "--dim", dim, "--seed", o.seed, "--threads", 1, "--out", out, "--results=", "--no-progress")
		switch method {
		case "asp2vec":
			add(method, "torch", "", o.python, filepath.Join(o.peers, "torch_asp2vec.py"), "--method", method, "--dim", dim, "--warm-up-epochs", 1, "--noise", "pair",
				"--seed", o.seed, "--limit", o.limit.Seconds(), "--save", out, walks)
		case "deepwalk":
			add(method, "torch", "", o.python, filepath.Join(o.peers, "torch_asp2vec.py"), "--method", method, "--dim", dim, "--seed", o.seed, "--limit", o.limit.Seconds(), "--save", out, walks)
			for _, epochs := range []int{1, 5} {
				add(method, "gensim", fmt.Sprintf("%d × rate .025", epochs), o.python, filepath.Join(o.peers, "gensim_deepwalk.py"), "--dim", dim, "--epochs", epochs, "--seed", o.seed, "--save", out, walks)
			}
		}
	}
	return all
}

// measure runs every contestant once a round; odd rounds go backwards. The first failure retires a contestant.
func (n *measured) measure(ctx context.Context, o options, log io.Writer) {
	for round := range o.rounds {
		order := slices.Clone(n.contestants)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, c := range order {
			if c.missing != "" || ctx.Err() != nil {
				continue
			}
			t, err := n.once(ctx, o, c)
			if err != nil {
				c.missing = strings.ReplaceAll(err.Error(), n.tmp, "")
			} else {
				c.runs = append(c.runs, t)
			}
			fmt.Fprintf(log, "%s, round %d: %s, %s %s: %+v %s\n", n.name, round+1, c.method, c.program, c.setting, t, c.missing)
		}
	}
}

// once runs a contestant and judges what it left.
func (n *measured) once(ctx context.Context, o options, c *contestant) (t training, err error) {
	out := filepath.Join(n.tmp, "out")
	defer os.RemoveAll(out)
	start := time.Now()
	text, state, err := output(ctx, c.argv[0], c.argv[1:]...)
	if err != nil {
		return t, err
	}
	t.cpu = (state.UserTime() + state.SystemTime()).Seconds()
	switch {
	case c.method == notTrained:
		t.auc, err = aucOf(text)
		return t, err
	case c.program == "asp2vec":
		err = t.ofRecord(out, time.Since(start).Seconds())
	default:
		err = t.ofPeer(text)
	}
	if err != nil {
		return t, err
	}
	if text, _, err = output(ctx, o.asp2vec, "evaluate", "--split", n.split, "--embedding", out, "--baselines", "none", "--json"); err == nil {
		t.auc, err = aucOf(text)
	}
	return t, err
}

// aucOf returns what evaluate --json printed.
func aucOf(text string) (float64, error) {
	var doc struct {
		Scores []struct {
			Metrics map[string]float64 `json:"metrics"`
		} `json:"scores"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Scores) != 1 {
		return 0, cmp.Or(err, errors.New("evaluate: expected one score"))
	}
	return doc.Scores[0].Metrics["auc_random"], nil
}

// ofRecord reads the folder that asp2vec left after so many seconds. The record has times by the clock; they are scaled to the processor time of the process.
func (t *training) ofRecord(dir string, wall float64) error {
	rec, err := results.ReadRecord(dir)
	if err != nil {
		return err
	}
	scale := t.cpu / wall
	t.cpu, t.memory = (wall-rec.EvalSeconds)*scale, float64(rec.PeakMemoryBytes)
	var pairs int64
	var seconds float64
	for _, e := range rec.Epochs {
		if e.Stage == rec.Epochs[len(rec.Epochs)-1].Stage {
			pairs, seconds = pairs+e.Pairs, seconds+e.Seconds
		}
	}
	if pairs > 0 {
		t.rate = float64(pairs) / (seconds * scale)
	}
	return nil
}

// ofPeer reads the line that a peer printed last.
func (t *training) ofPeer(text string) error {
	var doc struct {
		CPU    float64 `json:"cpu_seconds"`
		Rate   float64 `json:"pairs_per_second"`
		Memory float64 `json:"peak_rss_bytes"`
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &doc); err != nil || doc.Rate == 0 {
		return fmt.Errorf("output %.80q: expected one JSON document: %w", text, cmp.Or(err, errors.New("no pairs_per_second")))
	}
	t.cpu, t.rate, t.memory = doc.CPU, doc.Rate, doc.Memory
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
