// Package store knows which runs there are: what each is of, what its record says, and which are the best of a choice.
package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// Job is one run of a table, a figure or a sweep: all that its numbers depend on.
type Job struct {
	Dataset  string          // name of the data set
	Protocol string          // a name of Protocols, as the record will have it; the options say the rest
	Options  graphs.Options  // with the seed
	Own      *source.OwnData // where the data lie, of a data set that is not registered
	Scores   []string        // that are wanted beside that of the options
	Choice   *Choice         // of which it is a candidate; nil for a run that is wanted whatever others come to

	of *run.Checksums // of the data of a record's run; nil for a run that is wanted, on the data as they are now
}

// Key names what determines the numbers of a job but for its data, of which it has the name alone: options
// that change some number. Of the data that there are at one time, jobs with one key are one run; an ID tells
// runs of other data apart.
func (j Job) Key() string { return run.Hash(j.text()) }

// Group is the key of a job whatever its seed.
func (j Job) Group() string {
	return run.Hash(withSeed0(j.text(), j.Options.Seed))
}

// withSeed0 returns the text of a job of a seed as it is with seed 0.
func withSeed0(text string, seed uint64) string {
	was := fmt.Sprintf(`"seed":%d`, seed)
	at := strings.LastIndex(text, was) // a data set may be called so, before the options
	if at < 0 {
		return text // of numbers that JSON cannot hold
	}
	return text[:at] + `"seed":0` + text[at+len(was):]
}

// JobOf returns the job whose run a record is of. Options that the record's version did not know have the values that it went
// by: their defaults, or what before says. It returns an error for a record whose options are not those of a method.
func JobOf(r results.Record) (Job, error) {
	o, err := methods.Options(r.Method, graphs.Validated)
	if err != nil {
		return Job{}, fmt.Errorf("experiments: %w", err)
	}
	before(r, &o)
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return Job{}, fmt.Errorf("experiments: options of a record of %s: %w", r.Method, err)
	}
	if o.Scorer() != r.ScoreName() && slices.Contains(o.Method.Scores(), r.ScoreName()) {
		o.Scoring = r.ScoreName() // one of the record's other scores
	}
	sums := run.ChecksumsOf(r.Dataset)
	j := Job{Dataset: r.Dataset.Name, Protocol: r.Protocol, Options: o, of: &sums}
	if _, err := network.Lookup(r.Dataset.Name); err != nil && r.Dataset.NetworkSHA256 != "" {
		j.Own = &source.OwnData{} // wherever it lay
	}
	return j, nil
}

// before sets the options that records had no word for, where runs then did something else than the defaults do now.
func before(r results.Record, o *graphs.Options) {
	if r.Dataset.Directed {
		graphs.Edit(o, func(f *graphs.FeatureOptions) { f.FeatureLinks = graphs.FeaturesBoth }) // elsewhere out and both are one
	}
}

// text is what a job is known by. A network of the user's that each seed parts is other data than the whole of it, which train learns from under
// the same name.
func (j Job) text() string {
	if j.Own != nil && j.Own.Parted() {
		return run.KeyText(j.Dataset+"\nparted by each seed", j.Options)
	}
	return run.KeyText(j.Dataset, j.Options)
}

// Usual returns the options that the job's method has under its protocol on such data, and whether there is such a protocol.
func (j Job) Usual() (graphs.Options, bool) {
	return graphs.OptionsOf(j.Options.Method, graphs.Protocol(j.Protocol)), slices.Contains(run.Protocols, j.Protocol)
}

// String names a run for people: its data set, method, protocol and seed, and what is not as the protocol has it.
func (j Job) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s seed=%d %s", j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings()))
}

// Settings lists the options of a job, the seed aside, that differ from its protocol's, as "dim=40 aspects=10".
func (j Job) Settings() string {
	usual, ok := j.Usual()
	if !ok {
		usual = graphs.OptionsOf(j.Options.Method, graphs.Validated)
	}
	own, usual := j.Options.Complete(), usual.Complete()
	var differ []string
	for _, d := range own.Options() {
		value, _ := own.Get(d.Key)
		if other, _ := usual.Get(d.Key); d.Key != "seed" && own.Method.Reads(d.Key) && value != other {
			differ = append(differ, fmt.Sprintf("%s=%v", d.Key, value))
		}
	}
	return strings.Join(differ, " ")
}
