package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/graphs"
)

// Names of contestants, as --only knows them; asp2vec's is followed by its protocol.
const (
	nameOurs   = "asp2vec"
	nameGensim = "gensim"
	nameTorch  = "torch"
)

// contestant is one program with one setting on one network. Runs are those of the rounds that it took part in.
type contestant struct {
	Name    string  `json:"name"`              // "asp2vec standard", "gensim", "torch"
	Method  string  `json:"method"`            // "asp2vec" or "deepwalk"
	Setting string  `json:"setting,omitempty"` // what sets it apart from others of its name
	Rate    float64 `json:"rate,omitempty"`    // gensim's, at first
	Epochs  int     `json:"epochs,omitempty"`  // gensim's
	Command string  `json:"command"`           // as run, folders left out
	Missing string  `json:"missing,omitempty"` // why there is nothing to report
	Runs    []*once `json:"runs,omitempty"`

	argv  []string
	out   string        // folder or file of what it leaves
	kept  bool          // of an earlier measurement, and not to be run
	own   bool          // it leaves the folder of a run
	limit time.Duration // of processor time, where it does not know of it itself
}

// once is one run of a contestant.
type once struct {
	CPU    float64 `json:"process_cpu_seconds"`  // of all that the process did, evaluation included
	Wall   float64 `json:"process_wall_seconds"` //
	Cut    bool    `json:"cut,omitempty"`        // stopped at the limit
	Stop   string  `json:"selection,omitempty"`  // how the reported epoch was chosen, where there was a choice
	Points []point `json:"points"`               // in order of time; the last is what is reported
	Of     string  `json:"versions,omitempty"`   // of what it ran on
	Memory float64 `json:"peak_rss_bytes,omitempty"`
}

// point is what was reached at some time.
type point struct {
	CPU      float64 `json:"cpu_seconds"`       // of the process up to then, without what only the measurement needs
	TrainCPU float64 `json:"train_cpu_seconds"` // of the training alone
	Pairs    int64   `json:"pairs"`
	Stage    string  `json:"stage,omitempty"`
	AUC      float64 `json:"auc"`        // of the test links
	Random   float64 `json:"auc_random"` // the same with random negatives, other than AUC in directed networks
	File     string  `json:"file,omitempty"`
}

// contestants lists those of a network.
func (n *net) contestants(o options, bin string, noBin error) []*contestant {
	var all []*contestant
	hide := strings.NewReplacer(n.tmp+string(filepath.Separator), "", n.split, "SPLIT")
	add := func(c contestant, missing error, argv ...string) {
		if !strings.Contains(c.Name, o.only) {
			return
		}
		c.argv = argv
		for i, a := range argv {
			if a = hide.Replace(a); i == 0 {
				a = filepath.Base(a)
			}
			c.Command = strings.TrimSpace(c.Command + " " + quoted(a))
		}
		if missing != nil {
			c.Missing = missing.Error()
		}
		if c.limit == 0 {
			c.limit = o.limit
		}
		all = append(all, &c)
	}
	out := func() string { return filepath.Join(n.tmp, strconv.Itoa(len(all))) }
	t, seed := strconv.Itoa(o.threads), strconv.FormatUint(o.seed, 10)
	for _, method := range o.methods {
		for _, protocol := range o.protocols {
			if o.asp2vec == "" {
				continue
			}
			more := []string{""}
			if protocol == "standard" {
				more = append(more, list(o.more)...)
			}
			for _, extra := range more {
				dir := out()
				fill := strings.NewReplacer("{bin}", bin, "{method}", method, "{protocol}", protocol, "{split}", n.split, "{seed}", seed, "{threads}", t, "{out}", dir)
				argv := strings.Fields(strings.ReplaceAll(o.ours, "{model}", o.modelArguments(method)) + " " + extra)
				for i := range argv {
					argv[i] = fill.Replace(argv[i])
				}
				add(contestant{Name: nameOurs + " " + protocol, Method: method, Setting: strings.TrimSpace(extra), own: true, out: dir}, noBin, argv...)
			}
		}
		dim, aspects := o.dim, o.aspects
		if method == graphs.MethodDeepWalk {
			dim, aspects = o.dwDim, 1
			for _, epochs := range o.epochs { // the short ones first, for a measurement that is stopped
				for _, rate := range o.rates {
					file, r := out(), strconv.FormatFloat(rate, 'g', -1, 64)
					add(contestant{Name: nameGensim, Method: method, Setting: fmt.Sprintf("%d × rate %s", epochs, r), Rate: rate, Epochs: epochs, out: file}, nil,
						o.python, filepath.Join(o.peers, "gensim_deepwalk.py"), "--dim", strconv.Itoa(dim), "--threads", t, "--epochs", strconv.Itoa(epochs),
						"--learning-rate", r, "--seed", seed, "--save", file, n.walks)
				}
			}
		}
		if !slices.Contains(o.torchMethods, method) {
			continue
		}
		file := out()
		argv := []string{o.python, filepath.Join(o.peers, "torch_asp2vec.py"), "--method", method, "--dim", strconv.Itoa(dim), "--aspects", strconv.Itoa(aspects),
			"--threads", t, "--seed", seed, "--noise", "pair", "--limit", strconv.FormatFloat(o.torchLimit.Seconds(), 'f', -1, 64), "--save", file}
		if method == graphs.MethodAsp2vec {
			argv = append(argv, "--warm-up-epochs", strconv.Itoa(o.warmUp))
		}
		// It ends by itself; what stops it from outside is for when it does not.
		add(contestant{Name: nameTorch, Method: method, out: file, limit: 2*o.torchLimit + time.Minute}, nil, append(argv, n.walks)...)
	}
	return all
}

// binary returns asp2vec's binary, compiling it if asked to.
func (o options) binary(ctx context.Context, tmp string) (string, error) {
	if o.asp2vec != "build" {
		return o.asp2vec, nil
	}
	bin := filepath.Join(tmp, "asp2vec")
	for _, p := range o.protocols {
		if strings.Contains(nameOurs+" "+p, o.only) {
			_, err := peer.Output(ctx, "go", "build", "-o", bin, "./cmd/asp2vec")
			return bin, err
		}
	}
	return bin, nil
}
