package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// figureProducts returns the figures of the paper. They are drawn into the folder figures beside the store, of the first seed;
// asp2vec figure has more of them, and more to choose from.
func (p *program) figureProducts() (all []product) {
	for _, f := range experiments.Figures() {
		if f.Name != "4" && f.Name != "5" {
			continue
		}
		panels := func(sel experiments.Selection) []experiments.FigurePanel {
			sel.Seeds = 1
			asked := len(sel.Datasets)
			sel.Datasets = slices.DeleteFunc(slices.Clone(sel.Datasets), func(name string) bool {
				d, err := network.Lookup(name)
				return err == nil && d.Typed // its vertices are in tables alone
			})
			if asked > 0 && len(sel.Datasets) == 0 {
				return nil
			}
			panels, _ := f.Panels(sel) // the names in the selection are known
			return panels
		}
		all = append(all, product{"figure" + f.Name, func(sel experiments.Selection) []experiments.Job {
			return experiments.FigureJobs(panels(sel))
		}, true, func(_ context.Context, _ *experiments.Runs, sel experiments.Selection) ([]results.Table, error) {
			if of := panels(sel); len(of) > 0 {
				return nil, p.drawFigure(f, of)
			}
			return nil, nil
		}})
	}
	return all
}

func (p *program) drawFigure(f experiments.Figure, panels []experiments.FigurePanel) error {
	picture, err := f.Draw(p.results, panels)
	if err != nil {
		return err
	}
	dir := filepath.Join(filepath.Dir(p.results), "figures")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--results: %w", err)
	}
	for _, format := range results.PictureFormats {
		path := filepath.Join(dir, "figure-"+f.Name+"."+format)
		if err := picture.Write(path, format); err != nil {
			return err
		}
		p.log.Info("drew "+path, "figure", f.Name)
	}
	return nil
}

// keepFigureData makes a runner leave beside the store what figures show of the jobs, and do those again of which it is not
// there.
func keepFigureData(r *experiments.Runner, jobs []experiments.Job) {
	dir, before, lacks := filepath.Dir(r.Store), r.Keep, r.Lacks
	shown := map[string]bool{}
	for _, j := range jobs {
		shown[j.Key()] = true
	}
	r.Lacks = func(j experiments.Job) bool {
		if !shown[j.Key()] {
			return lacks != nil && lacks(j)
		}
		_, err := experiments.ReadFigure(dir, j)
		return errors.Is(err, fs.ErrNotExist)
	}
	r.Keep = func(ctx context.Context, data experiments.Data, j experiments.Job, out *experiments.Outcome, threads int) error {
		if !shown[j.Key()] {
			if before != nil {
				return before(ctx, data, j, out, threads)
			}
			return nil
		}
		d, err := experiments.FigureDataOf(ctx, data, j, out, threads)
		if err != nil {
			return err
		}
		return results.WriteFigureData(dir, d)
	}
}
