package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results"
)

// naming returns records of runs that identify authors, with the scores as recall@10.
func naming(t *testing.T, method string, dim int, context string, scores ...float64) []results.Record {
	t.Helper()
	records := recordtest.Scored(t, "DBLP", "validated", method, run.Protocols["validated"], func(o *graphs.Options) {
		if o.Dim = dim; context != "" {
			graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Context = context })
		}
	}, scores...)
	for i, x := range scores {
		records[i].Metrics = results.Metrics{"recall@10": x, "auc": 0.5}
	}
	return records
}

func TestAuthorsByMethod(t *testing.T) {
	for _, c := range []struct {
		name                    string
		het, tapem, camel, flat []float64
		want, evidence          string
	}{
		{"nothing", nil, nil, nil, nil, TooFewRuns, ""},
		{"in order", []float64{.40, .41, .42}, []float64{.30, .31, .32}, []float64{.20, .21, .22}, []float64{.10, .11, .12}, Supported, "asp2vec-het 0.4100 ± 0.0100, TaPEm 0.3100"},
		{"one step within the noise", []float64{.40, .41, .42}, []float64{.31, .22, .28}, []float64{.24, .27, .21}, []float64{.10, .11, .12}, NotSupported, "p = 0.2"},
		{"one step the other way", []float64{.20, .21, .22}, []float64{.30, .31, .33}, []float64{.20, .21, .22}, []float64{.10, .11, .12}, NotSupported, "0 of 3 seeds higher, p = 1"},
		{"two seeds", []float64{.40, .41}, []float64{.30, .31, .32}, []float64{.20, .21, .22}, []float64{.10, .11, .12}, TooFewRuns, "TaPEm"},
		{"a method without runs", []float64{.40, .41, .42}, nil, []float64{.20, .21, .22}, []float64{.10, .11, .12}, TooFewRuns, "Camel"},
		{"the same scores", []float64{.40, .41, .42}, []float64{.40, .41, .42}, []float64{.20, .21, .22}, []float64{.10, .11, .12}, NotSupported, "p = 1"},
	} {
		var records []results.Record
		records = append(records, naming(t, hetnet.MethodAsp2vecHet, 40, "", c.het...)...)
		records = append(records, naming(t, hetnet.MethodTaPEm, 200, "", c.tapem...)...)
		records = append(records, naming(t, hetnet.MethodCamel, 200, "", c.camel...)...)
		records = append(records, naming(t, hetnet.MethodM2V, 200, "", c.flat...)...)
		records = append(records, naming(t, hetnet.MethodM2V, 500, "", .9, .9, .9)...) // no part of it
		claims := Claims(store.NewRuns(records))
		got := find(t, claims, "authors-by-method/validated")
		if text := strings.Join(got.Evidence, "\n"); got.Verdict != c.want || !strings.Contains(text, c.evidence) {
			t.Errorf("%s: %+v, expected %s and %q", c.name, got, c.want, c.evidence)
		}
		if other := find(t, claims, "authors-by-method/paper"); other.Verdict != TooFewRuns {
			t.Errorf("%s: the other protocol: %+v", c.name, other)
		}
	}
}

func TestAuthorsByContext(t *testing.T) {
	verdict := func(paper, both, author []float64) string {
		records := naming(t, hetnet.MethodAsp2vecHet, 40, hetnet.ContextPaper, paper...)
		records = append(records, naming(t, hetnet.MethodAsp2vecHet, 40, hetnet.ContextBoth, both...)...)
		records = append(records, naming(t, hetnet.MethodAsp2vecHet, 40, hetnet.ContextAuthor, author...)...)
		return find(t, Claims(store.NewRuns(records)), "authors-by-context/validated").Verdict
	}
	high, middle, low := []float64{.40, .41, .42, .40, .43}, []float64{.35, .36, .36, .35, .36}, []float64{.30, .31, .32, .31, .33}
	if got := verdict(high, middle, low); got != Supported {
		t.Errorf("in the paper's order: %s", got)
	}
	if got := verdict(low, middle, high); got != NotSupported {
		t.Errorf("in reverse: %s", got)
	}
	if got := verdict(high, middle, low[:2]); got != TooFewRuns {
		t.Errorf("two seeds of one: %s", got)
	}
	if got := verdict(high, high, high); got != NotTested {
		t.Errorf("the same scores: %s", got)
	}
	for spread, want := range map[float64]string{0.001: NotTested, 2: Supported} {
		var records []results.Record
		for context, scores := range map[string][]float64{hetnet.ContextPaper: high, hetnet.ContextBoth: middle, hetnet.ContextAuthor: low} {
			for _, r := range naming(t, hetnet.MethodAsp2vecHet, 40, context, scores...) {
				x := results.Float(spread)
				r.AspectSpread = &x
				records = append(records, r)
			}
		}
		if got := find(t, Claims(store.NewRuns(records)), "authors-by-context/validated").Verdict; got != want {
			t.Errorf("aspects apart by %v: %s, expected %s", spread, got, want)
		}
	}
}

// Values of the one-sided t test from tables: with 2 degrees of freedom t = 2.920 has p = .05, with 4 t = 2.132.
func TestPairedT(t *testing.T) {
	// Differences m-1, m, m+1 have mean m, deviation 1: t = m √3.
	m := 2.920 / math.Sqrt(3)
	if p := pairedT([]float64{m - 1, m, m + 1}); math.Abs(p-0.05) > 1e-4 {
		t.Errorf("p = %v, expected .05", p)
	}
	// m-1, m-1, m, m+1, m+1 have deviation 1: t = m √5.
	m = 2.132 / math.Sqrt(5)
	if p := pairedT([]float64{m - 1, m - 1, m, m + 1, m + 1}); math.Abs(p-0.05) > 1e-4 {
		t.Errorf("p = %v, expected .05", p)
	}
	if up, down, none := pairedT([]float64{1, 1}), pairedT([]float64{-1, -1}), pairedT([]float64{0, 0}); up != 0 || down != 1 || none != 1 {
		t.Errorf("without deviation: %v, %v, %v", up, down, none)
	}
}
