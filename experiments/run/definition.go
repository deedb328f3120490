package run

import (
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
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

// definitions.txt has a line for each unit: its name, and the hashes of those versions of its code whose numbers were proven to be the same. A
// "|" stands before the first version with other numbers. The line "before" has definitions of records from before these hashes, which
// count as of the first versions; records of links from before there were definitions have none.
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
	text := ""
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
	text := ""
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

// hashText returns 16 hexadecimal digits.
func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
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
	if definition == "" && o.Method.Typed || definition != "" && !slices.Contains(knownUnits()["before"][0], definition) {
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

// Edited says whether a run passes through code that has been edited.
func Edited(o graphs.Options) bool {
	return slices.ContainsFunc(unitsOf(o.Complete()), func(unit string) bool { return versionOf(unit, hashOf(unit, sourceUnits())).number < 0 })
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
			return version{same[0], number}
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
	unitCommon = "common"
	unitPapers = "papers"  // of all methods on vertices of several types
	unitMethod = "method " // and its name
	unitScores = "scores"  // what all scores have in common
	unitScore  = "eval.Scorers "
)

// sourceUnits returns the hash of each unit of this program.
var sourceUnits = sync.OnceValue(func() map[string]string { return unitHashes(readProgram(), entryFiles()) })

// unitHashes returns the hash of each unit of a program with entries in certain files; "" for one without code of its own. What is in a unit that counts with another
// anyway is not in that one again.
func unitHashes(p *program, entries map[string][]string) map[string]string {
	common, apart := p.reach(append([]string{"experiments/run/run.go", "experiments/run/data.go"}, p.starting("experiments/run")...), nil, "hetnet/", "eval/")
	papers, more := p.reach(slices.Collect(maps.Keys(apart)), common, "eval/")
	maps.Copy(apart, more)
	scores, _ := p.reach(slices.Collect(maps.Keys(apart)), common, "hetnet/")
	units := map[string]string{unitCommon: modules(sourceText("go.mod")) + p.textOf(common), unitPapers: p.textOf(papers), unitScores: p.textOf(scores)}
	maps.Copy(scores, common)
	maps.Copy(papers, scores)
	for unit, files := range entries {
		known := common
		if m, err := methods.Find(strings.TrimPrefix(unit, unitMethod)); err == nil && m.Typed {
			known = papers
		} else if strings.HasPrefix(unit, "eval.") {
			known = scores
		}
		reached, _ := p.reach(files, known)
		units[unit] = p.textOf(reached)
		for _, name := range files {
			if p.files[name] == nil && !isSilent(name) {
				units[unit] += programHash()
			}
		}
	}
	for unit, text := range units {
		if text != "" {
			units[unit] = hashText(text)
		}
	}
	return units
}

// entryFiles returns the files that have added each entry, and those with the functions of each method, by unit.
func entryFiles() map[string][]string {
	files := map[string][]string{}
	for _, r := range registries {
		for _, name := range r.entries.Names() {
			files[r.name+" "+name] = []string{r.entries.File(name)}
		}
	}
	for _, m := range methods.All() {
		for _, field := range reflect.ValueOf(*m).Fields() {
			if field.Kind() == reflect.Func && !field.IsNil() {
				f := runtime.FuncForPC(field.Pointer())
				file, _ := f.FileLine(f.Entry())
				files[unitMethod+m.Name] = append(files[unitMethod+m.Name], registry.Place(f.Name(), file))
			}
		}
	}
	return files
}

// modules returns the lines of go.mod about modules that numbers can depend on. Where one is replaced by a folder, whose content nobody knows, or the build was of
// other versions, it is the whole program.
func modules(text string) string {
	versions, known := "", map[string]string{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(strings.TrimPrefix(line, "require"))
		if len(words) == 0 || slices.ContainsFunc(silentModules, func(m string) bool { return strings.Contains(line, m) }) {
			continue
		}
		versions += strings.Join(words, " ") + "\n"
		if len(words) == 2 {
			known[words[0]] = words[1]
		}
		if _, to, replaces := strings.Cut(line, "=>"); replaces && len(strings.Fields(to)) == 1 {
			versions += programHash()
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if v, there := known[d.Path]; there && (v != d.Version || d.Replace != nil) {
				versions += programHash()
			}
		}
	}
	return versions
}

// silent are the files and folders that no number depends on, or of which a record says by itself what came of them.
var silent = []string{
	"results/", "internal/atomicfile/", "internal/filelock/", "internal/memory/", // files and memory
	"network/formats/", "network/fetch/", "network/datasets.yaml", // readers and data: a record has the checksum of what was read
	"graphs/protocols.yaml", "hetnet/protocols.yaml", // a record has the options
	"graphs/registry.go", "hetnet/registry.go", "methods/", "internal/registry/", // lists of what there is
	"experiments/run/definition.go", "experiments/run/definitions.txt", "experiments/run/source.go", "experiments/run/edits.go",
	"experiments/run/checkpoint.go", "experiments/run/checkpointfile.go", "experiments/run/plan.go",
}

// silentModules are those that no number depends on.
var silentModules = []string{
	"cli/v2", "tablewriter", "progressbar", "fpdf", "plot", "smetrics", "x/image", "x/term", "x/text", "olekukonko", "mattn", "clipperhouse", "fatih", "cpuguy83", "blackfriday",
	"go-fonts", "go-latex", "freetype", "svgo", "sbinet/gg", "colorstring", "uniseg", "flock",
}

func isSilent(name string) bool {
	return slices.ContainsFunc(silent, func(s string) bool { return strings.HasPrefix(name, s) })
}

// isEntry says whether a unit is the entry of a registry.
func isEntry(unit string) bool {
	return slices.ContainsFunc(registries, func(r registryOf) bool { return strings.HasPrefix(unit, r.name+" ") })
}
