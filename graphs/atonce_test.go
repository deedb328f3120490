package graphs

import (
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
)

// Checks of graphs may run at once: Gorgonia keeps pools of tensors and of machines that all of them share.
func TestChecksAtOnce(t *testing.T) {
	checks := 100
	if testing.Short() {
		checks = 8
	}
	methods := []string{MethodAsp2vec, MethodDeepWalk, MethodSplitter, MethodPolyDW}
	var all sync.WaitGroup
	for i := range checks {
		all.Go(func() {
			o := optionsOf(methods[i%len(methods)], nil)
			models, err := GuardModels(o)
			if err != nil {
				t.Error(err)
			}
			for _, m := range models {
				if err := guard.Check(m).Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
