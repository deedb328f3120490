package graphs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/asp2vec/asp2vec/internal/memory"
)

// Checkpoints keeps the state of a training, from which another one goes on and comes to the same, to the bit.
type Checkpoints struct {
	// Due says whether the state is to be kept now. It is asked after every step, and after every epoch once its score is known.
	Due func(epochEnded bool) bool
	// Save keeps a state. It is called between two steps: where Due says so, where training is stopped, and at its end. It must
	// not keep the memory of State.Numbers, which moves on. What goes wrong is its own affair: training goes on.
	Save func(State)
	From *State // where training goes on; nil for its beginning. It is forgotten once it has been taken over
}

// State is where a training stands.
type State struct {
	Course  json.RawMessage
	Numbers [][]float32 // of parameters, their moments, and the best epoch's parameters
}

// Position says in words where a training stands.
func (s State) Position() string {
	var c course
	if err := json.Unmarshal(s.Course, &c); err != nil {
		return "nowhere"
	}
	if c.Finished {
		return "the end of training"
	}
	stage := StageMain
	if c.Stage != nil {
		stage = c.Stage.Name
	}
	if c.Trained {
		return fmt.Sprintf("%s epoch %d, trained and not yet scored", stage, c.Epoch.Number)
	}
	return fmt.Sprintf("%s epoch %d, after %d of its steps", stage, c.Epoch.Number, c.Steps)
}

// course is what a State holds besides numbers. These are, one table after the other: the parameters of each stage that has ended;
// and of the stage under way the parameters, the moments of those that have any, and the best epoch's parameters.
type course struct {
	Ended    []StageResult // with their parameters as they were handed on
	Finished bool          // all stages have ended; what follows is of the stage under way else

	Stage   *StageResult `json:",omitempty"` // its epochs so far
	Stop    stoppingState
	Epoch   Epoch // under way
	Steps   int   // of that epoch
	Sum     Loss  // of its steps, weighted by pairs
	Trained bool  // it has had its steps, and is to be scored
	Moments []bool
	Best    bool // the best epoch's parameters are kept
	memories

	AllSteps int   // of all stages
	Pairs    int64 // see trainer
}

// underWay is a stage in training.
type underWay struct {
	Stage
	done    StageResult
	stop    *stopping
	best    [][]float32 // parameters of the best epoch
	epoch   Epoch       // that is next or has begun
	sum     Loss
	steps   int // of epoch
	trained bool
	ended   bool // early, by the rule that chooses

	memories memories // of before the score, which may leave traces though it is broken off
}

// memories are what the learner and the monitor know besides numbers.
type memories struct{ Learner, Monitor json.RawMessage }

// fresh returns a stage that has not begun.
func (t *trainer) fresh(s Stage) *underWay {
	return &underWay{
		Stage: s, done: StageResult{Name: s.Name}, stop: &stopping{rule: s.Choose, patience: t.o.Patience},
		epoch: Epoch{Stage: s.Name, Number: 1, Scored: scored(s.Choose)},
	}
}

// save keeps the state of the stage under way.
func (t *trainer) save(u *underWay) {
	c := t.course
	c.Stage, c.Stop, c.Epoch, c.Steps, c.Sum, c.Trained, c.Best = &u.done, u.stop.stoppingState, u.epoch, u.steps, u.sum, u.trained, u.best != nil
	numbers := t.ended
	tables := u.Learner.Parameters()
	for _, table := range tables {
		numbers = append(numbers[:len(numbers):len(numbers)], table.X)
	}
	for _, table := range tables {
		c.Moments = append(c.Moments, table.m != nil)
		if table.m != nil {
			numbers = append(numbers, table.m, table.v)
		}
	}
	if !u.trained {
		t.noteMemories(u)
	}
	c.memories = u.memories
	t.keepState(c, append(numbers, u.best...))
}

// noteMemories takes down what the learner and the monitor know now.
func (t *trainer) noteMemories(u *underWay) {
	if t.checkpoints != nil {
		u.memories = memories{plain(u.Learner.State()), t.monitorState()}
	}
}

func (t *trainer) monitorState() json.RawMessage {
	if t.mon.State == nil {
		return nil
	}
	return plain(t.mon.State())
}

// plain returns the JSON of something that is made of finite numbers and words.
func plain(x any) json.RawMessage {
	text, err := json.Marshal(x)
	if err != nil {
		panic(fmt.Sprintf("graphs: checkpoint: %T: %v", x, err))
	}
	return text
}

// keepState hands a state to whoever keeps it. The time that this takes is nobody's training.
func (t *trainer) keepState(c course, numbers [][]float32) {
	start := time.Now()
	c.AllSteps, c.Pairs = t.steps, t.pairs
	t.checkpoints.Save(State{plain(c), numbers})
	t.saving += time.Since(start)
}

// due says whether a state is to be kept now.
func (t *trainer) due(epochEnded bool) bool {
	return t.checkpoints != nil && t.checkpoints.Due != nil && t.checkpoints.Due(epochEnded)
}

// end takes note of a stage that has ended, for the states to come.
func (t *trainer) end(s Stage, done StageResult) {
	if t.checkpoints == nil {
		return
	}
	t.course.Ended = append(t.course.Ended, done)
	for _, table := range s.Learner.Parameters() {
		t.ended = append(t.ended, table.X)
	}
}

// finish keeps the state of a training that has come to its end.
func (t *trainer) finish() {
	if t.checkpoints != nil && (t.from == nil || !t.from.Finished) {
		c := t.course
		c.Finished, c.Monitor = true, t.monitorState()
		t.keepState(c, t.ended)
	}
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
	t.numbers = c.From.Numbers
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
		return done, false, fmt.Errorf("graphs: state of a training: stage %q: want %q", done.Name, s.Name)
	}
	if err := t.restoreTables(s.Learner.Parameters()); err != nil {
		return done, false, err
	}
	if i == len(t.from.Ended)-1 && t.from.Finished {
		return done, true, t.restoreMonitor()
	}
	return done, true, nil
}

// amid says whether training goes on in the midst of stage i.
func (t *trainer) amid(i int) bool {
	return t.from != nil && !t.from.Finished && i == len(t.from.Ended)
}

// restore leaves stage i as it was in the midst of training, if the state that training goes on from has it so.
func (t *trainer) restore(i int, u *underWay) error {
	if !t.amid(i) {
		return nil
	}
	c, tables := t.from, u.Learner.Parameters()
	if c.Stage == nil || c.Stage.Name != u.Name || len(c.Moments) != len(tables) {
		return fmt.Errorf("graphs: state of a training: not of stage %q with %d tables", u.Name, len(tables))
	}
	if err := t.restoreTables(tables); err != nil {
		return err
	}
	for i, table := range tables {
		if !c.Moments[i] {
			continue
		}
		table.m, table.v = memory.Zeros(len(table.X)), memory.Zeros(len(table.X))
		if err := t.take(table.m, table.v); err != nil {
			return err
		}
	}
	if c.Best {
		u.best = keep(nil, tables)
		if err := t.take(u.best...); err != nil {
			return err
		}
	}
	had := c.Steps // of the next epoch that is trained
	if c.Trained {
		had = 0
	}
	if err := u.Learner.Resume(c.Learner, had); err != nil {
		return fmt.Errorf("graphs: state of a training: %w", err)
	}
	u.done, u.stop.stoppingState, u.epoch, u.sum, u.steps, u.trained = *c.Stage, c.Stop, c.Epoch, c.Sum, c.Steps, c.Trained
	t.numbers, t.checkpoints.From = nil, nil // the memory
	return t.restoreMonitor()
}

func (t *trainer) restoreMonitor() error {
	if t.mon.Resume == nil || len(t.from.Monitor) == 0 || string(t.from.Monitor) == "null" {
		return nil
	}
	return t.mon.Resume(t.from.Monitor)
}

// restoreTables takes the next numbers of the state for tables.
func (t *trainer) restoreTables(tables []*Table) error {
	for _, table := range tables {
		if err := t.take(table.X); err != nil {
			return err
		}
	}
	return nil
}

// take copies the next numbers of the state to all of these.
func (t *trainer) take(all ...[]float32) error {
	for _, x := range all {
		if len(t.numbers) == 0 || len(t.numbers[0]) != len(x) {
			return fmt.Errorf("graphs: state of a training: want %d numbers next", len(x))
		}
		copy(x, t.numbers[0])
		t.numbers = t.numbers[1:]
	}
	return nil
}
