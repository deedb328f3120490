// Command site makes static pages of README.md, docs and whatever Markdown they link to. The pages need no network and no script.
//
//	go run ./docs/site --out site
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

func main() {
	root := flag.String("root", ".", "the repository")
	out := flag.String("out", "site", "folder for the pages; it is replaced")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run writes the pages, all of them or none.
func run(root, out string) error {
	s, err := read(root)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, styleFile)); err != nil {
		if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
			return fmt.Errorf("%s is not empty, and no site: want another folder", out)
		}
	}
	return atomicfile.Dir(out, true, s.write)
}
