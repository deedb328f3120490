package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// record is what a run leaves: enough to repeat it and to judge it.
type record struct {
	Schema   string            `json:"schema"`
	Started  time.Time         `json:"started"`
	Command  string            `json:"command"` // that would repeat the run, given the same split
	Host     results.Host      `json:"host"`
	Code     results.Code      `json:"code"`
	Versions map[string]string `json:"versions"` // gcc, python, torch, gensim, numpy, kernel of the operating system
	CPUFlags []string          `json:"cpu_flags,omitempty"`
	Load     [2]string         `json:"load"` // load averages before and after; above 0 before means that others used the machine
	Network  struct {
		Name     string `json:"name"`
		Vertices int    `json:"vertices"`
		Links    int    `json:"links"`
		Checksum string `json:"checksum"`
	} `json:"network"`
	Noise       string        `json:"noise"`
	Dim         int           `json:"dim"`
	Aspects     int           `json:"aspects"`
	DeepWalkDim int           `json:"deepwalk_dim"`
	Rounds      int           `json:"rounds"`
	CFlags      string        `json:"cflags"`
	Contestants []*contestant `json:"contestants"`
	Claims      []claim       `json:"claims"`
}

func newRecord(o options, net *network.Network) *record {
	r := &record{Schema: "asp2vec-peers-1", Started: time.Now().UTC().Truncate(time.Second), Noise: o.noise, Dim: o.dim, Aspects: o.aspects,
		DeepWalkDim: o.dwDim, Rounds: o.rounds, CFlags: o.cflags, Versions: map[string]string{}}
	r.Command = fmt.Sprintf("go run ./bench/peers --split SPLIT --rounds %d --methods %s --threads %s --dim %d --aspects %d --deepwalk-dim %d --noise %s --asp2vec-seconds %v --seed %d",
		o.rounds, strings.Join(o.methods, ","), strings.ReplaceAll(strings.Trim(fmt.Sprint(o.threads), "[]"), " ", ","), o.dim, o.aspects, o.dwDim, o.noise, o.seconds, o.seed)
	r.Code, r.Host = machine.Environment()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if version, err := peer.Output(ctx, o.cc, "--version"); err == nil {
		version, _, _ = strings.Cut(version, "\n")
		r.Versions[filepath.Base(o.cc)] = strings.TrimPrefix(version, filepath.Base(o.cc)+" ")
	}
	if release := readLine("/proc/sys/kernel/osrelease"); release != "" {
		r.Versions["linux"] = release
	}
	r.CPUFlags, r.Load[0] = vectorFlags(), readLine("/proc/loadavg")
	r.Network.Name = peer.DatasetName(o.split)
	r.Network.Vertices, r.Network.Links, r.Network.Checksum = net.Vertices(), net.Links(), net.Checksum()
	return r
}

// readLine returns the first line of a file of the system, empty where there is none.
func readLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// vectorFlags are the vector extensions of the processor, as Linux names them; nil elsewhere.
func vectorFlags() []string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	_, flags, _ := strings.Cut(string(text), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	var out []string
	for _, f := range strings.Fields(flags) {
		if f == "fma" || strings.HasPrefix(f, "avx") || strings.HasPrefix(f, "sse4") {
			out = append(out, f)
		}
	}
	return out
}

// finish adds the measurements, and the versions that the contestants told.
func (r *record) finish(all []*contestant, claims []claim) {
	r.Contestants, r.Claims, r.Load[1] = all, claims, readLine("/proc/loadavg")
	for i := range r.Claims {
		r.Claims[i].measureRatio(all)
	}
	for _, c := range all {
		for _, run := range c.Runs {
			for name, version := range map[string]string{"torch": run.Torch, "gensim": run.Gensim, "numpy": run.Numpy, "python": run.Python} {
				if version != "" {
					r.Versions[name] = version
				}
			}
		}
	}
}

// write puts NAME.json and NAME.md into a folder.
func (r *record) write(dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := atomicfile.Write(filepath.Join(dir, name+".json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(r)
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, name+".md"), func(w io.Writer) error {
		r.markdown(w)
		return nil
	})
}
