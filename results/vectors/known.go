package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// KnownFile has the links of a run on a heterogeneous network that recommendations leave out.
const KnownFile = "known.tsv"

// Known are the training and validation links of the type that a model ranks the targets of. Names of vertices are those of the embedding, as user:17.
type Known struct {
	Source, Target string      // types
	Links          [][2]string // source and target
}

// write writes the types on the first line, and a link on each other one.
func (k *Known) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\t%s\n", k.Source, k.Target)
	for _, l := range k.Links {
		for _, name := range l {
			if strings.ContainsAny(name, "\t\r\n") {
				return fmt.Errorf("vectors: name %q contains a tab or a line end, which is not possible in %s", name, KnownFile)
			}
		}
		fmt.Fprintf(out, "%s\t%s\n", l[0], l[1])
	}
	return out.Flush()
}

// ReadKnown reads KnownFile of a run's folder. It returns nil for a folder without, and an error with file and line for one that does not
// hold what WriteRun writes.
func ReadKnown(dir string) (*Known, error) {
	k := &Known{}
	lines, err := ReadFile(filepath.Join(dir, KnownFile), func(r io.Reader, name string) (int, error) {
		return EachLine(r, name, func(n int, line []byte) error {
			text := string(line)
			if n == 1 {
				text = strings.TrimPrefix(text, "# ")
			}
			a, b, ok := strings.Cut(text, "\t")
			switch {
			case !ok || a == "" || b == "":
				return fmt.Errorf("%.60q: expected two names with a tab between them", text)
			case n == 1:
				k.Source, k.Target = a, b
			default:
				k.Links = append(k.Links, [2]string{a, b})
			}
			return nil
		})
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case lines == 0:
		return nil, fmt.Errorf("vectors: %s is empty: expected two types on its first line", filepath.Join(dir, KnownFile))
	}
	return k, nil
}
