package run

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// Edit is a unit that has been edited since definitions.txt was written, and what it changes under the protocol standard.
type Edit struct {
	Unit    string
	Changes []string // methods that pass through it, and "warm-up of" those whose earlier stages do
}

// String says what the edit changes.
func (e Edit) String() string {
	switch {
	case len(e.Changes) == 0:
		return e.Unit + ": changes only runs whose options choose it"
	case !slices.ContainsFunc(methods.Names(), func(m string) bool { return !slices.Contains(e.Changes, m) }):
		return e.Unit + ": changes every method"
	}
	return e.Unit + ": changes " + strings.Join(e.Changes, ", ")
}

// Passes says whether a run of these options passes through a unit.
func Passes(o graphs.Options, unit string) bool { return slices.Contains(unitsOf(o.Complete()), unit) }

// Edits returns the edits of the program.
func Edits() []Edit { return editsOf(EditedUnits()) }

func editsOf(units []string) []Edit {
	edits := make([]Edit, len(units))
	for i, unit := range units {
		edits[i].Unit = unit
	}
	for _, m := range methods.All() {
		o := graphs.OptionsOf(m, graphs.Standard).Complete()
		main := o
		main.WarmUpPairLoss = ""
		passes := unitsOf(main)
		var earlier []string
		if m.Models != nil {
			for _, stage := range m.Models(o)[1:] {
				earlier = append(earlier, unitsOf(stage)...)
			}
		}
		for i, unit := range units {
			if slices.Contains(passes, unit) {
				edits[i].Changes = append(edits[i].Changes, m.Name)
			}
			if isEntry(unit) && slices.Contains(earlier, unit) {
				edits[i].Changes = append(edits[i].Changes, "warm-up of "+m.Name)
			}
		}
	}
	return edits
}
