package pickle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// argument says what follows an opcode.
type argument byte

const (
	unknown argument = iota
	nothing
	bytes1
	bytes2
	bytes4
	bytes8
	oneLine
	twoLines
	counted1 // bytes, after their number in 1, 4 or 8 bytes
	counted4
	counted8
	refused // would reach outside of the pickle
)

// fixedBytes and lines say how long an argument is, at least.
var (
	fixedBytes = [...]int{bytes1: 1, bytes2: 2, bytes4: 4, bytes8: 8, counted1: 1, counted4: 4, counted8: 8, refused: 0}
	lines      = [...]int{oneLine: 1, twoLines: 2, refused: 0}
)

// arguments are those of the opcodes of protocols 0 to 5, by Lib/pickletools.py of CPython.
var arguments = func() (a [256]argument) {
	for codes, arg := range map[string]argument{
		"(.012NRabd}elost)u]\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94\x98": nothing,
		"Khq\x80":            bytes1,
		"M":                  bytes2,
		"Jjr":                bytes4,
		"G\x95":              bytes8,
		"FILSVgp":            oneLine,
		"ci":                 twoLines,
		"UC\x8c\x8a":         counted1,
		"TBX\x8b":            counted4,
		"\x8d\x8e\x96":       counted8,
		"PQ\x82\x83\x84\x97": refused,
	} {
		for i := range len(codes) {
			a[codes[i]] = arg
		}
	}
	return a
}()

// cost is about what an opcode makes gopickle allocate, in bytes, beside the bytes of its argument.
func cost(code byte) int {
	switch code {
	case '(': // a stack of its own
		return 300
	case ']', '}', '\x8f', 'l', 'd', '\x91':
		return 200
	case 'p', 'q', 'r', '\x94': // an entry of a map
		return 100
	case '.', '0', '1', '\x80', '\x95', '\x98', 'a', 'e', 's', 'u', 'b', '\x90':
		return 32
	}
	return 64
}

// check reads the opcodes of a pickle up to its end, and returns it as gopickle can run it. It fails if an argument goes on
// after the end of the data, so that no length is believed; if much more memory would be taken than files of that length
// take; for opcodes that are not known, or that ask for something outside; and for bytes after the end.
//
// Differs from the data: frames are gone, which say nothing but where to read ahead; the strings of protocol 0, whose escapes
// gopickle leaves as they are, are counted strings; the number 0 in no bytes is one in one byte.
func check(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, refuse("is empty: want a pickle")
	}
	budget := 64<<20 + 32*len(data)
	out := make([]byte, 0, len(data))
	for at := 0; at < len(data); {
		start := at
		code := data[at]
		at++
		kind := arguments[code]
		fixed := fixedBytes[kind]
		if kind == unknown || kind == refused {
			if start == 0 {
				return nil, refuse("begins with %q: want a pickle", data[:min(8, len(data))])
			}
			if kind == refused {
				return nil, refuse("asks for something outside of it (opcode %#x, byte %d): want a pickle of data alone", code, start)
			}
			return nil, refuse("is damaged: opcode %#x at byte %d is not known: want a pickle of protocol 0 to 5", code, start)
		}
		if budget -= cost(code); budget < 0 {
			return nil, refuse("would take far more memory than a file of %d bytes should: want a pickle as Python wrote it", len(data))
		}
		if len(data)-at < fixed {
			return nil, cutOff(start)
		}
		length := uint64(0)
		switch kind {
		case counted1:
			length = uint64(data[at])
		case counted4:
			length = uint64(binary.LittleEndian.Uint32(data[at:]))
		case counted8:
			length = binary.LittleEndian.Uint64(data[at:])
		}
		at += fixed
		if length > uint64(len(data)-at) {
			return nil, refuse("claims %d bytes at byte %d and has %d more: want the whole file; was it cut off?", length, start, len(data)-at)
		}
		at += int(length)
		for range lines[kind] {
			n := bytes.IndexByte(data[at:], '\n')
			if n < 0 {
				return nil, cutOff(start)
			}
			at += n + 1
		}
		switch {
		case code == '.':
			if rest := len(data) - at; rest > 0 {
				return nil, refuse("goes on for %d bytes after its end: want one pickle", rest)
			}
			return append(out, code), nil
		case code == '\x80' && data[at-1] > 5:
			return nil, refuse("is of protocol %d: want 0 to 5", data[at-1])
		case code == '\x95':
		case code == '\x8a' && length == 0, code == '\x8b' && length == 0:
			out = append(out, 'K', 0)
		case code == 'V':
			text, err := unescapeUnicode(data[start+1 : at-1])
			if err != nil {
				return nil, refuse("is damaged: byte %d: %v", start, err)
			}
			out = appendCounted(out, 'X', text)
		case code == 'S':
			text, err := unescapeString(data[start+1 : at-1])
			if err != nil {
				return nil, refuse("is damaged: byte %d: %v", start, err)
			}
			out = appendCounted(out, 'T', text)
		default:
			out = append(out, data[start:at]...)
		}
	}
	return nil, cutOff(len(data))
}

func cutOff(at int) error {
	return refuse("ends in the middle, at byte %d: want the whole file; was it cut off?", at)
}

func appendCounted(out []byte, code byte, text []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(append(out, code), uint32(len(text))), text...)
}

// unescapeUnicode decodes Latin-1 with \uXXXX and \UXXXXXXXX, as protocol 0 has Unicode, to UTF-8.
func unescapeUnicode(s []byte) ([]byte, error) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		digits := 0
		if s[i] == '\\' && i+1 < len(s) {
			digits = map[byte]int{'u': 4, 'U': 8}[s[i+1]]
		}
		if digits == 0 {
			out = utf8.AppendRune(out, rune(s[i]))
			i++
			continue
		}
		if len(s) < i+2+digits {
			return nil, fmt.Errorf("the escape %q is cut off", s[i:])
		}
		n, err := strconv.ParseUint(string(s[i+2:i+2+digits]), 16, 32)
		if err != nil || n > math.MaxInt32 {
			return nil, fmt.Errorf("the escape %q: want hexadecimal digits", s[i:i+2+digits])
		}
		out = utf8.AppendRune(out, rune(n))
		i += 2 + digits
	}
	return out, nil
}

// unescapeString decodes a string as Python 2 prints it, in quotes, which protocol 0 has for bytes.
func unescapeString(s []byte) ([]byte, error) {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '\'' && s[0] != '"' {
		return nil, fmt.Errorf("the string %.40q has no quotes", s)
	}
	s = s[1 : len(s)-1]
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		if i++; i == len(s) {
			return nil, fmt.Errorf("a string ends in a backslash")
		}
		if c, ok := plainEscapes[s[i]]; ok {
			out = append(out, c)
			continue
		}
		digits, base := s[i:min(i+3, len(s))], 8
		if s[i] == 'x' {
			digits, base = s[i+1:min(i+3, len(s))], 16
		}
		n, err := strconv.ParseUint(string(digits), base, 8)
		if err != nil {
			return nil, fmt.Errorf("the escape %.4q is not known", s[i-1:])
		}
		out = append(out, byte(n))
		i += 2
	}
	return out, nil
}

var plainEscapes = map[byte]byte{'\\': '\\', '\'': '\'', '"': '"', 'n': '\n', 'r': '\r', 't': '\t', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}
