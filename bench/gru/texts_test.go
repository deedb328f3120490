package main

import (
	"slices"
	"testing"
)

func TestMakeTexts(t *testing.T) {
	for kind, want := range map[string]float64{"titles/2000": 6, "abstracts/300": 100} {
		texts, err := makeTexts(kind, "")
		if err != nil {
			t.Fatal(err)
		}
		if mean := float64(tokens(texts)) / float64(len(texts)); mean < .95*want || mean > 1.05*want {
			t.Errorf("%s: %.2f words on average, want about %v", kind, mean, want)
		}
		again, _ := makeTexts(kind, "")
		if v := vocabulary(texts); v > 9555 || !slices.EqualFunc(texts, again, slices.Equal) {
			t.Errorf("%s: %d words, want at most 9,555, and the same texts again", kind, v)
		}
	}
	for _, kind := range []string{"titles", "titles/0", "poems/3"} {
		if _, err := makeTexts(kind, ""); err == nil {
			t.Errorf("%s: no error", kind)
		}
	}
}
