package graphs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/internal/guard"
)

// fingerprints are those that were worked out, by Pieces: the program does not change while it runs.
var fingerprints = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// Fingerprint returns 16 hexadecimal digits that tell the definition of a run's losses and layers: those of the graphs of all
// its stages, at a small fixed size, in structure and in numbers; see guard.Fingerprint. It is the same on every machine, and
// changes when a loss or a layer that the run trains is edited. It depends on the options that choose pieces of the graphs,
// and not on those that a piece is only given, such as dim, lambda, tau or the seed. What does not enter a graph, such as
// walks, optimizers and the fused ops that auto compares with it, has no part in it.
//
// It takes some milliseconds the first time. It returns an error for options that Validate refuses, and for graphs that cannot
// be built or run.
func Fingerprint(o Options) (string, error) {
	sample, pieces := definition(o)
	fingerprints.Lock()
	defer fingerprints.Unlock()
	if f, there := fingerprints.of[pieces]; there {
		return f, nil
	}
	f, err := fingerprint(sample)
	if err != nil {
		return "", err
	}
	fingerprints.of[pieces] = f
	return f, nil
}

// Pieces names what Fingerprint depends on: the method, and those options that choose pieces of its graphs and are not as in
// Default, such as "asp2vec selection=softmax lambda=0".
func Pieces(o Options) string {
	_, pieces := definition(o)
	return pieces
}

func fingerprint(sample Options) (string, error) {
	models, err := GuardModels(sample)
	if err != nil {
		return "", err
	}
	m, err := FindMethod(sample.Method)
	if err != nil {
		return "", err
	}
	if m.Typed && sample.WordVectors == "" { // words are trained first
		words := TokenOptions()
		words.Window, words.Negatives, words.Seed = sample.Window, sample.Negatives, sample.Seed
		models = append(models, guardModel(words))
	}
	f, err := guard.Fingerprint(models...)
	if err != nil {
		return "", fmt.Errorf("graphs: %w", err)
	}
	return f, nil
}

// idle are options that may be 0, or no number, and yet choose no piece of a graph.
var idle = concat(common, linkOptions, corpusOptions, vectorOptions,
	slices.DeleteFunc(slices.Clone(pairOptions), func(name string) bool { return name == "pair-loss" }),
	[]string{"warm-up-epochs", "warm-up-share", "dense-degree", "aspect-noise", "features", "feature-links", "clustering", "meta-paths", "word-epochs", "head-noise",
		"epsilon", "margin"})

// definition returns the options by whose graphs a run's definition is known, and their name. Words and truth values are the
// run's own; of numbers it only counts whether they are 0, which may leave a piece out, and of aspects whether there is one.
func definition(o Options) (sample Options, pieces string) {
	o, sample = o.Complete(), Default()
	sample.Method, pieces = o.Method, o.Method
	sample.Dim, sample.Aspects, sample.Window, sample.Negatives = 4, 3, 2, 2
	sample.Tau, sample.Lambda, sample.Epsilon, sample.Seed = 0.5, 0.1, 0.3, 1
	m, err := FindMethod(o.Method)
	if err != nil {
		return sample, pieces
	}
	reads := m.All()
	from, to := reflect.ValueOf(o), reflect.ValueOf(&sample).Elem()
	for i := range from.NumField() {
		name := from.Type().Field(i).Tag.Get("json")
		if slices.Contains(idle, name) || !slices.Contains(reads, name) {
			continue
		}
		value, usual := from.Field(i), to.Field(i)
		switch {
		case name == "aspects" && o.Aspects > 1, value.Equal(usual):
			continue
		case name == "word-vectors":
			value = reflect.ValueOf("file") // whichever
		case value.CanInt() || value.CanUint() || value.CanFloat():
			if !value.IsZero() && !usual.IsZero() && name != "aspects" {
				continue
			}
		}
		usual.Set(value)
		pieces += fmt.Sprintf(" %s=%v", name, value)
	}
	return sample.Normal(), strings.TrimSpace(pieces) // a value of the sample's that no piece reads would be refused
}
