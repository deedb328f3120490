// Command gru measures the encoder of texts, forward and backward, against PyTorch's on the same texts.
//
//	go run ./bench/gru --python /usr/bin/python3 --papers dblp/papers.tsv.gz
//
// It prints a table: nanoseconds of a token on the clock, and of processor time over all threads, the best of a number of rounds in
// which both take turns, and the ratios. On a busy machine the processor times say more. Titles are those of --papers, or generated
// ones of as many words; abstracts of about 100 words are generated. Without --python only this project's encoder is measured.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// wordDim is how many numbers a word's vector has.
const wordDim = 128

type options struct {
	python, peer, papers string
	threads, rounds      int
	dims, kinds          string
}

func main() {
	var o options
	flag.StringVar(&o.python, "python", "", "interpreter with PyTorch; empty to leave it out")
	flag.StringVar(&o.peer, "peer", "bench/gru/peer.py", "PyTorch's program")
	flag.StringVar(&o.papers, "papers", "", "papers.tsv.gz with titles; empty to generate them")
	flag.IntVar(&o.threads, "threads", 2, "threads of each")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds")
	flag.StringVar(&o.dims, "dims", "40,200", "sizes of vectors")
	flag.StringVar(&o.kinds, "texts", "titles/500,titles/20000,abstracts/500", "texts, and how many in a batch")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rate is what one program measured, in nanoseconds of a token.
type rate struct {
	Wall float64 `json:"wall_ns"`
	CPU  float64 `json:"cpu_ns"`
}

func (r rate) best(other rate) rate {
	if r.Wall == 0 {
		return other
	}
	return rate{min(r.Wall, other.Wall), min(r.CPU, other.CPU)}
}

func run(o options, w io.Writer) error {
	folder, err := os.MkdirTemp("", "gru")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Fprintf(w, "%s, %d threads, best of %d rounds\n\n", runtime.Version(), o.threads, o.rounds)
	fmt.Fprintln(w, "| texts | dim | ns/token | cpu ns/token | PyTorch ns/token | cpu ns/token | ratio | cpu ratio |\n|:--|--:|--:|--:|--:|--:|--:|--:|")
	for _, kind := range strings.Split(o.kinds, ",") {
		texts, err := makeTexts(kind, o.papers)
		if err != nil {
			return err
		}
		file := filepath.Join(folder, "texts")
		if err := os.WriteFile(file, format(texts), 0o600); err != nil {
			return err
		}
		for _, word := range strings.Split(o.dims, ",") {
			dim, err := strconv.Atoi(word)
			if err != nil {
				return fmt.Errorf("gru: dims: %w", err)
			}
			var own, peer rate
			for range o.rounds {
				r, err := measure(texts, dim, o.threads)
				if err != nil {
					return err
				}
				own = own.best(r)
				if o.python == "" {
					continue
				}
				if r, err = measurePeer(o, file, dim); err != nil {
					return err
				}
				peer = peer.best(r)
			}
			fmt.Fprintf(w, "| %s | %d | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f |\n",
				kind, dim, own.Wall, own.CPU, peer.Wall, peer.CPU, peer.Wall/own.Wall, peer.CPU/own.CPU)
		}
	}
	return nil
}

// measure runs passes over the texts for about a second, after one to warm up.
func measure(texts [][]int32, dim, threads int) (rate, error) {
	s := rng.New(1, "words")
	words := &hetnet.Words{Dim: wordDim, Vectors: make([]float32, vocabulary(texts)*wordDim)}
	for i := range words.Vectors {
		words.Vectors[i] = float32(s.Normal()) / 10
	}
	e, err := hetnet.NewEncoder(words, dim, graphs.Default(), threads)
	if err != nil {
		return rate{}, err
	}
	grad := make([]float32, len(texts)*dim)
	for i := range grad {
		grad[i] = float32(s.Normal())
	}
	pass := func() error {
		if _, err := e.Forward(texts); err != nil {
			return err
		}
		return e.Backward(grad)
	}
	if err := pass(); err != nil {
		return rate{}, err
	}
	passes, start, used := 0, time.Now(), cpuTime()
	for ; passes < 3 || time.Since(start) < time.Second; passes++ {
		if err := pass(); err != nil {
			return rate{}, err
		}
	}
	n := float64(passes * tokens(texts))
	return rate{float64(time.Since(start).Nanoseconds()) / n, float64((cpuTime() - used).Nanoseconds()) / n}, nil
}

func measurePeer(o options, file string, dim int) (r rate, err error) {
	cmd := exec.Command(o.python, o.peer, "--dim", strconv.Itoa(dim), "--width", strconv.Itoa(wordDim), "--threads", strconv.Itoa(o.threads), file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("gru: %v: %w", cmd, err)
	}
	return r, json.Unmarshal(out, &r)
}

func format(texts [][]int32) []byte {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for _, text := range texts {
		for i, t := range text {
			if i > 0 {
				w.WriteByte(' ')
			}
			w.WriteString(strconv.Itoa(int(t)))
		}
		w.WriteByte('\n')
	}
	w.Flush()
	return b.Bytes()
}

func tokens(texts [][]int32) (n int) {
	for _, text := range texts {
		n += len(text)
	}
	return n
}

func vocabulary(texts [][]int32) (n int) {
	for _, text := range texts {
		for _, t := range text {
			n = max(n, int(t)+1)
		}
	}
	return n
}
