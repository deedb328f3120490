package store

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
)

// definitions.json is history: by graphs.Pieces, the fingerprints of those definitions whose numbers were proven to be the same.
// The first list of all is of the version that introduced fingerprints; records from before it have none, and count as of these.
//
// An edit that changes numbers must leave the file as it is, so that records of what was before are known as such. To it are
// added definitions that write the same numbers otherwise, once that is proven: go test ./experiments/store -run TestDefinitions
// -update appends the present ones, and thereby takes all records of the others for their own.
//
//go:embed definitions.json
var definitionsText []byte

var definitions = sync.OnceValue(func() map[string][]string {
	var all map[string][]string
	if err := json.Unmarshal(definitionsText, &all); err != nil {
		panic(fmt.Sprintf("experiments: definitions.json: %v", err))
	}
	return all
})

// Present says whether a record with this fingerprint is of the definition that the program has for its options. None is where
// the present one cannot be built.
func Present(fingerprint string, o graphs.Options) bool {
	now, err := run.Definition(o)
	if err != nil {
		return false
	}
	if fingerprint == now {
		return true
	}
	same := definitions()[graphs.Pieces(o)]
	return slices.Contains(same, now) && (fingerprint == "" || slices.Contains(same, fingerprint))
}

// Edited returns the names of those of some methods whose losses or layers are no longer those that definitions.json has, under the protocols'
// options: an edit of what they share changes them all. It takes some milliseconds for each method.
func Edited(of []*graphs.Method) (names []string) {
	for _, m := range of {
		for _, protocol := range []func() graphs.Options{graphs.Standard, graphs.Default} {
			o := graphs.OptionsOf(m, protocol)
			now, err := graphs.Fingerprint(o)
			was := definitions()[graphs.Pieces(o)]
			if err == nil && len(was) > 0 && !slices.Contains(was, now) {
				names = append(names, m.Name)
				break
			}
		}
	}
	return names
}

// ByMethod counts jobs by their method.
func ByMethod(jobs []Job) map[string]int {
	if len(jobs) == 0 {
		return nil
	}
	n := map[string]int{}
	for _, j := range jobs {
		n[j.Options.Method.Name]++
	}
	return n
}

// ErrOlder is the error for what is there of an older definition of its method only.
var ErrOlder = fmt.Errorf("experiments: of an older definition of the method: %w", fs.ErrNotExist)
