package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Scored is what the vectors of a training come to by a score. Training and scores are apart: a record may get any number of them, at any time.
// In a store one that came later is a file in its run's folder or, in packed files, a line of its own; reading joins it with its record.
type Scored struct {
	Schema     int       `json:"schema,omitempty"` // of one that came later
	Of         string    `json:"of,omitempty"`     // of one that came later: Record.ID
	Score      string    `json:"score"`            // as eval.ScoreText has it: "lr score-c=10"
	Definition string    `json:"score_definition,omitempty"`
	Metrics    Metrics   `json:"metrics"`
	Finished   time.Time `json:"finished,omitzero"`
	Code       *Code     `json:"code,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"`

	// Coefficients are those of the score fitted (eval.Coefficients), by kind of negatives: with them it
	// needs no second training.
	Coefficients json.RawMessage `json:"coefficients,omitempty"`
}

// ID names a record: what was trained, and when.
func (r Record) ID() string {
	text, _ := json.Marshal([]any{r.Method, r.Options, r.Seed, r.Dataset.SHA256, r.Definition, r.Started.UnixNano()}) // all have JSON
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// ScoreName returns the score that Metrics are by.
func (r Record) ScoreName() string {
	if r.Scoring == "" {
		return "lr"
	}
	return r.Scoring
}

// AddScore adds what the vectors of the record come to by a score, in the place of what they came to by it before. Metrics that were measured by
// the same code are kept: a score may get more of them later.
func (r *Record) AddScore(s Scored) {
	s.Schema, s.Of = 0, ""
	if s.Score == r.ScoreName() {
		r.Metrics, r.ScoreDefinition = merged(r.Metrics, r.ScoreDefinition, s), s.Definition
		return
	}
	all := slices.Clone(r.Scores) // of which others may have a copy
	if i := slices.IndexFunc(all, func(old Scored) bool { return old.Score == s.Score }); i >= 0 {
		s.Metrics = merged(all[i].Metrics, all[i].Definition, s)
		all[i] = s
	} else {
		all = append(all, s)
	}
	r.Scores = all
}

// MetricsBy returns the metrics of a score, whatever code they were measured by; nil where there are none.
func (r Record) MetricsBy(score string) Metrics {
	if score == r.ScoreName() {
		return r.Metrics
	}
	if i := slices.IndexFunc(r.Scores, func(s Scored) bool { return s.Score == score }); i >= 0 {
		return r.Scores[i].Metrics
	}
	return nil
}

// merged returns the metrics of a score, with those that it had before where the definition is the same.
func merged(before Metrics, definition string, s Scored) Metrics {
	if definition != s.Definition || before == nil {
		return s.Metrics
	}
	all := maps.Clone(before)
	maps.Copy(all, s.Metrics)
	return all
}

// Line returns the score as one line of JSON for a store, with its line end. It returns an error for one without a record or a name.
func (s Scored) Line() ([]byte, error) {
	s.Schema = Schema
	if err := s.validate(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(s)
	return append(b, '\n'), err
}

func (s Scored) validate() error {
	switch {
	case s.Schema != Schema:
		return fmt.Errorf("results: score of schema %d: expected %d, the version of this program", s.Schema, Schema)
	case s.Of == "" || s.Score == "":
		return errors.New("results: score of no record, or without a name")
	}
	return nil
}
