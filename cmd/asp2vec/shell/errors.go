package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/asp2vec/asp2vec/results/render"
)

// badInput marks an error that the user can mend: exit code 2.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

// Bad marks err as the user's to mend; nil stays nil, and who stops a command has nothing to mend.
func Bad(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return badInput{err}
}

// Badf returns an error that the user can mend, as fmt.Errorf makes it.
func Badf(format string, args ...any) error { return Bad(fmt.Errorf(format, args...)) }

// ExitCode returns 2 for bad usage, bad input and files that cannot be read or written, 1 for all else.
func ExitCode(err error) int {
	var in badInput
	var path *fs.PathError
	if errors.As(err, &in) || errors.As(err, &path) || errors.Is(err, syscall.ENOSPC) {
		return 2
	}
	return 1
}

// unfinished says what was interrupted, and where: of the end of a context an error says neither.
func unfinished(err error, command []string) error {
	at := strings.TrimRight(strings.TrimSuffix(Message(err), context.Canceled.Error()), ": ")
	if at != "" {
		at = " at " + at
	}
	return fmt.Errorf("interrupted%s: %s did not finish", at, strings.Join(command, " "))
}

// Message returns an error as one line, without the names of the packages that it passed through.
func Message(err error) string {
	return render.Safe(packageNames.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", "; "), "$1"))
}

var packageNames = regexp.MustCompile(`(^|: )(?:(?:atomicfile|compare|encode|engine|eval|experiments|explore|fetch|formats|gradcheck|graphs|gru|guard|hetnet|layers|layout|losses|methods|network|op|papers|pickle|plan|plot|render|results|symnmf|typed|vectors|walks|yamlfile): )+`)
