package hetnet

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
)

// Load reads the trained model that the folder of a run holds. Its scores are those that it gave at the end of the run, bit for
// bit on one kind of processor. threads is for what is made ready. It returns an error that wraps results.ErrNoModel for a folder
// without such a model, and errors for files that are missing, broken, or of another version.
func Load(dir string, threads int) (*Saved, error) { return load(dir, threads, newModel) }

// identifying are the methods that rank the authors of papers.
var identifying = []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet, MethodPrototype}

// newModel returns an untrained model of the method that the options name.
func newModel(in Input, o graphs.Options, threads int) (Model, error) {
	switch o.Method.Name {
	case MethodM2V:
		return newM2V(in, o, threads)
	case MethodCamel:
		return newCamel(in, o, threads)
	case MethodTaPEm:
		return newTaPEm(in, o, threads)
	case MethodAsp2vecHet:
		return newAsp2vecHet(in, o, threads)
	case MethodPrototype:
		return newPrototype(in, o, threads)
	}
	return nil, fmt.Errorf("hetnet: method %q does not identify authors: want one of %s", o.Method.Name, strings.Join(identifying, ", "))
}
