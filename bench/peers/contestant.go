package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/bench/internal/peer"
)

// result is the JSON line that every contestant prints. Keys not named here are ignored, but for versions.
type result struct {
	PairsPerSecond       float64 `json:"pairs_per_second"`        // whole training loop
	KernelPairsPerSecond float64 `json:"kernel_pairs_per_second"` // C kernel: forward and backward alone
	Pairs                float64 `json:"pairs"`
	Seconds              float64 `json:"seconds"`
	PeakRSSBytes         float64 `json:"peak_rss_bytes"`
	Torch                string  `json:"torch,omitempty"`
	Gensim               string  `json:"gensim,omitempty"`
	Numpy                string  `json:"numpy,omitempty"`
	Python               string  `json:"python,omitempty"`
}

// contestant is one program with one setting. Runs[i] is the result of round i, nil where that failed.
type contestant struct {
	Name    string    `json:"name"`   // "asp2vec fused", "asp2vec graph", "torch", "gensim", "ckernel"
	Method  string    `json:"method"` // "asp2vec" or "deepwalk"
	Threads int       `json:"threads"`
	Command string    `json:"command"`           // as run, folders left out
	Missing string    `json:"missing,omitempty"` // why there is nothing to report
	Runs    []*result `json:"runs,omitempty"`

	argv []string
}

// prepare lists the contestants of a run. It compiles what must be compiled; what cannot be is marked missing.
func prepare(ctx context.Context, o options, tmp, walks string) []*contestant {
	var all []*contestant
	hide := strings.NewReplacer(tmp+string(filepath.Separator), "", walks, "walks.txt", o.split, "SPLIT")
	add := func(name, method string, threads int, missing error, argv ...string) {
		if !strings.Contains(name, o.only) {
			return
		}
		c := &contestant{Name: name, Method: method, Threads: threads, argv: argv}
		for i, a := range argv {
			if a = hide.Replace(a); i == 0 {
				a = filepath.Base(a)
			}
			c.Command = strings.TrimSpace(c.Command + " " + a)
		}
		if missing != nil {
			c.Missing = missing.Error()
			if here, err := os.Getwd(); err == nil {
				c.Missing = strings.ReplaceAll(c.Missing, here, ".")
			}
		}
		all = append(all, c)
	}
	bin, noBin := o.binary(ctx, tmp)
	script := func(name string) string { return filepath.Join(o.peers, name) }
	for _, method := range o.methods {
		dim, aspects := o.dim, o.aspects
		if method == "deepwalk" {
			dim, aspects = o.dwDim, 1
		}
		d, k := strconv.Itoa(dim), strconv.Itoa(aspects)
		for _, threads := range o.threads {
			t := strconv.Itoa(threads)
			if o.asp2vec != "" {
				for _, engine := range []string{"fused", "graph"} {
					fill := strings.NewReplacer("{bin}", bin, "{method}", method, "{engine}", engine, "{split}", o.split, "{dim}", d, "{aspects}", k, "{noise}", o.noise, "{threads}", t,
						"{seconds}", strconv.FormatFloat(o.seconds, 'g', -1, 64))
					argv := strings.Fields(strings.ReplaceAll(o.ours, "{model}", modelTemplates[method]))
					for i := range argv {
						argv[i] = fill.Replace(argv[i])
					}
					add("asp2vec "+engine, method, threads, noBin, argv...)
				}
			}
			add("torch", method, threads, nil, o.python, script("torch_asp2vec.py"), "--method", method, "--dim", d, "--aspects", k,
				"--threads", t, "--batches", strconv.Itoa(o.torchBatches), "--warmup", "3", "--noise", o.noise, walks)
			if method == "deepwalk" {
				add("gensim", method, threads, nil, o.python, script("gensim_deepwalk.py"), "--dim", d, "--threads", t, walks)
			}
		}
		kernel := filepath.Join(tmp, fmt.Sprintf("ckernel-%d-%d", dim, aspects))
		var err error
		if strings.Contains("ckernel", o.only) {
			build := append(strings.Fields(o.cflags), "-DD="+d, "-DK="+k, "-o", kernel, script("ckernel.c"), "-lm")
			_, err = peer.Output(ctx, o.cc, build...)
		}
		add("ckernel", method, 1, err, kernel, "--batches", strconv.Itoa(o.cBatches), "--warmup", "5", "--noise", o.noise, walks)
	}
	return all
}

// binary returns asp2vec's binary, compiling it if asked to.
func (o options) binary(ctx context.Context, tmp string) (string, error) {
	if o.asp2vec != "build" {
		return o.asp2vec, nil
	}
	bin := filepath.Join(tmp, "asp2vec")
	if !strings.Contains("asp2vec fused asp2vec graph", o.only) {
		return bin, nil
	}
	_, err := peer.Output(ctx, "go", "build", "-o", bin, "./cmd/asp2vec")
	return bin, err
}

// measure runs every contestant once a round; odd rounds go backwards. The first failure retires a contestant.
func measure(ctx context.Context, o options, all []*contestant, log io.Writer) {
	for round := range o.rounds {
		order := slices.Clone(all)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, c := range order {
			if c.Missing != "" || ctx.Err() != nil {
				continue
			}
			limited, cancel := context.WithTimeout(ctx, o.timeout)
			r, err := runOnce(limited, c.argv)
			if limited.Err() != nil && ctx.Err() == nil {
				err = fmt.Errorf("not done after %v", o.timeout)
			}
			cancel()
			if err != nil {
				c.Missing = err.Error()
				fmt.Fprintf(log, "round %d: %s, %s, %d threads: missing: %v\n", round+1, c.Method, c.Name, c.Threads, err)
				continue
			}
			c.Runs = append(c.Runs, r)
			fmt.Fprintf(log, "round %d: %s, %s, %d threads: %.2f million pairs/s\n", round+1, c.Method, c.Name, c.Threads, r.PairsPerSecond/1e6)
		}
	}
}

// runOnce runs a command and reads the last line of its output.
func runOnce(ctx context.Context, argv []string) (*result, error) {
	if len(argv) == 0 {
		return nil, fmt.Errorf("empty command: want a program")
	}
	out, err := peer.Output(ctx, argv[0], argv[1:]...)
	if err != nil {
		return nil, err
	}
	return parseResult(out)
}

// parseResult reads the JSON document that a contestant printed, on the last line or over the whole output.
func parseResult(out string) (*result, error) {
	var r result
	if err := peer.Document(out, &r); err != nil {
		return nil, err
	}
	if !(r.PairsPerSecond > 0) {
		return nil, fmt.Errorf("output %.80q: want pairs_per_second above 0", out)
	}
	return &r, nil
}
