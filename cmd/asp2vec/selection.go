package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// seedsText is how many seeds tables have where nothing is said.
var seedsText = fmt.Sprintf("%d; 5 of table6", sweep.DefaultSeeds)

// tableFlags say which records, and which part of a table.
func tableFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "store", Usage: "`PATH` of a file or a folder of records", DefaultText: "--results"},
		&cli.StringFlag{Name: "datasets", Usage: "`NAME,NAME,...`", DefaultText: "those of the paper"},
		&cli.StringFlag{Name: "methods", Usage: "`NAME,NAME,...`", DefaultText: "all"},
		&cli.StringFlag{Name: "dims", Usage: "for table1 and table5: total dimensions per vertex, `N,N,...`", DefaultText: "100; 200,500"},
		atLeast(1, cli.IntFlag{Name: "seeds", DefaultText: seedsText, Usage: "seeds 1 to `N`"}),
		&cli.StringFlag{Name: "protocol", DefaultText: "those of the records", Usage: protocolsUsage},
	}
}

// tablePart returns what flags select of tables, but for registered data sets and protocols.
func (p *program) tablePart(c *cli.Context, use sweep.Use) (s sweep.Selection, err error) {
	s.Seeds = c.Int("seeds")
	if s.Methods, err = namesOf(c, "methods", methods.Names()); err != nil {
		return s, err
	}
	dims, err := list(c, "dims")
	if err != nil {
		return s, err
	}
	for _, word := range dims {
		dim, err := strconv.Atoi(word)
		if err != nil {
			return s, badf("--dims %q: want whole numbers separated by commas", c.String("dims"))
		}
		s.Dims = append(s.Dims, dim)
	}
	if err := s.Validate(); err != nil {
		return s, bad(err)
	}
	s.Own, err = p.ownBibliography(c, use)
	return s, err
}

// tableSelection returns what tableFlags select, of the registered data sets and of others.
func (p *program) tableSelection(c *cli.Context, others ...string) (sweep.Selection, error) {
	s, err := p.tablePart(c, sweep.ToShow)
	if err != nil {
		return s, err
	}
	var data []string
	for _, d := range network.Datasets() {
		data = append(data, d.Name)
	}
	for _, name := range others {
		if !slices.Contains(data, name) {
			data = append(data, name)
		}
	}
	if s.Datasets, err = namesOf(c, "datasets", data); err == nil && c.IsSet("protocol") {
		s.Protocols, err = protocols(c)
	}
	return s, err
}

// runSelection returns what part of tables is to be run: of data that are there, unless the tables have their own.
func (p *program) runSelection(c *cli.Context, ownData bool) (s sweep.Selection, err error) {
	if s, err = p.tablePart(c, sweep.ToRun); err != nil {
		return s, err
	}
	if s.Protocols, err = protocols(c); err == nil && !ownData && (s.Own == nil || c.IsSet("datasets")) {
		s.Datasets, err = p.datasets(c, c.Bool("dry-run"))
	}
	return s, err
}

// withProtocols completes a selection that names no protocol with those of the records; with all where there are none.
func withProtocols(s sweep.Selection, records []store.Summary) sweep.Selection {
	if len(s.Protocols) > 0 {
		return s
	}
	for _, r := range records {
		if run.Protocols[r.Protocol] != nil && !slices.Contains(s.Protocols, r.Protocol) {
			s.Protocols = append(s.Protocols, r.Protocol)
		}
	}
	return s
}

// list returns the words of a flag that takes several with commas or spaces between them; none of one that is not given.
func list(c *cli.Context, flag string) (words []string, err error) {
	if !c.IsSet(flag) {
		return nil, nil
	}
	for part := range strings.SplitSeq(c.String(flag), ",") {
		of := strings.Fields(part)
		if len(of) == 0 {
			return nil, badf("--%s %q: want names separated by commas", flag, c.String(flag))
		}
		words = append(words, of...)
	}
	return words, nil
}

// namesOf returns the names that a flag lists, as they are known, or an error with the nearest known ones.
func namesOf(c *cli.Context, flag string, known []string) ([]string, error) {
	small := make([]string, len(known))
	for i, name := range known {
		small[i] = strings.ToLower(name)
	}
	words, err := list(c, flag)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, word := range words {
		at := slices.Index(small, strings.ToLower(word))
		if at < 0 {
			return nil, badf("--%s: no %q: want %s", flag, word, nearest(strings.ToLower(word), small, ""))
		}
		names = append(names, known[at])
	}
	return names, nil
}

// protocolsUsage says what --protocol of several runs takes.
const protocolsUsage = "`NAME` is standard, paper, validated, both (the latter two) or all"

// protocols returns those that --protocol names.
func protocols(c *cli.Context) ([]string, error) {
	switch name := c.String("protocol"); {
	case name == "both":
		return []string{"paper", "validated"}, nil
	case name == "all":
		return slices.Sorted(maps.Keys(run.Protocols)), nil
	case run.Protocols[name] != nil:
		return []string{name}, nil
	default:
		return nil, badf("--protocol %q: want standard, paper, validated or both, or all", name)
	}
}

// datasets returns those asked for that lie in the data folder, by their own names. If absent ones will do it returns all that were asked
// for by name, and all of the paper's where none of those is there.
func (p *program) datasets(c *cli.Context, absent bool) (there []string, err error) {
	words, err := list(c, "datasets")
	if err != nil {
		return nil, err
	}
	asked := len(words) > 0
	var known []string
	for _, d := range network.Datasets() {
		known = append(known, strings.ToLower(d.Name))
		if !asked && d.InPaper {
			words = append(words, d.Name)
		}
	}
	var missing []string
	for _, word := range words {
		d, err := network.Lookup(word)
		if err != nil {
			return nil, badf("--datasets %q: want %s", word, nearest(strings.ToLower(word), known, ""))
		}
		if _, _, err := d.Find(p.data); err != nil && !(absent && asked) {
			missing = append(missing, d.Name)
			if asked {
				p.log.Warn("left out: " + message(err))
			}
		} else if !slices.Contains(there, d.Name) {
			there = append(there, d.Name)
		}
	}
	switch {
	case len(there) == 0 && absent:
		return missing, nil
	case len(there) == 0:
		return nil, badf("none of the data sets %s is in %s: want --data with their folder%s", strings.Join(missing, ", "), p.data, fetchAdvice(missing))
	case len(missing) > 0 && !asked:
		p.log.Warn("data sets that are not on this machine are left out", "missing", strings.Join(missing, ","), "data", p.data, "to_have_them", "asp2vec data fetch NAME")
	}
	return there, nil
}
