package run

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// finished writes the folder of a finished run.
func finished(t *testing.T, d Data, o graphs.Options) (dir string, out *Outcome) {
	t.Helper()
	out = execute(t, d, o, Watch{})
	e := out.Result.Embedding
	dir = filepath.Join(t.TempDir(), "run")
	run := vectors.Run{Names: out.Result.Names, D: e.D, Center: e.Center, Final: e.Final, Aspects: e.Vectors, First: e.First, Share: e.Share, Record: out.Record}
	if err := vectors.WriteRun(dir, false, run); err != nil {
		t.Fatal(err)
	}
	return dir, out
}

// A run that trains a finished model further begins with its parameters, to the bit, and names it.
func TestParent(t *testing.T) {
	d := data(t, false)
	for _, method := range []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk} {
		o := tiny.Options(graphs.SelectLast)
		o.SetMethod(graphs.MethodOf(method))
		o.WarmUp = false
		o = o.Complete()
		dir, first := finished(t, d, o)
		parent, err := ReadParent(dir)
		if err != nil {
			t.Fatal(err)
		}
		if parent.Dim != o.Dim || parent.Aspects != o.Aspects {
			t.Errorf("%s: dim %d and %d aspects, want %d and %d", method, parent.Dim, parent.Aspects, o.Dim, o.Aspects)
		}
		with := d
		with.Parent = parent
		seen := 0
		second := execute(t, with, o, Watch{Begin: func(_ string, l graphs.Learner) {
			seen++
			for i, table := range l.Parameters() {
				if !slices.Equal(table.X, first.Result.Learner.Parameters()[i].X) {
					t.Errorf("%s: table %s is not the parent's", method, table.Name)
				}
			}
		}})
		r := second.Record
		if seen != 1 || r.Parent == nil || r.Parent.Method != method || !r.Parent.Started.Equal(first.Record.Started) || len(r.Parent.SHA256) != 64 {
			t.Errorf("%s: parent %+v", method, r.Parent)
		}
		if slices.Equal(second.Result.Embedding.Final, first.Result.Embedding.Final) {
			t.Errorf("%s: nothing was trained", method)
		}
		warm, wide, other := o, o, o
		warm.WarmUp, wide.Dim = method == graphs.MethodAsp2vec, 9
		other.SetMethod(graphs.MethodOf(graphs.MethodNode2vec))
		for name, o := range map[string]graphs.Options{"warm-up": warm, "dim": wide, "method": other.Complete()} {
			if name == "warm-up" && !warm.WarmUp {
				continue
			}
			if out, err := Run(t.Context(), with, o, "custom", 1, Watch{}); err == nil || out.Record.Error == "" {
				t.Errorf("%s, another %s: %v, want an error", method, name, err)
			}
		}
	}
}

// The folders of other methods do not hold all that training moves, and are refused; so are other vertices.
func TestParentRefused(t *testing.T) {
	d, o := data(t, false), tiny.Options(graphs.SelectLast)
	o.SetMethod(graphs.MethodOf(graphs.MethodPolyDW))
	graphs.Edit(&o, func(f *graphs.FacetOptions) { f.Tolerance, f.Copies = 0.5, 1 })
	dir, _ := finished(t, d, o.Complete())
	if _, err := ReadParent(dir); err == nil || !strings.Contains(err.Error(), "want one of asp2vec, deepwalk, node2vec") {
		t.Errorf("%v: want the methods that can be", err)
	}
	o = tiny.Options(graphs.SelectLast)
	o.WarmUp = false
	dir, _ = finished(t, d, o)
	parent, err := ReadParent(dir)
	if err != nil {
		t.Fatal(err)
	}
	parent.names[0], parent.names[1] = parent.names[1], parent.names[0]
	d.Parent = parent
	if _, err := Run(t.Context(), d, o, "custom", 1, Watch{}); err == nil || !strings.Contains(err.Error(), "the same, in the same order") {
		t.Errorf("%v: want an error of the vertices", err)
	}
}
