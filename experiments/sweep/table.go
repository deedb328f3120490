package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
)

// ReadTable reads a table from a file, that of one's own or one of the paper's (experiments/specs). It is a file of a sweep
// (Read), where beside what is run stands how it is shown:
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
// It returns an error with the line for whatever it does
// not know, for names given twice, gains of settings that are not there, data that a method cannot learn from, and options out of range.
func ReadTable(path string, use Use) (*File, error) {
	s, err := readFile(path, use)
	if err != nil {
		return nil, err
	}
	if err := s.checkTable(); err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

// IsFile says whether the name of a table or figure is that of a file.
func IsFile(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

func (s *File) checkTable() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%d: %w", s.line, fmt.Errorf(format, args...))
	}
	if len(s.Settings) == 0 && len(s.Options) == 0 && len(s.Methods) < 2 {
		return fail("no settings: expected settings: [{name: NAME, options: {...}}, ...], or options")
	}
	if err := s.tooMany(MaxRuns); err != nil { // before columns draws them
		return fail("%w", err)
	}
	if err := s.checkProtocols(); err != nil {
		return err
	}
	columns := s.columns(Scope{})
	names := map[string]bool{}
	for _, c := range columns {
		if names[c.Name] {
			return fail("two settings %q: expected a name for each", c.Name)
		}
		names[c.Name] = true
	}
	for _, c := range columns {
		for _, name := range append(slices.Clone(c.Best), c.Over) {
			if c.Over != "" && !names[name] {
				return fail("setting %q is over %q: expected the name of another setting", c.Name, name)
			}
		}
		if c.Over != "" {
			continue
		}
		for _, dataset := range s.Datasets {
			if err := learnable(c.Method, dataset); err != nil {
				return fail("setting %q: %w", c.Name, err)
			}
		}
		if err := c.check(slices.Concat(c.Protocols, s.Protocols, protocols{run.DefaultProtocol})[0]); err != nil {
			return fail("setting %q: %w", c.Name, err)
		}
	}
	return nil
}

// TableName returns the name of the table by its number in the paper, or that of its file.
func (s *File) TableName() string {
	if s.View.Number > 0 {
		return fmt.Sprintf("table%d", s.View.Number)
	}
	return s.Title()
}
