package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// measure runs every contestant once a round; odd rounds go backwards. The first failure retires a contestant. It calls keep
// after each run.
func (n *net) measure(ctx context.Context, o options, log io.Writer, keep func() error) {
	for round := range o.rounds {
		order := slices.Clone(n.Contestants)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, c := range order {
			if c.Missing != "" || c.kept || len(c.Runs) > round || ctx.Err() != nil {
				continue
			}
			what := strings.TrimSpace(fmt.Sprintf("%s, round %d: %s, %s %s", n.Name, round+1, c.Method, c.Name, c.Setting))
			limited, cancel := context.WithTimeout(ctx, o.timeout)
			r, err := n.runOnce(limited, c)
			if limited.Err() != nil && ctx.Err() == nil {
				err = fmt.Errorf("not done after %v", o.timeout)
			}
			cancel()
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				c.Missing = err.Error()
				fmt.Fprintf(log, "%s: missing: %v\n", what, err)
				continue
			}
			c.Runs = append(c.Runs, r)
			n.finish()
			last := r.Points[len(r.Points)-1]
			fmt.Fprintf(log, "%s: AUC %.4f after %.1f s\n", what, last.AUC, last.CPU)
			if err := keep(); err != nil {
				fmt.Fprintf(log, "times: %v\n", err)
			}
		}
	}
	n.finish()
}

// runOnce runs a contestant and measures what it left.
func (n *net) runOnce(ctx context.Context, c *contestant) (*once, error) {
	if len(c.argv) == 0 {
		return nil, errors.New("empty command: want a program")
	}
	if err := os.RemoveAll(c.out); err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.out)
	var cut atomic.Bool
	start := time.Now()
	out, state, err := peer.Run(ctx, func(p *os.Process) func() { return cutOff(p, c.limit, &cut) }, c.argv[0], c.argv[1:]...)
	r := &once{Wall: time.Since(start).Seconds(), Cut: cut.Load()}
	if state != nil {
		r.CPU = (state.UserTime() + state.SystemTime()).Seconds()
	}
	if err != nil && !(r.Cut && c.own) {
		if r.Cut {
			return nil, fmt.Errorf("not done after %v of processor time, and had nothing to show before", c.limit)
		}
		return nil, err
	}
	if c.own {
		err = n.ownPoints(ctx, c, r)
	} else {
		err = n.peerPoints(ctx, out, r)
	}
	if err == nil && len(r.Points) == 0 {
		err = errors.New("no points: want what was reached")
	}
	return r, err
}

// cutOff interrupts a process when it has taken more than the limit, in processor time where that is known of another process,
// by the clock elsewhere. The function that it returns ends the watch.
func cutOff(p *os.Process, limit time.Duration, cut *atomic.Bool) (stop func()) {
	done := make(chan struct{})
	start := time.Now()
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
			}
			used, ok := processorTime(p.Pid)
			if !ok {
				used = time.Since(start)
			}
			if used > limit {
				cut.Store(true)
				if p.Signal(os.Interrupt) != nil {
					p.Kill() // it ended by itself, or the system has no interrupts
				}
				return
			}
		}
	}()
	return func() { close(done) }
}

// ownPoints reads the folder that asp2vec left: a point for each epoch whose test AUC the protocol looks at, and the model that
// is reported. The record has times by the clock; they are scaled to the processor time of the process. All that is not
// training or evaluation, drawing walks above all, is taken to come first, and evaluations to be of equal length, of which
// the last one is of the test links and not counted.
func (n *net) ownPoints(ctx context.Context, c *contestant, r *once) error {
	rec, err := vectors.ReadRecord(c.out)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("it left no record")
	}
	if err != nil {
		return err
	}
	score, err := n.score(ctx, c.out, nil)
	if err != nil {
		return err
	}
	r.Stop, r.Of, r.Memory = rec.Selection, rec.Code.Go, float64(rec.PeakMemoryBytes)
	scored := 0
	for _, e := range rec.Epochs {
		if e.TestAUC != nil || e.ValidationAUC != nil {
			scored++
		}
	}
	scale, each := r.CPU/r.Wall, rec.EvalSeconds/float64(scored+1)
	clock, train := max(r.Wall-rec.TrainSeconds-rec.EvalSeconds, 0), 0.
	var pairs int64
	for _, e := range rec.Epochs {
		train, pairs, clock = train+e.Seconds, pairs+e.Pairs, clock+e.Seconds
		if e.TestAUC != nil || e.ValidationAUC != nil {
			clock += each
		}
		if e.TestAUC != nil {
			r.Points = append(r.Points, point{CPU: clock * scale, TrainCPU: train * scale, Pairs: pairs, Stage: e.Stage, AUC: *e.TestAUC, Random: *e.TestAUC})
		}
	}
	r.Points = append(r.Points, point{CPU: (r.Wall - each) * scale, TrainCPU: rec.TrainSeconds * scale, Pairs: pairs, Stage: "reported", AUC: score.AUC, Random: score.AUCRandom})
	return nil
}

// peerPoints reads what a peer printed, and measures the embeddings that it names.
func (n *net) peerPoints(ctx context.Context, out string, r *once) error {
	var doc struct {
		Points []point `json:"points"`
		Cut    bool    `json:"cut"`
		Memory float64 `json:"peak_rss_bytes"`
		Torch  string  `json:"torch"`
		Gensim string  `json:"gensim"`
		Numpy  string  `json:"numpy"`
		Python string  `json:"python"`
	}
	if err := peer.Document(out, &doc); err != nil {
		return err
	}
	r.Points, r.Cut, r.Memory = doc.Points, doc.Cut, doc.Memory
	for _, v := range [][2]string{{"torch", doc.Torch}, {"gensim", doc.Gensim}, {"numpy", doc.Numpy}, {"python", doc.Python}} {
		if v[1] != "" {
			r.Of = strings.TrimPrefix(r.Of+", "+v[0]+" "+v[1], ", ")
		}
	}
	for i := range r.Points {
		p := &r.Points[i]
		score, err := n.score(ctx, p.File, n.names)
		os.Remove(p.File)
		if err != nil {
			return err
		}
		p.File, p.AUC, p.Random = "", score.AUC, score.AUCRandom
	}
	return nil
}
