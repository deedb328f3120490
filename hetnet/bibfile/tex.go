package bibfile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// accents are the characters that combine with the letter before them, by the commands of LaTeX.
var accents = map[string]rune{
	"`": 0x300, "'": 0x301, "^": 0x302, "~": 0x303, "=": 0x304, "u": 0x306, ".": 0x307, `"`: 0x308, "r": 0x30a, "H": 0x30b, "v": 0x30c,
	"d": 0x323, "c": 0x327, "k": 0x328, "b": 0x331,
}

// letters are those that have a command of their own.
var letters = map[string]string{
	"ss": "ß", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "l": "ł", "L": "Ł", "i": "i", "j": "j",
	"dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "textendash": "–", "textquoteright": "’", "dj": "đ", "DJ": "Đ",
}

// fromTeX returns the text of a value of BibTeX: accents and letters of LaTeX as characters, other commands gone but not what they are
// of, without braces, on one line.
func fromTeX(s string) string {
	var out strings.Builder
	for s != "" {
		switch c := s[0]; {
		case c == '\\':
			var text string
			text, s = texCommand(s[1:])
			out.WriteString(text)
			continue
		case c == '{' || c == '}' || c == '$':
		case c == '~':
			out.WriteByte(' ')
		default:
			out.WriteByte(c)
		}
		s = s[1:]
	}
	return norm.NFC.String(strings.Join(strings.Fields(out.String()), " "))
}

// texCommand returns what the command at the beginning of s, without its backslash, stands for, and what follows it.
func texCommand(s string) (text, rest string) {
	if s == "" {
		return "", ""
	}
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	word := s[:n]
	if n == 0 { // one sign
		word = s[:1]
		n = 1
	}
	rest = s[n:]
	if unicode.IsLetter(rune(word[0])) {
		rest = strings.TrimLeft(rest, " ")
	}
	if letter, ok := letters[word]; ok {
		return letter, rest
	}
	accent, ok := accents[word]
	if !ok {
		if strings.Contains(`&%$#_{}-, `, word) {
			return word, rest
		}
		return "", rest
	}
	rest = strings.TrimLeft(rest, "{ ")
	if strings.HasPrefix(rest, `\`) {
		base, rest := texCommand(rest[1:])
		return base + string(accent), rest
	}
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 || !unicode.IsLetter(r) {
		return "", rest
	}
	return string(r) + string(accent), rest[size:]
}
