package results

import (
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
