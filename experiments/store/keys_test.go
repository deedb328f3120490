package store

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

var updateKeys = flag.Bool("update-keys", false, "write testdata/keys.txt")

const keysFile = "testdata/keys.txt"

// Keys of the records of this project, and of what each protocol makes of each method, are what they were when testdata/keys.txt was written: a
// change to how options are declared, set or written finds every run that there is.
func TestKeysOfRecords(t *testing.T) {
	var got bytes.Buffer
	for _, file := range recordFiles(t) {
		records := call.First(results.ReadStore(file))(t)
		for _, r := range records {
			j := call.Of(JobOf(r))(t)
			fmt.Fprintf(&got, "%s %s %.16s\n", filepath.ToSlash(strings.TrimPrefix(file, "../../results/")), r.Method, j.Key())
		}
	}
	for _, protocol := range run.Protocols {
		for _, m := range methods.All() {
			o := call.Of(methods.Options(m.Name, graphs.Protocol(protocol)))(t)
			fmt.Fprintf(&got, "%s %s %.16s\n", protocol, m.Name, Job{Dataset: "Cora", Options: o}.Key())
		}
	}
	if *updateKeys {
		call.File(t, keysFile, got.Bytes())
	}
	want := call.Of(os.ReadFile(keysFile))(t)
	is, was := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(is) != len(was) {
		t.Fatalf("%d keys, expected %d", len(is), len(was))
	}
	different := 0
	for i := range is {
		if is[i] != was[i] {
			if different++; different <= 20 {
				t.Errorf("key %d: %s, expected %s", i, is[i], was[i])
			}
		}
	}
	if different > 20 {
		t.Errorf("%d keys differ", different)
	}
}

// recordFiles are the stores of this project.
func recordFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../../results", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".jsonl" && d.Name() == "runs.jsonl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d stores, %v", len(files), err)
	}
	return files
}

// The registry has the checksum of the data of all records that come with the program, so that these are
// found where the data are not.
func TestRegistryHasChecksums(t *testing.T) {
	for _, r := range call.First(results.ReadStore("../../results/measured"))(t) {
		if d := call.Of(network.Lookup(r.Dataset.Name))(t); run.ChecksumsOf(r.Dataset).Data != d.SHA256 {
			t.Errorf("%s: a record of %v, the registry has %.8s", d.Name, run.ChecksumsOf(r.Dataset), d.SHA256)
		}
	}
}
