// Package peer is what measurements of other programs share: how one is run, and the walks that all of them read.
package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Output returns what a command printed; its error ends with the last line that the command wrote to stderr.
func Output(ctx context.Context, name string, args ...string) (string, error) {
	out, _, err := Run(ctx, nil, name, args...)
	return out, err
}

// Run is Output, which also returns how the command ended, nil where it could not be started. It calls watch, unless nil, with
// the process once it runs; the function that watch returns is called when it has ended. It returns the errors of Output.
func Run(ctx context.Context, watch func(*os.Process) (stop func()), name string, args ...string) (string, *os.ProcessState, error) {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = &stdout, &stderr, os.Environ()
	err := cmd.Start()
	if err == nil {
		stop := func() {}
		if watch != nil {
			stop = watch(cmd.Process)
		}
		err = cmd.Wait()
		stop()
	}
	if err != nil {
		text := strings.TrimSpace(stderr.String())
		if text = text[strings.LastIndexByte(text, '\n')+1:]; text != "" {
			return stdout.String(), cmd.ProcessState, fmt.Errorf("%s: %w: %.200s", filepath.Base(name), err, text)
		}
		return stdout.String(), cmd.ProcessState, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return stdout.String(), cmd.ProcessState, nil
}

// Document reads the JSON document that a program printed, on the last line or over the whole output. It returns an error if
// neither is valid JSON.
func Document(out string, v any) error {
	out = strings.TrimSpace(out)
	if json.Unmarshal([]byte(out[strings.LastIndexByte(out, '\n')+1:]), v) == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(out), v); err != nil {
		return fmt.Errorf("output %.80q: want one JSON document: %w", out, err)
	}
	return nil
}

// DatasetName is the name of a split's folder, or that of the folder above for one called "split".
func DatasetName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if filepath.Base(dir) == "split" {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}

// WriteWalks writes the paper's corpus over a network, 10 uniform walks of 80 vertices from each, one a line, vertices as
// numbers from 0. It returns an error if the walks cannot be drawn or the file cannot be written.
func WriteWalks(net *network.Network, seed uint64, path string) error {
	corpus, err := walks.NewUniform(net, walks.Options{PerVertex: 10, Length: 80, Seed: seed})
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	var buf []int32
	var line []byte
	for i := range corpus.Walks() {
		buf = corpus.Walk(i, buf)
		line = line[:0]
		for _, v := range buf {
			line = append(strconv.AppendInt(line, int64(v), 10), ' ')
		}
		line[len(line)-1] = '\n'
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
