// Package pickle reads data that Python pickled: numbers, strings, lists, tuples, dicts and numpy arrays.
//
// A pickle is a program for a small machine, which may name any class or function. Here it runs in
// github.com/nlpodyssey/gopickle, which executes no code, and the names that it may use are the few of numpy.go: all others are
// refused.
package pickle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"

	"github.com/nlpodyssey/gopickle/pickle"
	"github.com/nlpodyssey/gopickle/types"
)

// MaxSize is the length in bytes of the longest file that is read: GitHub keeps none above 100 MiB.
const MaxSize = 256 << 20

// Read reads a pickle to its end: nil, bool, int, float64, string, []byte, *Array, and lists and dicts, which Items and Entries take
// apart. What it returns may hold itself, and one list may be in it many times.
//
// Errors call it by the name of its file: it is longer than MaxSize or no pickle, ends early, names a class that is not known here, or has
// an array whose bytes do not fit its shape.
func Read(r io.Reader, file string) (any, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("is longer than %d MiB: expected a smaller one", MaxSize>>20)
	}
	var v any
	if err == nil {
		v, err = decode(data)
	}
	if err != nil {
		return nil, fmt.Errorf("pickle: %s: %w", file, err)
	}
	return v, nil
}

// protocolMark begins pickles of protocol 2 and later ones, whose strings have no escapes: gopickle would take those for themselves.
const protocolMark = '\x80'

func decode(data []byte) (v any, err error) {
	if len(data) > 0 && data[0] != protocolMark && bytes.ContainsRune(data, '\\') {
		return nil, errors.New("has a backslash in protocol 0 or 1, whose escapes are not read: expected it pickled with protocol=2 or a later one")
	}
	defer func() {
		// gopickle slices what programs leave on the stack without looking, so that one that is not sound ends in a panic.
		if r := recover(); r != nil {
			v, err = nil, damaged(r)
		}
	}()
	if err := checkLengths(data); err != nil {
		return nil, damaged(err)
	}
	u := pickle.NewUnpickler(bytes.NewReader(data))
	u.FindClass = findClass
	v, err = u.Load()
	if refused := (*refusal)(nil); err != nil && !errors.As(err, &refused) {
		err = damaged(err)
	}
	return v, err
}

// lengthBytes is of how many bytes the length is that follows an opcode, before so many bytes; argumentBytes is how many follow others.
var (
	lengthBytes = map[byte]int{'U': 1, 'C': 1, 0x8a: 1, 0x8c: 1, 'T': 4, 'X': 4, 'B': 4, 0x8b: 4, 0x8d: 8, 0x8e: 8, 0x95: 8, 0x96: 8}

	argumentBytes = map[byte]int{'K': 1, 'h': 1, 'q': 1, 0x80: 1, 0x82: 1, 'M': 2, 0x83: 2, 'J': 4, 'j': 4, 'r': 4, 0x84: 4, 'G': 8}
	argumentLines = map[byte]int{'F': 1, 'I': 1, 'L': 1, 'S': 1, 'V': 1, 'g': 1, 'p': 1, 'P': 1, 'c': 2, 'i': 2}
)

// checkLengths returns an error for a length in a pickle that goes beyond its end: gopickle takes as much memory as it says.
//
// Source: pickletools.py of Python.
func checkLengths(data []byte) error {
	const frame, stop = 0x95, '.'
	for i := 0; i < len(data) && data[i] != stop; {
		op := data[i]
		i++
		if n := lengthBytes[op]; n > 0 && i+n <= len(data) {
			var length uint64
			for j := n; j > 0; j-- {
				length = length<<8 | uint64(data[i+j-1])
			}
			if i += n; length > uint64(len(data)-i) {
				return fmt.Errorf("%d bytes follow, and %d are there", length, len(data)-i)
			}
			if op != frame { // whose content is opcodes
				i += int(length)
			}
		}
		i += argumentBytes[op]
		for range argumentLines[op] {
			if i < len(data) {
				end := bytes.IndexByte(data[i:], '\n')
				if end < 0 {
					return nil
				}
				i += end + 1
			}
		}
	}
	return nil
}

// damaged is the error of gopickle, which may hold any byte of the file, in one line.
func damaged(err any) error {
	text := strconv.Quote(fmt.Sprint(err))
	return fmt.Errorf("is damaged or is no pickle: %.200s: expected a whole one; was it cut off?", text[1:len(text)-1])
}

// refusal is an error that says all there is to say.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// Items returns the items of a list or a tuple, and whether v is one.
func Items(v any) ([]any, bool) {
	switch v := v.(type) {
	case *types.List:
		return *v, true
	case *types.Tuple:
		return *v, true
	}
	return nil, false
}

// Entries returns what a dict holds, in its order, and whether v is one. Of a key that is there twice both are returned.
func Entries(v any) ([]types.DictEntry, bool) {
	d, ok := v.(*types.Dict)
	if !ok {
		return nil, false
	}
	return *d, true
}

// Text returns a string, or a whole number in digits, and whether v is one of them: what an id can be.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	case int:
		return strconv.Itoa(v), true
	}
	return "", false
}

// Kind says in a few words what v is, for errors.
func Kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a bool"
	case int, *big.Int:
		return "a whole number"
	case float64:
		return "a float"
	case string:
		return "a string"
	case []byte, *types.ByteArray:
		return "bytes"
	case *types.List:
		return fmt.Sprintf("a list of %d", len(*v))
	case *types.Tuple:
		return fmt.Sprintf("a tuple of %d", len(*v))
	case *types.Dict:
		return fmt.Sprintf("a dict of %d", len(*v))
	case *Array:
		return fmt.Sprintf("an array %v", v.Shape)
	}
	return "something else"
}
