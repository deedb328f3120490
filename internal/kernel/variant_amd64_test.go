//go:build amd64 && !purego

package kernel

import "testing"

// eachVariant runs a test with every variant that this processor has.
func eachVariant(t *testing.T, test func(t *testing.T)) {
	for _, v := range variants() {
		withVariant(v, func() { t.Run(v.String(), test) })
	}
}

// variants lists what this processor can run.
func variants() []variant {
	all := []variant{pureGo}
	for v := avx2; v <= detect(); v++ {
		all = append(all, v)
	}
	return all
}

// withVariant runs do with one variant and then restores the one in use.
func withVariant(v variant, do func()) {
	defer func(old variant) { use = old }(use)
	use = v
	do()
}
