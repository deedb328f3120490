// Package shelf makes synthetic bibliographies for tests.
package shelf

import (
	"os"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Options are those of a small bibliography, with texts of the length of titles, whose topics are plain to see.
func Options() Planted {
	return Planted{Authors: 500, Papers: 1500, Topics: 10, Aspects: 2, Venues: 10, Vocabulary: 1000, Tokens: 8, CoAuthors: 3,
		References: 6, TestShare: 0.1, Candidates: 100, Mixing: 0.1, Seed: 1}
}

// Write writes a bibliography into a folder, made with those above it, with the candidates of its test papers.
func Write(t testing.TB, dir string, o Planted) {
	t.Helper()
	table, b := o.Table(t), o.Bibliography(t)
	for _, p := range b.Test {
		l := papers.Listed{Paper: p.Name}
		for _, a := range p.Among {
			l.Authors = append(l.Authors, b.Names[papers.Author][a])
		}
		table.Candidates = append(table.Candidates, l)
	}
	call.OK(t, os.MkdirAll(dir, 0o777), table.Write(dir))
}
