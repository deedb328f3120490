package results_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/results"
)

func ExamplePaper() {
	cell, ok := results.Paper(1, "PPI", "dim=100/asp2vec")
	fmt.Println(cell.Value, ok)
	// Output: 0.8887 true
}
