package store

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// other changes a value of an option to another one that JSON can hold.
func other(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 3)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 3)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.125)
	}
}

// Each option that a method reads makes another run, except those that change no number; what it does not read makes none.
func TestKey(t *testing.T) {
	same := map[string]bool{"walks-in-memory": true}
	for _, m := range methods.All() {
		o := call.Of(methods.Options(m.Name, graphs.Validated))(t)
		job := Job{Dataset: "Cora", Protocol: "validated", Options: o}
		typ := reflect.TypeFor[graphs.Options]()
		for i := range typ.NumField() {
			name := typ.Field(i).Tag.Get("json")
			if name == "method" || typ.Field(i).Name == "Hyper" { // whose text is no option; see TestKeyOfHyperparameters
				continue
			}
			changed := job
			other(reflect.ValueOf(&changed.Options).Elem().Field(i))
			if changed.Options.Complete().Equal(job.Options.Complete()) {
				continue // the method leaves no choice of it
			}
			waits := name != "patience" || job.Options.Complete().Select != graphs.SelectLast // where nothing is waited for, no patience is needed
			chooses := name != "scoring" || m.Typed || run.ChoosesByScore(job.Options)        // else vectors do not depend on what ranks links
			pilots := name != "pilot-negatives" || job.Options.Complete().Piloted()
			want := m.Reads(name) && !same[name] && waits && chooses && pilots
			if got := changed.Key() != job.Key(); got != want {
				t.Errorf("%s: another %s is another run: %v, expected %v", m.Name, name, got, want)
			}
			if got := changed.Group() != job.Group(); got != (want && name != "seed") {
				t.Errorf("%s: another %s is another group: %v", m.Name, name, got)
			}
		}
		elsewhere := job
		if elsewhere.Dataset = "PPI"; elsewhere.Key() == job.Key() {
			t.Errorf("%s: another data set is the same run", m.Name)
		}
	}
}

// What stands for a default is that default, and the protocol's name is but a name.
func TestKeyOfEqualRuns(t *testing.T) {
	job := Job{Dataset: "Cora", Protocol: "validated", Options: graphs.Default()}
	for name, change := range map[string]func(j *Job){
		"protocol": func(j *Job) { j.Protocol = "custom" },
		"epochs":   func(j *Job) { j.Options.Epochs, j.Options.WarmUpEpochs = 1000, 1000 },
		"patience": func(j *Job) { j.Options.Patience = 10 },
		"scoring":  func(j *Job) { j.Options.Scoring = graphs.ScoringLR },
	} {
		equal := job
		if change(&equal); equal.Key() != job.Key() {
			t.Errorf("%s: another key", name)
		}
	}
}

// A record read back has the key of its job, also one of a version that did not know all options.
func TestJobOfRecord(t *testing.T) {
	for _, m := range methods.All() {
		for _, protocol := range run.Protocols {
			defaults := graphs.Protocol(protocol)
			o := call.Of(methods.Options(m.Name, defaults))(t)
			o.Seed = 7
			job := Job{Dataset: "Cora", Protocol: protocol, Options: o}
			record := results.NewRecord(m.Name)
			record.Protocol, record.Dataset.Name = protocol, "Cora"
			record.Options = call.Of(results.MarshalOptions(o.Complete()))(t)
			line := call.Of(record.Line())(t)
			var back results.Record
			call.OK(t, json.Unmarshal(line, &back))
			got, err := JobOf(back)
			if err != nil || got.Key() != job.Key() || got.Group() != job.Group() || got.Options.Seed != 7 || got.Protocol != protocol {
				t.Errorf("%s %s: job %+v, %v", m.Name, protocol, got, err)
			}
		}
	}
	for _, bad := range []results.Record{{Method: "no-such-method"}, {Method: "asp2vec", Options: json.RawMessage(`{"dim":"x"}`)}} {
		call.Refused(t)(JobOf(bad))
	}
}

// A record with an option that is gone is of the job without, if it had the value that all runs have now; else it is of none.
func TestJobOfRecordBeforeOptionsWent(t *testing.T) {
	record := func(option string) (Job, error) {
		return JobOf(results.Record{Method: graphs.MethodAsp2vec, Options: json.RawMessage(`{"dim":10` + option + `}`)})
	}
	now := call.Of(record(""))(t)
	if before, err := record(`,"aspect-start":"alike"`); err != nil || before.Key() != now.Key() {
		t.Errorf("aspects that began alike are of another job (%v)", err)
	}
	call.Refused(t)(record(`,"aspect-start":"neighbors"`))
}

// With a file of features no link stands for one, whatever feature-links says.
func TestKeyWithFeatures(t *testing.T) {
	of := func(options string) string {
		j := call.Of(JobOf(results.Record{Method: graphs.MethodDGI, Options: json.RawMessage(options)}))(t)
		return j.Key()
	}
	if of(`{"features":"words","feature-links":"out"}`) != of(`{"features":"words","feature-links":"both"}`) {
		t.Error("feature-links makes another run")
	}
}

func TestRunsOfRecords(t *testing.T) {
	golden.StillPaper(t)
	record := func(seed uint64, auc float64, change func(r *results.Record)) results.Record {
		o := graphs.Default()
		o.Seed = seed
		r := results.Record{Schema: results.Schema, Method: o.Method.Name, Seed: seed, Metrics: results.Metrics{"auc": auc}, Dataset: results.Dataset{Name: "Cora"}}
		r.Options = call.Of(results.MarshalOptions(o))(t)
		if change != nil {
			change(&r)
		}
		return r
	}
	runs := NewRuns([]results.Record{
		record(3, .3, nil), record(1, .1, nil), record(2, .2, func(r *results.Record) { r.Error = "failed" }),
		record(4, .4, func(r *results.Record) { r.Interrupted = true }), record(5, .5, func(r *results.Record) { r.Parent = &results.Parent{} }), record(1, .1, nil), record(3, .35, nil),
		{Schema: results.Schema, Method: "of a later version"},
	})
	job := Job{Dataset: "Cora", Protocol: "validated", Options: graphs.Default()}
	var aucs []float64
	for _, r := range runs.Seeds(job) {
		aucs = append(aucs, r.Metrics["auc"])
	}
	if !reflect.DeepEqual(aucs, []float64{.1, .35}) || runs.Foreign != 1 || len(runs.Conflicts()) != 1 || runs.Conflicts()[0].Other.Metrics["auc"] != .3 {
		t.Errorf("AUCs %v, %+v", aucs, runs)
	}
	if job.Options.Seed = 2; runs.byID[call.Of(runs.ID(job))(t)] != nil {
		t.Error("a failed run was found")
	}
}

// Runs that differ in what no entry of theirs reads are one run, as are a default that is written and one that is not.
func TestKeyOfHyperparameters(t *testing.T) {
	job := func(edit func(o *graphs.Options)) Job {
		o := graphs.Default()
		edit(&o)
		return Job{Dataset: "Cora", Protocol: "validated", Options: o}
	}
	softmax := job(func(o *graphs.Options) { o.Selection = "softmax" })
	if other := job(func(o *graphs.Options) { o.Selection, o.Tau = "softmax", 3 }); other.Key() != softmax.Key() {
		t.Error("another tau of softmax is another run")
	}
	margin := job(func(o *graphs.Options) { o.PairLoss = "margin" })
	for want, other := range map[string]Job{
		"another run":  job(func(o *graphs.Options) { o.PairLoss = "margin"; _ = o.Set("pair-loss-margin", 0.5) }),
		"the same run": job(func(o *graphs.Options) { o.PairLoss = "margin"; _ = o.Set("pair-loss-margin", 1.) }),
	} {
		if got := map[bool]string{true: "the same run", false: "another run"}[other.Key() == margin.Key()]; got != want {
			t.Errorf("%s is %s, expected %s", other.Settings(), got, want)
		}
	}
	if other := job(func(o *graphs.Options) { o.PairLoss, o.WarmUpPairLoss = "margin", "margin" }); other.Key() != margin.Key() {
		t.Error("the warm-up's loss by its name is another run")
	}
	for _, text := range []string{
		`{"method":"asp2vec","selection":"softmax","tau":3}`,
		`{"method":"asp2vec","selection":"softmax","pair-loss":"skipgram","pair-loss-margin":2}`,
	} {
		j, err := JobOf(results.Record{Method: "asp2vec", Dataset: results.Dataset{Name: "Cora"}, Options: json.RawMessage(text)})
		if err != nil || j.Key() != softmax.Key() {
			t.Errorf("%s: %v, error %v: expected the run of softmax", text, j, err)
		}
	}
}

// The group of a job is its key whatever the seed, also of data that are called as a seed is written.
func TestGroup(t *testing.T) {
	for _, dataset := range []string{"Cora", `"seed":1`, `"seed":12`} {
		j := Job{Dataset: dataset, Protocol: "standard", Options: call.Of(methods.Options("deepwalk", graphs.Standard))(t)}
		j.Options.Seed = 0
		want := j.Key()
		for _, seed := range []uint64{0, 1, 12} {
			if j.Options.Seed = seed; j.Group() != want {
				t.Errorf("%s: the group of seed %d is not the key of seed 0", dataset, seed)
			}
		}
	}
}
