// Package refused says in tests how calls fail.
package refused

import (
	"strings"
	"testing"
)

// With returns a function that takes the results of a call, and fails unless the last one is an error with each of some texts in it.
func With(t testing.TB, want ...string) func(results ...any) {
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
