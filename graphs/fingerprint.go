package graphs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"sync"

	"github.com/asp2vec/asp2vec/internal/guard"
)

// fingerprints are those that were worked out, by Pieces: the program does not change while it runs.
var fingerprints = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// Fingerprint returns 16 hexadecimal digits that tell the definition of a run's losses and layers: those of the graphs of all
// its stages, at a small fixed size, in structure and in numbers, see guard.Fingerprint; and that of Method.Rules. It is the same on every
// machine, and changes when a loss, a layer or a rule that the run goes by is edited. It depends on the options that choose pieces of the graphs,
// and not on those that a piece is only given, such as dim, lambda, tau or the seed; but on hyperparameters of entries that are not at their defaults. What does not enter a graph, such as
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
	if sample.Method.Before != nil {
		for _, o := range sample.Method.Before(sample) {
			models = append(models, guardModel(o))
		}
	}
	f, err := guard.Fingerprint(models...)
	if err != nil {
		return "", fmt.Errorf("graphs: %w", err)
	}
	if sample.Method.Rules == nil {
		return f, nil
	}
	if rules := sample.Method.Rules(sample); rules != "" {
		sum := sha256.Sum256([]byte(f + "\n" + rules))
		return hex.EncodeToString(sum[:8]), nil
	}
	return f, nil
}

// definition returns the options by whose graphs a run's definition is known, and their name. Words and truth values are the
// run's own, and so are hyperparameters that only entries declare; of other numbers it only counts whether they are 0, which may leave a piece out, and of aspects whether there is one.
func definition(o Options) (sample Options, pieces string) {
	sample = Default()
	sample.SetMethod(o.Method)
	pieces = o.Method.Name
	sample.Dim, sample.Aspects, sample.Window, sample.Negatives = 4, 3, 2, 2
	sample.Tau, sample.Lambda, sample.Epsilon, sample.Seed = 0.5, 0.1, 0.3, 1
	for _, f := range o.Options() {
		if f.Apart || !o.Method.lists(f.Key) {
			continue
		}
		value, _ := o.Get(f.Key)
		usual, _ := sample.Get(f.Key)
		switch {
		case f.Key == "aspects" && o.Aspects > 1, value == usual:
			continue
		case f.File:
			value = "file" // whichever
		case f.Kind == reflect.Int || f.Kind == reflect.Float64:
			if !reflect.ValueOf(value).IsZero() && !reflect.ValueOf(usual).IsZero() && f.Key != "aspects" {
				continue
			}
		}
		if err := sample.Set(f.Key, value); err == nil { // of its kind, as it was got
			pieces += fmt.Sprintf(" %s=%v", f.Key, value)
		}
	}
	if given := o.Normal().Hyper; given != "" { // at their defaults, often 1, an edit of what is made of them may not show
		sample.Hyper = given
		pieces += " " + string(given)
	}
	return sample.Normal(), pieces // a value of the sample's that no piece reads would be refused
}
