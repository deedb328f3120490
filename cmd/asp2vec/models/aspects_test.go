package models

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// stopper cancels a context when a line is logged.
type stopper struct {
	slog.Handler
	cancel func()
}

func (s stopper) Handle(context.Context, slog.Record) error { s.cancel(); return nil }

// Who stops the search for aspects among a million links gets the model without them, and the way to find
// them.
func TestAspectsAreStopped(t *testing.T) {
	const n, links = 1 << 17, 1 << 20
	r := rng.New(1, "links")
	all, names, final := make([]network.Link, links), make([]string, n), make([]float32, 2*n)
	for i := range all {
		all[i] = network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))}
	}
	for v := range names {
		names[v], final[2*v] = string(rune(v+1<<16)), float32(r.Normal())
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, out := &shell.Program{Threads: 2, Log: slog.New(stopper{slog.NewTextHandler(os.Stderr, nil), cancel})}, t.TempDir()
	a, err := AddAspects(ctx, p, out, call.Of(network.New(names, all, nil, false))(t), names, final)
	call.Refused(t, "interrupted: "+out+" holds the model without the aspects of links")(a, err)
	if _, err := os.Stat(filepath.Join(out, vectors.LinkAspectsFile)); err == nil {
		t.Error("aspects that were not found")
	}
}
