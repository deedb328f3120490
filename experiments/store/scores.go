package store

import (
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// By returns the record with the metrics of a score, and whether it has those of the present code.
func (e *Entry) By(score string) (results.Record, bool) {
	r := e.Record
	switch {
	case e.typed: // whose targets are ranked in one way
		return r, true
	case r.ScoreName() == score:
		return r, e.trainedBy || r.ScoreDefinition == run.ScoreDefinition(score, r.Metrics)
	}
	for _, s := range r.Scores {
		if s.Score == score && s.Definition == run.ScoreDefinition(score, s.Metrics) {
			r.Metrics, r.Scoring, r.ScoreDefinition = s.Metrics, s.Score, s.Definition
			return r, true
		}
	}
	return r, false
}

// each returns the entry by its own score and by each other that it has. Where a score has a say in training, the others are of no training that
// one could ask for.
func (e *Entry) each() []*Entry {
	all := []*Entry{e}
	if e.trainedBy {
		return all
	}
	for _, s := range e.Scores {
		if r, has := e.By(s.Score); has {
			by := *e
			by.Record = r
			all = append(all, &by)
		}
	}
	return all
}

// with returns the entry with those scores of another one of the same training that it lacks, as far as they are of the present code.
func (e *Entry) with(other *Entry) *Entry {
	merged := *e
	for _, s := range ScoresOf(other.Record) {
		if _, has := merged.By(s.Score); !has && s.Definition == run.ScoreDefinition(s.Score, s.Metrics) {
			merged.AddScore(s)
		}
	}
	return &merged
}

// ScoresOf returns what a record has by each score, its own first.
func ScoresOf(r results.Record) []results.Scored {
	own := results.Scored{Score: r.ScoreName(), Definition: r.ScoreDefinition, Metrics: r.Metrics, Code: &r.Code, Finished: r.Finished}
	return append([]results.Scored{own}, r.Scores...)
}

// Lacks returns the scores that a job wants and an entry does not have.
func (j Job) Lacks(e *Entry) (scores []string) {
	for _, score := range j.AllScores() {
		if _, has := e.By(score); !has {
			scores = append(scores, score)
		}
	}
	return scores
}

// EachScore returns the job once for each score that it wants.
func (j Job) EachScore() (all []Job) {
	for i, score := range j.AllScores() {
		each := j
		if each.Scores = nil; i > 0 {
			each.Options.Scoring = score
		}
		all = append(all, each)
	}
	return all
}

// AllScores returns the scores that a job wants, its own first.
func (j Job) AllScores() []string {
	all := []string{j.Options.Scorer()}
	for _, score := range j.Scores {
		if !slices.Contains(all, score) {
			all = append(all, score)
		}
	}
	return all
}
