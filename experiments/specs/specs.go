// Package specs contains the tables and figures of the paper that are a grid of settings, a sweep file for each.
package specs

import "embed"

//go:embed *.yaml
var Files embed.FS
