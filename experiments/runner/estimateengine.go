package runner

import (
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
)

// graphWork is how many times as long a step of a skip-gram takes that is composed of layers and losses as one of fused ops: 13.1 s
// for 2.5 s, of asp2vec on PPI in steps of 9,600 pairs, on one thread.
const graphWork = 5

// engines are those that a run's main stage takes, by graphs.Pieces and the option: finding out builds graphs and compares them.
var engines = struct {
	sync.Mutex
	composed map[string]bool
}{composed: map[string]bool{}}

// byGraph says whether the skip-gram of a run's main stage is computed by a graph: because it was asked for, or because no fused op
// computes what the options, or an edit, say. Of methods without a skip-gram it says no.
func byGraph(o graphs.Options) bool {
	if o.Method.Models == nil || o.Engine != graphs.EngineAuto {
		return o.Method.Models != nil && o.Engine == graphs.EngineGraph
	}
	pieces := graphs.Pieces(o)
	engines.Lock()
	defer engines.Unlock()
	composed, known := engines.composed[pieces]
	if !known {
		names, err := graphs.Engines(o)
		composed = err == nil && len(names) > 0 && strings.HasPrefix(names[0], graphs.EngineGraph) // of a graph with a fused regularizer too
		engines.composed[pieces] = composed
	}
	return composed
}
