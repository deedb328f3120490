package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// Summary is what the index of a store keeps of a record: enough to find it, and to list it.
type Summary struct {
	Key, Group string // of its Job; "" where this version does not know its options
	Present    bool   // it is of the definition of its method that the program has

	Method, Dataset, SHA256, Network, Protocol, Commit, Kernel string // checksums of the split, and of the network that each seed parts
	Seed                                                       uint64
	Finished                                                   int64 // milliseconds since 1970, UTC

	Scored      bool // it has an AUC on test links, which is AUC
	AUC         float64
	BestEpoch   int
	Seconds     float64 // of training and evaluation
	Tried       int     // runs that it is the best of, if any
	Interrupted bool
	Continued   bool   // it began with a finished model
	Error       string // why it failed
}

// Older says whether a record is of another definition of its method than the program has.
func (s Summary) Older() bool { return s.Key != "" && !s.Present }

// brief returns a record that has no more than the summary.
func (s Summary) brief() results.Record {
	r := results.Record{Schema: results.Schema, Method: s.Method, Protocol: s.Protocol, Seed: s.Seed,
		Dataset: results.Dataset{Name: s.Dataset, SHA256: s.SHA256}, Code: results.Code{Commit: s.Commit}, Host: results.Host{Kernel: s.Kernel}}
	if s.Scored {
		r.Metrics = results.Metrics{"auc": s.AUC}
	}
	return r
}

// summarizer makes summaries. Most records differ in their seed alone: what the others of a group have in common is worked out
// once. It may be used by several goroutines.
type summarizer struct {
	counts func(fingerprint string, o graphs.Options) bool
	groups sync.Map // of *seedless, by their text
}

// seedless is what determines the numbers of runs that differ in the seed alone.
type seedless struct {
	options       graphs.Options
	own           *source.OwnData
	err           error
	before, after string   // what keys are the hash of, around the seed; "" for both where it does not come apart
	present       sync.Map // bool, by fingerprint
}

// Summary returns the summary of a record.
func (s *summarizer) summary(r results.Record) Summary {
	sum := Summary{
		Method: r.Method, Dataset: r.Dataset.Name, SHA256: r.Dataset.SHA256, Network: r.Dataset.NetworkSHA256, Protocol: r.Protocol, Commit: r.Code.Commit, Kernel: r.Host.Kernel, Seed: r.Seed,
		Finished: r.Finished.UnixMilli(), BestEpoch: r.BestEpoch, Seconds: r.TrainSeconds + r.EvalSeconds, Tried: len(r.Tried), Interrupted: r.Interrupted, Continued: r.Parent != nil, Error: r.Error,
	}
	sum.AUC, sum.Scored = r.Metrics["auc"]
	text, seed := r.Options, strconv.FormatUint(r.Seed, 10)
	before, after, once := cutOnce(r.Options, `"seed":`+seed)
	once = once && len(after) > 0 && (after[0] == ',' || after[0] == '}')
	if once {
		text = bytes.Join([][]byte{before, after}, []byte(`"seed":0`))
	}
	g := s.seedless(r, text)
	if g.err != nil {
		return sum
	}
	if once && g.before != "" {
		sum.Key, sum.Group = run.Hash(g.before+seed+g.after), run.Hash(g.before+"0"+g.after)
	} else {
		j := Job{Dataset: r.Dataset.Name, Protocol: r.Protocol, Options: g.options, Own: g.own}
		if once {
			j.Options.Seed = r.Seed
		}
		sum.Key, sum.Group = j.Key(), j.Group()
	}
	present, known := g.present.Load(r.Definition)
	if !known {
		present = s.counts(r.Definition, g.options)
		g.present.Store(r.Definition, present)
	}
	sum.Present = present.(bool)
	return sum
}

// seedless returns what records have in common with one whose options are text but for the seed.
func (s *summarizer) seedless(r results.Record, text []byte) *seedless {
	name := fmt.Sprintf("%s\n%s\n%v %v\n%s", r.Method, r.Dataset.Name, r.Dataset.Directed, r.Dataset.NetworkSHA256 != "", text)
	if g, there := s.groups.Load(name); there {
		return g.(*seedless)
	}
	r.Options = text
	g := &seedless{}
	var j Job
	if j, g.err = JobOf(r); g.err == nil {
		g.options, g.own = j.Options, j.Own
		j.Options.Seed = 0
		if before, after, once := cutOnce([]byte(j.text()), `"seed":0`); once && len(after) > 0 && (after[0] == ',' || after[0] == '}') {
			g.before, g.after = string(before)+`"seed":`, string(after)
		}
	}
	known, _ := s.groups.LoadOrStore(name, g)
	return known.(*seedless)
}

// cutOnce parts a text around what is in it once.
func cutOnce(text json.RawMessage, around string) (before, after []byte, once bool) {
	before, after, once = bytes.Cut(text, []byte(around))
	return before, after, once && !bytes.Contains(after, []byte(around))
}
