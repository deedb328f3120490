package shell

import (
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/results"
)

// Available returns how much memory runs may take.
func (p *Program) Available() results.Memory {
	if p.Memory != nil {
		return p.Memory()
	}
	m := results.AvailableMemory()
	if limit := (results.Memory{Bytes: p.memoryLimit, Bound: "--memory-limit", Hard: true}); limit.Bytes > 0 && (!m.Hard || limit.Bytes < m.Bytes) {
		return limit
	}
	return m
}

// limitMemory takes over what --memory-limit says, and has the garbage collector heed the bound beyond which the process would end,
// unless GOMEMLIMIT tells it another one. It returns an error for a text that is no size, and where ulimit -v leaves too little.
func (p *Program) limitMemory(text string) error {
	if err := results.CheckAddresses(); err != nil {
		return Bad(err)
	}
	if p.memoryLimit = 0; text != "" {
		bytes, ok := ParseBytes(text)
		if !ok {
			return Badf("--memory-limit %.40q: expected a size such as 4GiB, 500MB, or a number of bytes", text)
		}
		p.memoryLimit = bytes
	}
	const share = .95 // the rest is for what the collector does not count
	if m := p.Available(); m.Hard && m.Bytes > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(share * float64(m.Bytes)))
	}
	return nil
}

// sizeText is a number and its unit. The letters alone are units of 1024, as for Slurm; KB and the like are of 1000.
var sizeText = regexp.MustCompile(`^([0-9.]+)\s*(?:([KMGT])(I?B)?|B?)$`)

// ParseBytes returns the size that a text such as "4GiB", "1.5 GB", "512M" or "1073741824" says.
func ParseBytes(text string) (bytes uint64, ok bool) {
	m := sizeText.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text)))
	if m == nil {
		return 0, false
	}
	x, err := strconv.ParseFloat(m[1], 64)
	base := 1024.
	if m[3] == "B" {
		base = 1000
	}
	if m[2] != "" {
		x *= math.Pow(base, float64(1+strings.Index("KMGT", m[2])))
	}
	return uint64(x), err == nil && x >= 1 && x < math.MaxInt64
}
