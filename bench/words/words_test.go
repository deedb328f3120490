package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet"
)

// A table has a row for each setting; with a threshold, fewer words are kept.
func TestMeasure(t *testing.T) {
	var papers strings.Builder
	papers.WriteString("id\tset\tauthors\ttext\n")
	for i := range 60 {
		set := "train"
		if i >= 40 {
			set = "test"
		}
		fmt.Fprintf(&papers, "p%d\t%s\ta%d;b%d\tthe topic%d of the word%d\n", i, set, i%4, i%5, i%4, i%7)
	}
	t.Log(papers.String())
	_ = hetnet.Bibliography{}
}
