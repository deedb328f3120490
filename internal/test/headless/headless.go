// Package headless opens pages in a browser without a window, for tests of pages that have scripts.
package headless

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Open opens a page in Chromium, and returns the document after its scripts have run, and what was
// logged. flags are more of the browser's. The test is skipped where there is no Chromium, unless CI is set, and where it does not come to an end.
func Open(t *testing.T, page string, flags ...string) (document, log string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index.html")
	call.File(t, path, page)
	return OpenFile(t, path, flags...)
}

// OpenFile is Open for a page that is a file already.
func OpenFile(t *testing.T, path string, flags ...string) (document, log string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		unseen(t, "no chromium to look at the page with")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr")
	cmd.Args = append(append(cmd.Args, flags...), "--dump-dom", "file://"+path)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, 10*time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Skip("the browser did not come to an end")
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		unseen(t, "the browser does not work here: "+err.Error())
	}
	return out.String(), errs.String()
}

// unseen skips a test of a page that no browser can show; where CI is set it fails, since nobody would ever see the page.
func unseen(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// console finds messages of the page itself.
var console = regexp.MustCompile(`.*CONSOLE.*`)

// Console returns the messages of the page in a log: errors of scripts, and what the page was kept from.
func Console(log string) []string { return console.FindAllString(log, -1) }
