package kernel_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
)

// A table of three vertices with two aspects of two numbers; vertices 2 and 0 are scored against x.
func ExampleDots() {
	table := []float32{1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3}
	x, scores := []float32{10, 1}, make([]float32, 4)
	kernel.Dots(scores, x, table, []int32{2, 0}, 2, 2)
	fmt.Println(scores)
	// Output: [30 3 10 1]
}
