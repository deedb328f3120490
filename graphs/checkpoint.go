package graphs

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Checkpoints keep the state of a training, from which another one goes on and comes to the same bytes.
type Checkpoints struct {
	Due  func(epochEnded bool) bool // asked after every step, and after every epoch; nil for never
	Save func(State)                // called where Due says so, where training is stopped, and at its end. It must not keep State.Numbers, which moves on
	From *State                     // where training goes on; nil for its beginning
}

// State is where a training stands.
type State struct {
	Course  json.RawMessage
	Numbers [][]float32 // parameters, their moments, and the best epoch's parameters
}

// Position says in words where a training stands.
func (s State) Position() string {
	var c course
	switch err := json.Unmarshal(s.Course, &c); {
	case err != nil || !c.Finished && c.Stage == nil:
		return "nowhere"
	case c.Finished:
		return "the end of training"
	}
	return fmt.Sprintf("%s epoch %d, after %d of its steps", c.Stage.Name, c.Epoch.Number, c.Steps)
}

// course is what a State holds besides numbers. These are, one table after the other: the parameters of each stage that has ended; and of the
// stage under way the parameters, the moments of those that have any, and the best epoch's parameters.
type course struct {
	Ended    []StageResult // with their parameters as they were handed on
	Finished bool          // all stages have ended; what follows is of the stage under way else

	Stage   *StageResult `json:",omitempty"` // its epochs so far
	Stop    stoppingState
	Epoch   Epoch       // under way
	Steps   int         // of that epoch
	Sum     engine.Loss // of its steps, weighted by pairs
	Moments []int       // how many each table has
	Best    bool        // the best epoch's parameters are kept

	Learner, Monitor json.RawMessage
	AllSteps         int   // of all stages
	Pairs            int64 // see trainer
}

// underWay is a stage in training.
type underWay struct {
	Stage
	done  StageResult
	stop  *stopping
	best  [][]float32 // parameters of the best epoch
	epoch Epoch       // that is next or has begun
	sum   engine.Loss
	steps int  // of epoch
	ended bool // early, by the rule that chooses
}

// fresh returns a stage that has not begun.
func (t *trainer) fresh(s Stage) *underWay {
	return &underWay{
		Stage: s, done: StageResult{Name: s.Name}, stop: &stopping{rule: s.Choose, patience: t.o.Patience},
		epoch: Epoch{Stage: s.Name, Number: 1, Scored: scored(s.Choose)},
	}
}

// save keeps the state of the stage under way, if anybody keeps states.
func (t *trainer) save(u *underWay) {
	if t.checkpoints == nil {
		return
	}
	c := t.course
	c.Stage, c.Stop, c.Epoch, c.Steps, c.Sum, c.Best = &u.done, u.stop.stoppingState, u.epoch, u.steps, u.sum, u.best != nil
	c.Learner = plain(u.Learner.State())
	tables := u.Learner.Parameters()
	numbers := slices.Concat(t.ended, numbersOf(tables))
	for _, table := range tables {
		held := slices.DeleteFunc(slices.Clone(table.Moments[:]), func(m []float32) bool { return m == nil })
		c.Moments, numbers = append(c.Moments, len(held)), append(numbers, held...)
	}
	t.keepState(c, append(numbers, u.best...))
}

// finish keeps the state of a training that has come to its end.
func (t *trainer) finish() {
	if t.checkpoints != nil {
		c := t.course
		c.Finished = true
		t.keepState(c, t.ended)
	}
}

func (t *trainer) keepState(c course, numbers [][]float32) {
	c.AllSteps, c.Pairs = t.steps, t.pairs
	if t.mon.State != nil {
		c.Monitor = plain(t.mon.State())
	}
	t.checkpoints.Save(State{plain(c), numbers})
}

// plain returns the JSON of something that is made of finite numbers and words.
func plain(x any) json.RawMessage {
	text, err := json.Marshal(x)
	if err != nil {
		panic(fmt.Sprintf("graphs: checkpoint: %T: %v", x, err))
	}
	return text
}

// saveIfDue keeps the state where it is due.
func (t *trainer) saveIfDue(u *underWay, epochEnded bool) {
	if t.checkpoints != nil && t.checkpoints.Due != nil && t.checkpoints.Due(epochEnded) {
		t.save(u)
	}
}

// end takes note of a stage that has ended, for the states to come.
func (t *trainer) end(s Stage, done StageResult) {
	t.course.Ended = append(t.course.Ended, done)
	t.ended = append(t.ended, numbersOf(s.Learner.Parameters())...)
}

// begin takes over the state that training goes on from, up to the stages that it restores one by one.
func (t *trainer) begin(c *Checkpoints) error {
	t.checkpoints = c
	if c == nil || c.From == nil {
		return nil
	}
	t.from = &course{}
	if err := json.Unmarshal(c.From.Course, t.from); err != nil {
		return fmt.Errorf("graphs: state of a training: %w", err)
	}
	t.numbers, c.From = c.From.Numbers, nil
	t.steps, t.pairs = t.from.AllSteps, t.from.Pairs
	return nil
}

// restoreEnded leaves stage i as it was at its end, if the state that training goes on from has it.
func (t *trainer) restoreEnded(i int, s Stage) (done StageResult, there bool, err error) {
	if t.from == nil || i >= len(t.from.Ended) {
		return StageResult{}, false, nil
	}
	done = t.from.Ended[i]
	if done.Name != s.Name {
		return done, false, fmt.Errorf("graphs: state of a training: stage %q: expected %q", done.Name, s.Name)
	}
	if err := t.take(numbersOf(s.Learner.Parameters())...); err != nil {
		return done, false, err
	}
	if i == len(t.from.Ended)-1 && t.from.Finished {
		return done, true, t.restoreMonitor()
	}
	return done, true, nil
}

// restore leaves stage i as it was in the midst of training, if the state that training goes on from has it so.
func (t *trainer) restore(i int, u *underWay) error {
	c, tables := t.from, u.Learner.Parameters()
	if c == nil || c.Finished || i != len(c.Ended) {
		return nil
	}
	if c.Stage == nil || c.Stage.Name != u.Name || len(c.Moments) != len(tables) {
		return fmt.Errorf("graphs: state of a training: not of stage %q with %d tables", u.Name, len(tables))
	}
	if err := t.take(numbersOf(tables)...); err != nil {
		return err
	}
	for i, table := range tables {
		for k := range min(c.Moments[i], len(table.Moments)) {
			table.Moments[k] = memory.Zeros[float32](len(table.X))
			if err := t.take(table.Moments[k]); err != nil {
				return err
			}
		}
	}
	if c.Best {
		u.best = keep(nil, tables)
		if err := t.take(u.best...); err != nil {
			return err
		}
	}
	if err := u.Learner.Resume(c.Learner, c.Steps); err != nil {
		return fmt.Errorf("graphs: state of a training: %w", err)
	}
	u.done, u.stop.stoppingState, u.epoch, u.sum, u.steps = *c.Stage, c.Stop, c.Epoch, c.Sum, c.Steps
	t.numbers = nil // the memory
	return t.restoreMonitor()
}

func (t *trainer) restoreMonitor() error {
	if t.mon.Resume == nil || len(t.from.Monitor) == 0 {
		return nil
	}
	return t.mon.Resume(t.from.Monitor)
}

// numbersOf returns the numbers of tables, in their memory.
func numbersOf(tables []*engine.Table) [][]float32 {
	return seq.Map(tables, func(t *engine.Table) []float32 { return t.X })
}

// take copies the next numbers of the state to all of these.
func (t *trainer) take(all ...[]float32) error {
	for _, x := range all {
		if len(t.numbers) == 0 || len(t.numbers[0]) != len(x) {
			return fmt.Errorf("graphs: state of a training: expected %d numbers next", len(x))
		}
		copy(x, t.numbers[0])
		t.numbers = t.numbers[1:]
	}
	return nil
}
