// Package machine says on what a measurement ran, as far as the results package cannot.
package machine

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/results"
)

// Environment is results.Environment with the commit of the folder's repository where the program does not know its own, which
// one started by "go run" does not.
func Environment() (results.Code, results.Host) {
	code, host := results.Environment()
	if commit, err := git("rev-parse", "HEAD"); err == nil && code.Commit == "" {
		changes, err := git("status", "--porcelain", "--untracked-files=no")
		code.Commit, code.Dirty = commit, err != nil || changes != ""
	}
	return code, host
}

func git(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// Load returns the load averages of the last 1, 5 and 15 minutes, or nothing where they are not known.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
