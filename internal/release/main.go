// Command release builds what a release consists of: for each system an archive with the program, its manual page, completions,
// license and README; checksums; and a list of everything that is linked in (SBOM, CycloneDX). The same commit and Go give the
// same bytes.
//
//	go run ./internal/release --out dist
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// every is what a release is built for.
const every = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	out := flag.String("out", "dist", "folder for the release, which is new or empty")
	version := flag.String("version", "", "of the release; as git describe has it if left out")
	targets := flag.String("targets", every, "systems and processors, with commas")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *version, strings.Split(*targets, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes the release of the repository in the current folder.
func run(ctx context.Context, out, version string, targets []string) error {
	s, err := sourceOf(ctx, version)
	if err != nil {
		return err
	}
	return atomicfile.Dir(out, false, func(dir string) error {
		extras, err := extraFiles(ctx)
		if err != nil {
			return err
		}
		var files []string
		for _, t := range targets {
			system, processor, ok := strings.Cut(t, "/")
			if !ok {
				return fmt.Errorf("target %q: want one such as linux/amd64", t)
			}
			fmt.Fprintln(os.Stderr, "building for", t)
			program, err := build(ctx, s, system, processor)
			if err != nil {
				return err
			}
			name := fmt.Sprintf("asp2vec_%s_%s_%s", s.version, system, processor)
			file, err := archive(dir, name, system == "windows", append([]entry{program}, extras...), s.time)
			if err != nil {
				return err
			}
			files = append(files, file)
			if t == targets[0] {
				bom := "asp2vec_" + s.version + ".cdx.json"
				if err := writeBOM(filepath.Join(dir, bom), program.content, s); err != nil {
					return err
				}
				files = append(files, bom)
			}
		}
		return writeSums(dir, files)
	})
}

// source is what is released.
type source struct {
	version, commit string
	time            time.Time // of the commit: that of all files in archives
}

// sourceOf describes the repository in the current folder, whose version is version unless that is "". It returns an error where there
// are changes that are not committed, for then nobody could build the same.
func sourceOf(ctx context.Context, version string) (s source, err error) {
	git := func(args ...string) string {
		text, e := output(ctx, nil, "git", args...)
		if err == nil {
			err = e
		}
		return strings.TrimSpace(string(text))
	}
	s.version, s.commit = version, git("rev-parse", "HEAD")
	if s.version == "" {
		s.version = git("describe", "--tags", "--always")
	}
	seconds, changes := git("show", "-s", "--format=%ct", "HEAD"), git("status", "--porcelain")
	if err != nil {
		return s, err
	}
	if changes != "" {
		return s, fmt.Errorf("the repository has changes that are not committed:\n%s", changes)
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	s.time = time.Unix(at, 0).UTC()
	return s, err
}

// build compiles the program for a system.
func build(ctx context.Context, s source, system, processor string) (entry, error) {
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return entry{}, err
	}
	defer os.RemoveAll(dir)
	name := "asp2vec"
	if system == "windows" {
		name += ".exe"
	}
	const stamps = "github.com/asp2vec/asp2vec/results."
	_, err = output(ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + processor, "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0"}, "go", "build", "-trimpath", "-buildvcs=false",
		"-tags=arrow_json_stdlib", // which Arrow's reader then shares with all else
		"-ldflags=-s -w -X "+stamps+"version="+s.version+" -X "+stamps+"commit="+s.commit, "-o", filepath.Join(dir, name), "./cmd/asp2vec")
	if err != nil {
		return entry{}, err
	}
	content, err := os.ReadFile(filepath.Join(dir, name))
	return entry{name, content, true}, err
}

// extraFiles are what archives hold beside the program.
func extraFiles(ctx context.Context) (files []entry, err error) {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"} {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name, content, false})
	}
	for name, args := range map[string][]string{"asp2vec.1": {"man"}, "completions/asp2vec.bash": {"completion", "bash"},
		"completions/_asp2vec": {"completion", "zsh"}, "completions/asp2vec.fish": {"completion", "fish"}} {
		content, err := output(ctx, []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}, "go", append([]string{"run", "./cmd/asp2vec"}, args...)...)
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name, content, false})
	}
	return files, nil
}

// output runs a command with more in its environment, and returns what it prints.
func output(ctx context.Context, environment []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return text, nil
}
