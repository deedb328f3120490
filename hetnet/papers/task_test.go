package papers

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestHalves(t *testing.T) {
	for _, c := range []struct{ names, validation, test []string }{
		// As the golden example has it: of five papers the first three.
		{[]string{"11", "12", "13", "14", "15"}, []string{"11", "12", "13"}, []string{"14", "15"}},
		{[]string{"100", "20", "3", "-5"}, []string{"-5", "3", "20"}, []string{"100"}},                     // by value
		{[]string{"100", "20", "3", "x"}, []string{"100", "20", "3"}, []string{"x"}},                       // by bytes
		{[]string{"b", "a", "c"}, []string{"a", "b"}, []string{"c"}},                                       //
		{[]string{"7", "07", "1"}, []string{"1", "07"}, []string{"7"}},                                     // of equal value, by bytes
		{[]string{"99999999999999999999", "1", "2"}, []string{"1", "2"}, []string{"99999999999999999999"}}, // too large: by bytes
		{[]string{"9", "8", "7", "6", "5", "4"}, []string{"4", "5", "6", "7"}, []string{"8", "9"}},         // 0 to ⌊6/2⌋
		{[]string{"1", "2", "3", "4", "5", "6", "7"}, []string{"1", "2", "3", "4"}, []string{"5", "6", "7"}},
	} {
		var b Bibliography
		for _, name := range c.names {
			b.Test = append(b.Test, Paper{Question: typed.Question{Name: name}})
		}
		got := call.Of(b.Task())(t)
		names := func(half []typed.Question) (list []string) {
			for _, q := range half {
				list = append(list, q.Name)
			}
			return list
		}
		if !slices.Equal(names(got.Validation), c.validation) || !slices.Equal(names(got.Test), c.test) {
			t.Errorf("%v: %v and %v, expected %v and %v", c.names, names(got.Validation), names(got.Test), c.validation, c.test)
		}
	}
	few := flat{Name: "few"}.bibliography(t)
	few.Test = make([]Paper, 2)
	call.Refused(t)(few.Task())
}
