// Package call says in tests what calls have to come to, and makes what they are given.
package call

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// OK ends a test where an error is not nil.
func OK(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Of takes the results of a call, and gives its value to a test, which ends where there is an error.
func Of[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// Refused returns a function that takes the results of a call, and fails unless the last one is an error with each of some texts in it.
func Refused(t testing.TB, want ...string) func(results ...any) {
	return func(results ...any) {
		t.Helper()
		err, _ := results[len(results)-1].(error)
		if err == nil {
			t.Errorf("no error: expected one with %q in it", want)
		}
		for _, text := range want {
			if err != nil && !strings.Contains(err.Error(), text) {
				t.Errorf("error %v: expected %q in it", err, text)
			}
		}
	}
}

// First is Of for a call with two values, of which the second does not matter.
func First[T, U any](value T, _ U, err error) func(t testing.TB) T { return Of(value, err) }

// File writes a text to a file.
func File[T string | []byte](t testing.TB, path string, text T) {
	t.Helper()
	OK(t, os.WriteFile(path, []byte(text), 0o666))
}

// Same fails unless a file holds a text, which update makes it hold.
func Same(t testing.TB, path string, text []byte, update bool) {
	t.Helper()
	if update {
		File(t, path, text)
	}
	if want := Of(os.ReadFile(path))(t); !bytes.Equal(text, want) {
		t.Errorf("%s is to be, if that is meant (-update),\n%.4000s\nand is\n%.4000s", path, text, want)
	}
}

// Stopped returns a context that is cancelled.
func Stopped(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
