package encode

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// texts returns a network of texts.
func texts(words []string, tokens ...[]int32) *typed.Network {
	return &typed.Network{Words: words, Contents: []typed.Content{{Texts: tokens}}}
}

func trainedWords(t testing.TB, n *typed.Network, o WordOptions, threads int) *Words {
	t.Helper()
	return call.Of(TrainWords(context.Background(), n, o, threads))(t)
}

// A word that training papers do not have, or only alone, has a vector of zeros; all others have not.
func TestTrainWordsUnseen(t *testing.T) {
	b := texts([]string{"a", "b", "test", "alone", "nowhere"}, []int32{0, 1, 0}, []int32{3})
	w := trainedWords(t, b, WordOptions{Dim: 128, Epochs: 5, Seed: 1}, 1)
	for i, word := range b.Words {
		if zero := w.Vectors[i*w.Dim] == 0 && w.Vectors[i*w.Dim+1] == 0; zero != (i > 1) {
			t.Errorf("%s: zero %v, expected %v", word, zero, i > 1)
		}
	}
	if len(w.Vectors) != 5*128 {
		t.Errorf("%d numbers, expected 5 vectors of 128", len(w.Vectors))
	}
}

// The same numbers for any number of threads, others for another seed.
func TestTrainWordsIsDeterministic(t *testing.T) {
	o := shelf.Options()
	o.Papers = 300
	b := o.Bibliography(t).Network
	options := WordOptions{Dim: 12, Epochs: 2, Seed: 1}
	want := trainedWords(t, b, options, 1).Vectors
	for _, threads := range []int{2, 5} {
		if !slices.Equal(trainedWords(t, b, options, threads).Vectors, want) {
			t.Errorf("%d threads give other numbers than 1", threads)
		}
	}
	options.Seed++
	if slices.Equal(trainedWords(t, b, options, 1).Vectors, want) {
		t.Error("another seed gives the same numbers")
	}
}

func TestReadWords(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		call.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	vocabulary := []string{"cat", "dog", "17"}
	for name, text := range map[string]string{
		"header":     "3 2\n17 1 2\nbird 5 6\ncat 3 -4e-1\n",
		"none":       "17 1 2\nbird 5 6\ncat 3 -.4\n",
		"two spaces": "17  1 2\ncat\t3 -.4 \n",
	} {
		w, missing, err := ReadWords(file(name, text), vocabulary)
		if err != nil || missing != 1 || w.Dim != 2 || !slices.Equal(w.Vectors, []float32{3, -.4, 0, 0, 1, 2}) {
			t.Errorf("%s: %v, %d missing, error %v", name, w, missing, err)
		}
	}
	for text, want := range map[string]string{
		"cat 1 2\ncat 1 2\n": ":2:", "cat 1 2\ndog 1\n": ":2:", "cat 1 nan\n": "nan", "": "no vectors", "bird 1 2\n": `none of the 3 words, such as "cat"`,
	} {
		if _, _, err := ReadWords(file("bad", text), vocabulary); err == nil || !strings.HasPrefix(err.Error(), "encode: words: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v: expected one with %q", text, err, want)
		}
	}
	if _, _, err := ReadWords(filepath.Join(dir, "nowhere"), vocabulary); err == nil {
		t.Error("no file: no error")
	}
	call.Refused(t, "none of the 0 words")(ReadWords(file("ok", "cat 1 2\n"), nil))
}

func TestWordEpochs(t *testing.T) {
	for words, want := range map[int64]int{0: 100, 1: 100, 30_000: 100, 110_607: 55, 1_200_000: 15, 2_300_664: 15, 10_000_000: 6, 1 << 40: 5} {
		if got := WordEpochs(words); got != want {
			t.Errorf("%d words: %d epochs, expected %d", words, got, want)
		}
	}
}
