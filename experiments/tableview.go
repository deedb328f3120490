package experiments

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// tableView is how runs are shown as a table.
type tableView struct {
	title, corner string
	number        int  // in the paper; 0 for another table
	bySetting     bool // a table for each data set, with a row for each setting and a column for each metric; else a row for each data set
	metrics       []string
	notes         []string
	figure        string // one of figureKinds; "" for none
	x, axis       string // of a figure: the option of its axis, and how that is called
	sizes         []int  // dimensions of a vertex in all its vectors: with several of them each setting is there for each; none for what options say
}

// keys adds what can be said of a table to the keys of a file.
func (v *tableView) keys(parts map[string]func(*yaml.Node) error) {
	parts["title"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.title) }
	parts["corner"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.corner) }
	parts["paper"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.number) }
	parts["rows"] = func(n *yaml.Node) error {
		var rows string
		err := yamlnode.Word(n, "rows", &rows, "datasets", "settings")
		v.bySetting = rows == "settings"
		return err
	}
	parts["metrics"] = func(n *yaml.Node) (err error) { v.metrics, err = yamlnode.Texts(n); return err }
	parts["notes"] = func(n *yaml.Node) (err error) { v.notes, err = yamlnode.Texts(n); return err }
	parts["figure"] = func(n *yaml.Node) error { return yamlnode.Word(n, "figure", &v.figure, figureKinds...) }
	parts["x"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.x) }
	parts["axis"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.axis) }
	parts["sizes"] = func(n *yaml.Node) error {
		list, err := yamlnode.Items(n, "size")
		for _, item := range list {
			var size int
			if err := yamlnode.Scalar(item, &size); err != nil || size < 1 {
				return yamlnode.Errorf(item, "size %s: want a whole number, from 1 up", yamlnode.Text(item))
			}
			v.sizes = append(v.sizes, size)
		}
		return err
	}
}

func (v *tableView) check(root *yaml.Node) error {
	if len(v.metrics) == 0 {
		v.metrics = []string{"AUC"}
	}
	if !v.bySetting && len(v.metrics) != 1 {
		return yamlnode.Errorf(root, "%d metrics: want one with rows: datasets, or rows: settings", len(v.metrics))
	}
	return nil
}

// ReadTable reads a table from a file, that of one's own or one of the paper's (experiments/specs). It is a file of a sweep
// (ReadSweep), where beside what is run stands how it is shown:
//
//	title: Few aspects or many            # the file's name if left out
//	rows: datasets                        # and a column for each setting; or settings, with a column for each metric
//	metrics: [AUC]                        # a name of the paper's tables, or of records, such as recall@10
//	sizes: [100]                          # dimensions of a vertex in all its vectors: then each setting is there for each size
//	settings:
//	  - name: d={size}
//	  - name: gain                        # in percent, seed by seed, of the best of some, by its mean, over another one
//	    best: [K=2, K=5, K=10]
//	    over: DeepWalk
//	notes: [what is to be said of it]
//
// Where it names no data sets they are the paper's, protocols those of the records, seeds 1 to 3. With paper: NUMBER the paper's
// values stand beside; with not-judged: true those of a setting are only shown; with sizes: own a setting is of the file's sizes and of
// others only where its method is asked for, with sizes: others of no size of the file; with protocol: NAME it is of that protocol alone.
// It returns an error with the line for
// whatever it does not know.
func ReadTable(path string) (Spec, error) {
	s, root, err := readSweepFile(path)
	if err != nil {
		return Spec{}, err
	}
	return s.table(root)
}

// table returns the sweep as a table.
func (s *Sweep) table(root *yaml.Node) (Spec, error) {
	if s.view.title == "" {
		s.view.title = s.Title()
	}
	if len(s.Settings) == 0 && len(s.Options) == 0 && len(s.Methods) < 2 {
		return Spec{}, fmt.Errorf("experiments: %s:%w", s.File, yamlnode.Errorf(root, "no settings: want settings: [{name: NAME, options: {...}}, ...], or options"))
	}
	if err := s.checkTable(root); err != nil {
		return Spec{}, fmt.Errorf("experiments: %s:%w", s.File, err)
	}
	return Spec{Name: s.tableName(), Title: s.view.title, OwnDatasets: len(s.Datasets) > 0, Protocols: s.Protocols, Jobs: s.tableJobs, Table: s.tables}, nil
}

// IsTableFile says whether the name of a table is that of a file.
func IsTableFile(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

// checkTable finds names given twice, gains of settings that are not there, data that a method cannot learn from, and options out of
// range.
func (s *Sweep) checkTable(at *yaml.Node) error {
	if n := s.Count(); n > MaxSweep {
		return yamlnode.Errorf(at, "expands to %.0f runs: want at most %d in a table", n, MaxSweep)
	}
	if err := s.tooRandom(); err != nil { // before columns draws them
		return yamlnode.Error(at, err)
	}
	if s.Halving != nil {
		return yamlnode.Errorf(at, "search: halving in a table, whose runs are all whole: want sweep for it, or search: {random: COUNT}")
	}
	if err := s.checkProtocols(); err != nil {
		return err
	}
	columns := s.columns(s.view.sizes, nil)
	names := map[string]bool{}
	for _, c := range columns {
		if names[c.name] {
			return yamlnode.Errorf(at, "two settings %q: want a name for each", c.name)
		}
		names[c.name] = true
	}
	for _, c := range columns {
		for _, name := range append(slices.Clone(c.best), c.over) {
			if c.over != "" && !names[name] {
				return yamlnode.Errorf(at, "setting %q is over %q: want the name of another setting", c.name, name)
			}
		}
		if c.over != "" {
			continue
		}
		for _, dataset := range s.Datasets {
			if err := learnable(c.method, dataset); err != nil {
				return yamlnode.Errorf(at, "setting %q: %w", c.name, err)
			}
		}
		if err := c.check(slices.Concat(c.protocols, s.Protocols, []string{run.DefaultProtocol})[0]); err != nil {
			return yamlnode.Errorf(at, "setting %q: %w", c.name, err)
		}
	}
	return nil
}

// columns returns every setting of the file, at each of some sizes where the table has sizes, with those that only some methods have
// where these are asked for.
func (s *Sweep) columns(sizes []int, methodsAsked []string) (all []column) {
	own := s.view.sizes
	if len(own) == 0 {
		sizes = []int{0}
	}
	for _, size := range slices.Compact(slices.Sorted(slices.Values(sizes))) {
		for _, x := range s.settings() {
			switch isOwn := slices.Contains(own, size); {
			case x.Sizes == sizesOwn && !isOwn && !slices.Contains(methodsAsked, x.Method), x.Sizes == sizesOthers && isOwn:
				continue
			}
			if x.Name == "" {
				x.Name = s.plainName(x.Method)
			}
			for _, name := range []*string{&x.Name, &x.InPaper} {
				*name = strings.ReplaceAll(*name, "{size}", fmt.Sprint(size))
			}
			for _, c := range x.columns(s.Random, s.Seed) {
				c.name, c.size = strings.TrimSpace(c.name), size
				all = append(all, c)
			}
		}
	}
	return all
}

// plainName is how a setting without a name is called, but for what varies in its options.
func (s *Sweep) plainName(method string) string {
	m, err := methods.Find(method)
	if err != nil || len(s.Methods) < 2 && slices.ContainsFunc(s.Options, func(o grid.Option) bool { return o.Varies() }) {
		return ""
	}
	return m.Title
}

// paperSweep returns the file of a table of the paper. One that cannot be read is a bug.
func paperSweep(number int) *Sweep {
	return embedded(fmt.Sprintf("specs/table%d.yaml", number))
}

// embedded returns a file that is part of the program.
func embedded(name string) *Sweep {
	text, err := fs.ReadFile(specFiles, name)
	if err == nil {
		var s *Sweep
		if s, _, err = parseSweep(name, text); err == nil {
			return s
		}
	}
	panic(err)
}

// paperTable is paperSweep as a table.
func paperTable(number int) Spec {
	spec, err := paperSweep(number).table(&yaml.Node{})
	if err != nil {
		panic(err)
	}
	return spec
}

// typed says whether the table's methods learn from papers and authors.
func (s *Sweep) typed() bool {
	return slices.ContainsFunc(s.settings(), func(x Setting) bool {
		m, err := methods.Find(x.Method)
		return err == nil && m.Typed
	})
}

// tableName returns the name of the table by its number in the paper, or that of its file.
func (s *Sweep) tableName() string {
	if s.view.number > 0 {
		return tableName(s.view.number)
	}
	return s.Title()
}

// tables returns the projections of records: of datasets as rows one for each protocol, else one for each data set and protocol.
func (s *Sweep) tables(r *store.Runs, sel Selection) (all []render.Table) {
	p := s.part(sel)
	switch {
	case p.empty():
	case s.view.bySetting:
		for _, d := range p.datasets {
			for _, protocol := range p.protocols {
				all = append(all, s.settingTable(r, d, protocol, p.under(protocol)))
			}
		}
	default:
		for _, protocol := range p.protocols {
			all = append(all, s.datasetTable(r, protocol, p.under(protocol)))
		}
	}
	return all
}

// datasetTable has a row for each data set.
func (s *Sweep) datasetTable(r *store.Runs, protocol string, p part) render.Table {
	v := s.view
	out := render.Table{
		Name: s.tableName() + "-" + protocol, Title: fmt.Sprintf("%s (protocol %s)", v.title, protocol), Corner: "test " + v.metrics[0], Columns: p.headings(),
	}
	directed, seen := false, audit{}
	for _, d := range p.datasets {
		directed = directed || d.Directed
		row := render.Row{Label: d.Name}
		cells := map[string][]sample{}
		for _, c := range p.columns {
			own, without := c.samples(r, d, metricKey(v.metrics[0]), protocol, p.seeds)
			cells[c.name] = own
			seen.lost += without
			if s.typed() {
				seen.look(c.records(r, d, protocol, p.seeds))
			}
		}
		for _, c := range p.columns {
			own := cells[c.name]
			if c.over != "" {
				own = gain(cells, c.best, c.over)
			}
			paper, _ := results.Paper(v.number, d.Name, c.inPaper())
			row.Values = append(row.Values, c.value(own, paper, protocol))
		}
		out.Rows = append(out.Rows, row)
	}
	seen.seeds, seen.baselines = out.Seeds(), nil // these have no rows here
	if s.typed() {
		out.Notes = typedNotes(p.datasets, protocol, seen)
	} else {
		out.Notes = notes(protocol, v.number > 0, seen.seeds, directed, seen.lost)
	}
	out.Notes = append(out.Notes, v.notes...)
	return out
}

// settingTable has a row for each setting, on one data set: first what needs no training, as far as records tell of it.
func (s *Sweep) settingTable(r *store.Runs, d source.DataSet, protocol string, p part) render.Table {
	v := s.view
	out := render.Table{
		Name: fmt.Sprintf("%s-%s", s.tableName(), protocol), Title: fmt.Sprintf("%s (protocol %s)", v.title, protocol), Corner: v.corner, Columns: slices.Clone(v.metrics),
	}
	if d.Name != PaperBibliography {
		out.Name, out.Title = fmt.Sprintf("%s-%s-%s", s.tableName(), d.Name, protocol), fmt.Sprintf("%s: %s (protocol %s)", v.title, d.Name, protocol)
	}
	seen := audit{}
	cells := map[string]map[string][]sample{} // by metric and setting
	for _, metric := range v.metrics {
		cells[metric] = map[string][]sample{}
		for _, c := range p.columns {
			own, without := c.samples(r, d, metricKey(metric), protocol, p.seeds)
			cells[metric][c.name] = own
			seen.lost += without
		}
	}
	for i, name := range p.headings() {
		c := p.columns[i]
		row := render.Row{Label: name}
		for _, metric := range v.metrics {
			own := cells[metric][c.name]
			if c.over != "" {
				own = gain(cells[metric], c.best, c.over)
			}
			paper := results.Cell{}
			if d.Name == PaperBibliography {
				paper, _ = results.Paper(v.number, c.inPaper(), metric)
			}
			row.Values = append(row.Values, c.value(own, paper, protocol))
		}
		seen.look(c.records(r, d, protocol, p.seeds))
		out.Rows = append(out.Rows, row)
	}
	seen.seeds = out.Seeds()
	if s.typed() {
		out.Notes = typedNotes([]source.DataSet{d}, protocol, seen)
		out.Rows = append(untrained(v.metrics, seen.baselines), out.Rows...)
	} else {
		out.Notes = notes(protocol, v.number > 0, seen.seeds, d.Directed, seen.lost)
	}
	out.Notes = append(out.Notes, v.notes...)
	return out
}

// notes returns what is to be said of a table of AUCs, of the paper or not, with so many seeds to a cell.
func notes(protocol string, inPaper bool, seeds int, directed bool, lost int) []string {
	how, beside := "The epoch is chosen by test AUC, as published", ""
	switch protocol {
	case "validated":
		how, beside = "The epoch is chosen by held-out training links", "; the paper's numbers are from epochs chosen by test AUC"
	case run.StandardProtocol:
		how, beside = "Training ends after a fixed number of pairs, and test links choose nothing", "; the paper's numbers are from epochs chosen by test AUC"
	}
	if !inPaper {
		beside = ""
	}
	all := []string{over(seeds) + " " + how + beside + "."}
	if inPaper {
		all = append(all, fmt.Sprintf("The paper gives one run, the best epsilon of five by test AUC; here epsilon is %v unless stated.", graphs.Default().Epsilon))
	}
	if inPaper && protocol == "paper" {
		all = append(all, fmt.Sprintf("Marked: asp2vec more than %v from the paper's number.", band))
	}
	if directed {
		all = append(all, "Directed networks use the paper's test negatives, which include the reverse of every arc.")
	}
	if lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d runs without a finite AUC.", lost))
	}
	return all
}

// over says what the number of a cell is over.
func over(seeds int) string {
	switch seeds {
	case 0:
		return "No run of this table has been done."
	case 1:
		return "One seed per cell."
	}
	return fmt.Sprintf("Mean ± sample standard deviation over %d seeds, or over the number in parentheses.", seeds)
}
