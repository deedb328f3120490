package fetch

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/disk"
)

// longest is the length in bytes that no published file passes: GitHub keeps none that is longer.
const longest = 100 << 20

// Errors of a transfer that end it, whatever is tried.
var (
	errRedirects = errors.New("more than 5 redirects: want the file")
	errStalled   = errors.New("nothing came for too long")
)

// ErrOffline is wrapped by the error for a file that is not there while nothing may be fetched.
var ErrOffline = errors.New("is not here, and nothing is fetched offline")

// final is an error that no other try would mend.
type final struct{ error }

func (e final) Unwrap() error { return e.error }

func finalf(format string, args ...any) error { return final{fmt.Errorf(format, args...)} }

// newClient returns a client that uses proxies and follows at most five redirects. Waiting is bounded by the context of a request.
func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = http.ProxyFromEnvironment
	t.DisableCompression = true // sizes are those of the files
	return &http.Client{Transport: t, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > 5 {
			return errRedirects
		}
		return nil
	}}
}

// getter fetches files into a folder.
type getter struct {
	Fetcher
	client *http.Client
	root   *os.Root // of the published files: nothing is written outside of it
	done   int64    // bytes of all files so far
	total  int64    // bytes of all files as far as known
	begun  map[string]int64
}

// get leaves a published file in the folder, whole and with the right hashes, unless it is there already.
func (g *getter) get(ctx context.Context, f File) error {
	local := f.Local()
	switch ok, err := g.verify(f, local); {
	case err == nil && ok:
		g.count(f, g.size(local))
		return nil
	case err == nil:
		g.tell("%s is not the published file: it is downloaded again", filepath.Join(g.root.Name(), local))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if g.Offline {
		return final{fmt.Errorf("%s %w", filepath.Join(g.root.Name(), local), ErrOffline)}
	}
	if err := disk.Do("mkdir", filepath.Dir(local), func() error { return g.root.MkdirAll(filepath.Dir(local), 0o777) }); err != nil {
		return err
	}
	address := f.url(g.mirror())
	wait, idle := g.Backoff, 0 // idle tries brought nothing
	again := true              // bytes with another hash are fetched once more, from the first on
	for try := 1; ; try++ {
		before := g.size(local + ".part")
		err := g.transfer(ctx, f, address, local+".part")
		if err == nil {
			var ok bool
			if ok, err = g.verify(f, local+".part"); err == nil && ok {
				return disk.Do("rename", local, func() error { return g.root.Rename(local+".part", local) })
			} else if err == nil {
				err = finalf("%s does not send the published file: its hash is another one", address)
				if rerr := g.remove(local + ".part"); rerr != nil {
					return rerr
				}
				if again { // the beginning may have been there from another time
					again = false
					continue
				}
			}
		}
		var enough final
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.As(err, &enough) {
			return err
		}
		if g.size(local+".part") > before {
			idle, wait = 0, g.Backoff
		} else if idle++; idle >= g.Tries {
			return fmt.Errorf("%s: %w (tried %d times)", address, err, try)
		}
		if try >= 50*g.Tries {
			return fmt.Errorf("%s: %w (tried %d times)", address, err, try)
		}
		var later retryAfter
		pause := wait + time.Duration(rand.Int64N(int64(wait)/4+1))
		if errors.As(err, &later) {
			pause = max(pause, later.wait)
		}
		g.tell("%s: %v: again in %v", address, err, pause.Round(time.Millisecond))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		wait = min(2*wait, 30*time.Second)
	}
}

// retryAfter is the error of a server that asks to be left alone for some time.
type retryAfter struct {
	error
	wait time.Duration
}

// transfer asks for what the part does not hold yet, and adds it.
func (g *getter) transfer(ctx context.Context, f File, address, part string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(g.Stall, func() { cancel(errStalled) })
	defer alarm.Stop()
	explain := func(err error) error {
		if context.Cause(ctx) == errStalled {
			return fmt.Errorf("%w (%v)", errStalled, g.Stall)
		}
		if errors.Is(err, errRedirects) {
			return final{errRedirects}
		}
		return err
	}
	from := g.size(part)
	most := f.Size
	if most == 0 {
		most = longest
	}
	if f.Size > 0 && from == f.Size {
		return nil
	}
	if from > most {
		from = 0
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return final{err}
	}
	request.Header.Set("User-Agent", "asp2vec")
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	response, err := g.client.Do(request)
	if err != nil {
		var cause *url.Error
		if errors.As(err, &cause) { // it repeats the address
			err = cause.Err
		}
		return explain(err)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		from = 0 // of a server that does not know of ranges
	case code == http.StatusPartialContent && from > 0:
		if begin, _, _ := strings.Cut(strings.TrimPrefix(response.Header.Get("Content-Range"), "bytes "), "-"); begin != strconv.FormatInt(from, 10) {
			return g.forget(part, fmt.Errorf("asked for bytes from %d on, and got %.60q", from, response.Header.Get("Content-Range")))
		}
	case code == http.StatusRequestedRangeNotSatisfiable && from > 0:
		return g.forget(part, errors.New(response.Status))
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return retryAfter{errors.New(response.Status), min(max(0, time.Duration(seconds)*time.Second), time.Minute)}
	default:
		return finalf("%s: %s", address, response.Status)
	}
	if n := response.ContentLength; n >= 0 && (n+from > most || f.Size > 0 && response.StatusCode == http.StatusOK && n > f.Size) {
		return finalf("%s: the server says %d bytes: want at most %d", address, n+from, most)
	}
	if f.Size == 0 && response.ContentLength > 0 {
		g.expect(f, from+response.ContentLength)
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if from == 0 {
		flags |= os.O_TRUNC
	}
	out, err := g.open(part, flags)
	if err != nil {
		return final{err}
	}
	defer out.Close()
	g.count(f, from)
	block := make([]byte, 64<<10)
	for at := from; ; {
		n, err := response.Body.Read(block)
		alarm.Reset(g.Stall)
		if at += int64(n); at > most {
			out.Close()
			return g.forget(part, finalf("%s: more than %d bytes came: want at most that", address, most))
		}
		if _, werr := out.Write(block[:n]); werr != nil {
			return final{werr}
		}
		g.count(f, at)
		if err == io.EOF {
			if err := out.Close(); err != nil {
				return final{err}
			}
			if f.Size > 0 && at < f.Size {
				return fmt.Errorf("ended after %d of %d bytes", at, f.Size)
			}
			return nil
		}
		if err != nil {
			return explain(err)
		}
	}
}

// forget removes a part that cannot be gone on with, and returns err.
func (g *getter) forget(part string, err error) error {
	if rerr := g.remove(part); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		return final{rerr}
	}
	return err
}

// open opens a file of the folder for writing.
func (g *getter) open(name string, flags int) (*disk.File, error) {
	var f *os.File
	err := disk.Do("open", name, func() (err error) { f, err = g.root.OpenFile(name, flags, 0o666); return err })
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return &disk.File{File: f}, nil
}

// remove removes a file of the folder.
func (g *getter) remove(name string) error {
	return disk.Do("remove", name, func() error { return g.root.Remove(name) })
}

// size returns the length of a file, 0 if there is none.
func (g *getter) size(name string) int64 {
	fi, err := g.root.Stat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return 0
	}
	return fi.Size()
}

// verify says whether a file has the size and the hashes that were published.
func (g *getter) verify(f File, name string) (bool, error) {
	in, err := g.root.Open(name)
	if err != nil {
		return false, err
	}
	defer in.Close()
	fi, err := in.Stat()
	switch {
	case err != nil:
		return false, err
	case !fi.Mode().IsRegular():
		return false, fmt.Errorf("%s: want a file", filepath.Join(g.root.Name(), name))
	case fi.Size() > longest || f.Size > 0 && fi.Size() != f.Size:
		return false, nil
	}
	blob, sum := sha1.New(), sha256.New()
	fmt.Fprintf(blob, "blob %d\x00", fi.Size())
	if _, err := io.Copy(io.MultiWriter(blob, sum), in); err != nil {
		return false, err
	}
	return hex.EncodeToString(blob.Sum(nil)) == f.SHA1 && (f.SHA256 == "" || hex.EncodeToString(sum.Sum(nil)) == f.SHA256), nil
}

// url returns the address of a file at a mirror.
func (f File) url(mirror string) string {
	parts := strings.Split(f.Repository+"/"+f.Commit+"/"+f.Path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.TrimRight(mirror, "/") + "/" + strings.Join(parts, "/")
}
