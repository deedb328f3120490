package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tries is how often a server is asked for a file: once, and three times more where that brought nothing.
const tries = 4

// ErrOffline is wrapped by the error for a file that is not there while nothing may be fetched.
var ErrOffline = errors.New("is not here, and nothing is fetched offline")

var (
	errStalled = errors.New("nothing came for too long")
	errHash    = errors.New("what came is not the published file: its hash is another one")
)

// final is an error that no other try would mend.
type final struct{ error }

func (e final) Unwrap() error { return e.error }

func finalf(format string, args ...any) error { return final{fmt.Errorf(format, args...)} }

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
	address, part := file.url(mirror), path+".part"
	for idle := 0; ; {
		before := length(part)
		err := f.transfer(ctx, file, address.String(), part, progress)
		if err == nil {
			err = accept(file, path)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if length(part) > before {
			idle = 0
		}
		if idle++; idle == tries || errors.As(err, new(final)) {
			return fmt.Errorf("%s: %w", address.Redacted(), err)
		}
		wait := f.Backoff << (idle - 1)
		f.tell("%s: %v: again in %v", address.Redacted(), err, wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// accept gives a part its name, if it is the published file; else it removes it.
func accept(file File, path string) error {
	part := path + ".part"
	whole, err := file.is(part)
	if err == nil && !whole {
		err = errors.Join(errHash, os.Remove(part))
	}
	if err != nil {
		return err
	}
	return os.Rename(part, path)
}

// length returns that of a file, 0 where there is none.
func length(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

// transfer asks for what the part does not hold yet, and adds it.
func (f Fetcher) transfer(ctx context.Context, file File, address, part string, progress func(bytes int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(f.Stall, func() { cancel(errStalled) })
	defer alarm.Stop()
	from := length(part)
	if from == file.Size && from > 0 {
		return nil
	}
	if from > file.most() {
		from = 0
	}
	body, from, err := ask(ctx, address, from)
	if err != nil {
		return stalled(ctx, err)
	}
	defer body.Close()
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if from == 0 {
		flags |= os.O_TRUNC
	}
	out, err := os.OpenFile(part, flags, 0o666)
	if err != nil {
		return final{err}
	}
	defer out.Close()
	block := make([]byte, 64<<10)
	for at := from; ; progress(at) {
		n, err := body.Read(block)
		alarm.Reset(f.Stall)
		if at += int64(n); at > file.most() {
			return final{errors.Join(fmt.Errorf("more than %d bytes came: want at most that", file.most()), os.Remove(part))}
		}
		if _, err := out.Write(block[:n]); err != nil {
			return final{err}
		}
		switch {
		case err == io.EOF && at < file.Size:
			return fmt.Errorf("ended after %d of %d bytes", at, file.Size)
		case err == io.EOF:
			return out.Sync()
		case err != nil:
			return stalled(ctx, err)
		}
	}
}

// ask asks for the bytes of a file from a place on. It returns the place that they begin at, which is 0 of a server that knows of no ranges.
func ask(ctx context.Context, address string, from int64) (io.ReadCloser, int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, final{err}
	}
	request.Header.Set("User-Agent", "asp2vec")
	request.Header.Set("Accept-Encoding", "identity") // sizes are those of the files
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if repeats := (*url.Error)(nil); errors.As(err, &repeats) {
			err = repeats.Err // without the address
		}
		return nil, 0, err
	}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return response.Body, 0, nil
	case code == http.StatusPartialContent && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)):
		return response.Body, from, nil
	case code == http.StatusRequestedRangeNotSatisfiable && from > 0: // all was here
		return http.NoBody, from, nil
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		err = errors.New(response.Status)
	default:
		err = finalf("%s", response.Status)
	}
	response.Body.Close()
	return nil, 0, err
}

// stalled returns err, or that nothing came for too long where this is why.
func stalled(ctx context.Context, err error) error {
	if context.Cause(ctx) == errStalled {
		return errStalled
	}
	return err
}
