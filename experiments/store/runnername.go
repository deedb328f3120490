package store

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
)

// String names a run for people: its data set, method, protocol and seed, and what is not as the protocol has it.
func (j Job) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s seed=%d %s", j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings()))
}

// Settings lists the options of a job, the seed aside, that differ from its protocol's, as "dim=40 aspects=10".
func (j Job) Settings() string {
	protocol, ok := run.Protocols[j.Protocol]
	if !ok {
		protocol = graphs.Default
	}
	own, usual := j.Options.Complete(), graphs.OptionsOf(j.Options.Method, protocol).Complete()
	var differ []string
	for _, d := range own.Options() {
		value, _ := own.Get(d.Key)
		if other, _ := usual.Get(d.Key); d.Key != "seed" && own.Method.Reads(d.Key) && value != other {
			differ = append(differ, fmt.Sprintf("%s=%v", d.Key, value))
		}
	}
	for _, h := range graphs.Hyperparameters() {
		if graphs.IsHyperparameter(h.Key) && j.Options.ReadsHyperparameter(h) && j.Options.Hyperparameter(h.Key) != h.Default {
			differ = append(differ, fmt.Sprintf("%s=%v", h.Key, j.Options.Hyperparameter(h.Key)))
		}
	}
	return strings.Join(differ, " ")
}
