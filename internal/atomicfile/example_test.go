package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// A file that could not be written to its end leaves the old one as it was.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.txt")
	fill := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			fmt.Fprint(w, text)
			return err
		}
	}
	first := atomicfile.Write(path, fill("whole", nil))
	second := atomicfile.Write(path, fill("ha", errors.New("lost the other half")))
	text, _ := os.ReadFile(path)
	fmt.Println(first, second != nil, string(text))
	// Output: <nil> true whole
}
