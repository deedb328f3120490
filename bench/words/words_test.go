package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet"
)

// bibliography writes papers of four authors, each with a topic of its own, and one word that all papers have often.
func bibliography(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#paper\tsplit\tvenue\tauthors\treferences\ttitle_tokens\n")
	for i := range 400 {
		part := "train"
		if i >= 320 {
			part = "test"
		}
		topic := i % 4
		fmt.Fprintf(&b, "p%d\t%s\tv\ta%d\t\tthe word%d.%d the word%d.%d the\n", i, part, topic, topic, i%5, topic, i%3)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "papers.tsv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The table has a row for each setting; more passes move the vectors apart, and on topics that authors have to themselves they rank them.
func TestMeasure(t *testing.T) {
	var out strings.Builder
	folder := filepath.Join(t.TempDir(), "vectors")
	if err := measure(t.Context(), &out, bibliography(t), []string{"1", "20"}, []string{"0", ".01"}, 1, 1, folder); err != nil {
		t.Fatal(err)
	}
	b, _, err := hetnet.Read(bibliography(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, missing, err := hetnet.ReadWords(filepath.Join(folder, ".01-20.vec"), b.Words); err != nil || missing != 0 {
		t.Errorf("the vectors that were written lack %d words, %v", missing, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2+4 {
		t.Fatalf("%d lines, want a header and four rows:\n%s", len(lines), out.String())
	}
	cosine := func(line int) (x float64) {
		if _, err := fmt.Sscan(strings.Split(lines[line], "|")[4], &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	if cosine(3) >= cosine(2) {
		t.Errorf("mean cosine %v after 20 passes, %v after one", cosine(3), cosine(2))
	}
	if !strings.Contains(lines[3], "| 100 % | 20 |") || strings.Contains(lines[5], "| 100 % |") {
		t.Errorf("rows\n%s\n%s", lines[3], lines[5])
	}
	for _, bad := range [][2]string{{"0", "0"}, {"1.5", "0"}, {"x", "0"}, {"1", "-1"}, {"1", "NaN"}} {
		if err := measure(t.Context(), &out, bibliography(t), []string{bad[0]}, []string{bad[1]}, 1, 1, ""); err == nil {
			t.Errorf("passes %q, samples %q: no error", bad[0], bad[1])
		}
	}
}

// A frequent word is left out about as often as the formula says, rare words never, and a text is the same each time it is asked for.
func TestTexts(t *testing.T) {
	b, _, err := hetnet.Read(bibliography(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newTexts(b, ".05", "50", 1)
	if err != nil {
		t.Fatal(err)
	}
	the := int32(slices.Index(b.Words, "the"))
	var kept, left float64 // of frequent words, and of the others
	for i := range s.Walks() {
		text := slices.Clone(s.Walk(i, make([]int32, 0, 1)))
		if again := s.Walk(i, nil); !slices.Equal(text, again) {
			t.Fatalf("text %d: %v, and then %v", i, text, again)
		}
		for _, w := range text {
			if w == the {
				kept++
			} else {
				left++
			}
		}
	}
	texts := float64(s.Walks())
	f := 3. / 5 // of all words
	if want := 3 * texts * s.keep[the]; kept < 0.97*want || kept > 1.03*want || s.keep[the] > 0.4 || s.keep[the] < 0.05/f {
		t.Errorf("the frequent word %v times, want %v (%v)", kept, want, s.keep[the])
	}
	for w, keep := range s.keep {
		if int32(w) != the && keep < 0.7 {
			t.Errorf("%s is kept with %v", b.Words[w], keep)
		}
	}
	if left < 1.5*texts {
		t.Errorf("%v rare words in %v texts", left, texts)
	}
}
