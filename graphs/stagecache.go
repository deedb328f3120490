package graphs

import (
	"encoding/json"
	"fmt"
	"sync"
)

// StageCache keeps what the first stages of runs came to, for other runs on the same input, with the same scores, that begin alike:
// a sweep over what only the last stage reads trains DeepWalk once. A run that begins with a kept stage comes to the same, to
// the bit, as it does without. It may be used by several goroutines; runs that begin at the same time each train their own.
type StageCache struct {
	mu    sync.Mutex
	kept  map[string]keptStage
	order []string // of kept, the oldest first
	words int      // of parameters in kept
}

// mostKept is the number of parameters from which on the oldest stages are forgotten: 64 MiB.
const mostKept = 16 << 20

type keptStage struct {
	stage      StageResult
	parameters [][]float32
}

// WarmsUp says whether a run has a stage before its main one.
func WarmsUp(o Options) bool {
	return o.Method.Reads("warm-up-epochs") && (o.WarmUp || !o.Method.Reads("warm-up"))
}

// FirstStage says as text what determines the first stage of a run besides its input, if other runs may share it; else "".
func FirstStage(o Options) string {
	if o.Method.Typed || !WarmsUp(o) {
		return ""
	}
	text, err := json.Marshal(warmUpOptions(o))
	if err != nil {
		return "" // options that no run takes
	}
	share := ""
	if o.budgeted() {
		share = fmt.Sprintf(" share %v", o.WarmUpShare)
	}
	return fmt.Sprintf("%s of %s%s %s", StageWarmUp, o.Method.Name, share, text)
}

// share lets other runs begin with the stage, the first of a run with these options, which trains on the corpus.
func (s *Stage) share(o Options, c *corpus) {
	s.Begins, s.Skip = FirstStage(o), func(epochs int) { c.passes += uint64(epochs) }
}

// key names what determines the outcome of a stage that may be shared, besides what it learns from; "" for one that may not.
func (s Stage) key(o Options) string {
	if s.Begins == "" {
		return ""
	}
	return fmt.Sprintf("%s %d epochs %s %d %s", s.Begins, s.Epochs, s.Choose, o.Patience, o.Scorer())
}

// resume leaves the stage as if it had been trained, if it has been for another run.
func (k *StageCache) resume(s Stage, o Options) (StageResult, bool) {
	if k == nil {
		return StageResult{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.kept[s.key(o)]
	if !ok {
		return StageResult{}, false
	}
	for i, table := range s.Learner.Parameters() {
		copy(table.X, kept.parameters[i])
	}
	s.Skip(len(kept.stage.Epochs))
	done := kept.stage
	done.Shared = true
	return done, true
}

// keep adds a stage that has come to its end.
func (k *StageCache) keep(s Stage, o Options, done StageResult) {
	key := s.key(o)
	if k == nil || key == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, there := k.kept[key]; there {
		return
	}
	parameters := keep(nil, s.Learner.Parameters())
	if words(parameters) > mostKept {
		return
	}
	if k.kept == nil {
		k.kept = map[string]keptStage{}
	}
	k.kept[key], k.order = keptStage{done, parameters}, append(k.order, key)
	for k.words += words(parameters); k.words > mostKept; k.order = k.order[1:] {
		k.words -= words(k.kept[k.order[0]].parameters)
		delete(k.kept, k.order[0])
	}
}

func words(parameters [][]float32) (sum int) {
	for _, x := range parameters {
		sum += len(x)
	}
	return sum
}
