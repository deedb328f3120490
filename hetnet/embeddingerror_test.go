package hetnet

import (
	"context"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
)

// Where a text cannot be encoded at the end, the error says why there is no embedding.
func TestEmbeddingError(t *testing.T) {
	for _, method := range []string{MethodM2V, MethodAsp2vecHet, MethodCamel, MethodTaPEm} {
		in, _ := tastes(t, 3)
		o := typedOptions(method)
		o.Epochs = 1
		in.Types = EmbeddedTypes(in.Typed, o.Method)
		_, err := graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 1, graphs.Monitor{Done: func(graphs.Epoch) {
			in.Typed.Contents[1].Texts[0][0] = 1 << 20 // no word
		}})
		if err == nil || !strings.Contains(err.Error(), "has no embedding: hetnet: vectors of") || !strings.Contains(err.Error(), "word 1048576") {
			t.Errorf("%s: error %v", method, err)
		}
	}
}
