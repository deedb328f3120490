package runs

import (
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
)

// figureProducts returns the figures of the paper. They are drawn into the folder figures of the store, of the first seed;
// asp2vec figure has more of them, and more to choose from.
func (p program) figureProducts() (all []product) {
	for _, name := range figures.Names() {
		f, _ := figures.Find(name)
		panels := func(sel sweep.Scope) []figures.Panel {
			sel.Seeds = 1
			asked := len(sel.Datasets)
			sel.Datasets = slices.DeleteFunc(slices.Clone(sel.Datasets), func(name string) bool {
				d, err := network.Lookup(name)
				return err == nil && d.Typed // its vertices are in tables alone
			})
			if asked > 0 && len(sel.Datasets) == 0 {
				return nil
			}
			panels, _ := f.Panels(sel, 0) // the names in the selection are known
			return panels
		}
		all = append(all, product{name: "figure" + f.Name, jobs: func(sel sweep.Scope) []store.Job {
			return figures.Jobs(panels(sel))
		}, model: true, show: func(_ *store.Runs, sel sweep.Scope) ([]render.Table, error) {
			if of := panels(sel); len(of) > 0 {
				return nil, p.drawFigure(f, of)
			}
			return nil, nil
		}})
	}
	return all
}

func (p program) drawFigure(f figures.Figure, panels []figures.Panel) error {
	drawing, err := f.Drawing(p.Results, panels)
	if err != nil {
		return err
	}
	picture, err := drawing.Draw()
	if err != nil {
		return err
	}
	files := shell.InFolder(filepath.Join(p.Results, "figures"), "figure-"+f.Name, plot.UsualPictures)
	if err := shell.WritePicture(picture, files); err != nil {
		return err
	}
	for _, path := range files {
		p.Log.Info("drew "+path, "figure", f.Name)
	}
	return nil
}
