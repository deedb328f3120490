package papers

import (
	"strings"
	"unicode"
)

// Tokens returns the words of a text: the runs of letters, marks and digits, in lower case. Everything else separates words, and
// none is left out.
func Tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}
