package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// seedsText is how many seeds tables have where nothing is said.
var seedsText = fmt.Sprintf("%d; 5 of table6", sweep.DefaultSeeds)

// tableFlags say which records, and which part of a table; under which protocol, where none is given, the command decides.
func tableFlags(protocol string) []cli.Flag {
	return []cli.Flag{
		storeFlag(""),
		shell.ListFlag(shell.NewFlag("datasets", "", "`NAME,NAME,...`", "", "those of the paper")),
		shell.ListFlag(shell.NewFlag("methods", "", "`NAME,NAME,...`, also scores that need no training", "", "all")),
		shell.ListFlag(shell.NewFlag("dims", "", "for table1 and table5: total dimensions per vertex, `N,N,...`", "", "100; 200,500")),
		shell.CountFlag("seeds", 0, "seeds 1 to `N`", "", seedsText),
		protocolsFlag("", "", protocol),
		negativesFlag(""),
	}
}

// negativesFlag names what links are ranked against where AUC chooses, and where a table shows it.
func negativesFlag(category string) cli.Flag {
	kinds := eval.NegativesKinds.Names()
	return shell.OneOf(shell.NewFlag("negatives", "published", "AUC of links against negatives of this `KIND`: "+strings.Join(kinds, ", "), category), kinds...)
}

// tablePart returns what flags select of tables, but for registered data sets and protocols.
func (p program) tablePart(c *cli.Context, use sweep.Use) (s sweep.Scope, err error) {
	s.Seeds, s.Negatives = c.Int("seeds"), c.String("negatives")
	if s.Methods, err = namesOf(c, "methods", slices.Concat(methods.Names(), shell.UntrainedScores())); err != nil {
		return s, err
	}
	for _, word := range shell.List(c, "dims") {
		dim, err := strconv.Atoi(word)
		if err != nil {
			return s, shell.Badf("--dims %q: expected whole numbers separated by commas", c.String("dims"))
		}
		s.Dims = append(s.Dims, dim)
	}
	if err := s.Validate(); err != nil {
		return s, shell.Bad(err)
	}
	s.Own, err = p.ownBibliography(c, use)
	return s, err
}

// tableSelection returns what tableFlags select, of the registered data sets and of others.
func (p program) tableSelection(c *cli.Context, others ...string) (sweep.Scope, error) {
	s, err := p.tablePart(c, sweep.ToShow)
	if err != nil {
		return s, err
	}
	data := seq.Map(network.Datasets(), func(d network.Dataset) string { return d.Name })
	for _, name := range others {
		if !slices.Contains(data, name) {
			data = append(data, name)
		}
	}
	if s.Datasets, err = namesOf(c, "datasets", data); c.IsSet("protocol") {
		s.Protocols = protocols(c)
	}
	return s, err
}

// runSelection returns what part of tables is to be run, where they ask for it of data that are there.
func (p program) runSelection(c *cli.Context, ofData bool) (s sweep.Scope, err error) {
	if s, err = p.tablePart(c, sweep.ToRun); err != nil {
		return s, err
	}
	if s.Protocols = protocols(c); ofData && (s.Own == nil || c.IsSet("datasets")) {
		s.Datasets, err = p.datasets(c, c.Bool("dry-run"))
	}
	return s, err
}

// withProtocol completes a selection that names no protocol.
func withProtocol(s sweep.Scope) sweep.Scope {
	if len(s.Protocols) == 0 {
		s.Protocols = []string{run.DefaultProtocol}
	}
	return s
}

// namesOf returns the names that a flag lists, as they are known, or an error with the nearest known ones.
func namesOf(c *cli.Context, flag string, known []string) ([]string, error) {
	small := seq.Map(known, strings.ToLower)
	var names []string
	for _, word := range shell.List(c, flag) {
		at := slices.Index(small, strings.ToLower(word))
		if at < 0 {
			return nil, shell.Badf("--%s: no %q: %s", flag, word, shell.DidYouMean(strings.ToLower(word), small))
		}
		names = append(names, known[at])
	}
	return names, nil
}

// protocolsFlag names the protocols of several runs.
func protocolsFlag(value string, more ...string) cli.Flag {
	f := shell.NewFlag("protocol", value, "`NAME` is standard, paper, validated or all", more...).(*cli.StringFlag)
	f.Action = func(c *cli.Context, name string) error {
		if protocols(c) == nil {
			return shell.Badf("--protocol %q: expected standard, paper, validated or all", name)
		}
		return nil
	}
	return f
}

// protocols returns those that protocolsFlag names.
func protocols(c *cli.Context) []string {
	switch name := c.String("protocol"); {
	case name == "all":
		return run.Protocols
	case slices.Contains(run.Protocols, name):
		return []string{name}
	}
	return nil
}

// datasets returns those asked for that lie in the data folder, by their own names. If absent ones will do it returns all that were asked
// for by name, and all of the paper's where none of those is there.
func (p program) datasets(c *cli.Context, absent bool) (there []string, err error) {
	name := func(d network.Dataset) string { return d.Name }
	words, err := namesOf(c, "datasets", seq.Map(network.Datasets(), name))
	if err != nil {
		return nil, err
	}
	asked := len(words) > 0
	if !asked {
		words = seq.Map(seq.Filter(network.Datasets(), func(d network.Dataset) bool { return d.InPaper }), name)
	}
	var missing []string
	for _, word := range words {
		d, _ := network.Lookup(word)
		if _, _, err := d.Find(p.Data); err != nil && !(absent && asked) {
			if missing = append(missing, word); asked {
				p.Log.Warn("left out: " + shell.Message(err))
			}
		} else if !slices.Contains(there, word) {
			there = append(there, word)
		}
	}
	switch {
	case len(there) == 0 && absent:
		return missing, nil
	case len(there) == 0:
		return nil, shell.Badf("none of the data sets %s is in %s: expected --data with their folder%s", strings.Join(missing, ", "), p.Data, fetchAdvice(missing))
	case len(missing) > 0 && !asked:
		p.Log.Warn("data sets that are not on this machine are left out", "missing", strings.Join(missing, ","), "data", p.Data, "to_have_them", "asp2vec data fetch NAME")
	}
	return there, nil
}

// tableBibliographyFlag is for tables that are to be made of a bibliography of the user's, too.
func tableBibliographyFlag(category string) cli.Flag {
	return shell.NewFlag("bibliography", "", "`DIR` of papers and authors for table5 and table6, instead of the paper's", category)
}

// ownBibliography returns the data set that tableBibliographyFlag names; none without it. If it is to be run it reads it, as each run will, to
// refuse what cannot be read once, and to tell what a user should know of it.
func (p program) ownBibliography(c *cli.Context, use sweep.Use) ([]source.DataSet, error) {
	own := source.OwnData{Bibliography: c.String("bibliography")}
	if !c.IsSet("bibliography") {
		return nil, nil
	}
	if use == sweep.ToShow {
		d, err := source.Recorded("", own)
		return []source.DataSet{d}, shell.Bad(err)
	}
	if _, err := data.Load(p.Program, c); err != nil {
		return nil, err
	}
	d, err := source.OwnDataSet("", own)
	return []source.DataSet{d}, shell.Bad(err)
}
