package graphs

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers"
)

// Every selection, with both kinds of noise, passes the checks that `asp2vec check` runs.
func TestGuard(t *testing.T) {
	for _, selection := range registered(layers.Selections) {
		for _, noise := range []string{NoisePair, NoiseWindow} {
			o := Default()
			o.Selection, o.Noise = selection, noise
			models, err := GuardModels(o)
			if err != nil {
				t.Fatal(err)
			}
			if len(models) != 2 {
				t.Fatalf("%d models, want asp2vec and its warm-up", len(models))
			}
			for _, m := range models {
				if err := guard.Check(m).Err(); err != nil {
					t.Errorf("%s, noise by %s: %v", selection, noise, err)
				}
			}
		}
	}
}
