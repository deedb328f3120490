package experiments

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"gopkg.in/yaml.v3"
)

// specFiles are the tables of the paper that are a grid of settings.
//
//go:embed specs/*.yaml
var specFiles embed.FS

// paperTable returns a table of the paper that is a file. A file that cannot be read is a slip of the program.
func paperTable(number int) Spec {
	name := fmt.Sprintf("specs/table%d.yaml", number)
	text, err := specFiles.ReadFile(name)
	if err == nil {
		var s Spec
		if s, err = parseTable(name, text); err == nil {
			return s
		}
	}
	panic(err)
}

// ReadTable reads a table from a file in YAML, that of one's own or one of the paper's (experiments/specs):
//
//	title: Few aspects or many            # the file's name if left out
//	datasets: [filmtrust, ppi]            # those of the paper if left out
//	method: asp2vec                       # of settings that name none; asp2vec if left out
//	seeds: 3                              # 1 to 3; 3 if left out
//	rows: datasets                        # and a column for each setting; or settings, with a column for each metric
//	metrics: [AUC]                        # a name of the paper's tables, or of records, such as recall@10
//	settings:
//	  - name: DeepWalk
//	    method: deepwalk
//	  - name: K={aspects}                 # several values are several settings
//	    options: {aspects: [2, 5, 10]}
//	  - name: gain                        # in percent, seed by seed, of the best of some, by its mean, over another one
//	    best: [K=2, K=5, K=10]
//	    over: DeepWalk
//	notes: [what is to be said of it]
//
// Options are those of sweeps (ReadSweep), lists and ranges too. With paper: NUMBER the paper's values stand beside; with
// not-judged: true those of a setting are only shown. It returns an error with the line for whatever it does not know.
func ReadTable(path string) (Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Spec{}, fmt.Errorf("experiments: table: %w", err)
	}
	return parseTable(path, text)
}

// IsTableFile says whether the name of a table is that of a file.
func IsTableFile(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

// tableFile is a table as its file has it.
type tableFile struct {
	name, title, corner string
	number              int // in the paper; 0 for a table of one's own
	datasets            []string
	method              string
	seeds               int
	bySetting           bool // a row for each setting
	metrics             []string
	settings            []column
	notes               []string
}

func parseTable(path string, text []byte) (Spec, error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	t := tableFile{name: name, title: name, method: graphs.MethodAsp2vec, metrics: []string{"AUC"}}
	var doc yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return Spec{}, fmt.Errorf("experiments: %s: empty: want a table, with settings at least", path)
	case err != nil:
		return Spec{}, fmt.Errorf("experiments: %s: %w", path, err)
	}
	if err := t.read(doc.Content[0]); err != nil {
		return Spec{}, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return t.spec(), nil
}

func (t *tableFile) read(root *yaml.Node) error {
	var settings *yaml.Node
	parts := map[string]func(*yaml.Node) error{
		"title":    func(n *yaml.Node) error { return scalar(n, &t.title) },
		"corner":   func(n *yaml.Node) error { return scalar(n, &t.corner) },
		"paper":    func(n *yaml.Node) error { return scalar(n, &t.number) },
		"datasets": func(n *yaml.Node) (err error) { t.datasets, err = yamlNames(n, "data set", datasetName); return err },
		"method":   func(n *yaml.Node) error { return t.readMethod(n, &t.method) },
		"seeds": func(n *yaml.Node) error {
			if err := scalar(n, &t.seeds); err != nil || t.seeds < 1 || t.seeds > MaxSeeds {
				return lineErrorf(n, "seeds %s: want 1 to %d", yamlText(n), MaxSeeds)
			}
			return nil
		},
		"rows": func(n *yaml.Node) error {
			if n.Value != "datasets" && n.Value != "settings" {
				return lineError(n, UnknownName{"rows", yamlText(n), []string{"datasets", "settings"}})
			}
			t.bySetting = n.Value == "settings"
			return nil
		},
		"metrics":  func(n *yaml.Node) (err error) { t.metrics, err = texts(n); return err },
		"notes":    func(n *yaml.Node) (err error) { t.notes, err = texts(n); return err },
		"settings": func(n *yaml.Node) error { settings = n; return nil },
	}
	if err := eachField(root, "key of a table", func(key, n *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return lineError(key, UnknownName{"key of a table", key.Value, sortedNames(parts)})
		}
		return part(n)
	}); err != nil {
		return err
	}
	if settings == nil {
		return lineErrorf(root, "no settings: want settings: [{name: NAME, options: {...}}, ...]")
	}
	if !t.bySetting && len(t.metrics) != 1 {
		return lineErrorf(root, "%d metrics: want one with rows: datasets, or rows: settings", len(t.metrics))
	}
	list, err := itemsOf(settings, "setting")
	for _, item := range list {
		if err := t.readSetting(item); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return t.check(settings)
}

func (t *tableFile) readMethod(n *yaml.Node, to *string) error {
	name, err := methodName(n.Value)
	if err != nil {
		return lineError(n, err)
	}
	*to = name
	return nil
}

// readSetting adds the columns of a setting: one for each combination of its options' values.
func (t *tableFile) readSetting(n *yaml.Node) error {
	c := column{method: t.method}
	var grid Sweep // for its reading of options
	parts := map[string]func(*yaml.Node) error{
		"name":       func(n *yaml.Node) error { return scalar(n, &c.name) },
		"method":     func(n *yaml.Node) error { return t.readMethod(n, &c.method) },
		"options":    func(n *yaml.Node) error { return eachField(n, "option", grid.readOption) },
		"best":       func(n *yaml.Node) (err error) { c.best, err = texts(n); return err },
		"over":       func(n *yaml.Node) error { return scalar(n, &c.over) },
		"not-judged": func(n *yaml.Node) error { return scalar(n, &c.stray) },
	}
	if err := eachField(n, "key of a setting", func(key, n *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return lineError(key, UnknownName{"key of a setting", key.Value, sortedNames(parts)})
		}
		return part(n)
	}); err != nil {
		return err
	}
	m, err := methods.Find(c.method)
	if err != nil {
		return lineError(n, err)
	}
	for _, o := range grid.Options {
		if !m.Reads(o.Name) {
			return fmt.Errorf("%d: option %s: %s does not read it: want method: %s", o.Line, o.Name, c.method, strings.Join(methods.Readers(o.Name), ", "))
		}
	}
	if c.name == "" {
		return lineErrorf(n, "a setting without a name: want name: NAME")
	}
	if (c.over == "") != (len(c.best) == 0) || c.over != "" && len(grid.Options) > 0 {
		return lineErrorf(n, "setting %q: want best and over for a gain, or options", c.name)
	}
	for _, combination := range grid.all() {
		each := c
		for i, o := range grid.Options {
			each.name = strings.ReplaceAll(each.name, "{"+o.Name+"}", strings.Trim(string(o.Values[combination[i]]), `"`))
		}
		if len(grid.Options) > 0 {
			each.set = func(o *graphs.Options) { grid.set(o, combination) }
		}
		t.settings = append(t.settings, each)
	}
	return nil
}

// set gives options a combination of values, which were read as theirs.
func (s *Sweep) set(o *graphs.Options, combination []int) {
	for _, option := range s.Options { // all of them before any is set: what is given takes nothing back of what is given beside it
		o.Give(option.Name)
	}
	for i, option := range s.Options {
		if err := setOption(o, option.Name, option.Values[combination[i]]); err != nil {
			panic(err) // of a kind that was checked
		}
	}
}

// check finds names given twice, gains of settings that are not there, data that a method cannot learn from, and options out of range.
func (t *tableFile) check(at *yaml.Node) error {
	names := map[string]bool{}
	for _, c := range t.settings {
		if names[c.name] {
			return lineErrorf(at, "two settings %q: want a name for each, with {OPTION} in it where an option has several values", c.name)
		}
		names[c.name] = true
	}
	for _, c := range t.settings {
		for _, name := range append(slices.Clone(c.best), c.over) {
			if c.over != "" && !names[name] {
				return lineErrorf(at, "setting %q is over %q: want the name of another setting", c.name, name)
			}
		}
		if c.over != "" {
			continue
		}
		for _, dataset := range t.datasets {
			if err := learnable(c.method, dataset); err != nil {
				return lineErrorf(at, "setting %q: %w", c.name, err)
			}
		}
		for _, j := range c.jobs("", DefaultProtocol, 1) {
			if _, err := j.Options.Resolve(); err != nil {
				return lineErrorf(at, "setting %q: %w", c.name, err)
			}
		}
	}
	return nil
}

// typed says whether the table's methods learn from papers and authors.
func (t *tableFile) typed() bool {
	return slices.ContainsFunc(t.settings, func(c column) bool {
		m, err := methods.Find(c.method)
		return err == nil && m.Typed
	})
}

// scalar reads one value.
func scalar(n *yaml.Node, to any) error {
	if n.Kind != yaml.ScalarNode || n.Decode(to) != nil {
		return lineErrorf(n, "%s: want %s", yamlText(n), map[bool]string{true: "a word", false: "a number, or true or false"}[reflect.TypeOf(to).Elem().Kind() == reflect.String])
	}
	return nil
}

// texts reads one text or several.
func texts(n *yaml.Node) (all []string, err error) {
	list, err := itemsOf(n, "text")
	for _, item := range list {
		var text string
		if err := scalar(item, &text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, err
}

// spec returns the file's table. What a selection does not say is as in the file.
func (t tableFile) spec() Spec {
	settings := func(Selection) []column { return slices.Clone(t.settings) }
	var s Spec
	if t.bySetting {
		s = authorSheet{number: t.number, name: t.name, title: t.title, corner: t.corner, typed: t.typed(), seeds: uint64(max(t.seeds, 1)), settings: settings, metrics: t.metrics, notes: t.notes}.spec()
	} else {
		s = sheet{number: t.number, name: t.name, title: t.title, metric: t.metrics[0], typed: t.typed(), columns: settings, notes: t.notes}.spec()
	}
	complete := func(selection Selection) Selection {
		if len(selection.Datasets) == 0 {
			selection.Datasets = t.datasets
		}
		if selection.Seeds == 0 {
			selection.Seeds = t.seeds
		}
		return selection
	}
	s.Datasets = t.datasets
	jobs, table := s.Jobs, s.Table
	s.Jobs = func(selection Selection) []Job { return jobs(complete(selection)) }
	s.Table = func(r *Runs, selection Selection) []results.Table { return table(r, complete(selection)) }
	return s
}
