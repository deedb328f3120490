package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/network"
)

// Method is one way to embed a network.
type Method struct {
	Name    string // of the option "method"
	Typed   bool   // learns from Input.Typed
	Weights bool   // uses the weights of links; to the others all links are alike
	Title   string // as the paper's tables have it
	Sides   bool   // its vectors are those of sources of links (Embedding.Center) and of targets (Vectors)
	Source  string // where the method is published
	Differs string // what is done otherwise here, and what the source leaves open
	// Scorings are how its vectors can rank links, its own way first: Scoring... constants.
	Scorings []string
	// Options are those that it reads beyond those of all methods of its kind: parts, which options say that they are of where they are declared, and
	// keys of single ones. What Own declares without a part it reads in any case.
	Options []string
	Own     any // the options that it alone declares, at their defaults; nil for none. See Options.Own

	// Formula is the paper's number of parameters, and Published computes it for n vertices; 0 where that is not enough.
	Formula   string
	Published func(n int64, o Options) int64 // nil where nothing is published

	Sets  Sets                                         // values of options that it has for itself; nil for those of the package's file of protocols
	Valid func(o Options) error                        // what is wrong with options that only the method's package knows; nil for nothing
	Bytes func(vertices, links int, o Options) float64 // of memory that it needs besides the network, with garbage, at least; nil for tables of pairs and a step

	// What makes the vectors, exactly one of the two: stages of epochs, which Train goes through, or a function that makes them at once, such as a
	// factorisation. That has no graph, and reads no option of training. It returns an error for a network that it cannot learn from, and ctx's.
	Stages func(ctx context.Context, in Input, o Options, threads int) ([]Stage, error)
	Embed  func(ctx context.Context, in Input, o Options, threads int) (Embedding, error)

	Describe func() *Method // the function that makes this description, whose file is the method's; set by Described

	Models func(o Options) []Options     // of the skip-gram models that it trains, the last stage's first
	Before func(o Options) []Options     // of the skip-gram models that are trained before it for its inputs, as of words; nil for none
	Guard  func(o Options) []guard.Model // its graphs, to be checked; nil where they are those of Models
}

// Input is what a method learns from.
type Input struct {
	Network  *network.Network
	Features *network.Features // of its vertices, for methods that read them; nil where there are none
	Typed    Typed             // in place of Network, for methods on vertices of several types

	Held *Held // rows that do not move; nil for none

	Checkpoints *Checkpoints // keep the state of training, and say where it goes on; nil for neither

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

// Stage is a part of training with a model of its own.
type Stage struct {
	Name    string
	Learner Learner
	Follow  func() // sets the parameters from those of the stage before; nil for a first stage
	Epochs  int
	Pairs   float64 // after which the last epoch ends, counted over all; 0 where epochs are whole
	Choose  string  // which of its epochs it ends with: a Select... constant
}

// made is filled when it is first asked for: methods find one another in it.
var made struct {
	once sync.Once
	list []*Method
}

// others are methods that files of this package add in their init functions.
var others []func() *Method

// Methods returns the methods of this package, in the order of the paper's Table 1. Package methods has all there are.
func Methods() []*Method {
	made.once.Do(func() {
		made.list = Described(protocolsFile, append(listed(), others...)...)
	})
	return made.list
}

// MethodOf returns the method of this package of a name, which there must be.
func MethodOf(name string) *Method {
	all := Methods()
	return all[slices.IndexFunc(all, func(m *Method) bool { return m.Name == name })]
}

// Reads says whether the method reads the option of a name, or may read the hyperparameter of a name, where an entry that
// declares it is chosen.
func (m *Method) Reads(key string) bool {
	h, _ := option.Find((Options{}).Options(), key)
	return m.lists(key) || m.lists(h.Option)
}

// lists says whether All has the option.
func (m *Method) lists(key string) bool { return m.read()[key] }

// All returns the keys of all options that the method reads, but for hyperparameters that entries of registries have for
// themselves, in the order of Options.
func (m *Method) All() (keys []string) {
	for _, p := range (Options{Own: m.Own}).Options() {
		if m.lists(p.Key) {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// readBy are the options that methods read, which are asked for with each option of thousands of records.
var readBy sync.Map // from *Method to map[string]bool

// read are the options that the method reads: those that are no part of some methods only, and those that it has, by a part or by a key.
func (m *Method) read() map[string]bool {
	if known, ok := readBy.Load(m); ok {
		return known.(map[string]bool)
	}
	has := slices.Clone(m.Options)
	if m.Stages != nil {
		has = append(has, "epochs")
	}
	if m.Stages != nil && !m.Typed {
		has = append(has, "refit")
	}
	read := map[string]bool{}
	for _, p := range slices.Concat(fields(), Options{Own: m.Own}.own()) {
		of := func(word string) bool { return slices.Contains(has, word) }
		read[p.Key] = p.Parts == nil || of(p.Key) || slices.ContainsFunc(p.Parts, of)
	}
	readBy.Store(m, read)
	return read
}

// Unit is what the method trains on one after the other, and what its speed is told in.
func (m *Method) Unit() string {
	if m.Typed || m.Reads("walks") {
		return "pairs"
	}
	return "vertices"
}

// PublishedCount is Published, and 0 where there is none. n is the number of vertices.
func (m *Method) PublishedCount(n int64, o Options) int64 {
	if m.Published == nil {
		return 0
	}
	return m.Published(n, o)
}

// MultiVector says whether the method gives a vertex more than one vector.
func (m *Method) MultiVector() bool { return slices.Contains(m.Scorings, ScoringMax) }

// Scores returns the names of the scores that its vectors can have, its own first: Scorings, and of a method on links all scores of one vector.
func (m *Method) Scores() []string {
	all := slices.Clone(m.Scorings)
	for _, name := range eval.Scorers.Names() {
		if s := eval.Scorers.Get(name); !m.Typed && !s.Several && (m.Sides || !s.Sides) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Written returns the keys of the options that records have, in their order: those that the method reads, in the order of Options, and then sorted what entries
// declare beside the fields of Options, where a chosen entry reads it or it was given.
func (o Options) Written() (keys []string) {
	last := slices.Collect(maps.Keys(o.Hyper))
	zero := func(key string) bool {
		value, _ := o.get(key)
		return reflect.ValueOf(value).IsZero()
	}
	for _, p := range o.Options() {
		if o.Method.lists(p.Key) && !(p.Given && zero(p.Key)) {
			keys = append(keys, p.Key)
		} else if isHyper(p.Key) && o.Reads(p) {
			last = append(last, p.Key)
		}
	}
	slices.Sort(last)
	return append(keys, slices.Compact(last)...)
}

// MarshalJSON writes the method and the options that are Written. It returns an error for options without a method, and for NaN and infinities, which
// JSON cannot hold.
func (o Options) MarshalJSON() ([]byte, error) {
	if o.Method == nil {
		return nil, errors.New("graphs: options of no method")
	}
	b := fmt.Appendf(nil, "{\"method\":%q", o.Method.Name)
	for _, key := range o.Written() {
		value, _ := o.get(key)
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("graphs: option %s: %w", key, err)
		}
		b = append(append(strconv.AppendQuote(append(b, ','), key), ':'), text...)
	}
	return append(b, '}'), nil
}

// formerOptions are options that there no longer are, with the value, as JSON, that all runs have now. A record with another is of a run that cannot
// be made again.
var formerOptions = map[string]string{"aspect-start": `"alike"`, "shuffled-links": `""`}

// UnmarshalJSON sets the options that the text has, as MarshalJSON writes them, and leaves the others. The method must have been
// set, and the text may name no other. It returns an error for a value of another kind than its option's, and for one of formerOptions
// that no run has now; other keys that are no options of this version are left out, as those of fields are.
func (o *Options) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if o.Method == nil {
		return errors.New("graphs: options of no method")
	}
	if name, there := all["method"]; there && string(name) != strconv.Quote(o.Method.Name) {
		return fmt.Errorf("graphs: options of method %s: expected those of %s", name, o.Method.Name)
	}
	declared := o.Options()
	for key, raw := range all {
		kind := reflect.TypeFor[float64]()
		if f, ok := option.Find(declared, key); ok {
			kind = reflect.TypeOf(f.Default)
		} else if was, gone := formerOptions[key]; gone && string(raw) != was {
			return fmt.Errorf("graphs: option %s = %s: expected %s, which all runs have now, since there is no such option any more", key, raw, was)
		} else if !isHyper(key) {
			continue
		}
		value := reflect.New(kind)
		if err := json.Unmarshal(raw, value.Interface()); err != nil {
			return fmt.Errorf("graphs: option %s: %w", key, err)
		}
		if err := o.Set(key, value.Elem().Interface()); err != nil {
			return fmt.Errorf("graphs: %w", err)
		}
	}
	return nil
}

// Earlier returns the options of what is trained before a run for its inputs, as of the vectors of words.
func (o Options) Earlier() []Options {
	if o.Method.Before == nil {
		return nil
	}
	return o.Method.Before(o)
}
