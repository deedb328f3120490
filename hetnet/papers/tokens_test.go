package papers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestTokensOfTexts(t *testing.T) {
	got := Tokens("Multi-aspect Network\tEmbedding: d'Été 2.0 — ΣΙΓΜΑ")
	if want := []string{"multi", "aspect", "network", "embedding", "d", "été", "2", "0", "σιγμα"}; !slices.Equal(got, want) {
		t.Errorf("%q: expected %q", got, want)
	}
}

// A list of authors with semicolons is not one author.
func TestSemicolons(t *testing.T) {
	dir := t.TempDir()
	call.OK(t, os.WriteFile(filepath.Join(dir, "papers.tsv"), []byte("p\ttrain\t\ta; b\t\tw\n"), 0o666))
	call.Refused(t, `papers.tsv:1: author "a; b" has a semicolon: expected commas between names`)(Read(dir))
}
