package run

import (
	"context"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
)

// WordCache keeps the latest word vectors that runs in one process have trained. A run with it comes to
// the same, to the bit, as one without. It may be nil, and used by several goroutines; those that want the same wait for one another.
type WordCache struct {
	mu      sync.Mutex
	words   wordKey
	vectors *encode.Words
}

// wordKey is what trained word vectors depend on.
type wordKey struct {
	bibliography string
	options      encode.WordOptions
}

// wordsOf returns the vectors of the words of a network's texts, from the file that the options name or trained on the texts. d says of which data they
// are, and is told of a file. It returns an error for a file that cannot be read or lacks all words, and for texts too short to train on.
func (c *WordCache) wordsOf(ctx context.Context, n *typed.Network, o graphs.Options, threads int, d *results.Dataset) (*encode.Words, error) {
	if hetnet.Own(o).WordVectors != "" {
		words, missing, err := encode.ReadWords(hetnet.Own(o).WordVectors, n.Words)
		if err == nil {
			d.WordsSHA256, d.WordsMissing = words.Checksum(), missing
		}
		return words, err
	}
	if c == nil {
		c = new(WordCache)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := wordKey{d.SHA256, hetnet.TrainedAs(o)}
	if c.vectors != nil && c.words == key {
		return c.vectors, nil
	}
	words, err := encode.TrainWords(ctx, n, key.options, threads)
	if err == nil {
		c.words, c.vectors = key, words
	}
	return words, err
}

// Baselines returns what rankings that no method is trained for come to on a task's test questions: hetnet.Untrained, by their names. It returns the errors
// of these.
func Baselines(ctx context.Context, b *typed.Authorship, task *typed.Task, words *encode.Words, threads int) (map[string]results.Metrics, error) {
	rankers, err := hetnet.Untrained(ctx, b, task, words, threads)
	if err != nil {
		return nil, err
	}
	all := map[string]results.Metrics{}
	for name, ranker := range rankers {
		if all[name], err = typed.Evaluate(ctx, ranker, task.Test, threads); err != nil {
			return nil, err
		}
	}
	return all, nil
}
