package results

import (
	"runtime"
	"runtime/debug"

	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Code says which program ran.
type Code struct {
	Version  string `json:"version,omitempty"` // of the module; "(devel)" when built from a working tree
	Commit   string `json:"commit,omitempty"`  // empty when the build saw no repository, as under "go run" and "go test"
	Dirty    bool   `json:"dirty"`             // the tree had changes that no commit holds
	Go       string `json:"go"`
	Gorgonia string `json:"gorgonia,omitempty"` // empty in a program that does not link it
	Tensor   string `json:"tensor,omitempty"`
	Level    string `json:"goamd64,omitempty"` // instructions of amd64 that the compiler may use, "v1" to "v4": sums may be rounded otherwise
}

// Host says on what machine. It names neither the machine nor its user.
type Host struct {
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	CPU         string `json:"cpu,omitempty"` // model; empty when unknown
	CPUs        int    `json:"cpus"`          // logical processors that the process may use
	Threads     int    `json:"threads"`       // that the run used; GOMAXPROCS unless the caller sets it
	MemoryBytes uint64 `json:"memory_bytes,omitempty"`
	Kernel      string `json:"kernel,omitempty"` // code that computes: "avx512", "avx2" or "purego"; they differ in rounding
}

// Environment describes this program and the machine that it runs on.
func Environment() (Code, Host) {
	code := Code{Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		code = codeFrom(info)
	}
	model, memory := machine()
	return code, Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: model, CPUs: runtime.NumCPU(), Threads: runtime.GOMAXPROCS(0), MemoryBytes: memory, Kernel: kernel.Variant()}
}

func codeFrom(info *debug.BuildInfo) Code {
	c := Code{Version: info.Main.Version, Go: info.GoVersion}
	if version != "" {
		c.Version, c.Commit = version, commit
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			c.Commit = s.Value
		case "vcs.modified":
			c.Dirty = s.Value == "true"
		case "GOAMD64":
			c.Level = s.Value
		}
	}
	for _, m := range info.Deps {
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Path + "@" + m.Replace.Version
		}
		switch m.Path {
		case "gorgonia.org/gorgonia":
			c.Gorgonia = version
		case "gorgonia.org/tensor":
			c.Tensor = version
		}
	}
	return c
}

// version and commit are set by the linker in a release (.goreleaser.yaml), whose binaries are built without a look at the repository
// so that the same sources give the same bytes; "" in other builds.
var version, commit string
