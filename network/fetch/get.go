package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tries is how often a server is asked for a file.
const tries = 4

// ErrOffline is wrapped by the error for a file that is not there while nothing may be fetched.
var ErrOffline = errors.New("is not here, and nothing is fetched offline")

var (
	errStalled = errors.New("nothing came for too long")
	errHash    = errors.New("what came is not the published file: its hash is another one")
)

// get leaves a published file at path, whole and with the right hash, unless it is there already.
func (f Fetcher) get(ctx context.Context, file File, mirror *url.URL, path string, progress func(bytes int64)) error {
	here, err := file.is(path)
	if here || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if f.Offline {
		return fmt.Errorf("%s %w", path, ErrOffline)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	address := file.url(mirror)
	for range tries {
		if err = f.transfer(ctx, file, address.String(), path, progress); err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("%s: %w", address.Redacted(), err)
}

// length returns that of a file, 0 where there is none.
func length(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

// transfer adds what the part of a file does not hold yet, and gives it its name, if it is the published file; else it removes it.
func (f Fetcher) transfer(ctx context.Context, file File, address, path string, progress func(bytes int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(f.Stall, func() { cancel(errStalled) })
	defer alarm.Stop()
	part := path + ".part"
	from := length(part)
	if from >= file.most() {
		from = 0
	}
	body, from, err := ask(ctx, address, from)
	if err != nil {
		return stalled(ctx, err)
	}
	defer body.Close()
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := out.Truncate(from); err != nil {
		return err
	}
	at := from
	written := writer(func(b []byte) (int, error) {
		alarm.Reset(f.Stall)
		n, err := out.WriteAt(b, at)
		at += int64(n)
		progress(min(at, file.most()))
		return n, err
	})
	if _, err := io.Copy(written, io.LimitReader(body, file.most()-from+1)); err != nil {
		return stalled(ctx, err)
	}
	whole, err := file.is(part)
	if err != nil {
		return err
	}
	if !whole {
		return errors.Join(errHash, os.Remove(part))
	}
	return os.Rename(part, path)
}

type writer func(b []byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// client follows redirects, but from https to https alone.
var client = http.Client{CheckRedirect: func(next *http.Request, before []*http.Request) error {
	const most = 10
	switch {
	case len(before) == most:
		return fmt.Errorf("stopped after %d redirects", most)
	case before[0].URL.Scheme == "https" && next.URL.Scheme != "https":
		return errors.New("the server redirects from https to " + next.URL.Scheme)
	}
	return nil
}}

// Unreachable says whether an error is that a server could not be asked at all.
func Unreachable(err error) bool { return errors.As(err, new(*net.OpError)) }

// ask asks for the bytes of a file from a place on. It returns the place that they begin at, which is 0 of a server that knows of no ranges.
func ask(ctx context.Context, address string, from int64) (io.ReadCloser, int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("User-Agent", "asp2vec")
	request.Header.Set("Accept-Encoding", "identity") // sizes are those of the files
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	response, err := client.Do(request)
	if err != nil {
		if repeats := (*url.Error)(nil); errors.As(err, &repeats) {
			err = repeats.Err // without the address
		}
		return nil, 0, err
	}
	switch {
	case response.StatusCode == http.StatusOK:
		return response.Body, 0, nil
	case response.StatusCode == http.StatusPartialContent && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)):
		return response.Body, from, nil
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable && from > 0: // all was here
		return http.NoBody, from, nil
	}
	response.Body.Close()
	return nil, 0, errors.New(response.Status)
}

// stalled returns err, or that nothing came for too long where this is why.
func stalled(ctx context.Context, err error) error {
	if context.Cause(ctx) == errStalled {
		return errStalled
	}
	return err
}
