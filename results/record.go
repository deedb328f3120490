// Package results keeps the record of a run, the store of records, and the paper's published values to compare with. What a run leaves
// besides is in package vectors; render and plot show records.
//
// A run is a folder with a record in it, and a store is a folder of runs; tables are projections of records. Keys carry their units.
package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// Schema is the version of Record. It grows when a key changes its meaning; a new key that old readers may ignore leaves it.
const Schema = 1

// How the reported epoch was chosen.
const (
	ValidationBest = "validation-best" // best AUC on held-out training links
	TestBest       = "test-best"       // best AUC on the test links themselves, as the paper does; not an honest estimate
	LossBest       = "loss-best"       // lowest training loss; no link but those of training has a say
	Last           = "last"            // the last epoch, whatever its AUC
)

// Stages of training.
const (
	StageWarmUp  = "warm-up" // DeepWalk
	StageAsp2vec = "asp2vec"
)

// LeastSpread is the least AspectSpread of aspects that have come apart: a tenth of the Gumbel noise. Below it, aspects are picked by the noise alone.
const LeastSpread = 0.128

// Record is everything about one run that its numbers could depend on, and the numbers.
type Record struct {
	Schema   int             `json:"schema"` // Line fills in Schema
	Started  time.Time       `json:"started"`
	Finished time.Time       `json:"finished"`
	Command  []string        `json:"command,omitempty"` // the command line, one string an argument
	Method   string          `json:"method"`
	Protocol string          `json:"protocol,omitempty"`
	Options  json.RawMessage `json:"options,omitempty"` // every option of the method, defaults included; see MarshalOptions
	Seed     uint64          `json:"seed"`
	Dataset  Dataset         `json:"dataset"`
	Code     Code            `json:"code"`
	Host     Host            `json:"host"`
	// Definition is a hash of the code that the run passed through (run.Definition): runs of other definitions are
	// other runs. Records from before there were any have none.
	Definition string `json:"definition,omitempty"`

	Epochs []Epoch `json:"epochs,omitempty"`

	BestStage string `json:"best_stage,omitempty"`
	BestEpoch int    `json:"best_epoch,omitempty"` // within BestStage, counted from 1; 0 when none is reported
	// PartialEpoch is the epoch of BestStage in which a run was stopped, where the parameters are from there and not from
	// the end of an epoch.
	PartialEpoch int `json:"partial_epoch,omitempty"`

	Selection string  `json:"selection,omitempty"` // ValidationBest, TestBest, LossBest or Last
	Metrics   Metrics `json:"metrics,omitempty"`   // of the reported epoch: "auc", "auc_random", ...
	Scoring   string  `json:"scoring,omitempty"`   // what Metrics are by: a score of eval.Scorers; "" is "lr"
	// ScoreDefinition is a hash of the code of that score (run.ScoreDefinition).
	ScoreDefinition string `json:"score_definition,omitempty"`
	// Scores are what the same vectors come to by other scores.
	Scores []Scored `json:"scores,omitempty"`

	// Baselines are what rankings that need no training come to on the same papers: "popularity", "co-authors", "tf-idf" and "word means".
	Baselines map[string]Metrics `json:"baselines,omitempty"`
	// AspectSpread is the standard deviation over aspects of what they are picked by in a window, the mean over windows, of asp2vec-het
	// at the reported epoch. The Gumbel noise beside has 1.28.
	AspectSpread *Float `json:"aspect_spread,omitempty"`

	Tried []Tried `json:"tried,omitempty"` // of runs of before that chose their options themselves: what from

	Pilot *Pilot `json:"pilot,omitempty"` // what found the sum of the learning rates, if anything did

	Parameters Parameters `json:"parameters,omitzero"`
	StepPairs  int64      `json:"step_pairs,omitempty"` // of the last stage's largest step, on links: sgd takes fewer than the option batch in small networks

	RefitSeconds    float64 `json:"refit_seconds,omitempty"` // of training once more on all training links, as long as validation had chosen; part of TrainSeconds
	TrainSeconds    float64 `json:"train_seconds"`           // of all epochs, with the one that an interruption or a failure cut short
	EvalSeconds     float64 `json:"eval_seconds"`
	PeakMemoryBytes uint64  `json:"peak_memory_bytes,omitempty"` // of the process, from its start; 0 when unknown

	// Resumed says that the run went on from a checkpoint: Started is when the last of its processes did, while seconds of training
	// are those of all.
	Resumed bool `json:"resumed,omitempty"`
	// Parent is the model that the run began with the vectors of, if it did.
	Parent *Parent `json:"parent,omitempty"`

	Interrupted bool   `json:"interrupted,omitempty"` // stopped by the user: numbers are those up to then
	Error       string `json:"error,omitempty"`       // why the run failed; a failed run is a record too, of what it had before
}

// Pilot is a run before the run, on a part of its links, which found how far to train.
type Pilot struct {
	Optimizer string       `json:"optimizer,omitempty"` // that the run has; "" in records made before a pilot chose it: the option's
	RateSum   float64      `json:"rate_sum"`            // that the run has: the sum of the learning rates of its steps
	Links     int          `json:"links"`               // of those held out from the pilot, that scored it: 20,000 at most
	Pairs     int64        `json:"pairs"`               // trained
	Seconds   float64      `json:"seconds"`             // with the scoring; part of TrainSeconds
	Scores    []PilotScore `json:"scores"`
}

// PilotScore is the AUC of the links held out under an optimizer after a sum of learning rates.
type PilotScore struct {
	Optimizer     string  `json:"optimizer,omitempty"` // as in Pilot
	RateSum       float64 `json:"rate_sum"`
	ValidationAUC float64 `json:"validation_auc"`
}

// Dataset says on what data a run worked.
type Dataset struct {
	Name          string `json:"name"`
	SHA256        string `json:"sha256"`                   // of the split, or of the network where there is none
	NetworkSHA256 string `json:"network_sha256,omitempty"` // of the network, where each seed parts one
	Vertices      int    `json:"vertices"`
	Links         int    `json:"links"`
	Directed      bool   `json:"directed"`
	Train         int    `json:"train,omitempty"` // links to learn from
	Test          int    `json:"test,omitempty"`  // links to predict

	FeaturesSHA256  string `json:"features_sha256,omitempty"`  // of the vertices' features, where there are any
	FeaturesMissing int    `json:"features_missing,omitempty"` // vertices without
	FeaturesUnknown int    `json:"features_unknown,omitempty"` // lines of other vertices, which were not taken

	WordsSHA256  string `json:"words_sha256,omitempty"`  // of the words' vectors, where they were read from a file
	WordsMissing int    `json:"words_missing,omitempty"` // words without
}

// Parent is a finished model that another run begins with.
type Parent struct {
	SHA256  string    `json:"sha256"`  // of its parameters
	Started time.Time `json:"started"` // as its record has it
	Method  string    `json:"method"`
	Parent  *Parent   `json:"parent,omitempty"` // its own
}

// Tried is one of several runs of which the best was reported.
type Tried struct {
	Name string `json:"name"` // the options that set it apart, such as "p=0.25 q=4"
}

// Parameters counts the numbers that training moves.
type Parameters struct {
	Count   int64  `json:"count"`                 // as held by the model
	Formula string `json:"formula,omitempty"`     // the paper's, such as "N D (K+1)"
	Paper   int64  `json:"paper_count,omitempty"` // what it gives
}

// Epoch is one pass over the walks.
type Epoch struct {
	Stage          string   `json:"stage"`
	Epoch          int      `json:"epoch"`                    // within the stage, from 1
	LossNats       Float    `json:"loss_nats"`                // of the pairs, mean over the batches
	Penalty        Float    `json:"penalty,omitempty"`        // of the aspects, as weighted in the loss; 0 without a regularizer
	ValidationAUC  *float64 `json:"validation_auc,omitempty"` // nil when not measured
	TestAUC        *float64 `json:"test_auc,omitempty"`       // nil when not measured
	Metrics        Metrics  `json:"metrics,omitempty"`        // of other tasks, such as "dev_recall@5"
	Seconds        float64  `json:"seconds"`                  // training only
	Pairs          int64    `json:"pairs"`
	PairsPerSecond float64  `json:"pairs_per_second"`
}

// Metrics are named numbers; those of link prediction are in [0,1]. In JSON a number that is not finite is a string.
type Metrics map[string]float64

// MarshalJSON writes NaN and infinities as strings, since JSON has no such numbers and a diverged run must still be recorded. The error
// is always nil.
func (m Metrics) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	out := make(map[string]Float, len(m))
	for k, v := range m {
		out[k] = Float(v)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. It returns an error for what is no JSON object, or has a value that Float refuses.
func (m *Metrics) UnmarshalJSON(b []byte) error {
	var in map[string]Float
	if err := json.Unmarshal(b, &in); err != nil || in == nil {
		return err
	}
	*m = make(Metrics, len(in))
	for k, v := range in {
		(*m)[k] = float64(v)
	}
	return nil
}

// Float is a float64 whose JSON may also be one of the strings "NaN", "+Inf" and "-Inf".
type Float float64

// MarshalJSON writes a number, or a string if f is not finite. The error is always nil.
func (f Float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(float64(f), 'g', -1, 64)), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads what MarshalJSON writes. It returns an error for any other string, and for what is no number within float64.
func (f *Float) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case `"NaN"`:
		*f = Float(math.NaN())
	case `"+Inf"`, `"Inf"`:
		*f = Float(math.Inf(1))
	case "null":
	case `"-Inf"`:
		*f = Float(math.Inf(-1))
	default:
		x, err := strconv.ParseFloat(s, 64) // as JSON has it: what calls this has looked at that
		if err != nil {
			return fmt.Errorf("%.40s: expected a number", s)
		}
		*f = Float(x)
	}
	return nil
}

// MarshalOptions returns the JSON of a method's options for Record.Options. It returns an error for what JSON cannot hold, such as NaN.
func MarshalOptions(options any) (json.RawMessage, error) {
	b, err := json.Marshal(options)
	if err != nil {
		return nil, fmt.Errorf("results: options of type %T: %w", options, err)
	}
	return b, nil
}

// NewRecord returns a record with the parts that do not depend on the run: schema, command line, code, host and start time.
func NewRecord(method string) Record {
	code, host := Environment()
	return Record{Schema: Schema, Started: time.Now().UTC().Truncate(time.Millisecond), Command: os.Args, Method: method, Code: code, Host: host}
}

// Finish fills in the time and the peak memory at the end of a run, and err if it is not nil.
func (r *Record) Finish(err error) {
	r.Finished = time.Now().UTC().Truncate(time.Millisecond)
	r.PeakMemoryBytes = PeakMemory()
	if err != nil {
		r.Error = err.Error()
	}
}

// Line returns the record as one line of JSON, with its line end. It returns an error for a record that lacks what each has.
func (r Record) Line() ([]byte, error) {
	if r.Schema == 0 {
		r.Schema = Schema
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(r) // compacts Options, so there is no line end inside
	if err != nil {
		return nil, fmt.Errorf("results: record: %w", err)
	}
	return append(b, '\n'), nil
}

// Validate returns an error that says what makes a record unfit to be kept, or nil.
func (r Record) Validate() error {
	switch {
	case r.Schema != Schema:
		return fmt.Errorf("results: record of schema %d: expected %d, the version of this program", r.Schema, Schema)
	case r.Method == "":
		return errors.New("results: record without a method")
	case r.Selection != "" && r.Selection != ValidationBest && r.Selection != TestBest && r.Selection != LossBest && r.Selection != Last:
		return fmt.Errorf("results: record: selection %q: expected %q, %q, %q or %q", r.Selection, ValidationBest, TestBest, LossBest, Last)
	}
	const most = 1 << 16 // bytes, of which no run's words and options have a tenth; tables pad all cells to the longest
	for what, n := range map[string]int{"method": len(r.Method), "protocol": len(r.Protocol), "data set": len(r.Dataset.Name), "options": len(r.Options)} {
		if n > most {
			return fmt.Errorf("results: record: %s of %d bytes: expected at most %d", what, n, most)
		}
	}
	for name, x := range r.Metrics {
		if strings.HasPrefix(name, "auc") && !(x >= 0 && x <= 1) && x == x {
			return fmt.Errorf("results: record: %.40q = %v: expected 0 to 1", name, x)
		}
	}
	return nil
}
