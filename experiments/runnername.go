package experiments

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
)

// String names a run for people: its data set, method, protocol and seed, and what is not as the protocol has it.
func (j Job) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s seed=%d %s", j.Dataset, j.Options.Method, j.Protocol, j.Options.Seed, j.Settings()))
}

// Settings lists the options of a job, the seed aside, that differ from its protocol's, as "dim=40 aspects=10".
func (j Job) Settings() string {
	protocol, ok := Protocols[j.Protocol]
	if !ok {
		protocol = graphs.Default
	}
	method, err := graphs.FindMethod(j.Options.Method)
	if err != nil {
		return ""
	}
	usual, err := graphs.Defaults(method.Name, protocol)
	if err != nil {
		return ""
	}
	own, standard := reflect.ValueOf(j.Options.Complete()), reflect.ValueOf(usual.Complete())
	var differ []string
	for i := range own.NumField() {
		name := own.Type().Field(i).Tag.Get("json")
		if name != "-" && name != "seed" && method.Reads(name) && !own.Field(i).Equal(standard.Field(i)) {
			differ = append(differ, fmt.Sprintf("%s=%v", name, own.Field(i)))
		}
	}
	for _, h := range graphs.Hyperparameters() {
		if graphs.IsHyperparameter(h.Key) && j.Options.ReadsHyperparameter(h) && j.Options.Hyperparameter(h.Key) != h.Default {
			differ = append(differ, fmt.Sprintf("%s=%v", h.Key, j.Options.Hyperparameter(h.Key)))
		}
	}
	return strings.Join(differ, " ")
}
