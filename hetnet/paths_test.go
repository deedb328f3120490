package hetnet

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// All meta-paths are those that a bibliography can be walked along.
func TestAllMetaPaths(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *papers.Paper)
		want   []string
	}{
		"all":        {func(*papers.Paper) {}, []string{"APA", "APVPA", "APPA"}},
		"references": {func(p *papers.Paper) { p.Venue = -1 }, []string{"APA", "APPA"}},
		"venues":     {func(p *papers.Paper) { p.Cites = nil }, []string{"APA", "APVPA"}},
	} {
		list := []paper{
			{Paper: papers.Paper{Question: typed.Question{Name: "p", Own: []int32{0, 1}}, Cites: []int32{1}}},
			{Paper: papers.Paper{Question: typed.Question{Name: "q", Own: []int32{1}}, Venue: 1, Cites: []int32{0}}},
		}
		for i := range list {
			c.change(&list[i].Paper)
		}
		b := bibliography(t, papers.NewNetwork("two", []string{"a", "b"}, []string{"x", "y"}, nil), list...)
		o := smallOptions(MethodCamel)
		graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = AllMetaPaths })
		call.OK(t, validPaths(o))
		paths := call.Of(metaPaths(b.Network, o, papers.Author))(t)
		var got []string
		for _, p := range paths {
			got = append(got, p.Path().Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, expected %v", name, got, c.want)
		}
	}
}
