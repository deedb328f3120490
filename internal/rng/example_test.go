package rng_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// What one stream draws does not depend on what others have drawn.
func ExampleNew() {
	first := rng.New(1, "walks", 7).Intn(1000)
	rng.New(1, "negatives").Uint64()
	again := rng.New(1, "walks", 7).Intn(1000)
	fmt.Println(first == again)
	// Output: true
}
