package run

import (
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// A run's definition is the code that it passes through, in units: what all runs have in common, the files of its method alone, and the entries of
// registries that its options choose. An edit of one loss is another definition of the runs that choose it, and of no others.

// registries are the maps of losses and layers by name, and the options that choose from them.
var registries = []registry{
	{"losses.Pairs", []string{"pair-loss", "warm-up-pair-loss"}},
	{"losses.Regularizers", []string{"regularizer"}},
	{"layers.Selections", []string{"selection"}},
	{"layers.Readouts", []string{"readout"}},
}

type registry struct {
	name    string // package and variable
	options []string
}

// definitions.txt has a line for each unit: its name, and the hashes of those versions of its code whose numbers were proven to be the same. A
// "|" stands before the first version with other numbers. The line "before" has definitions of records from before these hashes, which
// count as of the first versions.
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
		v := versionOf(unit, hashOf(unit, hashes))
		if isScore(unit) && v.number == 0 {
			continue // definitions are from before scores were units of their own
		}
		text += unit + " " + v.first + "\n"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// ScoreDefinition returns 16 hexadecimal digits that tell the code of a score, which eval.ScoreText names; "" where its numbers are those that it
// had when scores became units of their own. Training does not depend on it, but where a score chooses the epoch.
func ScoreDefinition(score string) string {
	text := ""
	for _, unit := range scoreUnits(score) {
		if v := versionOf(unit, hashOf(unit, sourceUnits())); v.number != 0 {
			text += unit + " " + v.first + "\n"
		}
	}
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// scoreUnits names the units of a score.
func scoreUnits(score string) []string {
	name, _, _ := strings.Cut(score, " ")
	return []string{unitScores, unitScore + name}
}

// isScore says whether a unit is of scores.
func isScore(unit string) bool { return unit == unitScores || strings.HasPrefix(unit, unitScore) }

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

// hashOf returns the hash of a unit: of the program where the unit is an entry whose source is not here.
func hashOf(unit string, hashes map[string]string) string {
	if hash := hashes[unit]; hash != "" || !isEntry(unit) {
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

// Present says whether a record's definition is the one that the program has for the record's options. Records from before there were
// definitions have none.
func Present(definition string, o graphs.Options) bool {
	if definition == Definition(o) {
		return true
	}
	if definition != "" && !slices.Contains(knownUnits()["before"][0], definition) {
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
	units := map[string]bool{unitCommon: true}
	if o.Method.Typed {
		units[unitPapers] = true
	}
	if encoder, _ := o.Get("encoder"); o.Method.Typed && (o.Method.Reads("encoder") && encoder == "gru" || o.Method.Name == "tapem") { // whose pairs have one, whatever the encoder
		units[unitGRU] = true
	}
	if own := unitMethod + o.Method.Name; sourceUnits()[own] != "" {
		units[own] = true
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
	unitGRU    = "gru"     // of those with a recurrent unit
	unitMethod = "method " // and its name
	unitScores = "scores"  // what all scores have in common
	unitScore  = "score "  // and its name
)

// sourceUnits returns the hash of each unit of this program.
var sourceUnits = sync.OnceValue(func() map[string]string { return unitHashes(sourceText) })

// unitHashes returns the hash of each unit, of files as read returns them.
func unitHashes(read func(name string) string) map[string]string {
	sums := map[string]hash.Hash{}
	add := func(unit, text string) {
		if sums[unit] == nil {
			sums[unit] = sha256.New()
		}
		io.WriteString(sums[unit], text)
	}
	mentioned := map[string][]string{} // functions of losses and layers, by unit and package
	own, scores := ownFiles(read), scoreFiles()
	for _, name := range sourceFiles() {
		dir := path.Dir(name)
		if dir == "losses" || dir == "layers" || path.Base(name) == listOfMethods {
			continue
		}
		text := read(name)
		all := lexemes(text)
		if path.Ext(name) == ".go" {
			text = joined(all)
		}
		unit := unitCommon
		if own[name] != "" {
			unit = own[name]
		} else if len(scores[name]) > 0 {
			for _, unit := range scores[name] {
				add(unit, name+"\n"+text)
			}
			continue
		} else if dir == "eval" {
			unit = unitScores
		} else if strings.HasPrefix(name, "hetnet/") {
			unit = unitPapers
		} else if strings.HasPrefix(name, "internal/gru/") {
			unit = unitGRU
		}
		add(unit, name+"\n")
		add(unit, text)
		for _, library := range []string{"losses", "layers"} {
			mentioned[unit+library] = append(mentioned[unit+library], mentionsOf(all, library)...)
		}
	}
	for _, dir := range []string{"layers", "losses"} {
		l := readLibrary(dir, read)
		for unit := range sums {
			if unit == unitCommon {
				add(unit, l.common(mentioned[unit+dir]))
			} else if !isEntry(unit) {
				add(unit, l.reach(&declaration{mentions: mentioned[unit+dir]}))
			}
		}
		for unit, entry := range l.entries {
			add(unit, entry.text)
			add(unit, l.reach(entry))
		}
	}
	hashes := map[string]string{}
	for unit, sum := range sums {
		hashes[unit] = hex.EncodeToString(sum.Sum(nil)[:8])
	}
	return hashes
}

// isEntry says whether a unit is the entry of a registry.
func isEntry(unit string) bool {
	return strings.HasPrefix(unit, unitScore) || slices.ContainsFunc(registries, func(r registry) bool { return strings.HasPrefix(unit, r.name+" ") })
}

// sourceFiles names the embedded files, without tests.
func sourceFiles() (names []string) {
	err := fs.WalkDir(asp2vec.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic(fmt.Sprintf("experiments: source: %v", err)) // of embedded files
	}
	return names
}

// listOfMethods is the file, of graphs and of hetnet, with the list of methods and nothing else: another method changes no number of the others.
const listOfMethods = "registry.go"

// ownFiles returns the files that count for runs of one method alone, with its unit. They have one of the method's functions, and nothing that the
// program mentions elsewhere but in the list of methods: whatever else passes through a file, the file counts for it.
func ownFiles(read func(name string) string) map[string]string {
	mentions := map[string]map[string]bool{} // names, by file
	for _, name := range sourceFiles() {
		mentions[name] = map[string]bool{}
		for _, l := range lexemes(read(name)) {
			if l.token == token.IDENT {
				mentions[name][l.text] = true
			}
		}
	}
	own := map[string]string{}
	for _, m := range methods.All() {
		for _, name := range filesOf(m) {
			if _, embedded := mentions[name]; !embedded || path.Base(name) == listOfMethods {
				continue
			}
			declared := declaredIn(name, read(name))
			alone := !slices.ContainsFunc(sourceFiles(), func(other string) bool {
				return other != name && path.Base(other) != listOfMethods && slices.ContainsFunc(declared, func(d string) bool { return mentions[other][d] })
			})
			if alone {
				own[name] = unitMethod + m.Name
			}
		}
	}
	return own
}

// scoreFiles returns the files of eval that have the function of a score, with the units of their scores.
func scoreFiles() map[string][]string {
	units := map[string][]string{}
	for _, name := range eval.ScorerNames() {
		if file := fileOf(eval.Scorers[name].Fit); strings.HasPrefix(file.function, asp2vecEval) {
			units["eval/"+file.name] = append(units["eval/"+file.name], unitScore+name)
		}
	}
	return units
}

// asp2vecEval is the package of scores, as functions have it.
const asp2vecEval = "github.com/asp2vec/asp2vec/eval."

// place is where a function was written.
type place struct{ name, function string }

// fileOf returns the file of a function, without its folder, and the function's whole name.
func fileOf(function any) place {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	file, _ := f.FileLine(f.Entry())
	return place{path.Base(file), f.Name()}
}

// filesOf returns the files of graphs or hetnet that have functions of a method.
func filesOf(m *graphs.Method) (names []string) {
	for _, field := range reflect.ValueOf(*m).Fields() {
		if field.Kind() != reflect.Func || field.IsNil() {
			continue
		}
		file := fileOf(field.Interface())
		dir := "graphs/"
		if strings.Contains(file.function, "/hetnet.") {
			dir = "hetnet/"
		}
		names = append(names, dir+file.name)
	}
	return names
}
