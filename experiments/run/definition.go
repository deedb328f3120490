package run

import (
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"go/ast"
	"io"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// A run's definition is all code of this program, and the versions of its modules, but for what no number can depend on: files that nothing mentions which the run
// passes through, and those that are silent. It is taken in units: what all runs have in common, what typed networks and scores add, and what each method and each
// entry of a registry adds. An edit of one loss is another definition of the runs that choose it, and of no others.

// registries are those of losses, layers and scores, and the options that choose from them.
var registries = []registryOf{
	{"losses.Pairs", losses.Pairs, []string{"pair-loss", "warm-up-pair-loss"}},
	{"losses.Regularizers", losses.Regularizers, []string{"regularizer"}},
	{"layers.Selections", layers.Selections, []string{"selection"}},
	{"layers.Readouts", layers.Readouts, []string{"readout"}},
	{"graphs.Optimizers", graphs.Optimizers, []string{"optimizer"}},
	{"eval.Scorers", eval.Scorers, nil},
	{"eval.Metrics", eval.Metrics, nil},
	{"eval.NegativesKinds", eval.NegativesKinds, nil},
}

type registryOf struct {
	name    string // package and variable
	entries interface {
		Names() []string
		File(name string) string
	}
	options []string
}

// definitions.txt has a line for each unit: its name, and the hashes of those versions of its code whose
// numbers were proven to be the same. A "|" stands before the first version with other numbers. A "-" is the
// first version of a unit that had no code of its own then: it was part of another. The line "before" has
// definitions of records from before these hashes, which count as of the first versions; records of links
// from before there were definitions have none.
//
// An edit that is tried out leaves the file as it is. One that stays and moves no number is added by go test ./experiments/run -run
// TestDefinitionsAreKnown -update once just numbers has passed; one that moves numbers is added by hand, behind a "|".
//
//go:embed definitions.txt
var definitionsText string

// Definition returns 16 hexadecimal digits that tell the code which a run passes through: its losses, layers, walks, optimizer, scores and all
// else that its numbers depend on. It is the same on every machine, and does not depend on comments and layout. Of an entry that another module
// has registered only the program is known: it counts with all of its bytes.
func Definition(o graphs.Options) string { return definitionBy(sourceUnits(), o) }

// definitionBy returns the definition of a run by the hashes of units.
func definitionBy(hashes map[string]string, o graphs.Options) string {
	text := ownBuild()
	for _, unit := range unitsOf(o.Complete()) {
		if v := versionOf(unit, hashOf(unit, hashes)); v.first != "" {
			text += unit + " " + v.first + "\n"
		}
	}
	return hashText(text)
}

// ScoreDefinition returns 16 hexadecimal digits that tell the code of a score, which eval.ScoreText names, and of the metrics and kinds of negatives that it was
// measured by; "" where its numbers are those that it had when definitions.txt was written. Training does not depend on it, but where a score chooses the epoch.
func ScoreDefinition(score string, by results.Metrics) string {
	text := ownBuild()
	for _, unit := range scoreUnits(score, by) {
		if v := versionOf(unit, hashOf(unit, sourceUnits())); v.number != 0 {
			text += unit + " " + v.first + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return hashText(text)
}

// FigureDefinition returns 16 hexadecimal digits that tell the code of what figures show of a model; "" where
// that is as it was when definitions.txt was written.
func FigureDefinition() string {
	text := ownBuild()
	if v := versionOf(unitFigures, sourceUnits()[unitFigures]); v.number != 0 {
		text += unitFigures + " " + v.first + "\n"
	}
	if text == "" {
		return ""
	}
	return hashText(text)
}

// scoreUnits names the units of a score, and of what is measured.
func scoreUnits(score string, by results.Metrics) []string {
	name, _, _ := strings.Cut(score, " ")
	units := []string{unitScores, unitScore + name}
	for key := range by {
		metric := strings.TrimSuffix(strings.TrimPrefix(key, ValidationPrefix), eval.SpreadSuffix)
		for kind, k := range eval.NegativesKinds.All() {
			if word, is := strings.CutSuffix(metric, k.Suffix); is && k.Suffix != "" {
				metric, units = word, append(units, "eval.NegativesKinds "+kind)
			}
		}
		if metric, _, _ = strings.Cut(metric, "@"); eval.Metrics.Has(metric) {
			units = append(units, "eval.Metrics "+metric)
		}
	}
	slices.Sort(units)
	return slices.Compact(units)
}

// passesScores says whether code of scores has a say in what a run learns: where links choose the epoch or how far to train, and where papers
// and authors are ranked.
func passesScores(o graphs.Options) bool { return ChoosesByScore(o) || o.Method.Typed }

// ChoosesByScore says whether a score chooses the epoch that a run on links ends with, or how far it is trained. Of the others the vectors do not
// depend on what links are ranked by.
func ChoosesByScore(o graphs.Options) bool {
	return choosesEpoch(o) || o.Method.Reads("select") && o.Piloted()
}

// choosesEpoch says whether the score that links are ranked by chooses the epoch. A pilot goes by the method's own.
func choosesEpoch(o graphs.Options) bool {
	return o.Method.Reads("select") && (o.Select == graphs.SelectValidation || o.Select == graphs.SelectTest)
}

// hashOf returns the hash of a unit: of the program where its source is not here.
func hashOf(unit string, hashes map[string]string) string {
	if hash, here := hashes[unit]; here {
		return hash
	}
	return programHash()
}

// programHash returns that of the program's file; where it cannot be read, a random text, so that no run of before is taken for one of now.
var programHash = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return rand.Text()
	}
	f, err := os.Open(name)
	if err != nil {
		return rand.Text()
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return rand.Text()
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// Present says whether a record's definition is the one that the program has for the record's options.
func Present(definition string, o graphs.Options) bool {
	if definition == Definition(o) {
		return true
	}
	if ownBuild() != "" || definition == "" && o.Method.Typed || definition != "" && !slices.Contains(knownUnits()["before"][0], definition) {
		return false
	}
	return !slices.ContainsFunc(unitsOf(o.Complete()), func(unit string) bool { return versionOf(unit, hashOf(unit, sourceUnits())).number != 0 })
}

// EditedUnits returns the names of the units that have been edited since definitions.txt was written, such as "losses.Pairs margin".
func EditedUnits() (names []string) {
	for unit, hash := range sourceUnits() {
		if versionOf(unit, hash).number < 0 {
			names = append(names, unit)
		}
	}
	slices.Sort(names)
	return names
}

// Edited reports whether a run passes through code that has been edited, or may have been.
func Edited(o graphs.Options) bool {
	return len(NotPlain()) > 0 || slices.ContainsFunc(unitsOf(o.Complete()), func(unit string) bool { return versionOf(unit, hashOf(unit, sourceUnits())).number < 0 })
}

// version is a version of a unit's code: the first hash with its numbers, and how often numbers had changed before; -1 for one that
// definitions.txt does not know.
type version struct {
	first  string
	number int
}

func versionOf(unit, hash string) version {
	if hash == "" {
		return version{} // there is nothing that could be edited
	}
	for number, same := range knownUnits()[unit] {
		if slices.Contains(same, hash) {
			return version{strings.Trim(same[0], "-"), number}
		}
	}
	return version{hash, -1}
}

// knownUnits reads definitions.txt: for each unit the hashes of its versions, those with the same numbers together.
var knownUnits = sync.OnceValue(func() map[string][][]string {
	known := map[string][][]string{}
	for line := range strings.Lines(definitionsText) {
		unit, versions, _ := strings.Cut(line, ":")
		for same := range strings.SplitSeq(versions, "|") {
			known[unit] = append(known[unit], strings.Fields(same))
		}
	}
	return known
})

// unitsOf names the units that a run passes through, in order.
func unitsOf(o graphs.Options) []string {
	units := map[string]bool{unitCommon: true, unitMethod + o.Method.Name: true}
	if o.Method.Typed {
		units[unitPapers] = true
	}
	for _, r := range registries {
		for _, option := range r.options {
			if value, known := o.Get(option); known && value != "" && o.Method.Reads(option) {
				units[fmt.Sprint(r.name, " ", value)] = true
			}
		}
	}
	if passesScores(o) {
		units[unitScores] = true
	}
	switch {
	case o.Method.Typed:
	case choosesEpoch(o):
		units[unitScore+o.Scorer()] = true
	case ChoosesByScore(o):
		units[unitScore+o.Method.Scorings[0]] = true
	}
	for _, before := range o.Earlier() {
		for _, unit := range unitsOf(before) {
			units[unit] = true
		}
	}
	return slices.Sorted(maps.Keys(units))
}

// Names of units; the entry of a registry is called by its variable and key.
const (
	unitCommon  = "common"
	unitPapers  = "papers"  // of all methods on vertices of several types
	unitMethod  = "method " // and its name
	unitScores  = "scores"  // what all scores have in common
	unitFigures = "figures" // of what figures show of a model
	unitScore   = "eval.Scorers "
)

// sourceUnits returns the hash of each unit of this program.
func sourceUnits() map[string]string { return theSource().hashes }

// unitHashes returns the hash of each unit of a program with certain entries. What is in a unit that counts
// with another anyway is not in that one again.
func unitHashes(p *program, entries map[string][]place) map[string]string {
	roots := slices.Concat(p.declared[symbol{"experiments/run", "Run"}], p.declared[symbol{"experiments/run", "DataOf"}], p.starting("cmd/asp2vec"))
	common := p.unit(roots, nil, "hetnet/", "eval/")
	papers := p.unit(common.left, common.done, "eval/")
	apart := slices.Concat(common.left, papers.left)
	scores := p.unit(apart, common.done, "hetnet/")
	ofScores := maps.Clone(scores.done)
	maps.Copy(ofScores, common.done)
	ofPapers := maps.Clone(papers.done)
	maps.Copy(ofPapers, ofScores)
	figures := p.unit(p.declared[symbol{"experiments/figures", "DataOf"}], ofPapers)
	build := versions(p.texts["go.mod"], p.texts["go.sum"])
	hashes := map[string]string{
		unitCommon: hashText(build + common.hash()), unitPapers: papers.hash(), unitScores: scores.hash(), unitFigures: figures.hash(),
	}
	for name, places := range entries {
		known := common.done
		if m, err := methods.Find(strings.TrimPrefix(name, unitMethod)); err == nil && m.Typed {
			known = ofPapers
		} else if strings.HasPrefix(name, "eval.") {
			known = ofScores
		}
		var roots []*declaration
		for _, at := range places {
			found := p.at(at)
			roots = append(roots, found...)
			if len(found) == 0 { // of another module
				hashes[name] = programHash()
			}
		}
		if hashes[name] == "" {
			hashes[name] = p.unit(roots, known).hash()
		}
	}
	return hashes
}

// A place is where a function stands: its file, and a line of it; of line 0 all init functions of the file.
type place struct {
	file string
	line int
}

// at returns the declarations at a place.
func (p *program) at(at place) (found []*declaration) {
	f := p.files[at.file]
	if f == nil {
		return nil
	}
	for _, d := range f.declarations {
		from, to := f.set.Line(d.node.Pos()), f.set.Line(d.node.End())
		n, isFunction := d.node.(*ast.FuncDecl)
		if at.line == 0 && isFunction && n.Recv == nil && n.Name.Name == "init" || from <= at.line && at.line <= to {
			found = append(found, d)
		}
	}
	return found
}

// entryPlaces returns where each entry is added, and where the functions of each method stand, by unit.
func entryPlaces() map[string][]place {
	places := map[string][]place{}
	for _, r := range registries {
		for _, name := range r.entries.Names() {
			places[r.name+" "+name] = []place{{file: r.entries.File(name)}}
		}
	}
	for _, m := range methods.All() {
		for _, field := range reflect.ValueOf(*m).Fields() {
			if field.Kind() == reflect.Func && !field.IsNil() {
				f := runtime.FuncForPC(field.Pointer())
				file, line := f.FileLine(f.Entry())
				places[unitMethod+m.Name] = append(places[unitMethod+m.Name], place{registry.Place(f.Name(), file), line})
			}
		}
	}
	return places
}

// silent are the files that no number depends on, or of which a record says by itself what came of them.
var silent = []string{
	"results/",                                                    // files
	"network/formats/", "network/fetch/", "network/datasets.yaml", // readers and data: a record has the checksum of what was read
	"graphs/protocols.yaml", "hetnet/protocols.yaml", // a record has the options
	"experiments/run/definition.go", "experiments/run/definitions.txt", "experiments/run/source.go", "experiments/run/canonical.go",
	"experiments/run/unit.go", "experiments/run/build.go", "experiments/run/edits.go",
	"experiments/run/checkpoint.go", "experiments/run/checkpointfile.go", "experiments/run/plan.go",
}

// isList reports whether a symbol is the list of all methods of a package, each of which is a unit.
func isList(s symbol) bool { return s.name == "listed" || s.name == "others" }

func isSilent(name string) bool {
	return slices.ContainsFunc(silent, func(s string) bool { return strings.HasPrefix(name, s) })
}

// isEntry reports whether a unit is the entry of a registry.
func isEntry(unit string) bool {
	return slices.ContainsFunc(registries, func(r registryOf) bool { return strings.HasPrefix(unit, r.name+" ") })
}
