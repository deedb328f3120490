package graphs

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/goccy/go-yaml"
)

// Protocol names values of options that belong together; protocols.yaml says which.
type Protocol string

// Protocols of runs.
const (
	Standard  Protocol = "standard"  // a recipe that is fixed before it sees a network
	Validated Protocol = "validated" // the paper's model, with epochs chosen on validation links
	Paper     Protocol = "paper"     // as published

	gensim Protocol = "gensim" // of words
)

// OfSchema returns the protocol for networks with a schema of their own, for which a method may have other values than for papers and authors.
func (p Protocol) OfSchema() Protocol { return p + ofSchema }

const ofSchema = ", schema"

// Sets are values of options, by their keys, that a method has for itself, by when they are set: "always", which is under every protocol and over
// what that sets for all methods; under a protocol, by its name, and over that for networks with a schema of their own by its name and ", schema"; "fixed", of what the method leaves no choice of; and "unset", or "unset, select
// last" and the like, for options whose 0 stands for something.
type Sets map[string]map[string]any

//go:embed protocols.yaml
var protocolsFile []byte

// protocolSets is what a file of protocols holds.
type protocolSets struct {
	Protocols map[Protocol]map[string]any
	Unset     Sets
	Methods   map[string]Sets
}

var shared = sync.OnceValue(func() protocolSets { return readProtocols(protocolsFile) })

// readProtocols panics for text that is no such file: it is part of the program.
func readProtocols(text []byte) (p protocolSets) {
	if err := yaml.UnmarshalWithOptions(text, &p, yaml.Strict()); err != nil {
		panic(fmt.Sprintf("protocols: %v", err))
	}
	return p
}

// Described returns the methods that functions describe, each with its function, and with the Sets that a file has for it. It panics for a file of others, or of one
// that has Sets of its own.
func Described(file []byte, all ...func() *Method) (methods []*Method) {
	for _, describe := range all {
		m := describe()
		m.Describe = describe
		methods = append(methods, m)
	}
	for name, sets := range readProtocols(file).Methods {
		at := slices.IndexFunc(methods, func(m *Method) bool { return m.Name == name && m.Sets == nil })
		if at < 0 {
			panic(fmt.Sprintf("protocols: method %s: expected one that sets nothing itself", name))
		}
		methods[at].Sets = sets
	}
	return methods
}

// usual are options of methods under protocols, which are asked for with each of thousands of records.
var usual sync.Map // from a pair of them to Options

// OptionsOf returns the options of a method under a protocol: the declared defaults, with what the protocol sets of those that the method reads,
// and what the method has for itself.
func OptionsOf(m *Method, p Protocol) Options {
	type pair struct {
		*Method
		Protocol
	}
	if known, ok := usual.Load(pair{m, p}); ok {
		return known.(Options)
	}
	o := option.Defaults[Options]()
	o.SetMethod(m)
	for _, h := range Hyperparameters() {
		o.set(h.Key, h.Default)
	}
	base := Protocol(strings.TrimSuffix(string(p), ofSchema))
	for key, value := range shared().Protocols[base] {
		if m.lists(key) {
			o.set(key, value)
		}
	}
	o.setAll(m.Sets["always"])
	o.setAll(m.Sets[string(base)])
	if p != base {
		o.setAll(m.Sets[string(p)])
	}
	o.fix()
	usual.Store(pair{m, p}, o)
	return o
}

func (o *Options) setAll(values map[string]any) {
	for key, value := range values {
		o.set(key, value)
	}
}

// set sets an option to a value as YAML or a literal has it. It panics for a key or a value that is none: it is part of the program.
func (o *Options) set(key string, value any) {
	p, _ := option.Find(o.Options(), key)
	parsed, err := p.Parse(fmt.Sprint(value))
	if err == nil {
		err = o.Set(key, parsed)
	}
	if err != nil {
		panic(fmt.Sprintf("protocols: %s of %s: %v", key, o.Method.Name, err))
	}
}

// fix sets what the method leaves no choice of: what it alone fixes, one aspect and no warm-up where it does not read how many and whether, and of
// one without epochs that none is chosen.
func (o *Options) fix() {
	m := o.Method
	if !m.lists("aspects") {
		o.Aspects = 1
	}
	if !m.lists("warm-up") {
		o.WarmUp = false
	}
	if !m.lists("select") {
		o.Select = SelectLast
	}
	o.setAll(m.Sets["fixed"])
}

// unset returns what 0 stands for as the value of an option: what the method always has, else what is said of its 0 with the same select, or any.
func (o Options) unset(key string) int {
	at := "unset, select " + o.Select
	of := []map[string]any{shared().Unset[at], shared().Unset["unset"]}
	if m := o.Method; m != nil {
		of = append([]map[string]any{m.Sets["always"], m.Sets[at], m.Sets["unset"]}, of...)
	}
	for _, values := range of {
		if n, _ := strconv.Atoi(fmt.Sprint(values[key])); n > 0 {
			return n
		}
	}
	return 0
}

// Default returns the options of asp2vec under the protocol "validated".
func Default() Options { return OptionsOf(MethodOf(MethodAsp2vec), Validated) }
