package vectors

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// Ways to write names in files whose columns are separated by spaces.
const (
	SpellingEscaped     = "escaped"     // white space and backslashes as WriteVec has them: ReadVec turns them back
	SpellingUnderscores = "underscores" // white space as _
	SpellingPlain       = "plain"       // as they are: many readers take a name with a space for several columns
)

// Spellings returns the ways to write names, the default first.
func Spellings() []string { return []string{SpellingEscaped, SpellingUnderscores, SpellingPlain} }

// Spell returns names as files whose columns are separated by spaces hold them. It fails for a way that is unknown, and where
// two names become the same.
func Spell(names []string, how string) ([]string, error) {
	var one func(string) string
	switch how {
	case SpellingEscaped:
		one = escapeName
	case SpellingUnderscores:
		one = func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return '_'
				}
				return r
			}, s)
		}
	case SpellingPlain:
		return names, nil
	default:
		return nil, fmt.Errorf("vectors: names %q: expected one of %s", how, strings.Join(Spellings(), ", "))
	}
	out := seq.Map(names, one)
	if how == SpellingEscaped { // which keeps different names apart
		return out, nil
	}
	if twice, ok := duplicate(out); ok {
		i := slices.Index(out, twice)
		j := i + 1 + slices.Index(out[i+1:], twice)
		return nil, fmt.Errorf("vectors: the names %q and %q are both written %q: expected --names %s", names[i], names[j], twice, SpellingEscaped)
	}
	return out, nil
}
