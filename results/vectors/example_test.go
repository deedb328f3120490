package vectors_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/asp2vec/asp2vec/results/vectors"
)

func ExampleWriteVec() {
	names, data := []string{"alice", "bob"}, []float32{0.5, -1, 2, 0.25}
	var file bytes.Buffer
	if err := vectors.WriteVec(&file, names, data, 2); err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(file.Bytes())
	vectors, err := vectors.ReadVec(&file, "memory")
	fmt.Println(vectors.Names, vectors.D, err)
	// Output:
	// 2 2
	// alice 0.5 -1
	// bob 2 0.25
	// [alice bob] 2 <nil>
}

// The paper's Table 1 for asp2vec at 20 dimensions and 5 aspects on PPI.
