package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// available returns how much memory runs may take.
func (p *program) available() results.Memory {
	if p.memory != nil {
		return p.memory()
	}
	m := results.AvailableMemory()
	if limit := (results.Memory{Bytes: p.memoryLimit, Bound: "--memory-limit", Hard: true}); limit.Bytes > 0 && (!m.Hard || limit.Bytes < m.Bytes) {
		return limit
	}
	return m
}

// limitMemory takes over what --memory-limit says, and has the garbage collector heed the bound beyond which the process would end,
// unless GOMEMLIMIT tells it another one. It returns an error for a text that is no size, and where ulimit -v leaves too little.
func (p *program) limitMemory(text string) error {
	if err := results.CheckAddresses(); err != nil {
		return bad(err)
	}
	if p.memoryLimit = 0; text != "" {
		bytes, ok := parseBytes(text)
		if !ok {
			return badf("--memory-limit %.40q: expected a size such as 4GiB, 500MB, or a number of bytes", text)
		}
		p.memoryLimit = bytes
	}
	const share = .95 // the rest is for what the collector does not count
	if m := p.available(); m.Hard && m.Bytes > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(share * float64(m.Bytes)))
	}
	return nil
}

// units of sizes; the letters alone are those of 1024, as for Slurm.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}, {"", 1},
}

// parseBytes returns the size that a text such as "4GiB", "1.5 GB", "512M" or "1073741824" says.
func parseBytes(text string) (bytes uint64, ok bool) {
	text = strings.TrimSpace(text)
	for _, u := range units {
		number := strings.TrimSpace(text[:max(0, len(text)-len(u.name))])
		if !strings.EqualFold(text[min(len(number), len(text)):], u.name) && !strings.EqualFold(strings.TrimSpace(text[len(number):]), u.name) {
			continue
		}
		x, err := strconv.ParseFloat(number, 64)
		if x *= u.bytes; err == nil && x >= 1 && x < math.MaxInt64 {
			return uint64(x), true
		}
	}
	return 0, false
}

// checkMemory returns an error for a run that needs more memory than there is: it would end in the middle, without a word.
func (p *program) checkMemory(plan run.Plan) error {
	there := p.available()
	if there.Bytes == 0 || uint64(plan.Memory) <= there.Bytes {
		return nil
	}
	return badf("this needs about %s of memory, and there are %s (%s): expected a lower --dim, --aspects or --batch, fewer --walks, or a larger --memory-limit",
		size(plan.Memory), size(there.Bytes), there.Bound)
}
