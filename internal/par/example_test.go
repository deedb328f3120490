package par_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/par"
)

// Each block writes to a place of its own, and the places are added up in their order.
func ExampleBlocks() {
	sums := make([]int, 4)
	par.Blocks(2, len(sums), func(_, block int) { sums[block] = block * block })
	fmt.Println(sums)
	// Output: [0 1 4 9]
}
