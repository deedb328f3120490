package op

import (
	"fmt"
	"runtime"
)

// Recover turns a panic of G.Must into an error that begins with name; use it deferred, with a pointer to the function's
// named error. A runtime error (a nil pointer, an index out of range) is a fault of the program and panics on.
func Recover(err *error, name string) {
	switch r := recover().(type) {
	case nil:
	case runtime.Error:
		panic(r)
	case error:
		*err = fmt.Errorf("%s: %w", name, r)
	default:
		*err = fmt.Errorf("%s: %v", name, r)
	}
}
