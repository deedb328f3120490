// Package pickle reads data that Python pickled: numbers, strings, lists, tuples, dicts and numpy arrays, of protocols 0 to 5.
//
// A pickle is a program for a small machine, which may name any class or function. Here it runs in
// github.com/nlpodyssey/gopickle, which executes no code, and the names that it may use are the few of numpy.go: all others are
// refused. The program is read through beforehand (see check), since lengths in a file from elsewhere may claim anything.
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

// Value is what a pickle holds: nil, bool, int, *big.Int, float64, string, []byte, *Array, and lists, tuples, dicts and sets,
// which Items and Entries take apart. It may hold itself, and one list may be in it many times.
type Value any

// Entry is a key of a dict with its value.
type Entry struct{ Key, Value Value }

// Read reads a pickle to its end. Errors call it by the name of its file. It fails if there are more than MaxSize bytes; see
// Decode for more.
func Read(r io.Reader, file string) (Value, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("pickle: %s: %w", file, err)
	case len(data) > MaxSize:
		return nil, fmt.Errorf("pickle: %s: is longer than %d MiB: want a smaller one", file, MaxSize>>20)
	}
	v, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("pickle: %s: %w", file, err)
	}
	return v, nil
}

// Decode reads a pickle. It fails, without a panic and in memory that is bounded by the length of the data, when they are no
// pickle, when they end early or go on after the end, when they name a class that is not known here, and when an array's bytes
// do not fit its shape. The last two name what was given.
func Decode(data []byte) (v Value, err error) {
	checked, err := check(data)
	if err != nil {
		return nil, err
	}
	defer func() {
		// gopickle slices what programs leave on the stack without looking, so that one that is not sound ends in a panic.
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("is damaged: %.200v: want a pickle as Python wrote it", r)
		}
	}()
	u := pickle.NewUnpickler(bytes.NewReader(checked))
	u.FindClass = findClass
	v, err = u.Load()
	switch refused := (*refusal)(nil); {
	case errors.As(err, &refused):
		return nil, refused
	case err != nil:
		return nil, fmt.Errorf("is damaged: %.200s: want a pickle as Python wrote it", err)
	}
	return v, nil
}

// refusal is an error that says all there is to say.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// Items returns the items of a list or a tuple, or of an array with one dimension, and whether v is one.
func Items(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case *types.List:
		return values(*v), true
	case *types.Tuple:
		return values(*v), true
	case *Array:
		if len(v.Shape) != 1 {
			return nil, false
		}
		if v.objects != nil {
			return v.objects, true
		}
		all := make([]Value, v.Len())
		for i := range all {
			all[i] = v.value(i)
		}
		return all, true
	}
	return nil, false
}

func values(all []any) []Value {
	out := make([]Value, len(all))
	for i, v := range all {
		out[i] = v
	}
	return out
}

// Entries returns what a dict holds, in its order, and whether v is one. Of a key that is there twice both are returned.
func Entries(v Value) ([]Entry, bool) {
	switch v := v.(type) {
	case *types.Dict:
		out := make([]Entry, len(*v))
		for i, e := range *v {
			out[i] = Entry{e.Key, e.Value}
		}
		return out, true
	case *types.OrderedDict:
		out := make([]Entry, 0, v.Len())
		for e := v.List.Front(); e != nil; e = e.Next() {
			entry := e.Value.(*types.OrderedDictEntry)
			out = append(out, Entry{entry.Key, entry.Value})
		}
		return out, true
	}
	return nil, false
}

// Int returns a whole number, also one that is a float, and whether v is one that an int can hold.
func Int(v Value) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		if n := int(v); float64(n) == v && n > -1<<53 && n < 1<<53 {
			return n, true
		}
	}
	return 0, false
}

// Text returns a string, or a whole number in digits, and whether v is one of them: what an id can be.
func Text(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	case int:
		return strconv.Itoa(v), true
	case *big.Int:
		if v.BitLen() <= 64 {
			return v.String(), true
		}
	}
	return "", false
}

// Kind says in a few words what v is, for errors.
func Kind(v Value) string {
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
	case *types.OrderedDict:
		return fmt.Sprintf("a dict of %d", v.Len())
	case *Array:
		return fmt.Sprintf("an array %v", v.Shape)
	}
	return "something else"
}
