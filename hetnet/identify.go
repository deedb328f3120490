package hetnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// How the papers whose authors are to be named are parted into a half that chooses and one that reports.
const (
	HalvesPublished = "published" // by the order of their names
	HalvesRandom    = "random"
)

// fewestTest is how many papers it takes for neither half to be empty.
const fewestTest = 3

// AtFirst are the numbers of first candidates that authors are looked for among.
func AtFirst() []int { return []int{1, 2, 5, 10, 20} }

// TaskOptions say how test papers are parted.
type TaskOptions struct {
	Halves string // HalvesPublished or HalvesRandom
	Seed   uint64 // of HalvesRandom
}

// Task is to identify the authors of papers: of a test paper its own are to be told from its candidates.
type Task struct {
	Dev  []int32 // papers of the bibliography that epochs are chosen by
	Test []int32 // and those that are reported

	b *Bibliography
}

// NewTask parts the n test papers of a bibliography. Sorted by their names (by value where all names are whole numbers), those
// at places 0 to ⌊n/2⌋ are Dev and the rest is Test: so far HalvesPublished, by which the halves hold different venues where
// names follow venues. HalvesRandom first puts them in a random order, and has halves of the same sizes. Each half is in the
// order of names.
//
// It returns an error for other halves, fewer than 3 test papers, and a test paper without authors or without candidates.
//
// Source: evaluate.py of Park et al., CIKM 2019 (github.com/pcy1302/TapEM).
func NewTask(b *Bibliography, o TaskOptions) (*Task, error) {
	if o.Halves != HalvesPublished && o.Halves != HalvesRandom {
		return nil, fmt.Errorf("hetnet: halves %q: want %s or %s", o.Halves, HalvesPublished, HalvesRandom)
	}
	if len(b.Test) < fewestTest {
		return nil, fmt.Errorf("hetnet: %s has %d papers whose authors are to be identified: want at least %d, for two halves", b.Name, len(b.Test), fewestTest)
	}
	for _, p := range b.Test {
		if err := b.rankable(p); err != nil {
			return nil, err
		}
	}
	order := byName(b)
	place := make([]int, len(order))
	for i := range place {
		place[i] = i
	}
	if o.Halves == HalvesRandom {
		place = rng.New(o.Seed, "halves").Perm(len(order))
	}
	t := &Task{b: b}
	for i, p := range order {
		if place[i] <= len(order)/2 {
			t.Dev = append(t.Dev, p)
		} else {
			t.Test = append(t.Test, p)
		}
	}
	return t, nil
}

// rankable reports what keeps a paper's authors from being told from its candidates.
func (b *Bibliography) rankable(p int32) error {
	if p < 0 || int(p) >= len(b.Papers) {
		return fmt.Errorf("hetnet: paper %d of %s: want 0 to %d", p, b.Name, len(b.Papers)-1)
	}
	paper := b.Papers[p]
	if len(paper.Authors) == 0 || len(paper.Candidates) == 0 {
		return fmt.Errorf("hetnet: paper %q of %s has %d known authors and %d other candidates: want at least one of each",
			paper.Name, b.Name, len(paper.Authors), len(paper.Candidates))
	}
	for _, list := range [][]int32{paper.Authors, paper.Candidates} {
		for _, a := range list {
			if a < 0 || int(a) >= len(b.Authors) {
				return fmt.Errorf("hetnet: paper %q of %s names author %d: want 0 to %d", paper.Name, b.Name, a, len(b.Authors)-1)
			}
		}
	}
	return nil
}

// byName returns the test papers in the order of their names: by value if all are whole numbers of at most 64 bits, else by
// bytes.
func byName(b *Bibliography) []int32 {
	order := slices.Clone(b.Test)
	name := func(p int32) string { return b.Papers[p].Name }
	value := make(map[int32]int64, len(order))
	for _, p := range order {
		v, err := strconv.ParseInt(name(p), 10, 64)
		if err != nil {
			slices.SortStableFunc(order, func(x, y int32) int { return strings.Compare(name(x), name(y)) })
			return order
		}
		value[p] = v
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(value[x], value[y]), strings.Compare(name(x), name(y)))
	})
	return order
}

// Evaluate measures how well a ranker tells the authors of papers, which have candidates, from those: at AtFirst. Uses up to
// threads goroutines, whose number does not change the result. It returns an error for no papers, papers that cannot be ranked,
// scores that are NaN or do not fit, what the ranker returns, and ctx's error when that is cancelled.
func (t *Task) Evaluate(ctx context.Context, r Ranker, papers []int32, threads int) (eval.AuthorScore, error) {
	tokens, authors, err := t.candidates(papers)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	scores, err := r.Scores(ctx, tokens, authors, threads)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	if len(scores) != len(papers) {
		return eval.AuthorScore{}, fmt.Errorf("hetnet: scores of %d papers: want those of %d", len(scores), len(papers))
	}
	for i, p := range papers {
		if len(scores[i]) != len(authors[i]) {
			return eval.AuthorScore{}, fmt.Errorf("hetnet: paper %q: %d scores: want %d, one for each candidate", t.b.Papers[p].Name, len(scores[i]), len(authors[i]))
		}
	}
	return eval.Identification(t.rankings(papers, scores), AtFirst())
}

// rankings parts scores of those that candidates returns into those of papers' authors and those of others.
func (t *Task) rankings(papers []int32, scores [][]float32) []eval.AuthorRanking {
	rankings := make([]eval.AuthorRanking, len(papers))
	for i, p := range papers {
		own := len(t.b.Papers[p].Authors)
		rankings[i] = eval.AuthorRanking{True: scores[i][:own], False: scores[i][own:]}
	}
	return rankings
}

// Random returns what a random order of the candidates comes to in expectation; see eval.RandomIdentification. It returns an error for
// papers that are not of the task or have no candidates.
func (t *Task) Random(papers []int32) (eval.AuthorScore, error) {
	_, authors, err := t.candidates(papers)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	scores := make([][]float32, len(papers))
	for i := range scores {
		scores[i] = make([]float32, len(authors[i]))
	}
	return eval.RandomIdentification(t.rankings(papers, scores), AtFirst())
}

// Popularity returns what an order of the candidates by their number of training papers comes to, whatever a paper says: what a
// model must exceed to have learnt from texts. Authors with as many stand in a random order, the same for all papers. It returns an
// error for no papers, and for one without authors or without other candidates.
func (t *Task) Popularity(papers []int32) (eval.AuthorScore, error) {
	_, authors, err := t.candidates(papers)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	written := make([]float32, len(t.b.Authors))
	ties := rng.New(0, "popularity")
	for a := range written {
		written[a] = float32(ties.Float64())
	}
	for _, p := range t.b.Train {
		for _, a := range t.b.Papers[p].Authors {
			written[a]++
		}
	}
	scores := make([][]float32, len(papers))
	for i, list := range authors {
		for _, a := range list {
			scores[i] = append(scores[i], written[a])
		}
	}
	return eval.Identification(t.rankings(papers, scores), AtFirst())
}

// candidates returns the tokens of papers, and whom to rank for each: its authors, then its candidates, with repetitions.
func (t *Task) candidates(papers []int32) (tokens, authors [][]int32, err error) {
	if len(papers) == 0 {
		return nil, nil, errors.New("hetnet: no papers to identify authors of: want at least one")
	}
	for _, p := range papers {
		if err := t.b.rankable(p); err != nil {
			return nil, nil, err
		}
		tokens = append(tokens, t.b.Papers[p].Tokens)
		authors = append(authors, slices.Concat(t.b.Papers[p].Authors, t.b.Papers[p].Candidates))
	}
	return tokens, authors, nil
}
