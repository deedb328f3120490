package graphs

import (
	"strings"
	"testing"
)

// What a protocol sets for all methods comes first, of options that the method reads; then what the method has for itself, always and under the
// protocol; and what it fixes stays.
func TestSets(t *testing.T) {
	m := deepWalkMethod()
	m.Name = "of a test"
	m.Options = []string{"corpus", "epochs"}
	m.Sets = Sets{
		"always": {"walks": 7, "window": 5, "patience": 0}, "paper": {"window": 6}, "fixed": {"negatives": 9},
		"unset": {"patience": 3}, "unset, select last": {"patience": 4},
	}
	o := OptionsOf(m, Paper)
	if o.Walks != 7 || o.Window != 6 || o.Order != "grouped" || o.Noise != NoisePair || o.Negatives != 9 || o.Aspects != 1 || o.WarmUp {
		t.Errorf("%+v", o)
	}
	if OptionsOf(m, Standard).PairsPerVertex != 0 {
		t.Error("a protocol sets what the method does not read")
	}
	for selected, want := range map[string]int{SelectTest: 3, SelectLast: 4} {
		o.Select, o.Negatives = selected, 1
		if c := o.Complete(); c.Patience != want || c.Negatives != 9 || c.Epochs == 0 {
			t.Errorf("select %s: %+v, expected a patience of %d", selected, c, want)
		}
	}
}

// A file of protocols that the program cannot use is found when it is read.
func TestProtocolsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"protocls: {}":                       "unknown field",
		"methods: {no-such: {}}":             "method no-such: expected one",
		"methods: {prone: {always: {}}}":     "method prone: expected one that sets nothing itself",
		"methods: {splitter: {always: {a: 1": "protocols: ",
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, want) {
					t.Errorf("%s: %q, expected %q", text, said, want)
				}
			}()
			Described([]byte(text), proneMethod, splitterMethod)
		}()
	}
	for _, values := range []map[string]any{{"no-such": 1}, {"walks": "many"}, {"order": 3.5, "walks": 1.5}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v are taken", values)
				}
			}()
			o := Default()
			o.setAll(values)
		}()
	}
}
