package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/network"
)

// toy is a data set of links alone.
var toy = network.Dataset{Name: "Toy", Folder: "toy", URL: "https://example.org"}

// entry returns a file of the table for some content.
func entry(path string, content []byte, sized bool) File {
	blob, sum := sha1.New(), sha256.Sum256(content)
	fmt.Fprintf(blob, "blob %d\x00", len(content))
	blob.Write(content)
	f := File{Sets: []string{"Toy"}, Repository: "owner/name", Commit: strings.Repeat("0", 40), Path: path, SHA1: hex.EncodeToString(blob.Sum(nil))}
	if sized {
		f.Size, f.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
	}
	return f
}

// links is a file of links of 200 kB.
var links = func() []byte {
	var b bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&b, "%d\t%d\n", i, i+1)
	}
	return b.Bytes()
}()

// serve serves a folder's file, and counts requests.
func serve(t *testing.T, handle http.HandlerFunc) (mirror string, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		handle(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, requests
}

// whole serves the links as a server should, ranges too.
func whole(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "edges.txt", time.Time{}, bytes.NewReader(links))
}

// fetcher returns one with short waits.
func fetcher(t *testing.T, mirror string, sized bool) (f Fetcher, told *strings.Builder) {
	t.Helper()
	told = new(strings.Builder)
	var mu sync.Mutex
	return Fetcher{Dir: t.TempDir(), Mirror: mirror, Stall: 200 * time.Millisecond, Backoff: time.Millisecond, Tries: 3,
		Table: []File{entry("data/toy/edges.txt", links, sized)},
		Tell: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told.WriteString(text + "\n")
		}}, told
}

// checkToy fails the test unless the data set is there, whole.
func checkToy(t *testing.T, f Fetcher) {
	t.Helper()
	in, err := os.Open(filepath.Join(f.Dir, "toy", network.LinksFile))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, links) {
		t.Errorf("error %v, or other links", err)
	}
}

// checkNothing fails the test if there is a data set, or a published file that is not whole.
func checkNothing(t *testing.T, f Fetcher) {
	t.Helper()
	for _, path := range []string{"toy", filepath.Join(Folder, f.Table[0].Local())} {
		if _, err := os.Lstat(filepath.Join(f.Dir, path)); err == nil {
			t.Errorf("%s is there", path)
		}
	}
}

// Whatever a server does that is only for a time, the data set comes whole.
func TestServersThatRecover(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle func(n int32) http.HandlerFunc // of the n-th request, from 1
		most   int32                          // requests
		told   string
	}{
		{"well", func(int32) http.HandlerFunc { return whole }, 1, ""},
		{"busy", func(n int32) http.HandlerFunc {
			return first(n, 1, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
			})
		}, 2, "429 Too Many Requests: again in"},
		{"broken", func(n int32) http.HandlerFunc {
			return first(n, 2, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
		}, 3, "500 Internal Server Error: again in"},
		{"breaks off", func(n int32) http.HandlerFunc {
			return first(n, 3, func(w http.ResponseWriter, r *http.Request) { whole(&breaking{w, 50_000}, r) })
		}, 4, "again in"},
		{"stalls", func(n int32) http.HandlerFunc {
			return first(n, 1, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(links)))
				_, _ = w.Write(links[:70_000])
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
		}, 2, "nothing came for too long (200ms): again in"},
		{"silent", func(n int32) http.HandlerFunc {
			return first(n, 1, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		}, 2, "again in"},
		{"knows of no ranges", func(n int32) http.HandlerFunc {
			if n == 1 {
				return func(w http.ResponseWriter, r *http.Request) { whole(&breaking{w, 50_000}, r) }
			}
			return func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("Range")
				whole(w, r)
			}
		}, 2, "again in"},
		{"sends another range", func(n int32) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				switch n {
				case 1:
					whole(&breaking{w, 50_000}, r)
				case 2:
					r.Header.Set("Range", "bytes=7-")
					whole(w, r)
				default:
					whole(w, r)
				}
			}
		}, 3, "asked for bytes from"},
		{"says less than there is", func(n int32) http.HandlerFunc {
			return first(n, 1, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
				_, _ = w.Write(links[:1000])
			})
		}, 2, "ended after 1000 of"},
		{"other bytes at first", func(n int32) http.HandlerFunc {
			return first(n, 1, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), len(links))) })
		}, 2, ""},
		{"one redirect", func(int32) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/owner") {
					http.Redirect(w, r, "/elsewhere", http.StatusFound)
					return
				}
				whole(w, r)
			}
		}, 2, ""},
	} {
		for _, sized := range []bool{true, false} {
			if !sized && c.name == "says less than there is" {
				continue // nobody can tell: its hash is another one
			}
			t.Run(fmt.Sprint(c.name, " sized=", sized), func(t *testing.T) {
				t.Parallel()
				var requests *atomic.Int32
				mirror, requests := serve(t, func(w http.ResponseWriter, r *http.Request) { c.handle(requests.Load())(w, r) })
				f, told := fetcher(t, mirror, sized)
				var last int64
				f.Progress = func(done, total int64) {
					if last = done; done > total || done < 0 {
						t.Errorf("%d of %d bytes", done, total)
					}
				}
				r, err := f.Fetch(context.Background(), toy)
				if err != nil {
					t.Fatal(err)
				}
				checkToy(t, f)
				if n := requests.Load(); n > c.most {
					t.Errorf("%d requests: want at most %d", n, c.most)
				}
				if !strings.Contains(told.String(), c.told) {
					t.Errorf("told %q: want %q", told, c.told)
				}
				if r.Bytes != int64(len(links)) || last != r.Bytes || r.Here {
					t.Errorf("%+v, progress of %d bytes", r, last)
				}
				before := requests.Load()
				if r, err := f.Fetch(context.Background(), toy); err != nil || !r.Here || requests.Load() != before {
					t.Errorf("again: %+v, error %v, %d more requests", r, err, requests.Load()-before)
				}
				f.Force, f.Offline = true, true
				if r, err := f.Fetch(context.Background(), toy); err != nil || r.Here || requests.Load() != before {
					t.Errorf("by force: %+v, error %v, %d more requests", r, err, requests.Load()-before)
				}
			})
		}
	}
}

// first returns how the first requests are handled, and later ones as they should be.
func first(n, last int32, handle http.HandlerFunc) http.HandlerFunc {
	if n <= last {
		return handle
	}
	return whole
}

// breaking breaks the connection off after some bytes.
type breaking struct {
	http.ResponseWriter
	left int
}

func (w *breaking) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b[:min(len(b), w.left)])
	if w.left -= n; w.left == 0 {
		w.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// Whatever a server does for good, one line says so, and nothing is there.
func TestServersThatDoNot(t *testing.T) {
	for _, c := range []struct {
		name, want string
		most       int32 // requests
		handle     http.HandlerFunc
	}{
		{"absent", "404 Not Found", 1, http.NotFound},
		{"forbidden", "403 Forbidden", 1, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }},
		{"broken", "500 Internal Server Error (tried 3 times)", 3, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }},
		{"circle", "more than 5 redirects", 7, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }},
		{"other bytes", "does not send the published file: its hash is another one", 2, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(bytes.Repeat([]byte("x"), len(links)))
		}},
		{"stalls", "nothing came for too long", 3, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"says too much", "the server says 99999999999 bytes: want at most", 1, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999999")
			_, _ = w.Write(links)
		}},
		{"never ends", "more than", 1, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(links); err != nil {
					return
				}
			}
		}},
		{"nothing", "", 4, func(http.ResponseWriter, *http.Request) {}},
		{"a page", "", 6, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>log in</html>") }},
	} {
		for _, sized := range []bool{true, false} {
			if !sized && c.name == "never ends" && testing.Short() {
				continue // 100 MiB
			}
			t.Run(fmt.Sprint(c.name, " sized=", sized), func(t *testing.T) {
				t.Parallel()
				mirror, requests := serve(t, c.handle)
				f, _ := fetcher(t, mirror, sized)
				_, err := f.Fetch(context.Background(), toy)
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "fetch: Toy: ") {
					t.Errorf("error %v: want one line with %q", err, c.want)
				}
				checkNothing(t, f)
				if n := requests.Load(); n > c.most {
					t.Errorf("%d requests: want at most %d", n, c.most)
				}
			})
		}
	}
	// Nobody listens.
	f, _ := fetcher(t, "http://127.0.0.1:1", true)
	if _, err := f.Fetch(context.Background(), toy); err == nil || !strings.Contains(err.Error(), "tried 3 times") {
		t.Errorf("error %v", err)
	}
	checkNothing(t, f)
}

// A fetch that was stopped goes on where it was; a part that is wrong is thrown away.
func TestResume(t *testing.T) {
	mirror, requests := serve(t, func(w http.ResponseWriter, r *http.Request) { whole(&breaking{w, 50_000}, r) })
	f, _ := fetcher(t, mirror, true)
	ctx, cancel := context.WithCancel(context.Background())
	f.Tell = func(string) { cancel() }
	if _, err := f.Fetch(ctx, toy); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v: want that it was stopped", err)
	}
	checkNothing(t, f)
	part := filepath.Join(f.Dir, Folder, f.Table[0].Local()+".part")
	if b, err := os.ReadFile(part); err != nil || len(b) == 0 || !bytes.HasPrefix(links, b) {
		t.Fatalf("a part of %d bytes, error %v", len(b), err)
	}
	before := requests.Load()
	var ranges []string
	f.Mirror, _ = serve(t, func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		whole(w, r)
	})
	f.Tell = nil
	if _, err := f.Fetch(context.Background(), toy); err != nil || requests.Load() != before {
		t.Fatal(err)
	}
	checkToy(t, f)
	if len(ranges) != 1 || !strings.HasPrefix(ranges[0], "bytes=") {
		t.Errorf("asked for %q: want one range", ranges)
	}

	for _, wrong := range [][]byte{bytes.Repeat([]byte("x"), 1000), bytes.Repeat([]byte("x"), len(links)), bytes.Repeat([]byte("x"), 2*len(links))} {
		g, _ := fetcher(t, f.Mirror, true)
		part := filepath.Join(g.Dir, Folder, g.Table[0].Local()+".part")
		if err := os.MkdirAll(filepath.Dir(part), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(part, wrong, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Fetch(context.Background(), toy); err != nil {
			t.Fatal(err)
		}
		checkToy(t, g)
		if _, err := os.Stat(part); err == nil {
			t.Error("the part is left")
		}
		// A published file that was changed is fetched anew.
		if err := os.WriteFile(strings.TrimSuffix(part, ".part"), wrong, 0o666); err != nil {
			t.Fatal(err)
		}
		g.Force = true
		if _, err := g.Fetch(context.Background(), toy); err != nil {
			t.Fatal(err)
		}
		checkToy(t, g)
	}
}
