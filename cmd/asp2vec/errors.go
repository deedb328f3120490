package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// message returns an error as one line, without the names of the packages it came through, and with what gets a data set that is
// not here. That a context was cancelled is for
// programmers: here it means that the user stopped the command.
func message(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		line = strings.ReplaceAll(strings.TrimSpace(line), context.Canceled.Error(), "interrupted")
		for origin.MatchString(line) {
			line = origin.ReplaceAllString(line, "$1")
		}
		if line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	if absent := (*network.AbsentError)(nil); errors.As(err, &absent) && len(fetch.Files(absent.Dataset)) > 0 {
		parts = append(parts, "asp2vec data fetch "+strings.ToLower(absent.Dataset.Name)+" gets it")
	}
	return shortened(render.Safe(strings.Join(parts, "; ")))
}

// shortened returns a message of which the middle is left out if it is as long as no message should be: it repeats what it was given.
func shortened(text string) string {
	const most, end = 4000, 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-end], "") + " ... " + strings.ToValidUTF8(text[len(text)-end:], "")
}
