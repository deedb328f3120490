package encode

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Whatever a file of words' vectors holds, it is a vector for each word of the vocabulary, or an error.
func FuzzReadWords(f *testing.F) {
	for _, text := range []string{"2 3\na 1 2 3\nb 4 5 6\n", "a 1 2\nc 3 4\n", "\ufeff1 1\na 1\n", "1 99999999\na 1\n", "a nan\n", "0 0\n"} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "words.vec")
	f.Fuzz(func(t *testing.T, text []byte) {
		call.OK(t, os.WriteFile(path, text, 0o666))
		w, missing, err := ReadWords(path, []string{"a", "b"})
		if err == nil && (len(w.Vectors) != 2*w.Dim || missing > 1) {
			t.Fatalf("%q: %d numbers of vectors of %d, %d missing", text, len(w.Vectors), w.Dim, missing)
		}
	})
}
