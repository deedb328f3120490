package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/results/vectors"
)

// writeRun writes the folder of a run. Where that cannot be done any more, though it could before the run, it is written under
// a second name: beside --out if somebody has taken the name meanwhile, else where temporary files go. It returns where the run is, ""
// for nowhere, and why that is not out.
func writeRun(out string, force bool, run vectors.Run) (at string, err error) {
	if err = vectors.WriteRun(out, force, run); err == nil {
		return out, nil
	}
	for _, second := range secondNames(out, err) {
		if vectors.WriteRun(second, false, run) == nil {
			return second, fmt.Errorf("--out %s could not be written; the run is in %s instead: %w", out, second, err)
		}
	}
	return "", fmt.Errorf("--out %s could not be written: %w", out, err)
}

// secondNames are where a run may go that cannot be written to out.
func secondNames(out string, why error) (names []string) {
	if errors.Is(why, vectors.ErrExists) {
		for i := 2; i < 10; i++ {
			names = append(names, fmt.Sprintf("%s-%d", filepath.Clean(out), i))
		}
	}
	name := fmt.Sprintf("asp2vec-%s-%d", filepath.Base(filepath.Clean(out)), os.Getpid())
	return append(names, filepath.Join(os.TempDir(), name))
}
