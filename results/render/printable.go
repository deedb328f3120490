package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a name as it can stand in a line of text, a table or a terminal: as it is, or if it holds anything that is
// not printed, such as a tab, a line end, an escape or bytes that are not UTF-8, with \t, \n, \x1b, ... for those.
func Printable(name string) string {
	if utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return name
	}
	quoted := strconv.Quote(name)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Safe returns a text of several lines without what would steer a terminal or turn around what is shown: control characters but line ends
// and tabs, and those that change the direction of writing, are written as Printable writes them.
func Safe(text string) string {
	return spelled(text, func(r rune) string { return strings.Trim(strconv.QuoteRuneToASCII(r), "'") })
}

// SafeJSON is Safe for a JSON document, which says the same after it: within a string, as JSON has none of them elsewhere.
func SafeJSON(text []byte) []byte {
	return []byte(spelled(string(text), func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }))
}

// spelled returns a text in which what steers is spelled.
func spelled(text string, spell func(r rune) string) string {
	if strings.IndexFunc(text, steers) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if steers(r) {
			b.WriteString(spell(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
