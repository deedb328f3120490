package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// brief is a record without its epochs and all else that is not needed to find and to list it.
type brief struct {
	Schema       int             `json:"schema"`
	Finished     time.Time       `json:"finished"`
	Method       string          `json:"method"`
	Protocol     string          `json:"protocol"`
	Options      json.RawMessage `json:"options"`
	Seed         uint64          `json:"seed"`
	Dataset      Dataset         `json:"dataset"`
	Code         Code            `json:"code"`
	Host         Host            `json:"host"`
	Definition   string          `json:"definition"`
	BestEpoch    int             `json:"best_epoch"`
	Selection    string          `json:"selection"`
	Metrics      Metrics         `json:"metrics"`
	Tried        []struct{}      `json:"tried"`
	TrainSeconds float64         `json:"train_seconds"`
	EvalSeconds  float64         `json:"eval_seconds"`
	Interrupted  bool            `json:"interrupted"`
	Parent       *Parent         `json:"parent"`
	Error        string          `json:"error"`
}

// ParseBrief returns the record of a line of a store without what takes long to read: its epochs, which are most of a line and
// are passed over unread, and what was tried but for the number of it. It returns an error for a line that is no record, or lacks what
// each has.
func ParseBrief(line []byte) (Record, error) {
	var b brief
	short, cut := withoutEpochs(line)
	err := json.Unmarshal(short, &b)
	if err != nil && cut {
		b = brief{}
		err = json.Unmarshal(line, &b)
	}
	if err != nil {
		return Record{}, fmt.Errorf("no record: %w", err)
	}
	r := Record{
		Schema: b.Schema, Finished: b.Finished, Method: b.Method, Protocol: b.Protocol, Options: b.Options, Seed: b.Seed, Dataset: b.Dataset, Code: b.Code, Host: b.Host,
		Definition: b.Definition, BestEpoch: b.BestEpoch, Selection: b.Selection, Metrics: b.Metrics, TrainSeconds: b.TrainSeconds, EvalSeconds: b.EvalSeconds,
		Interrupted: b.Interrupted, Parent: b.Parent, Error: b.Error,
	}
	if len(b.Tried) > 0 {
		r.Tried = make([]Trial, len(b.Tried))
	}
	return r, r.Validate()
}

// withoutEpochs returns a line without its list of epochs, and whether that is how Line writes it. A quotation mark within a text is
// written with a backslash, so that what is looked for is a key; no other key "epochs" has a list; and no epoch has a list of
// objects, so that the first end of one is the end of this.
func withoutEpochs(line []byte) (short []byte, cut bool) {
	before, rest, begins := bytes.Cut(line, []byte(`,"epochs":[{`))
	_, after, ends := bytes.Cut(rest, []byte(`}],"`))
	if !begins || !ends {
		return line, false
	}
	return slices.Concat(before, []byte(`,"`), after), true
}
