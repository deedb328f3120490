package methods

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
)

// The list has every method once, in the paper's order, and says which names there are.
func TestFind(t *testing.T) {
	want := []string{"deepwalk", "node2vec", "dgi", "polydw", "splitter", "asp2vec", "m2v++", "camel", "tapem", "asp2vec-het"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("methods %v, want %v", got, want)
	}
	for _, m := range All() {
		if found, err := Find(m.Name); err != nil || found != m {
			t.Errorf("%s: found %v, %v", m.Name, found, err)
		}
	}
	if _, err := Find("deepwak"); err == nil || !strings.Contains(err.Error(), `"deepwak": want one of deepwalk, node2vec`) {
		t.Errorf("error %v", err)
	}
	if got := len(OnLinks()); got != 6 {
		t.Errorf("%d methods on links, want 6", got)
	}
}

// An option is declared once, whichever methods read it, has a method that does, and a default of its kind.
func TestDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Declared() {
		if seen[d.Key] {
			t.Errorf("%s is declared twice", d.Key)
		}
		seen[d.Key] = true
		if len(Readers(d.Key)) == 0 {
			t.Errorf("no method reads %s", d.Key)
		}
		if reflect.TypeOf(d.Default).Kind() != d.Kind {
			t.Errorf("%s: the default is %v, want a %v", d.Key, d.Default, d.Kind)
		}
	}
	for _, m := range All() {
		for _, key := range m.All() {
			if !seen[key] {
				t.Errorf("%s reads %s, which is no option", m.Name, key)
			}
		}
		if o, err := graphs.OptionsOf(m, graphs.Standard).Resolve(); err != nil || o.Method != m {
			t.Errorf("%s under standard: %v", m.Name, err)
		}
	}
}

// Decode takes a record's options for those of the method, and nothing else.
func TestDecode(t *testing.T) {
	o, err := Decode("node2vec", []byte(`{"method":"node2vec","p":0.25,"of-another-version":1}`))
	if want := (graphs.Node2vecOptions{P: 0.25, Q: 1}); err != nil || o.Own != want {
		t.Errorf("own options %+v, %v: want %+v", o.Own, err, want)
	}
	for text, want := range map[string]string{`{"p":"x"}`: "option p", `{"method":"dgi"}`: "want those of node2vec", `[]`: "array"} {
		if _, err := Decode("node2vec", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := Decode("no-such", []byte(`{}`)); err == nil {
		t.Error("an unknown method has options")
	}
}
