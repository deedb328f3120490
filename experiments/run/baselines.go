package run

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results"
)

// wordsOf returns the vectors of a bibliography's words, read or trained.
func wordsOf(ctx context.Context, b *hetnet.Bibliography, o graphs.Options, threads int, d *results.Dataset) (*hetnet.Words, error) {
	own := hetnet.Own(o)
	if own.WordVectors != "" {
		words, missing, err := hetnet.ReadWords(own.WordVectors, b.Words)
		if err == nil {
			d.WordsSHA256, d.WordsMissing = words.Checksum(), missing
		}
		return words, err
	}
	wo := hetnet.DefaultWords()
	wo.Dim, wo.Epochs, wo.Seed = own.WordDim, own.WordEpochs, o.Seed
	return hetnet.TrainWords(ctx, b, wo, threads)
}

// Names of the rankings that need no training, in records.
const (
	BaselinePopularity = "popularity"
	BaselineTFIDF      = "tf-idf"
	BaselineWordMeans  = "word means"
)

// Baselines returns what rankings that no method is trained for come to on some papers of a task: by the number of an author's training
// papers, by tf-idf, and by the means of word vectors unless words is nil; the task's development papers choose the two constants of the
// last two. It returns an error for papers that are not of the task, and where ctx is done.
func Baselines(ctx context.Context, task *hetnet.Task, words *hetnet.Words, papers []int32, threads int) (map[string]results.Metrics, error) {
	popularity, err := task.Popularity(papers)
	if err != nil {
		return nil, err
	}
	tfidf, err := task.TFIDF(ctx, threads)
	if err != nil {
		return nil, err
	}
	rankers := map[string]hetnet.Ranker{BaselineTFIDF: tfidf}
	if words != nil {
		if rankers[BaselineWordMeans], err = task.WordMeans(ctx, words, threads); err != nil {
			return nil, err
		}
	}
	all := map[string]results.Metrics{BaselinePopularity: popularity.Metrics()}
	for name, ranker := range rankers {
		score, err := task.Evaluate(ctx, ranker, papers, threads)
		if err != nil {
			return nil, err
		}
		all[name] = score.Metrics()
	}
	return all, nil
}
