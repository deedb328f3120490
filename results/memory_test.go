package results

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Too few addresses are an error that says how many are wanted; without a limit there are enough.
func TestCheckAddresses(t *testing.T) {
	for _, limit := range []uint64{0, 2 << 30, 1 << 40} {
		if err := checkAddresses(limit); err != nil {
			t.Errorf("%d: %v", limit, err)
		}
	}
	call.Refused(t, "ulimit -v allows 1500 MiB of addresses", "expected at least 2048")(checkAddresses(1500 << 20))
	if m := AvailableMemory(); m.Bytes == 0 && PeakMemory() > 0 {
		t.Errorf("%+v available to a process that holds some", m)
	}
}
