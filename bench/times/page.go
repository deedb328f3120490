package main

import (
	"fmt"
	"io"

	"github.com/asp2vec/asp2vec/results"
)

// markdown prints the record as a page.
func (r *record) markdown(w io.Writer, name string) {
	for _, n := range r.Networks {
		fmt.Fprintf(w, "# %s\n", n.Name)
	}
}

// picture draws AUC against processor time.
func (r *record) picture() (*results.Picture, error) { return results.PlotCurves(nil) }
