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
	"sync/atomic"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// toy is a data set of links alone.
var toy = network.Dataset{Name: "Toy", Folder: "toy", URL: "https://example.org"}

// entry returns a file of the table for some content, of known length and SHA-256 or not.
func entry(path string, content []byte, known bool) File {
	f := File{Sets: []string{"Toy"}, Repository: "owner/name", Commit: strings.Repeat("0", 40), Path: path}
	if known {
		sum := sha256.Sum256(content)
		f.Size, f.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
		return f
	}
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	f.Git = hex.EncodeToString(sum[:])
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

// whole serves the links as a server should, ranges too.
func whole(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "edges.txt", time.Time{}, bytes.NewReader(links))
}

// partial serves the links up to some bytes, and breaks the connection off.
func partial(w http.ResponseWriter, r *http.Request) {
	whole(&breaking{w, 50_000}, r)
}

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

// status answers with a code.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// noise sends bytes that are not the links.
func noise(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write(bytes.Repeat([]byte("x"), len(links)))
}

// fetcher returns one with short waits, of a server that handles the first requests so, and the last way all others; and counts them.
func fetcher(t *testing.T, known bool, handle ...http.HandlerFunc) (Fetcher, *atomic.Int32) {
	t.Helper()
	requests := new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle[min(int(requests.Add(1)), len(handle))-1](w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return Fetcher{Dir: t.TempDir(), Mirror: s.URL, Stall: 200 * time.Millisecond, table: []File{entry("data/toy/edges.txt", links, known)}}, requests
}

// checkToy fails the test unless the data set is there, whole, and nothing is left beside it.
func checkToy(t *testing.T, f Fetcher) {
	t.Helper()
	in := call.Of(os.Open(filepath.Join(f.Dir, "toy", network.LinksFile)))(t)
	defer in.Close()
	z := call.Of(gzip.NewReader(in))(t)
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, links) {
		t.Errorf("error %v, or other links", err)
	}
	call.Refused(t)(os.Stat(part(f)))
}

// part returns where the part of the file lies.
func part(f Fetcher) string { return filepath.Join(f.Dir, Folder, f.table[0].Local()+".part") }

// Whatever a server does that is only for a time, the data set comes whole.
func TestServersThatRecover(t *testing.T) {
	for name, handle := range map[string][]http.HandlerFunc{
		"well":       {whole},
		"broken":     {status(500), status(429), status(503), whole},
		"breaks off": {partial, partial, partial, whole},
		"stalls": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(links[:70_000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, whole},
		"knows of no ranges": {partial, func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			whole(w, r)
		}},
		"other bytes at first": {noise, whole},
		"a redirect":           {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, whole},
	} {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " known=", known), func(t *testing.T) {
				t.Parallel()
				f, requests := fetcher(t, known, handle...)
				var last int64
				f.Progress = func(done, total int64) {
					if last = done; done > total || done < 0 {
						t.Errorf("%d of %d bytes", done, total)
					}
				}
				r := call.Of(f.Fetch(context.Background(), toy))(t)
				checkToy(t, f)
				if r.Bytes != int64(len(links)) || last != r.Bytes || r.Here || int(requests.Load()) > len(handle)+3 { // a busy machine may stall some
					t.Errorf("%+v, progress of %d bytes, %d requests", r, last, requests.Load())
				}
				before := requests.Load()
				if r, err := f.Fetch(context.Background(), toy); err != nil || !r.Here {
					t.Errorf("again: %+v, error %v", r, err)
				}
				f.Force, f.Offline = true, true
				if r, err := f.Fetch(context.Background(), toy); err != nil || r.Here || requests.Load() != before {
					t.Errorf("by force: %+v, error %v, %d more requests", r, err, requests.Load()-before)
				}
			})
		}
	}
}

// Whatever a server does for good, one line says so, and nothing is there.
func TestServersThatDoNot(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		handle http.HandlerFunc
	}{
		"absent":      {"404 Not Found", http.NotFound},
		"broken":      {"500 Internal Server Error", status(500)},
		"other bytes": {"its hash is another one", noise},
		"circle":      {"redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }},
		"stalls":      {"nothing came for too long", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		"a page":      {"", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>log in</html>") }},
		"never ends": {"its hash is another one", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(links); err != nil {
					return
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, requests := fetcher(t, true, c.handle)
			_, err := f.Fetch(context.Background(), toy)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "fetch: Toy: ") {
				t.Errorf("error %v: expected one line with %q", err, c.want)
			}
			for _, path := range []string{filepath.Join(f.Dir, "toy"), strings.TrimSuffix(part(f), ".part")} {
				call.Refused(t)(os.Lstat(path))
			}
			if name != "circle" && requests.Load() > tries {
				t.Errorf("%d requests", requests.Load())
			}
		})
	}
}

// A fetch that was stopped goes on where it was; what is wrong, of a part or a file, is fetched anew.
func TestResume(t *testing.T) {
	f, _ := fetcher(t, true, partial)
	ctx, cancel := context.WithCancel(context.Background())
	f.Progress = func(done, _ int64) {
		if done > 0 {
			cancel()
		}
	}
	if _, err := f.Fetch(ctx, toy); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v: expected that it was stopped", err)
	}
	if b, err := os.ReadFile(part(f)); err != nil || len(b) == 0 || !bytes.HasPrefix(links, b) {
		t.Fatalf("a part of %d bytes, error %v", len(b), err)
	}
	asked := ""
	g, _ := fetcher(t, true, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Get("Range")
		whole(w, r)
	})
	f.Mirror, f.Progress = g.Mirror, nil
	if _, err := f.Fetch(context.Background(), toy); err != nil || !strings.HasPrefix(asked, "bytes=") {
		t.Errorf("error %v, asked for the range %q", err, asked)
	}
	checkToy(t, f)
	for _, size := range []int{1000, len(links), 2 * len(links)} {
		wrong := bytes.Repeat([]byte("x"), size)
		g, _ := fetcher(t, true, whole)
		g.Force = true
		for _, path := range []string{part(g), strings.TrimSuffix(part(g), ".part")} {
			call.OK(t, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, wrong, 0o666))
			call.Of(g.Fetch(context.Background(), toy))(t)
			checkToy(t, g)
		}
	}
}

// What is in the folder of a data set is not replaced unasked, and what is no part of one never.
func TestFolders(t *testing.T) {
	f, requests := fetcher(t, true, whole)
	dir := filepath.Join(f.Dir, "toy")
	put := func(name string) {
		call.OK(t, os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666))
	}
	put("labels.tsv")
	if _, err := f.Fetch(context.Background(), toy); !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), "contains labels.tsv") {
		t.Errorf("error %v", err)
	}
	f.Force = true
	put("thesis.doc")
	call.Refused(t, "thesis.doc, which is not part of a data set")(f.Fetch(context.Background(), toy))
	g, _ := fetcher(t, true, whole)
	g.Offline = true
	if _, err := g.Fetch(context.Background(), toy); !errors.Is(err, ErrOffline) {
		t.Errorf("error %v", err)
	}
	if _, err := g.Fetch(context.Background(), network.Dataset{Name: "Other", URL: "https://example.org"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
	for _, mirror := range []string{"file:///etc", "example.org", "http://", ":", "ftp://me:secret@example.org", "http://me:se%cret@example.org"} {
		g.Mirror = mirror
		if _, err := g.Fetch(context.Background(), toy); !errors.Is(err, ErrMirror) || strings.Contains(err.Error(), "cret@") {
			t.Errorf("mirror %q: error %v", mirror, err)
		}
	}
	if requests.Load() != 0 {
		t.Errorf("%d requests: expected none", requests.Load())
	}
}

// What a file with the right hash holds may still be no data set: then there is none.
func TestNotADataset(t *testing.T) {
	text := []byte("a b c d e\n")
	f, _ := fetcher(t, true, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) })
	f.table = []File{entry("data/toy/edges.txt", text, true)}
	call.Refused(t, "edges.txt:1")(f.Fetch(context.Background(), toy))
	f.table = append(f.table, entry("data/toy/data_remove_percent_0.5.pkl", text, true))
	call.Refused(t, "data_remove_percent_0.5.pkl: ")(f.Fetch(context.Background(), toy))
	call.Refused(t)(os.Stat(filepath.Join(f.Dir, "toy")))
}

// A redirect from https to http is not followed.
func TestRedirects(t *testing.T) {
	for from, allowed := range map[string]bool{"http://a/": true, "https://a/": false} {
		next, before := httptest.NewRequest(http.MethodGet, "http://b/", nil), httptest.NewRequest(http.MethodGet, from, nil)
		if err := client.CheckRedirect(next, []*http.Request{before}); (err == nil) != allowed {
			t.Errorf("from %s: %v", from, err)
		}
	}
}
