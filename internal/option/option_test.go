package option

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/registry"
)

type corner struct {
	Half float64 `json:"half" default:"0.5" range:"(0,1)" help:"h"`
}

type sample struct {
	corner
	Count  int     `json:"count" default:"3" range:"[1,10]" group:"G" help:"<N> things"`
	Epochs int     `json:"epochs" range:"[1,)" zero:"as many as it takes"`
	Rate   float64 `json:"rate" default:"1" range:"[0,)"`
	Below  float64 `json:"below" range:"[0,1)" part:"x,y" undoes:"rate" written:"given"`
	Word   string  `json:"word" default:"a" of:"a,b"`
	File   string  `json:"file" commas:"yes"`
	On     bool    `json:"on" default:"true"`
	Seed   uint64  `json:"seed" default:"18446744073709551615"`
	Hidden int     `json:"-"`
}

func optionOf(t *testing.T, key string) Param {
	t.Helper()
	o, ok := Find(Of(reflect.TypeFor[sample]()), key)
	if !ok {
		t.Fatalf("no option %s", key)
	}
	return o
}

func TestOf(t *testing.T) {
	var keys []string
	for _, o := range Of(reflect.TypeFor[sample]()) {
		keys = append(keys, o.Key)
	}
	if got, want := strings.Join(keys, " "), "half count epochs rate below word file on seed"; got != want {
		t.Errorf("options %s, expected %s", got, want)
	}
	want := sample{corner: corner{0.5}, Count: 3, Rate: 1, Word: "a", On: true, Seed: math.MaxUint64}
	if got := Defaults[sample](); got != want {
		t.Errorf("defaults %+v, expected %+v", got, want)
	}
	if o := optionOf(t, "file"); !o.Commas || o.Kind() != reflect.String {
		t.Errorf("file: %+v", o)
	}
}

func TestCheck(t *testing.T) {
	for key, c := range map[string]struct {
		right, wrong []any
		want         string
	}{
		"half":   {[]any{1e-9, 0.999}, []any{0.0, 1.0, math.NaN()}, "expected a number above 0 and below 1"},
		"count":  {[]any{1, 10}, []any{0, 11, math.MinInt}, "expected 1 to 10"},
		"epochs": {[]any{0, 1, math.MaxInt}, []any{-1}, "expected at least 1, or 0: as many as it takes"},
		"rate":   {[]any{0.0, 1e300}, []any{-1e-9, math.Inf(1), math.NaN()}, "expected a number, at least 0"},
		"below":  {[]any{0.0, 0.99}, []any{1.0, -0.1}, "expected a number at least 0 and below 1"},
		"word":   {[]any{"a", "b"}, []any{"", "c"}, "expected one of a, b"},
		"file":   {[]any{"", "anything"}, nil, ""},
		"on":     {[]any{true, false}, nil, ""},
	} {
		o := optionOf(t, key)
		for _, v := range c.right {
			if err := o.Check(v); err != nil {
				t.Errorf("%s = %v: %v", key, v, err)
			}
		}
		for _, v := range c.wrong {
			if err := o.Check(v); err == nil || !strings.HasPrefix(err.Error(), key+" = ") || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%s = %v: error %v, expected %q", key, v, err, c.want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for key, c := range map[string]struct {
		text string
		want any
	}{"count": {"1_0", 10}, "rate": {"1e-3", 1e-3}, "on": {"False", false}, "word": {"7", "7"}, "seed": {"9", uint64(9)}} {
		if got, err := optionOf(t, key).Parse(c.text); err != nil || got != c.want {
			t.Errorf("%s: %v, %v: expected %v", key, got, err, c.want)
		}
	}
	for text, want := range map[string]string{"1.5": `option count: "1.5": expected a whole number`, ".nan": `option rate: ".nan": expected a number`, "1e999": `option rate: "1e999": expected a number`, "t": `option on: "t": expected true or false`} {
		key := strings.Fields(strings.ReplaceAll(want, ":", ""))[1]
		if _, err := optionOf(t, key).Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, expected %s", key, err, want)
		}
	}
}

// A mistake in a tag is found when the program starts, not when the option is used.
func TestTagsThatCannotBeRead(t *testing.T) {
	for name, of := range map[string]reflect.Type{
		"range": reflect.TypeFor[struct {
			A int `json:"a" range:"1 to 3"`
		}](),
		"default": reflect.TypeFor[struct {
			A int `json:"a" default:"many"`
		}](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a wrong %s is taken", name)
				}
			}()
			Of(of)
		}()
	}
}

// What a tag says of who reads an option, of what it takes back and of records.
func TestTags(t *testing.T) {
	if p := optionOf(t, "below"); !slices.Equal(p.Parts, []string{"x", "y"}) || !slices.Equal(p.Undoes, []string{"rate"}) || !p.Given {
		t.Errorf("below: %+v", p)
	}
	if p := optionOf(t, "rate"); p.Parts != nil || p.Undoes != nil || p.Given {
		t.Errorf("rate: %+v", p)
	}
}

type declares struct{ Parameters []Param }

// Hyperparameters of a registry are each there once, with who reads it, and numbers whatever their defaults are written as.
func TestDeclared(t *testing.T) {
	sharp := Param{Key: "b", Help: "how sharp", Default: 2, Max: 9, OpenMin: true}
	r := registry.New[declares]("selection")
	r.Add("one", declares{[]Param{sharp}})
	r.Add("none", declares{})
	r.Add("two", declares{[]Param{sharp, {Key: "a", Help: "none", Max: 1}}})
	all, err := Declared("selection", r)
	if len(all) != 2 || all[0].Key != "a" || all[0].Default != 0. || !slices.Equal(all[0].Readers, []string{"two"}) {
		t.Fatalf("%+v", all)
	}
	if p := (Param{Key: "a", Max: 1}); p.Check(0.5) != nil || p.Check(2.) == nil || p.Range() != "a number from 0 to 1" {
		t.Errorf("without a default: %v, %v, %q", p.Check(0.5), p.Check(2.), p.Range())
	}
	if want := "one, two: how sharp, a number above 0 and at most 9"; all[1].Usage() != want || all[1].Default != 2. || sharp.Default != 2 {
		t.Errorf("%+v: expected %q", all[1], want)
	}
	if err != nil {
		t.Error(err)
	}
	for _, other := range []Param{{Key: "b", Help: "how sharp", Default: 3, Max: 9, OpenMin: true}, {Key: "b", Default: 2, Max: 8, OpenMin: true}, {Key: "d", Default: "a word"}} {
		r.Add("three", declares{[]Param{other}})
		if _, err := Declared("selection", r); err == nil || !strings.Contains(err.Error(), "selection one") && other.Key == "b" || !strings.Contains(err.Error(), "three (internal/option/option_test.go)") {
			t.Errorf("%+v: %v: expected an error that names both", other, err)
		}
		r.Remove("three")
	}
	if v := Usual(r.Get("two").Parameters); v.Of("b") != 2 || v.Of("a") != 0 || !math.IsNaN(v.Of("c")) {
		t.Errorf("%v", v)
	}
	r.Add("one", declares{})
	if _, err := Declared("selection", r); err == nil || !strings.Contains(err.Error(), `"one"`) || strings.Count(err.Error(), "option_test.go") != 2 || len(r.Get("one").Parameters) != 1 {
		t.Errorf("two entries of one name: %v: expected the first one, and an error that names both files", err)
	}
}
