package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/network"
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
	path := filepath.Join(dir, KnownFile)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	defer file.Close()
	const longest = 1 << 20
	lines, err := network.NewTextLines(file, path, longest, "two names")
	if err != nil {
		return nil, err
	}
	k := &Known{}
	for {
		line, err := lines.Next()
		if err == io.EOF && k.Source != "" {
			return k, nil
		}
		if err == io.EOF {
			return nil, fmt.Errorf("vectors: %s is empty: want two types on its first line", path)
		}
		if err != nil {
			return nil, err
		}
		text := string(line)
		if lines.Line() == 1 {
			text = strings.TrimPrefix(text, "# ")
		}
		a, b, ok := strings.Cut(text, "\t")
		switch {
		case !ok || a == "" || b == "":
			return nil, fmt.Errorf("vectors: %s:%d: %.60q: want two names with a tab between them", path, lines.Line(), text)
		case lines.Line() == 1:
			k.Source, k.Target = a, b
		default:
			k.Links = append(k.Links, [2]string{a, b})
		}
	}
}
