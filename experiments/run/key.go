package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// KeyText returns the text that a run is known by: all that its numbers depend on, written in one way.
func KeyText(dataset string, o graphs.Options) string {
	o = o.Complete()
	o.WalksInMemory = "auto"
	if o.Select == graphs.SelectLast {
		o.Patience = 0 // nothing is waited for
	}
	if !o.Piloted() || o.PilotNegatives == "published" {
		o.PilotNegatives = "" // that no record of before has
	}
	graphs.Edit(&o, func(f *graphs.FeatureOptions) {
		if f.Features != "" {
			f.FeatureLinks = graphs.FeaturesOut // no link stands for a feature
		}
	})
	graphs.Edit(&o, func(p *hetnet.PaperOptions) {
		if p.WordVectors != "" {
			p.WordDim, p.WordEpochs = 0, 0 // the file says it
		}
	})
	text, err := trained(o).MarshalJSON()
	if err != nil {
		text = fmt.Appendf(nil, "%+v", o) // numbers that JSON cannot hold; such a run is refused
	}
	return dataset + "\n" + string(text)
}

// trained returns options without the score that links are ranked by, where vectors do not depend on it.
func trained(o graphs.Options) graphs.Options {
	if o.Scoring == o.Method.Scorings[0] || !choosesEpoch(o) && !o.Method.Typed {
		o.Scoring = graphs.ScoringNative
	}
	return o
}

// Hash returns the key of the text that a run is known by.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}
