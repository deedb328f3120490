//go:build !amd64 || purego

package kernel

import "testing"

func eachVariant(t *testing.T, test func(t *testing.T)) { t.Run(Variant(), test) }
func variants() []variant                               { return []variant{pureGo} }
func withVariant(_ variant, do func())                  { do() }
