package vectors

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestSpell(t *testing.T) {
	names := []string{"person 0", `a\b`, "Ñandú", "tab\there"}
	for how, want := range map[string][]string{
		SpellingEscaped:     {`person\s0`, `a\\b`, "Ñandú", `tab\there`},
		SpellingUnderscores: {"person_0", `a\b`, "Ñandú", "tab_here"},
		SpellingPlain:       names,
	} {
		got, err := Spell(names, how)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, error %v: expected %q", how, got, err, want)
		}
		var text bytes.Buffer
		if err := WriteSpelledVec(&text, got, []float32{1, 2, 3, 4}, 1); err != nil || !strings.HasPrefix(text.String(), "4 1\n"+want[0]+" 1\n") {
			t.Errorf("%s: error %v:\n%s", how, err, text.String())
		}
	}
	call.Refused(t, `"a b" and "a_b" are both written "a_b"`)(Spell([]string{"a b", "a_b"}, SpellingUnderscores))
	call.Refused(t, "expected one of escaped, underscores, plain")(Spell(names, "html"))
}
