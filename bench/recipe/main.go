// Command recipe writes what the study of the protocol standard came to: the tables of results/recipe/tables.md and the picture
// beside it, from the records of the study's sweeps.
//
//	go run ./bench/recipe --dir results/recipe
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

func main() {
	dir := flag.String("dir", "results/recipe", "folder of the records, tables and pictures")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintf(os.Stderr, "recipe: %v\n", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	records, problems, err := results.ReadStore(filepath.Join(dir, "runs.jsonl"))
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s: %d lines that are no records: want none", dir, len(problems))
	}
	s, err := newStudy(records)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(dir, "tables.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, s.markdown())
		return err
	}); err != nil {
		return err
	}
	picture, err := s.picture()
	if err != nil {
		return err
	}
	for _, format := range []string{"svg", "png"} {
		if err := picture.Write(filepath.Join(dir, "rate-sum."+format), format); err != nil {
			return err
		}
	}
	return nil
}
