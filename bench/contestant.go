package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Models that are compared.
const (
	methodAsp2vec  = "asp2vec"
	methodDeepWalk = "deepwalk"
	methodScore    = "not trained" // scores of the network alone
)

// atOnce are methods without epochs, which have the dimensions of DeepWalk.
var atOnce = []string{"prone", "ppr"}

// measured is a network and what its contestants reached.
type measured struct {
	Name        string        `json:"name"`
	Contestants []*contestant `json:"contestants"`

	split, tmp, walks string // folders, and the file of walks
}

// contestant is one program with one setting. Runs are those of the rounds in which it took part.
type contestant struct {
	Name    string    `json:"name"` // "asp2vec standard", "gensim", "torch"
	Method  string    `json:"method"`
	Setting string    `json:"setting,omitempty"`
	Command string    `json:"command"` // as run, folders left out
	Missing string    `json:"missing,omitempty"`
	Runs    []*oneRun `json:"runs,omitempty"`

	argv []string
	out  string // file or folder of what it leaves
	own  bool   // it is this program, which leaves the folder of a run
}

// contestants lists those of a network.
func (n *measured) contestants(o options) (all []*contestant) {
	hide := strings.NewReplacer(n.tmp+string(filepath.Separator), "", n.split, "SPLIT")
	add := func(c contestant, argv ...any) {
		if !strings.Contains(c.Name, o.only) {
			return
		}
		for _, a := range argv {
			c.argv = append(c.argv, fmt.Sprint(a))
		}
		c.Command = filepath.Base(c.argv[0]) + " " + hide.Replace(strings.Join(c.argv[1:], " "))
		all = append(all, &c)
	}
	out := func() string { return filepath.Join(n.tmp, fmt.Sprint("run", len(all))) }
	for _, score := range o.scores {
		add(contestant{Name: "asp2vec", Method: methodScore, Setting: score}, o.asp2vec, "evaluate", "--split", n.split, "--score", score, "--negatives", "uniform",
			"--baselines", "none", "--threads", o.threads, "--json", "--no-progress")
	}
	for _, method := range o.methods {
		if slices.Contains(atOnce, method) {
			c := contestant{Name: "asp2vec standard", Method: method, out: out(), own: true}
			add(c, o.asp2vec, "train", "--split", n.split, "--method", method, "--dim", o.deepWalkDim, "--seed", o.seed, "--threads", o.threads, "--out", c.out, "--results=", "--no-progress")
			continue
		}
		dim, aspects := o.dim, o.aspects
		if method == methodDeepWalk {
			dim, aspects = o.deepWalkDim, 1
		}
		for _, protocol := range o.protocols {
			c := contestant{Name: "asp2vec " + protocol, Method: method, out: out(), own: true}
			argv := []any{o.asp2vec, "train", "--split", n.split, "--method", method, "--protocol", protocol, "--dim", dim, "--seed", o.seed,
				"--threads", o.threads, "--out", c.out, "--results=", "--no-progress"}
			if method == methodAsp2vec {
				argv = append(argv, "--aspects", aspects)
			}
			add(c, argv...)
		}
		if method == methodDeepWalk {
			for _, epochs := range o.epochs {
				for _, rate := range o.rates {
					c := contestant{Name: "gensim", Method: method, Setting: epochs + " × rate " + rate, out: out()}
					add(c, o.python, filepath.Join(o.peers, "gensim_deepwalk.py"), "--dim", dim, "--threads", o.threads, "--epochs", epochs,
						"--learning-rate", rate, "--seed", o.seed, "--save", c.out, n.walks)
				}
			}
		}
		c := contestant{Name: "torch", Method: method, out: out()}
		argv := []any{o.python, filepath.Join(o.peers, "torch_asp2vec.py"), "--method", method, "--dim", dim, "--aspects", aspects, "--threads", o.threads,
			"--seed", o.seed, "--noise", "pair", "--limit", o.limit.Seconds(), "--save", c.out}
		if method == methodAsp2vec {
			argv = append(argv, "--warm-up-epochs", 1)
		}
		add(c, append(argv, n.walks)...)
	}
	return all
}
