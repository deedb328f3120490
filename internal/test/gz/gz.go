// Package gz compresses texts for tests.
package gz

import (
	"bytes"
	"compress/gzip"
)

// Of returns a text as a gzip file has it.
func Of(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text)) // to memory: neither can fail
	z.Close()
	return b.String()
}
