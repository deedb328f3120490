package vectors

import (
	"bytes"
	"testing"
)

// Whatever a file of labels holds, it is labels that have names, of vertices, or an error.
func FuzzReadLabels(f *testing.F) {
	for _, text := range []string{"a\t1\nb\t2\t3\n", "a,x\nb,y\n", "a 1 1\n", "# c\n\na 1\n", "a\n", "\ufeffa 1\n", "\xff 1\n", "a\t\n", "id,club\na,\"x, y\"\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ReadLabels(bytes.NewReader(text), "labels")
		if err != nil {
			return
		}
		of, _, others := l.Align(l.Vertex)
		if others != 0 || len(of) != len(l.Vertex) {
			t.Fatalf("%q: %d of %d vertices not found among themselves", text, others, len(l.Vertex))
		}
		for _, list := range of {
			for _, label := range list {
				if label < 0 || int(label) >= len(l.Names) {
					t.Fatalf("%q: label %d of %d", text, label, len(l.Names))
				}
			}
		}
	})
}
