package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/asp2vec/asp2vec/results/render"
)

// badInput marks an error that the user can mend: exit code 2.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

// bad marks err as the user's to mend; nil stays nil, and who stops a command has nothing to mend.
func bad(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return badInput{err}
}

func badf(format string, args ...any) error { return bad(fmt.Errorf(format, args...)) }

// exitCode returns 2 for bad usage, bad input and files that cannot be read or written, 1 for all else.
func exitCode(err error) int {
	var in badInput
	var path *fs.PathError
	if errors.As(err, &in) || errors.As(err, &path) || errors.Is(err, syscall.ENOSPC) {
		return 2
	}
	return 1
}

// origin is what errors of the packages begin with: the package, and maybe the function.
var origin = regexp.MustCompile(`(^|: )(experiments|compare|report|graphs|walks|network|formats|bibfile|eval|results|vectors|render|plot|webpage|atomicfile|layers|losses|guard|hetnet|fetch|pickle|checkpoint): ([A-Z]\w*: )?`)

// unfinished is a file in a folder that has a temporary name until it is complete, which nobody knows (atomicfile.Dir).
var unfinished = regexp.MustCompile(`\.([^/\\]+)\.tmp-\d+-\d+([/\\])`)

// message returns an error as one line, without the names of the packages it came through, and with what to do about a data set that is
// not here and a disk that is full. That a context was cancelled is for programmers: here it means that the user stopped the command.
func message(err error) string {
	var parts []string
	text := err.Error()
	for path := range pathErrors(err) {
		text = strings.ReplaceAll(text, path.Error(), path.Path+": "+reason(path.Err))
		text = strings.ReplaceAll(text, path.Path+": cannot be read: "+path.Path+": ", path.Path+": cannot be read: ")
	}
	text = unfinished.ReplaceAllString(text, "$1$2")
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimSpace(line), context.Canceled.Error(), "interrupted")
		for origin.MatchString(line) {
			line = origin.ReplaceAllString(line, "$1")
		}
		if line != "" && !slices.ContainsFunc(parts, func(p string) bool { return p == line || strings.HasSuffix(p, ": "+line) }) {
			parts = append(parts, line)
		}
	}
	if absent := (*network.AbsentError)(nil); errors.As(err, &absent) && len(fetch.Files(absent.Dataset)) > 0 {
		parts = append(parts, "asp2vec data fetch "+strings.ToLower(absent.Dataset.Name)+" gets it")
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		parts = append(parts, "free some space there, or choose a place on another disk")
	}
	return shortened(render.Safe(strings.Join(parts, "; ")))
}

// pathErrors yields what the operating system refused to do with a file, wherever err wraps it.
func pathErrors(err error) iter.Seq[*fs.PathError] {
	return func(yield func(*fs.PathError) bool) {
		var walk func(err error) bool
		walk = func(err error) bool {
			switch e := err.(type) {
			case *fs.PathError:
				return yield(e)
			case interface{ Unwrap() error }:
				return walk(e.Unwrap())
			case interface{ Unwrap() []error }:
				for _, inner := range e.Unwrap() {
					if !walk(inner) {
						return false
					}
				}
			}
			return true
		}
		walk(err)
	}
}

// reason says why a file could not be used, and what is wanted instead where that is plain.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, syscall.EISDIR):
		return "a folder: want a file"
	case errors.Is(err, syscall.ENOTDIR):
		return "part of it is a file: want a folder"
	}
	return err.Error()
}

// shortened returns a message of which the middle is left out if it is as long as no message should be: it repeats what it was given.
func shortened(text string) string {
	const most, end = 4000, 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-end], "") + " ... " + strings.ToValidUTF8(text[len(text)-end:], "")
}
