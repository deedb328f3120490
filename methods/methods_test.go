package methods

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/option"
)

// The list has every method once, in the paper's order, and says which names there are.
func TestFind(t *testing.T) {
	want := []string{"deepwalk", "node2vec", "dgi", "polydw", "splitter", "asp2vec", "prone", "ppr", "m2v++", "camel", "tapem", "asp2vec-het", "metapath2vec"}
	if got := slices.DeleteFunc(Names(), func(name string) bool { return !slices.Contains(want, name) }); !slices.Equal(got, want) { // beside what was added
		t.Errorf("methods %v, expected %v", got, want)
	}
	for _, m := range All() {
		if found, err := Find(m.Name); err != nil || found != m {
			t.Errorf("%s: found %v, %v", m.Name, found, err)
		}
	}
	if _, err := Find("deepwak"); err == nil || !strings.Contains(err.Error(), `"deepwak": expected one of deepwalk, node2vec`) {
		t.Errorf("error %v", err)
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
		if reflect.TypeOf(d.Default).Kind() != d.Kind() {
			t.Errorf("%s: the default is %v, expected a %v", d.Key, d.Default, d.Kind())
		}
	}
	for _, m := range All() {
		for _, word := range m.Options { // a part, or an option
			if !slices.ContainsFunc(graphs.OptionsOf(m, graphs.Validated).Options(), func(p option.Param) bool { return p.Key == word || slices.Contains(p.Parts, word) }) {
				t.Errorf("%s has the options %s, which nothing is declared as", m.Name, word)
			}
		}
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
		t.Errorf("own options %+v, %v: expected %+v", o.Own, err, want)
	}
	for text, want := range map[string]string{`{"p":"x"}`: "option p", `{"method":"dgi"}`: "expected those of node2vec", `[]`: "array"} {
		if _, err := Decode("node2vec", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
	if _, err := Decode("no-such", []byte(`{}`)); err == nil {
		t.Error("an unknown method has options")
	}
}

// What stands at a field is what is checked: for every option of every method a value out of its range is refused by its name, and
// its default is not.
func TestDeclaredRanges(t *testing.T) {
	for _, m := range All() {
		for _, d := range graphs.OptionsOf(m, graphs.Validated).Options() {
			if err := d.Check(d.Default); err != nil {
				t.Errorf("%s, the default: %v", m.Name, err)
			}
			if d.Range() == "" {
				continue
			}
			for _, value := range map[reflect.Kind][]any{
				reflect.String: {"no-such-word"}, reflect.Int: {-1, math.MinInt}, reflect.Float64: {math.NaN(), math.Inf(1), math.Inf(-1)},
			}[d.Kind()] {
				refused(t, m.Name, d.Key, value)
			}
		}
	}
}

// refused sets an option that a method has to a value, and wants an error that names it and says what is wanted.
func refused(t *testing.T, method, key string, value any) {
	t.Helper()
	o, err := Options(method, graphs.Validated)
	if err == nil {
		err = o.Set(key, value)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Validate(); err == nil || !strings.Contains(err.Error(), key+" = ") || !strings.Contains(err.Error(), ": expected ") {
		t.Errorf("%s with %s = %v: error %v", method, key, value, err)
	}
}

// A cell is refused where no unit has it.
func TestCellOfMean(t *testing.T) {
	o, err := Options(hetnet.MethodCamel, graphs.Validated)
	if err == nil {
		err = o.Set("encoder", hetnet.EncoderMean)
	}
	if err == nil {
		err = o.Validate()
	}
	if err == nil {
		err = o.Set("cell", hetnet.CellResetBefore)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Validate(); err == nil || !strings.Contains(err.Error(), `encoder = "mean" does not read: expected encoder = "gru"`) {
		t.Errorf("cell of another encoder: error %v", err)
	}
}

// The words of meta-paths are more than a list of words says: the error speaks of the path.
func TestMetaPaths(t *testing.T) {
	o, err := Options(hetnet.MethodAsp2vecHet, graphs.Validated)
	if err == nil {
		err = o.Set("meta-paths", "apa")
	}
	if err != nil || o.Validate() == nil {
		t.Errorf("%v, and a path in small letters is taken", err)
	}
}
