package figures

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A sweep's picture is a line along the one number that varies, or along that which the file says.
func TestFigureOfASweep(t *testing.T) {
	for text, want := range map[string]string{
		"datasets: cora\noptions: {tau: [.1, .5, 1]}\n":                                            sweep.FigureLine,
		"datasets: cora\noptions: {tau: [.1, .5], lambda: [0, .2]}\n":                              "error: 2 options that vary",
		"datasets: cora\nx: dim\nsettings: [{name: a, options: {dim: 4}}, {name: b}]\n":            sweep.FigureLine,
		"datasets: cora\nfigure: line\noptions: {tau: [.1, .5], lambda: [0, .1]}\n":                "error: 2 options that vary",
		"datasets: cora\nfigure: pie\noptions: {tau: [.1, .5]}\n":                                  `error: figure "pie": expected one of cosines`,
		"datasets: cora\nfigure: line\nx: selection\noptions: {selection: [gumbel]}\n":             "error: has no number",
		"datasets: cora\nfigure: use\nsettings: [{name: a, choose: {tau: [.1, .5]}}, {name: b}]\n": "error: choose in a figure of kind use",
		"datasets: cora\nfigure: use\noptions: {selection: [entmax15, straight-through]}\n":        "use",
		"datasets: cora\nfigure: use\nmethod: deepwalk\n":                                          "error: figure use of method deepwalk",
	} {
		path := filepath.Join(t.TempDir(), "s.yaml")
		call.File(t, path, text)
		f, err := Read(path, sweep.ToRun)
		if err == nil {
			panels, perr := f.Panels(sweep.Scope{}, 0)
			d, derr := f.Drawing(t.TempDir(), nil, panels)
			if err = errors.Join(perr, derr); err == nil {
				_, err = d.Draw()
			}
		}
		if wrong, is := strings.CutPrefix(want, "error: "); is {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: error %v, expected %s", text, err, wrong)
			}
		} else if err != nil || f.file.View.Figure.Value != want {
			t.Errorf("%s: %s, %v: expected %s", text, f.file.View.Figure.Value, err, want)
		}
	}
}
