package runs

import (
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

func storeFlag(category string) cli.Flag {
	return shell.NewFlag("store", "", "`PATH` of a store, or of a file of records", category, "--results")
}

// readStore reads the records that a command is to look at, and tells what is wrong with them on standard error. Without
// --store a folder of results that is not there yet holds no records.
func (p program) readStore(c *cli.Context) (*store.Store, *store.Runs, error) {
	path, given := c.String("store"), c.IsSet("store")
	if !given {
		if p.Results == "" {
			return nil, nil, shell.Badf("no store: expected --store PATH, or --results DIR")
		}
		path = p.Results
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !given {
		p.Log.Warn("no store yet: nothing has been run", "folder", path)
	} else if err != nil {
		return nil, nil, shell.Badf("store: %w", err)
	}
	store, err := store.ReadStore(path)
	if err != nil {
		return nil, nil, shell.Bad(err)
	}
	runs := p.runsOf(store, run.NewCatalog(p.Data))
	return store, runs, nil
}

// readRuns returns what --results holds of some data, and warns of what is wrong with it.
func (p program) readRuns(data *run.Catalog) (*store.Runs, error) {
	s, err := store.ReadOwn(p.Results)
	if err != nil {
		return nil, shell.Bad(err)
	}
	return p.runsOf(s, data), nil
}

// readRecords reads a store, and warns of lines that are no records.
func (p program) readRecords(path string) ([]results.Record, error) {
	records, problems, err := results.ReadStore(path)
	p.warnProblems(problems)
	return records, shell.Bad(err)
}

// told is how many warnings of one kind there are at most.
const told = 10

// runsOf returns the runs of a store on the data as they are now, and warns of what no table of it can tell.
func (p program) runsOf(s *store.Store, data *run.Catalog) *store.Runs {
	runs := s.Runs(data)
	p.warnProblems(s.Problems)
	if runs.Foreign > 0 {
		p.Log.Warn("records with options that this version does not know are left out", "records", runs.Foreign)
	}
	return runs
}

// warnProblems tells of lines that are left out.
func (p program) warnProblems(problems []results.Problem) {
	for i, problem := range problems {
		if i == told {
			p.Log.Warn("and more that are no records of this version", "files_or_lines", len(problems)-told)
			break
		}
		p.Log.Warn("what is no record of this version is left out", "at", shell.Message(problem))
	}
}

// short returns the beginning of the name of a commit or a run.
func short(name string) string { return name[:min(8, len(name))] }
