package models

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// OtherData tells of an embedding that it was trained on other data than the split that it is used with. The split's test links
// may then be among those that were trained on, and their AUC says nothing of new links.
type OtherData struct {
	Name     string `json:"name"`   // as the run's record calls it
	Checksum string `json:"sha256"` // likewise
	// Trained counts the test links of the split that the embedding was trained on. It is nil where the run's data are not where its
	// record says, or have changed.
	Trained *int `json:"test_links_trained_on,omitempty"`

	test int // links of the split
}

// CompareData compares the data that the record of a model names with a split, and warns where they differ. It returns nil where they are the same, or nobody knows.
func CompareData(ctx context.Context, p *shell.Program, r *results.Record, model string, split *network.Split) *OtherData {
	if r == nil || r.Dataset.SHA256 == "" || r.Dataset.SHA256 == split.Checksum() {
		return nil
	}
	other := &OtherData{Name: r.Dataset.Name, Checksum: r.Dataset.SHA256, test: len(split.Test)}
	if _, data := (program{p}).dataOf(ctx, r, model); data != nil {
		other.Trained = new(trainedOn(data, split))
	}
	p.Log.Warn("trained on other data: "+other.String(), "trained_on", other.Name, "sha256", fmt.Sprintf("%.8s", other.Checksum))
	return other
}

// String says what the difference comes to.
func (o *OtherData) String() string {
	switch {
	case o.Trained == nil:
		return "test links of the split may have been used for training; the AUC then says nothing about new links"
	case *o.Trained == 0:
		return "none of the split's test links was used for training"
	}
	return fmt.Sprintf("%s of the split's %s test links were used for training: the AUC says nothing about new links", shell.Count(*o.Trained), shell.Count(o.test))
}

// dataOf reads the data that a run learnt from, nil if they are not where its record says or have changed.
func (p program) dataOf(ctx context.Context, r *results.Record, model string) (source.Loaded, *network.Split) {
	s, ok := p.sourceOf(r, model)
	if !ok {
		return source.Loaded{}, nil
	}
	l, err := s.Load(ctx)
	if err != nil {
		return l, nil
	}
	return l, learnt(ctx, r, l)
}

// trainedOn counts the test links of a split that are training links of other data, by the names of their vertices. Where one of both is
// undirected, a link counts in either direction.
func trainedOn(data, split *network.Split) (n int) {
	known := seq.Places[string, int32](data.Names)
	directed := data.Directed && split.Directed
	of := func(l network.Link) network.Link {
		if !directed && l.From > l.To {
			l.From, l.To = l.To, l.From
		}
		return l
	}
	trained := seq.Set(data.Train, of)
	for _, l := range split.Test {
		u, ok := known[split.Names[l.From]]
		v, also := known[split.Names[l.To]]
		if ok && also && trained[of(network.Link{From: u, To: v})] {
			n++
		}
	}
	return n
}

// runFiles are files of a run's folder that hold its vectors.
var runFiles = []string{vectors.EmbeddingFile, vectors.CenterFile, vectors.AspectsFile}
