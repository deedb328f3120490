package store

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Whoever reads a store sees each run once, with its scores, while runs are packed, begun and given up, and
// vectors are taken away.
func TestReadersSeeAll(t *testing.T) {
	store, all := storeOf(t, 1)
	dir := func(i int) string { return filepath.Join(store, fmt.Sprintf("%024x", i)) }
	want := map[string]bool{all[0].ID(): false} // and whether it has a later score
	for round := range 3 {
		for i := range 25 {
			r := all[1+25*round+i]
			want[r.ID()] = true
			call.OK(t, r.Write(dir(i)), results.Scored{Of: r.ID(), Score: "later", Metrics: results.Metrics{"auc": .5}}.Write(dir(i)))
			if i%2 == 0 {
				call.File(t, filepath.Join(dir(i), vectors.PackedFile), "x")
			}
		}
		var readers, writers sync.WaitGroup
		done := make(chan struct{})
		for range 10 {
			readers.Go(func() {
				for range 6 {
					s, err := ReadOwn(store)
					if err != nil || len(s.Problems) > 0 || len(s.Entries) != len(want) {
						t.Errorf("%d entries, problems %v, %v: expected %d", len(s.Entries), s.Problems, err, len(want))
						return
					}
					got := map[string]bool{}
					for _, e := range s.Entries {
						got[e.ID()] = e.MetricsBy("later") != nil
					}
					if !maps.Equal(got, want) {
						t.Error("runs, or their scores, are not all there")
					}
				}
			})
		}
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				if held, err := TakeRun(dir(1000 + i%5)); err != nil || held == nil {
					t.Error(held, err)
				} else {
					LeaveRun(held)
				}
			}
		})
		writers.Go(func() {
			for range 2 {
				_, _, err := Trim(store, 0)
				if _, _, packErr := Pack(store); err != nil || packErr != nil {
					t.Error(err, packErr)
				}
			}
		})
		readers.Wait()
		close(done)
		writers.Wait()
	}
	if files := call.Of(filepath.Glob(dir(0)[:len(store)+2] + "*"))(t); len(files) > 0 {
		t.Errorf("%d folders are left", len(files))
	}
}

// A store is what a link to it leads to.
func TestLinkedStore(t *testing.T) {
	store, all := storeOf(t, 2)
	dir, link := filepath.Join(store, fmt.Sprintf("%024x", 1)), filepath.Join(t.TempDir(), "link")
	call.OK(t, all[2].Write(dir), os.Symlink(store, link))
	if s := call.Of(ReadOwn(link))(t); len(s.Entries) != 3 || s.Entries[2].Dir != filepath.Join(link, filepath.Base(dir)) {
		t.Errorf("%d entries, the last in %q", len(s.Entries), s.Entries[2].Dir)
	}
	if packed, _, err := Pack(link); packed != 1 || err != nil {
		t.Errorf("%d packed, %v", packed, err)
	}
	call.OK(t, os.Remove(link), os.Symlink(store+"none", link))
	call.Refused(t, "link")(ReadOwn(link))
}
