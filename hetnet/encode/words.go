package encode

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Words are the vectors of a vocabulary, which models read and do not change.
type Words struct {
	Dim     int
	Vectors []float32 // (V,Dim); a word that no training paper has beside another is all zeros
}

// WordOptions say how words are trained; all else is as graphs.TokenOptions has it.
type WordOptions struct {
	Dim    int    // numbers of a vector, >= 1; code: 128
	Epochs int    // >= 1, or 0 for WordEpochs of the texts; gensim: 5
	Seed   uint64 // of vectors, order, windows, negatives and what is left out
}

// sample is the share of the texts well above which words are left out at random, anew in each pass, as walks.KeepRates says. It is gensim's, which
// the published code does not change.
const sample = 1e-3

// TrainWords trains a vector for each word of the vocabulary by a skip-gram on the texts of a network: of a bibliography those of the training papers. The numbers
// are the same for any number of threads. It returns an error if an option is out of range, if no text has two
// words, or ctx's if that is cancelled.
//
// Source: Camel's code (Zhang et al., WWW 2018), which uses gensim; graphs.TrainTokens says what is done otherwise. Differs:
// trained on the training papers alone, where the code takes all abstracts, those of test papers too.
func TrainWords(ctx context.Context, n *typed.Network, o WordOptions, threads int) (*Words, error) {
	src := sentencesOf(n)
	if len(src.texts) == 0 {
		return nil, fmt.Errorf("encode: words: no text of %q has two words: expected texts", n.Name)
	}
	t := graphs.TokenOptions()
	t.Dim, t.Epochs, t.Seed = o.Dim, o.Epochs, o.Seed
	if o.Epochs == 0 {
		t.Epochs = WordEpochs(src.words)
	}
	t.WalksInMemory = "false" // the texts are there as they are
	vectors, err := graphs.TrainTokens(ctx, src, len(n.Words), sample, t, threads)
	if err != nil {
		return nil, fmt.Errorf("encode: words: %w", err)
	}
	for _, x := range vectors {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("encode: words: a vector contains %v: expected finite numbers", x)
		}
	}
	return &Words{Dim: o.Dim, Vectors: vectors}, nil
}

// sentences are texts of two words or more, as walks over words.
type sentences struct {
	texts   [][]int32
	longest int
	words   int64 // of all texts
}

func sentencesOf(n *typed.Network) *sentences {
	s := &sentences{}
	for _, c := range n.Contents {
		for _, tokens := range c.Texts {
			if len(tokens) > 1 {
				s.texts, s.longest, s.words = append(s.texts, tokens), max(s.longest, len(tokens)), s.words+int64(len(tokens))
			}
		}
	}
	return s
}

func (s *sentences) Walks() int                      { return len(s.texts) }
func (s *sentences) MaxLength() int                  { return s.longest }
func (s *sentences) Walk(i int, buf []int32) []int32 { return s.texts[i] }

// OfVocabulary returns the vectors of the words of another vocabulary, and how many of them are not among its own, whose places are given:
// their vectors are zeros.
func (w *Words) OfVocabulary(vocabulary []string, own map[string]int32) (other *Words, missing int) {
	other = &Words{Dim: w.Dim, Vectors: make([]float32, len(vocabulary)*w.Dim)}
	for i, at := range Places(vocabulary, own) {
		if at < 0 {
			missing++
		} else {
			copy(other.Vector(int32(i)), w.Vector(at))
		}
	}
	return other, missing
}

// ReadWords reads the vectors of a vocabulary from a word2vec text file, with or without a first line "N D", plain or gzip;
// see results.ReadVec. Words of the file that are not in the vocabulary are passed over. It returns how many words of the
// vocabulary the file does not have: their vectors are zero. Errors give file and line; a file that has no word of the
// vocabulary is one too.
func ReadWords(path string, vocabulary []string) (words *Words, missing int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("encode: words: %w", err)
	}
	defer file.Close()
	v, err := vectors.ReadVec(file, path)
	if err != nil {
		return nil, 0, fmt.Errorf("encode: words: %w", err)
	}
	w, missing := (&Words{Dim: v.D, Vectors: v.Data}).OfVocabulary(vocabulary, seq.Places[string, int32](v.Names))
	if missing == len(vocabulary) {
		err := fmt.Errorf("encode: words: %s has none of the %d words", path, missing)
		if missing > 0 {
			err = fmt.Errorf("%w, such as %.60q: expected vectors of them", err, vocabulary[0])
		}
		return nil, missing, err
	}
	return w, missing, nil
}

// Checksum returns the SHA-256, in hexadecimal, of the vectors.
func (w *Words) Checksum() string {
	sum := sha256.New()
	buffered := bufio.NewWriter(sum)
	buffered.Write(binary.LittleEndian.AppendUint64(nil, uint64(w.Dim)))
	for _, x := range w.Vectors {
		buffered.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	buffered.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

func (w *Words) Vector(word int32) []float32 { return w.Vectors[int(word)*w.Dim:][:w.Dim] }
