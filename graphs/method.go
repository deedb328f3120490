package graphs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/network"
)

// Method is one way to embed a network.
type Method struct {
	Name    string // of the option "method"
	Typed   bool   // learns from Input.Typed
	Weights bool   // heeds the weights of links; to the others all links are alike
	Title   string // as the paper's tables have it
	Source  string // where the method is published
	Differs string // what is done otherwise here, and what the source leaves open
	// Scorings are how its vectors can rank links, its own way first: Scoring... constants.
	Scorings []string
	Options  []string // names of the options that it reads, beyond those that every method reads

	// Formula is the paper's number of parameters, and Published computes it for n vertices; 0 where that is not enough.
	Formula   string
	Published func(n int64, o Options) int64 // nil where nothing is published

	Defaults func(o *Options)      // sets what the method has for itself, over a protocol
	Standard func(o *Options)      // sets what the method has for itself under the standard protocol, after Defaults; nil for nothing
	Fixed    func(o *Options)      // sets what the method leaves no choice of
	Valid    func(o Options) error // what is wrong with options that only the method's package knows; nil for nothing
	Phases   func(ctx context.Context, in Input, o Options, threads int) ([]Phase, error)
	Models   func(o Options) []Options     // of the skip-gram models that it trains, the last stage's first
	Guard    func(o Options) []guard.Model // its graphs, to be checked; nil where they are those of Models
	// Engines returns what engine auto takes for each part of its loss that a fused op can compute; nil where these are Models.
	Engines func(o Options) ([]string, error)
}

// Input is what a method learns from.
type Input struct {
	Network  *network.Network
	Features *network.Features // of its vertices, for methods that read them; nil where there are none
	Typed    Typed             // in place of Network, for methods on vertices of several types
	Stages   *Stages           // of other runs on the same input, with the same scores; nil where none are shared

	// Until, unless nil, has the number of epochs after which a stage ends, by its name, with the last epoch's parameters, whatever
	// the options choose an epoch by: that of a run on other links which has chosen already.
	Until map[string]int
}

// Typed is a network whose vertices are of several types; the methods' own package knows more of it.
type Typed interface {
	// VertexNames returns the names of the vertices that get vectors in an Embedding.
	VertexNames() []string
}

// names returns the names of the vertices that get vectors.
func (in Input) names() []string {
	if in.Typed != nil {
		return in.Typed.VertexNames()
	}
	return in.Network.Names()
}

// Phase is a part of training with a model of its own.
type Phase struct {
	Name    string
	Learner Learner
	Follow  func() // sets the parameters from those of the stage before; nil for a first stage
	Epochs  int
	Pairs   float64 // after which the last epoch ends, counted over all; 0 where epochs are whole
	Choose  string  // which of its epochs it ends with: a Select... constant

	// Begins is, of a first stage that other runs may share, what determines its outcome besides the input, as text; and Skip
	// leaves all but the parameters as so many epochs do.
	Begins string
	Skip   func(epochs int)
}

// registry is made when it is first asked for: methods find one another in it.
var registry struct {
	once sync.Once
	list []*Method
}

// Register adds the methods of another package, after those of this one. It is for init functions.
func Register(more ...*Method) { registry.list = append(methods(), more...) }

// methods is the registry, in the order of the paper's Table 1 and then of Table 5.
func methods() []*Method {
	registry.once.Do(func() {
		registry.list = []*Method{deepWalkMethod(), node2vecMethod(), dgiMethod(), polyDWMethod(), splitterMethod(), asp2vecMethod()}
	})
	return registry.list
}

// Methods returns every method, in the order of the paper's Table 1 and then of Table 5.
func Methods() []*Method { return methods() }

// LinkMethods returns the methods on networks whose vertices are all of one type, in the order of the paper's Table 1.
func LinkMethods() []*Method {
	return slices.DeleteFunc(slices.Clone(methods()), func(m *Method) bool { return m.Typed })
}

// MethodNames returns the names of every method.
func MethodNames() []string {
	var names []string
	for _, m := range methods() {
		names = append(names, m.Name)
	}
	return names
}

// FindMethod returns the method of a name, or an error that lists the names there are.
func FindMethod(name string) (*Method, error) {
	for _, m := range methods() {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("graphs: method = %q: want one of %s", name, strings.Join(MethodNames(), ", "))
}

// common are the options that every method reads.
var common = []string{"method", "dim", "learning-rate", "epochs", "patience", "select", "scoring", "seed"}

// Options of methods by what they learn from.
var (
	linkOptions   = []string{"hold-out", "refit"} // of all that learn from links, which can be held out
	corpusOptions = []string{"walks", "walk-length", "window", "shrink-window", "negatives", "noise-power", "resample-negatives",
		"walks-in-memory", "order"}
	pairOptions = []string{"pair-loss", "batch", "optimizer", "final-learning-rate", "pairs-per-vertex", "steps", "rate-sum", "degree-power", "spread-power", "rate-end", "directed-share",
		"engine"}
	vectorOptions = []string{"embedding", "embedding-scale", "max-norm"} // of DeepWalk, and of methods that are or begin with it
)

// Reads says whether the method reads the option of a name, or may read the hyperparameter of a name, where an entry that
// declares it is chosen.
func (m *Method) Reads(option string) bool {
	if m.lists(option) {
		return true
	}
	h, ok := FindHyperparameter(option)
	return ok && m.lists(h.Option)
}

// lists says whether All has the option. It is asked of each option of thousands of records, and makes no list.
func (m *Method) lists(option string) bool {
	return slices.Contains(common, option) || slices.Contains(m.Options, option) || !m.Typed && slices.Contains(linkOptions, option)
}

// All returns the names of all options that the method reads, but for hyperparameters that entries of registries have for
// themselves.
func (m *Method) All() []string {
	if m.Typed {
		return concat(common, m.Options)
	}
	return concat(common, linkOptions, m.Options)
}

// Unit is what the method trains on one after the other, and what its speed is told in.
func (m *Method) Unit() string {
	if m.Typed || m.Reads("walks") {
		return "pairs"
	}
	return "vertices"
}

// PublishedCount is Published, and 0 where there is none.
func (m *Method) PublishedCount(n int64, o Options) int64 {
	if m.Published == nil {
		return 0
	}
	return m.Published(n, o)
}

// Several says whether the method gives a vertex more than one vector.
func (m *Method) Several() bool { return slices.Contains(m.Scorings, ScoringMax) }

// Defaults returns the options of a method under a protocol (Standard, Default or Paper): those of the protocol, with what the method
// has for itself. It returns an error for an unknown method.
func Defaults(method string, protocol func() Options) (Options, error) {
	o := protocol()
	m, err := FindMethod(method)
	if err != nil {
		return o, err
	}
	o.Method = m.Name
	standard := o.budgeted() // of the protocols, that one alone
	if m.Defaults != nil {
		m.Defaults(&o)
	}
	if standard && m.Standard != nil {
		m.Standard(&o)
	}
	return o, nil
}

// MarshalJSON writes the options that the method reads, in the order of the type's fields, and then hyperparameters;
// all of them for an unknown method.
func (o Options) MarshalJSON() ([]byte, error) {
	method, err := FindMethod(o.Method)
	var b bytes.Buffer
	b.WriteByte('{')
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		if name == "-" || err == nil && !method.lists(name) {
			continue
		}
		value, err := json.Marshal(v.Field(i).Interface())
		if err != nil {
			return nil, fmt.Errorf("graphs: option %s: %w", name, err)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", name, value)
	}
	written := o.written()
	for _, key := range slices.Sorted(maps.Keys(written)) {
		value, err := json.Marshal(written[key])
		if err != nil {
			return nil, fmt.Errorf("graphs: option %s: %w", key, err)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
