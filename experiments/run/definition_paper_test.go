//go:build paper

package run

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

var update = flag.Bool("update", false, "add the present code to definitions.txt, as code with the same numbers")

// All records that come with the program are of the code that it has.
func TestRecordsAreOfThisProgram(t *testing.T) {
	for _, store := range []string{"measured"} {
		all, problems, err := results.ReadStore(filepath.Join("../../results", store, "runs.jsonl"))
		if err != nil || len(problems) > 0 || len(all) == 0 {
			t.Fatal(len(all), err, problems)
		}
		for _, r := range all {
			o := call.Of(methods.Decode(r.Method, r.Options))(t)
			if !Present(r.Definition, o) {
				t.Errorf("%s: %s on %s is of definition %s, this program of %s", store, r.Method, r.Dataset.Name, r.Definition, Definition(o))
			}
		}
	}
}

// definitions.txt knows the code of this program: whoever edits what runs pass through says whether numbers have moved.
func TestDefinitionsAreKnown(t *testing.T) {
	if !*update {
		if edited := EditedUnits(); len(edited) > 0 {
			t.Errorf("edited since definitions.txt was written: %s; if just numbers passes, run go test ./experiments/run -run TestDefinitionsAreKnown -update; "+
				"if numbers have moved, add the hashes behind a |: %v", strings.Join(edited, ", "), sourceUnits())
		}
		return
	}
	lines := strings.Split(strings.TrimSpace(definitionsText), "\n")
	for _, unit := range EditedUnits() {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, unit+":") })
		if i < 0 {
			lines, i = append(lines, unit+":"), len(lines)
		}
		lines[i] += " " + sourceUnits()[unit]
	}
	slices.Sort(lines)
	call.File(t, "definitions.txt", strings.Join(lines, "\n")+"\n")
}
