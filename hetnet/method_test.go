package hetnet

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
)

// With the methods of this package every option is read by some method, and each method says what it is.
func TestMethodsAreRegistered(t *testing.T) {
	var typed []string
	for _, m := range Methods() {
		if !m.Typed {
			continue
		}
		typed = append(typed, m.Name)
		if m.Title == "" || m.Source == "" || m.Differs == "" || m.Formula == "" || len(m.Scorings) == 0 || m.MultiVector() != (m.Name == MethodAsp2vecHet) {
			t.Errorf("%+v: want a title, a source, what differs, a formula and a scoring", m)
		}
		if all := m.All(); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("%s: an option is listed twice: %v", m.Name, all)
		}
		for _, protocol := range []func() graphs.Options{graphs.Default, graphs.Paper} {
			o, err := graphs.OptionsOf(m, protocol).Resolve()
			if err != nil {
				t.Errorf("%s: defaults %+v: %v", m.Name, o, err)
			}
		}
	}
	if want := []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet, MethodMetapath2vec, MethodBPR, MethodPrototype}; !slices.Equal(typed, want) {
		t.Errorf("methods %v, want %v, the first in the paper's order", typed, want)
	}
	for _, d := range option.Of(reflect.TypeFor[PaperOptions]()) {
		name := d.Key
		if !slices.ContainsFunc(Methods(), func(m *graphs.Method) bool { return m.Reads(name) }) {
			t.Errorf("no method reads option %q", name)
		}
	}
}

// A method without papers and authors says what it wants.
func TestMethodsWantABibliography(t *testing.T) {
	for _, name := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
		for want, in := range map[string]graphs.Typed{
			"want a heterogeneous one": Input{}, "texts without word vectors": Input{Bibliography: topical(t, 40).Bibliography},
		} {
			_, err := graphs.Train(context.Background(), graphs.Input{Typed: in}, walkedOptions(name), 1, graphs.Monitor{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", name, err, want)
			}
		}
	}
}
