package layers_test

import (
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

func input(name string, shape []int, x ...float64) gradcheck.Input {
	return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: true}
}

// path returns [[1/2,1/2,0],[1/2,1/4,1/4],[0,1/4,3/4]].
func path(t *testing.T) *op.Sparse {
	t.Helper()
	return call.Of(op.NewSparse(3, []int64{0, 2, 5, 7}, []int32{0, 1, 0, 1, 2, 1, 2}, []float32{.5, .5, .5, .25, .25, .25, .75}))(t)
}

// The golden values of the encoder and the discriminator are numpy's (1.24):
//
//	A = np.array([[.5,.5,0],[.5,.25,.25],[0,.25,.75]]); Z = np.array([[1,-2],[-3,.5],[2,-1.]]); b = np.array([.1,-.2])
//	H = A@Z+b; H = np.where(H>0, H, .25*H); c = 1/(1+np.exp(-H.mean(0))); M = np.array([[.3,-.4],[.7,.2]]); H@(M@c)+.05
var (
	goldenH       = []float64{-.225, -.2375, .35, -.33125, .85, -.20625}
	goldenSummary = []float64{.5805423048206596, .4357734558260374}
	goldenLogits  = []float64{-.06718139187922258, -.11353458018824138, -.051916137562891276}
)

func TestGoldenGCN(t *testing.T) {
	a := path(t)
	encoder := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.GCN(a, in[0], in[1], in[2], 2) }
	in := []gradcheck.Input{input("z", []int{3, 2}, 1, -2, -3, .5, 2, -1), input("bias", []int{2}, .1, -.2), input("slope", []int{1}, .25)}
	expect(t, encoder, in, goldenH)
	check(t, "GCN", encoder, in)

	summary := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Summary(in[0], 2) }
	in = []gradcheck.Input{input("h", []int{3, 2}, goldenH...)}
	expect(t, summary, in, goldenSummary)
	check(t, "Summary", summary, in)

	scores := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return layers.Bilinear(in[0], in[1], in[2], in[3], 2)
	}
	in = append(in, input("c", []int{2}, goldenSummary...), input("m", []int{2, 2}, .3, -.4, .7, .2), input("offset", []int{1}, .05))
	expect(t, scores, in, goldenLogits)
	check(t, "Bilinear", scores, in)
	check(t, "Bilinear", scores, []gradcheck.Input{normal("h", 5, 3), normal("c", 2), normal("m", 3, 2), normal("offset", 1)})
}
