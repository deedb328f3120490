package run

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// finished writes the folder of a finished run.
func finished(t *testing.T, d Data, o graphs.Options) (dir string, out *Outcome) {
	t.Helper()
	out = execute(t, d, o, nil)
	e := out.Result.Embedding
	dir = filepath.Join(t.TempDir(), "run")
	run := vectors.Run{Names: out.Result.Names, D: e.D, Center: e.Center, Final: e.Final, Aspects: e.Vectors, First: e.First, Share: e.Share, Record: out.Record}
	call.OK(t, vectors.WriteRun(dir, false, run))
	return dir, out
}

// Vectors of some vertices, in another order, are those that these begin with; the others begin as without.
func TestInit(t *testing.T) {
	d, o := data(t, false), tiny.Options(graphs.SelectLast)
	o.WarmUp = false
	dir, first := finished(t, d, o)
	some := call.Of(vectors.ReadWhole(dir, ""))(t)
	n := len(some.Names)
	part := vectors.Run{D: some.D, K: some.Aspects(), Record: first.Record}
	for v := n - 1; v > 4; v-- { // all but the first five
		part.Names = append(part.Names, some.Names[v])
		part.Final = append(part.Final, some.Final[v*some.D:(v+1)*some.D]...)
		part.Center = append(part.Center, some.Center[v*some.D:(v+1)*some.D]...)
		part.Aspects = append(part.Aspects, some.MultiVectors.Data[v*part.K*some.D:(v+1)*part.K*some.D]...)
	}
	anew := map[string][]float32{}
	execute(t, d, o, graphs.On(func(b graphs.Begun) {
		for _, table := range b.Learner.Parameters() {
			anew[table.Name] = slices.Clone(table.X)
		}
	}))
	path := t.TempDir() + "/run"
	call.OK(t, vectors.WriteRun(path, false, part))
	d.Parent = call.Of(ReadInit(path))(t)
	seen := false
	execute(t, d, o, graphs.On(func(b graphs.Begun) {
		seen = true
		for i, table := range b.Learner.Parameters() {
			was, width := first.Result.Learner.Parameters()[i], table.Width()
			if !slices.Equal(table.X[5*width:], was.X[5*width:]) {
				t.Errorf("table %s does not begin with the vectors given", table.Name)
			}
			if !slices.Equal(table.X[:5*width], anew[table.Name][:5*width]) {
				t.Errorf("table %s: vertices without vectors do not begin as ever", table.Name)
			}
		}
	}))
	if !seen {
		t.Error("no training has begun")
	}
}
