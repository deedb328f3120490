package compare

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
)

// Verdicts on a claim.
const (
	Supported    = "supported"
	NotSupported = "not supported"
	TooFewRuns   = "too few runs"
	NotTested    = "not tested" // the runs are there, but what is claimed has no bearing on their numbers
)

// Claim is something that the paper says, checked over records.
type Claim struct {
	Name     string   `json:"name"` // short, for reference: "gumbel-over-softmax"
	Text     string   `json:"text"` // what is claimed, and where
	Verdict  string   `json:"verdict"`
	Evidence []string `json:"evidence"` // numbers behind the verdict, a line each
}

//go:embed claims.yaml
var claimsYAML []byte

// claimsFile is what claims.yaml holds.
type claimsFile struct {
	Sides  map[string]contender `yaml:"sides"`
	Claims []claimSpec          `yaml:"claims"`
}

// claimSpec is a claim and how it is checked.
type claimSpec struct {
	Name     string    `yaml:"name"`
	Text     string    `yaml:"text"`
	Rule     string    `yaml:"rule"`     // of rules
	Networks string    `yaml:"networks"` // academic, other, or "" for both
	Pairs    []contest `yaml:"pairs"`    // of names of sides
	Controls []contest `yaml:"controls"` // that are shown, and have no part in the verdict
	Order    []string  `yaml:"order"`    // of sides, the best first
}

// contest is contenders of which one is to score above the other.
type contest struct {
	Above yamlfile.List[string] `yaml:"above"` // on each network the first that is judged
	Below string                `yaml:"below"`
}

// contender is one half of a claim's comparison: a method with options other than the protocol's, or a column of a table, which may be the best of several
// runs.
type contender struct {
	Method  string    `yaml:"method"`
	Options grid.Grid `yaml:"options"` // of one value each
	Table   string    `yaml:"table"`   // table1, if it has a column and no table
	Column  string    `yaml:"column"`  //
	name    string
}

// jobs returns the runs of the contender under a seed, as tables have them: one, or the candidates of its choice.
func (s contender) jobs(dataset, protocol string, seed uint64, negatives string) []store.Job {
	if s.Column != "" {
		return sweep.PaperJobs(cmp.Or(s.Table, "table1"), s.Column, dataset, protocol, seed, negatives)
	}
	o, err := methods.Options(s.Method, run.Protocols[protocol])
	if err != nil {
		return nil
	}
	for values := range s.Options.All() {
		if _, err := s.Options.Set(&o, values); err != nil {
			return nil
		}
	}
	o.Seed = seed
	return []store.Job{{Dataset: dataset, Protocol: protocol, Options: o}}
}

// claims reads claims.yaml. It panics where that is not as the rules want it, which a test finds.
var claims = sync.OnceValue(func() claimsFile {
	var f claimsFile
	if err := yamlfile.Read(claimsYAML, &f); err != nil {
		panic(fmt.Sprintf("compare: claims.yaml:%v", err))
	}
	return f
})

// contender returns one by its name.
func (f claimsFile) contender(name string) contender {
	s, known := f.Sides[name]
	if !known {
		panic(fmt.Sprintf("compare: claims.yaml: no side %q", name))
	}
	s.name = name
	return s
}

// Claims checks what the paper says over records, each claim of claims.yaml under each protocol; names are "claim/protocol". That one method is above another
// is checked against negatives of matched degrees too: "claim-matched/protocol".
func Claims(runs *store.Runs) []Claim {
	var out []Claim
	judge := func(name, text, negatives string, spec claimSpec) {
		for _, protocol := range slices.Sorted(maps.Keys(run.Protocols)) {
			c := Claim{Name: name + "/" + protocol, Text: text}
			c.Verdict, c.Evidence = rules[spec.Rule](protocolRuns{claims(), runs, protocol, negatives}, spec)
			out = append(out, c)
		}
	}
	for _, spec := range claims().Claims {
		judge(spec.Name, spec.Text, "published", spec)
		if spec.Rule == "above" {
			judge(spec.Name+"-matched", spec.Text+" The same against negatives of matched degrees.", "matched", spec)
		}
	}
	return out
}
