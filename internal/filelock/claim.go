package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ClaimedError is the error for what someone else has claimed; it is fs.ErrExist.
type ClaimedError struct{ Path, By string }

// Error says who, and what to do if that is over.
func (e ClaimedError) Error() string {
	by := e.By
	if by == "" {
		by = "someone"
	}
	return fmt.Sprintf("%s is at it: want that ended or, if it was killed, the file %s removed", by, e.Path)
}

// Is says that something is there.
func (ClaimedError) Is(target error) bool { return target == fs.ErrExist }

// Claim is Take for folders that machines share, where locks may hold nothing: the file at path, which it makes along with
// its folder, is what holds, until free removes it. It stays where a process is killed. One that a process of this machine has
// left is taken over. It returns a ClaimedError if another one holds the file, or a process of another machine made it, of which one
// cannot know; and another error if the file cannot be written.
func Claim(path string) (free func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	me := fmt.Sprintf("%s %d", host, os.Getpid())
	for range 2 {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_, err = fmt.Fprintf(f, "%s, since %s\n", me, time.Now().UTC().Format(time.DateTime))
			if err = errors.Join(err, f.Close()); err != nil {
				return nil, errors.Join(err, os.Remove(path))
			}
			return func() { _ = os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		who, _, _ := strings.Cut(string(text), ",")
		at, id, _ := strings.Cut(who, " ")
		if pid, perr := strconv.Atoi(id); err != nil || perr != nil || at != host || alive(pid) {
			return nil, ClaimedError{path, strings.TrimSpace(string(text))}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, ClaimedError{Path: path}
}
