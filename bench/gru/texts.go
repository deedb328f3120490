package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// makeTexts returns the texts of a kind, as titles/500 or abstracts/20000; titles from a file of papers, if one is given, as many as
// there are at most.
func makeTexts(kind, papers string) ([][]int32, error) {
	name, count, _ := strings.Cut(kind, "/")
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || name != "titles" && name != "abstracts" {
		return nil, fmt.Errorf("gru: texts %q: want titles/N or abstracts/N", kind)
	}
	switch {
	case name == "abstracts":
		return zipf(n, 60, 140), nil
	case papers == "":
		return zipf(n, 1, 11), nil
	}
	texts, err := titles(papers)
	return texts[:min(n, len(texts))], err
}

// zipf returns texts of lo to hi of 9,555 words, of which word r has a frequency in proportion to 1/(r+10).
func zipf(n, lo, hi int) (texts [][]int32) {
	const words = 9555
	s := rng.New(1, "texts")
	sums, total := make([]float64, words), 0.0
	for r := range sums {
		total += 1 / float64(r+10)
		sums[r] = total
	}
	for range n {
		text := make([]int32, lo+s.Intn(hi-lo+1))
		for i := range text {
			x := s.Float64() * total
			text[i] = int32(sort.SearchFloat64s(sums, x))
		}
		texts = append(texts, text)
	}
	return texts
}

// titles reads the training papers' titles; words are numbered as they appear.
func titles(file string) (texts [][]int32, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("gru: %s: %w", file, err)
	}
	number := map[string]int32{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 6 || fields[1] != "train" {
			continue
		}
		var text []int32
		for _, word := range strings.Fields(fields[5]) {
			if _, ok := number[word]; !ok {
				number[word] = int32(len(number))
			}
			text = append(text, number[word])
		}
		texts = append(texts, text)
	}
	return texts, lines.Err()
}
