package losses

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed prior.txt
var priorText string

func prior() float64 {
	x, err := strconv.ParseFloat(strings.TrimSpace(priorText), 64)
	if err != nil {
		panic(err)
	}
	return x
}
