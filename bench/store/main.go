// Command store measures what a store of records costs by its size: reading, appending, showing, merging.
//
//	go run ./bench/store --records 1000,10000,100000 --out results/benchmarks
//
// Its records are those of --from over and over, each time under other seeds. It writes a table into store.md, and needs about 12 kB of
// disk for a record, twice, while it runs. Nothing is dropped from the system's memory of files: a disk that is slow, or far away,
// adds the time to read the bytes that are listed.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

func main() {
	if err := measure(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "store:", err)
		os.Exit(1)
	}
}

// times of one size, in seconds but for what is said.
type times struct {
	records           int
	bytes             int64
	first, again, on  float64 // results show table3: of a store not read before, of one that was, of one with a new record
	appended, part    float64 // a record, to the file and to a part
	files             int     // of parts that the same records are in, 50 to a file
	fromParts, merged float64
}

func measure(args []string) (err error) {
	f := flag.NewFlagSet("store", flag.ContinueOnError)
	sizes := f.String("records", "1000,10000,100000", "sizes of stores, with commas between them")
	from := f.String("from", "results/measured/runs.jsonl", "records to take")
	out := f.String("out", "results/benchmarks", "folder for store.md")
	if err := f.Parse(args); err != nil {
		return err
	}
	sample, _, err := results.ReadStore(*from)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "asp2vec-store-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache")); err != nil { // an index of our own, not the user's
		return err
	}
	var all []times
	for word := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("--records %q: want numbers from 1 up with commas between them", *sizes)
		}
		t, err := measureSize(filepath.Join(dir, word), sample, n)
		if err != nil {
			return err
		}
		all = append(all, t)
		fmt.Fprintf(os.Stderr, "%+v\n", t)
	}
	return atomicfile.Write(filepath.Join(*out, "store.md"), func(w io.Writer) error { return report(w, all) })
}

func measureSize(dir string, sample []results.Record, n int) (t times, err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path, apart := filepath.Join(dir, "runs.jsonl"), filepath.Join(dir, "apart.jsonl")
	if t.bytes, t.files, err = generate(path, results.PartsFolder(apart), sample, n); err != nil {
		return t, err
	}
	t.records = n
	show := func(path string) (seconds float64, err error) {
		begun := time.Now()
		s, err := store.ReadStore(path)
		if err != nil {
			return 0, err
		}
		spec, _ := tables.FindSpec("table3")
		for _, table := range spec.Table(s.Runs(), sweep.Selection{}) {
			if err := render.Write(io.Discard, table, "terminal"); err != nil {
				return 0, err
			}
		}
		return time.Since(begun).Seconds(), s.Broken()
	}
	if t.first, err = show(path); err != nil {
		return t, err
	}
	if t.again, err = show(path); err != nil {
		return t, err
	}
	if t.appended, err = appendSome(sample, func(r results.Record) error { return r.Append(path) }); err != nil {
		return t, err
	}
	if t.on, err = show(path); err != nil {
		return t, err
	}
	if t.part, err = appendSome(sample, results.NewPart(path, "").Append); err != nil {
		return t, err
	}
	if t.fromParts, err = show(apart); err != nil {
		return t, err
	}
	begun := time.Now()
	if _, _, _, err = results.Merge(apart); err != nil {
		return t, err
	}
	t.merged = time.Since(begun).Seconds()
	return t, nil
}

// generate writes n records to a store and, 50 to a file, into a folder of parts.
func generate(store, parts string, sample []results.Record, n int) (size int64, files int, err error) {
	if err := os.Mkdir(parts, 0o777); err != nil {
		return 0, 0, err
	}
	main, err := os.Create(store)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, main.Close()) }()
	var part bytes.Buffer
	for i := range n {
		line, err := again(sample[i%len(sample)], uint64(1000*(i/len(sample)))).Line()
		if err != nil {
			return 0, 0, err
		}
		if _, err := main.Write(line); err != nil {
			return 0, 0, err
		}
		size += int64(len(line))
		part.Write(line)
		if i%50 == 49 || i == n-1 {
			if err := os.WriteFile(filepath.Join(parts, fmt.Sprintf("task-%06d.jsonl", files)), part.Bytes(), 0o666); err != nil {
				return 0, 0, err
			}
			part.Reset()
			files++
		}
	}
	return size, files, nil
}

// again returns a record of the same run under another seed.
func again(r results.Record, more uint64) results.Record {
	was := strconv.FormatUint(r.Seed, 10)
	r.Seed += more
	r.Options = json.RawMessage(strings.Replace(string(r.Options), `"seed":`+was, `"seed":`+strconv.FormatUint(r.Seed, 10), 1))
	return r
}

// appendSome returns the median time of appending a record.
func appendSome(sample []results.Record, add func(results.Record) error) (seconds float64, err error) {
	var all []float64
	for i := range 101 {
		r := again(sample[i%len(sample)], 1<<40)
		begun := time.Now()
		if err := add(r); err != nil {
			return 0, err
		}
		all = append(all, time.Since(begun).Seconds())
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func report(w io.Writer, all []times) error {
	host := results.NewRecord("store").Host
	fmt.Fprintf(w, "# The store of records, by the number of records\n\n`go run ./bench/store`, %s %s, %s with %d processors, files in memory.\n\n", runtime.GOOS, runtime.GOARCH, host.CPU, runtime.NumCPU())
	fmt.Fprintln(w, "| records | bytes | show, first time | show again | show after 101 more | append to the file | append to a part | files of parts | show from parts | merge |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, t := range all {
		fmt.Fprintf(w, "| %d | %.0f MB | %.2f s | %.2f s | %.2f s | %.1f ms | %.1f ms | %d | %.2f s | %.2f s |\n", t.records, float64(t.bytes)/1e6, t.first, t.again, t.on,
			1000*t.appended, 1000*t.part, t.files, t.fromParts, t.merged)
	}
	_, err := fmt.Fprint(w, "\n*Show* is `results show table3`, without starting the program (0.05 s). Appending is the median of 101 records, including the flush to disk.\n")
	return err
}
