package experiments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// FigurePanel is the runs of one panel of a figure, or of one column of them.
type FigurePanel struct {
	Dataset  string
	Protocol string
	Series   []FigureSeries
}

// FigureSeries is runs that differ in the seed, or in what the figure has on its x axis, alone.
type FigureSeries struct {
	Name string
	Jobs []Job
}

// FigureJobs returns the runs of all panels, in their order.
func FigureJobs(panels []FigurePanel) []Job {
	var jobs []Job
	for _, p := range panels {
		for _, s := range p.Series {
			jobs = append(jobs, s.Jobs...)
		}
	}
	return jobs
}

// figurePanels makes a panel for every protocol and data set of a selection. Where it names none, the protocol is the paper's,
// the data sets are those given, and there is one seed. The
// options given to series are the protocol's of asp2vec, or of another method, at seed 1.
func figurePanels(sel Selection, datasets []string, series func(defaults func(method string) graphs.Options) []namedOptions) ([]FigurePanel, error) {
	protocols := sel.Protocols
	if len(protocols) == 0 {
		protocols = []string{"paper"}
	}
	if len(sel.Datasets) > 0 {
		datasets = sel.Datasets
	}
	var panels []FigurePanel
	for _, protocol := range protocols {
		base, ok := Protocols[protocol]
		if !ok {
			return nil, fmt.Errorf("experiments: protocol %q: want %s", protocol, strings.Join(protocolNames(), ", "))
		}
		defaults := func(method string) graphs.Options {
			o, _ := methods.Options(method, base) // the methods are those of this package
			return o
		}
		for _, name := range datasets {
			d, err := network.Lookup(name)
			if err != nil {
				return nil, err
			}
			if d.Typed {
				return nil, fmt.Errorf("experiments: a figure of %s, whose vertices are of several types: want a data set whose vertices are all of one type", d.Name)
			}
			p := FigurePanel{Dataset: d.Name, Protocol: protocol}
			for _, s := range series(defaults) {
				f := FigureSeries{Name: s.name}
				for _, o := range s.options {
					for seed := range uint64(max(sel.Seeds, 1)) {
						o.Seed = 1 + seed
						f.Jobs = append(f.Jobs, Job{Dataset: d.Name, Protocol: protocol, Options: o})
					}
				}
				p.Series = append(p.Series, f)
			}
			panels = append(panels, p)
		}
	}
	return panels, nil
}

type namedOptions struct {
	name    string
	options []graphs.Options
}

// RunFigure trains a job, appends its record to the store, a file, unless the store has the run already, and leaves what
// figures show of it in the folder of the store. It does nothing where that is there; see results.FigureDataPath. A run that
// fails or is interrupted leaves its record alone, and RunFigure returns an error.
func RunFigure(ctx context.Context, dataDir, store string, j Job, threads int, watch Watch) error {
	dir := filepath.Dir(store)
	if _, err := ReadFigure(dir, j); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err // what is there and cannot be read is left for its owner to look at
	}
	data, out, err := runFigureJob(ctx, dataDir, store, j, threads, watch)
	if err != nil {
		return err
	}
	d, err := FigureDataOf(ctx, data, j, out, threads)
	if err != nil {
		return err
	}
	return results.WriteFigureData(dir, d)
}

// RunRecord trains a job and appends its record to the store, a file, unless the store has it.
func RunRecord(ctx context.Context, dataDir, store string, j Job, threads int, watch Watch) error {
	there, err := stored(store, j)
	if err != nil || there {
		return err
	}
	_, _, err = runFigureJob(ctx, dataDir, store, j, threads, watch)
	return err
}

// runFigureJob trains a job and appends its record.
func runFigureJob(ctx context.Context, dataDir, store string, j Job, threads int, watch Watch) (Data, *Outcome, error) {
	loaded, err := Source{Dataset: j.Dataset, DataDir: dataDir}.Load(ctx)
	if err != nil {
		return Data{}, nil, err
	}
	data, err := loaded.Data(ctx, false, j.Options)
	if err != nil {
		return data, nil, err
	}
	out, err := Run(ctx, data, j.Options, j.Protocol, threads, watch)
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrModel) {
		return data, out, err
	}
	there, readErr := stored(store, j)
	if readErr != nil {
		return data, out, errors.Join(err, readErr)
	}
	if !there {
		err = errors.Join(err, out.Record.Append(store))
	}
	if err == nil && out.Record.Interrupted {
		err = context.Cause(ctx)
	}
	return data, out, err
}

// stored says whether the store has the run of a job. One that does not exist has none.
func stored(store string, j Job) (bool, error) {
	records, err := ReadStore(store)
	if err != nil {
		return false, err
	}
	_, there := records.Runs().summary(j)
	return there, nil
}
