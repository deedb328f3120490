package store

import (
	_ "embed"
	"fmt"
	"io/fs"
)

// ByMethod counts jobs by their method.
func ByMethod(jobs []Job) map[string]int {
	if len(jobs) == 0 {
		return nil
	}
	n := map[string]int{}
	for _, j := range jobs {
		n[j.Options.Method.Name]++
	}
	return n
}

// ErrOlder is the error for what is there of an older definition of its method only.
var ErrOlder = fmt.Errorf("experiments: of an older definition of the method: %w", fs.ErrNotExist)
