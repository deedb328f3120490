// Package unknown is the error for a name that there is none of.
package unknown

import (
	"fmt"
	"strings"
)

// Name is a name that there is none of, and those that there are.
type Name struct {
	What  string // it is a name of: "option"
	Name  string
	Known []string
}

// Error lists the names that there are.
func (e Name) Error() string {
	return fmt.Sprintf("%s %q: expected one of %s", e.What, e.Name, strings.Join(e.Known, ", "))
}
