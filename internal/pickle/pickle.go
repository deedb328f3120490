// Package pickle reads data that Python pickled: numbers, strings, lists, tuples, dicts and numpy arrays.
//
// A pickle is a program for a small machine, which may name any class or function. Here it runs in
// github.com/nlpodyssey/gopickle, which executes no code, and the names that it may use are the few of numpy.go: all others are
// refused. Lengths in a file from elsewhere may claim anything, and gopickle believes them: they are checked beforehand.
package pickle

import (
	"bytes"
	"encoding/binary"
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
// Errors call it by the name of its file: it is longer than MaxSize or no pickle, ends early or goes on after the end, would take far
// more memory than its length, names a class that is not known here, or has an array whose bytes do not fit its shape. It never panics.
func Read(r io.Reader, file string) (any, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("is longer than %d MiB: want a smaller one", MaxSize>>20)
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

func decode(data []byte) (v any, err error) {
	if err := check(data); err != nil {
		return nil, err
	}
	defer func() {
		// gopickle slices what programs leave on the stack without looking, so that one that is not sound ends in a panic.
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("is damaged: %.200v: want a pickle as Python wrote it", r)
		}
	}()
	u := pickle.NewUnpickler(bytes.NewReader(data))
	u.FindClass = findClass
	v, err = u.Load()
	if refused := (*refusal)(nil); err != nil && !errors.As(err, &refused) {
		err = fmt.Errorf("is damaged: %.200s: want a pickle as Python wrote it", err)
	}
	return v, err
}

// refusal is an error that says all there is to say.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// argument returns what follows an opcode: a length of so many bytes with the bytes that it counts, or so many bytes, or lines.
//
// Source: Lib/pickletools.py of CPython, protocols 0 to 5.
func argument(code byte) (length, fixed, lines int) {
	switch code {
	case 'U', 'C', '\x8c', '\x8a':
		return 1, 0, 0
	case 'T', 'B', 'X', '\x8b':
		return 4, 0, 0
	case '\x8d', '\x8e', '\x96', '\x95':
		return 8, 0, 0
	case 'K', 'h', 'q', '\x80':
		return 0, 1, 0
	case 'M':
		return 0, 2, 0
	case 'J', 'j', 'r':
		return 0, 4, 0
	case 'G':
		return 0, 8, 0
	case 'F', 'I', 'L', 'S', 'V', 'P', 'g', 'p':
		return 0, 0, 1
	case 'c', 'i':
		return 0, 0, 2
	}
	return 0, 0, 0
}

// cost is about what an opcode makes gopickle allocate, in bytes, beside its argument.
func cost(code byte) int {
	switch code {
	case '(', ']', '}', '\x8f', 'l', 'd', '\x91': // a stack, list or dict of its own
		return 300
	case 'p', 'q', 'r', '\x94': // an entry of a map
		return 100
	}
	return 64
}

// check walks along the opcodes of a pickle up to its end. It returns an error if an argument goes on after the end of the data, if
// much more memory would be taken than files of that length take, and for strings that gopickle would not read rightly.
func check(data []byte) error {
	budget := 64<<20 + 32*len(data)
	for at := 0; at < len(data); {
		start, code := at, data[at]
		at++
		if code == '.' {
			if rest := len(data) - at; rest > 0 {
				return fmt.Errorf("goes on for %d bytes after its end: want one pickle", rest)
			}
			return nil
		}
		if budget -= cost(code); budget < 0 {
			return fmt.Errorf("would take far more memory than a file of %d bytes should: want a pickle as Python wrote it", len(data))
		}
		length, fixed, lines := argument(code)
		if len(data)-at < length+fixed {
			break
		}
		var counted [8]byte
		copy(counted[:], data[at:at+length])
		at += length + fixed
		n := binary.LittleEndian.Uint64(counted[:])
		if n > uint64(len(data)-at) {
			return fmt.Errorf("claims %d bytes at byte %d and has %d more: want the whole file; was it cut off?", n, start, len(data)-at)
		}
		if code != '\x95' { // a frame, whose opcodes follow
			at += int(n)
		}
		for range lines {
			end := bytes.IndexByte(data[at:], '\n')
			if end < 0 {
				end = len(data) - at - 1
			}
			if (code == 'S' || code == 'V') && bytes.IndexByte(data[at:max(at, at+end)], '\\') >= 0 {
				return fmt.Errorf("has an escape in a string of protocol 0 at byte %d: want it pickled with protocol=2 or a later one", start)
			}
			at += end + 1
		}
	}
	return errors.New("ends in the middle, or is no pickle: want a whole one; was it cut off?")
}

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
