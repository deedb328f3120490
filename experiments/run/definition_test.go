package run

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// Every method, and every entry that an option can choose, is a unit, and every run passes through known ones.
func TestUnits(t *testing.T) {
	units := sourceUnits()
	for _, m := range methods.All() {
		for _, protocol := range Protocols {
			o := graphs.OptionsOf(m, graphs.Protocol(protocol)).Complete()
			for _, unit := range unitsOf(o) {
				if _, here := units[unit]; !here {
					t.Errorf("%s, %s: no unit %q", m.Name, protocol, unit)
				}
			}
		}
	}
	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
	hard := o
	hard.Selection = "hard"
	if Definition(o) == Definition(hard) {
		t.Error("two selections are one definition")
	}
}

// named returns the options that a text such as "asp2vec readout=max" names, over those of protocol standard; of no text, asp2vec's.
func named(t *testing.T, text string) graphs.Options {
	t.Helper()
	fields := strings.Fields(cmp.Or(text, graphs.MethodAsp2vec))
	o, err := methods.Options(fields[0], graphs.Standard)
	for _, f := range fields[1:] {
		key, value, _ := strings.Cut(f, "=")
		err = errors.Join(err, o.Set(key, value))
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}
