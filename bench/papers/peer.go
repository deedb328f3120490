package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// arrays writes NumPy files to a folder, up to the first error. Whole numbers become float32, which holds all below 2^24.
type arrays struct {
	dir string
	err error
}

func (f *arrays) number(name string, i int) string { return name + "-" + strconv.Itoa(i) }

func (f *arrays) ints(name string, x []int32, shape ...int) {
	floats := make([]float32, len(x))
	for i, v := range x {
		floats[i] = float32(v)
		if int32(floats[i]) != v {
			f.err = errors.Join(f.err, fmt.Errorf("papers: array %s has %d: want numbers below 2^24", name, v))
			return
		}
	}
	f.floats(name, floats, shape...)
}

func (f *arrays) floats(name string, x []float32, shape ...int) {
	if f.err != nil {
		return
	}
	file, err := os.Create(filepath.Join(f.dir, name+".npy"))
	if err != nil {
		f.err = err
		return
	}
	w := bufio.NewWriter(file)
	f.err = errors.Join(vectors.WriteNPY(w, x, shape...), w.Flush(), file.Close())
}

// peer is PyTorch's program at a task. It waits for turns.
type peer struct {
	cmd      *exec.Cmd
	dir      string // of its arrays
	in       io.WriteCloser
	out      *json.Decoder
	versions map[string]string
}

// peerBatches is how many batches the peer gets; it takes them again after the last one.
const peerBatches = 10

// startPeer writes what the peer needs, and starts it.
func startPeer(ctx context.Context, o options, t task, g graphs.Options, in hetnet.Input, parameters []*graphs.Table, batches batchWriter) (*peer, error) {
	dir, err := os.MkdirTemp("", "papers")
	if err != nil {
		return nil, err
	}
	p := &peer{dir: dir}
	if err := writeArrays(dir, g, in, parameters, batches); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.cmd = exec.CommandContext(ctx, o.python, o.peer, t.Model, "--threads", strconv.Itoa(o.threads), dir)
	p.cmd.Stderr = os.Stderr
	p.cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+strconv.Itoa(o.threads))
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.out = json.NewDecoder(out)
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err == nil {
		err = p.out.Decode(&p.versions)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("papers: %v: %w", p.cmd, err), p.close())
	}
	return p, nil
}

func writeArrays(dir string, o graphs.Options, in hetnet.Input, parameters []*graphs.Table, batches batchWriter) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "options.json"), text, 0o600); err != nil {
		return err
	}
	f := &arrays{dir: dir}
	f.floats("words", in.Words.Vectors, len(in.Words.Vectors)/in.Words.Dim, in.Words.Dim)
	var all, lengths []int32
	for _, text := range trainTexts(in.Bibliography) {
		text = text[:min(len(text), hetnet.Own(o).TextLength)]
		all, lengths = append(all, text...), append(lengths, int32(len(text)))
	}
	f.ints("tokens", all, len(all))
	f.ints("lengths", lengths, len(lengths))
	for _, t := range parameters {
		f.floats(t.Name, t.X, append([]int{t.Rows}, t.Block...)...)
	}
	if f.err != nil {
		return f.err
	}
	return batches(f, peerBatches)
}

func (p *peer) name() string { return "PyTorch" }

func (p *peer) run(_ context.Context, steps int, limit time.Duration) (t timing, err error) {
	if _, err = fmt.Fprintln(p.in, steps, limit.Seconds()); err == nil {
		err = p.out.Decode(&t)
	}
	if err != nil {
		return t, fmt.Errorf("PyTorch's program ended: want a figure for each turn: %w", err)
	}
	return t, nil
}

// close ends the program, which reads the end of its input, and removes its arrays.
func (p *peer) close() (err error) {
	if p == nil {
		return nil
	}
	if p.in != nil {
		p.in.Close()
	}
	if p.cmd != nil && p.cmd.Process != nil {
		err = p.cmd.Wait()
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}
