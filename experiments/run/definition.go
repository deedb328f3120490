package run

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
)

// known is what a trial came to, with which options, and how often numbers of runs have changed with it since records have a definition.
type known struct {
	Version int             `json:"version,omitempty"`
	Options json.RawMessage `json:"options,omitempty"` // of a method under a protocol
	outcome
}

// trials.json is history, by the names of trials. An edit that is tried out leaves it as it is, and runs after it count as of another
// definition. One that is there to stay is taken over by go test ./experiments/run -run TestTrials -update, which raises the versions of
// the trials whose outcome it has changed: runs from before it stay runs of another definition.
//
//go:embed trials.json
var trialsText []byte

var knownTrials = func() map[string]known {
	var all map[string]known
	if err := json.Unmarshal(trialsText, &all); err != nil {
		panic(fmt.Sprintf("experiments: trials.json: %v", err))
	}
	return all
}()

// trialTolerance is by how much, relative to their size, numbers of a trial may differ and be the same: processors round differently.
const trialTolerance = 1e-3

// same says whether two outcomes are one, but for rounding.
func (t outcome) same(other outcome) bool {
	if t.Words != other.Words || len(t.Numbers) != len(other.Numbers) {
		return false
	}
	for i, x := range t.Numbers {
		y := other.Numbers[i]
		if x != y && !(math.Abs(x-y) <= trialTolerance*max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}

// Definition returns 16 hexadecimal digits that tell the definition of a run: graphs.Fingerprint, of its losses and layers, and of what is in no
// graph, such as walks, negatives, initial vectors, optimizers, the pilot, how vectors become the embedding, and its scores, what they come
// to in small trials with fixed data. While the trials come to what they came to when records began to have definitions, it is
// graphs.Fingerprint alone. It is the same on every machine; after an edit that changes a trial, on every machine with the same processor.
//
// It takes some hundredths of a second for the first options of a method. It returns the errors of graphs.Fingerprint.
func Definition(o graphs.Options) (string, error) {
	f, err := graphs.Fingerprint(o)
	if err != nil {
		return "", err
	}
	text := ""
	for _, name := range trialsOf(o) {
		text += since(name, o.Method)
	}
	if text == "" {
		return f, nil
	}
	sum := sha256.Sum256([]byte(f + "\n" + text))
	return hex.EncodeToString(sum[:8]), nil
}

// since tells what has become of a trial since records have definitions; "" if nothing has.
func since(name string, m *graphs.Method) string {
	now := try(name, m)
	was, there := knownTrials[name]
	switch {
	case there && was.same(now) && was.Version == 0:
		return ""
	case there && was.same(now):
		return fmt.Sprintf("%s: version %d\n", name, was.Version)
	}
	text := name + ": " + now.Words
	for _, x := range now.Numbers {
		text += fmt.Sprintf(" %.3g", x)
	}
	return text + "\n"
}
