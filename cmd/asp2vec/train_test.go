package main

import (
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// What is written of a run that was stopped is told: an unfinished epoch, or the best one.
func TestInterrupted(t *testing.T) {
	for want, record := range map[string]results.Record{
		"holds the model in the unfinished asp2vec epoch 3": {Selection: results.Last, BestStage: "asp2vec", PartialEpoch: 3},
		"holds the best epoch so far":                       {Selection: results.ValidationBest, BestStage: "asp2vec", BestEpoch: 3},
	} {
		says(t, interrupted("run", record).Error(), want)
	}
}
