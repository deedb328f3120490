package report

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// listings are what a reader may look up.
func (s shown) listings() []webpage.Listing {
	all := []webpage.Listing{s.failures(), s.allRuns()}
	return seq.Filter(all, func(l webpage.Listing) bool { return len(l.Rows) > 0 })
}

func (s shown) failures() webpage.Listing {
	l := webpage.Listing{Title: "Failed and interrupted runs", Columns: []string{"Network", "Method", "Protocol", "Seed", "Why"}}
	for _, r := range s.failed {
		l.Rows = append(l.Rows, []string{r.Dataset.Name, r.Method, r.Protocol, strconv.FormatUint(r.Seed, 10), cmp.Or(r.Error, "interrupted")})
	}
	return l
}

func (s shown) allRuns() webpage.Listing {
	l := webpage.Listing{Title: "All runs", Folded: true, Text: "AUC: on directed networks with reversed links among the negatives, as in the paper; the next column has random negatives only.",
		Columns: []string{"Network", "Method", "Protocol", "Options other than the defaults", "Seed", "AUC", "AUC, random negatives", "Epoch", "Seconds", "Peak MiB"}}
	for _, r := range s.runs {
		epoch := ""
		if r.BestEpoch > 0 {
			epoch = fmt.Sprintf("%s %d", r.BestStage, r.BestEpoch)
		}
		memory := ""
		if r.PeakMemoryBytes > 0 {
			memory = strconv.FormatUint(r.PeakMemoryBytes>>20, 10)
		}
		l.Rows = append(l.Rows, []string{r.Dataset.Name, r.Method, r.Protocol, r.special, strconv.FormatUint(r.Seed, 10), metric(r.Record, "auc"),
			metric(r.Record, "auc_random"), epoch, fmt.Sprintf("%.1f", r.TrainSeconds+r.EvalSeconds), memory})
	}
	return l
}

// metric writes a score; "" for one that is not there.
func metric(r results.Record, name string) string {
	if x, ok := r.Metrics[name]; ok {
		return fmt.Sprintf("%.4f", x)
	}
	return ""
}
