package papers

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

// fewestTest is how many papers it takes for neither half to be empty.
const fewestTest = 3

// AtFirst are the numbers of first candidates that authors are looked for among.
func AtFirst() []int { return []int{1, 2, 5, 10, 20} }

// Identification is the task to identify the authors of papers: of a test paper its own are to be told from its candidates.
type Identification struct {
	*Bibliography
	Dev  []Paper // test papers that epochs are chosen by
	Test []Paper // and those that are reported
}

// NewIdentification parts the n test papers of a bibliography. Sorted by their names (by value where all names are whole numbers), those
// at places 0 to ⌊n/2⌋ are Dev and the rest is Test, so that the halves hold different venues where
// names follow venues. Each half is in the order of names.
//
// It returns an error for fewer than 3 test papers, and a test paper without authors or without candidates.
//
// Source: evaluate.py of Park et al., CIKM 2019 (github.com/pcy1302/TapEM).
func NewIdentification(b *Bibliography) (*Identification, error) {
	if len(b.Test) < fewestTest {
		return nil, fmt.Errorf("papers: %s has %d papers whose authors are to be identified: expected at least %d, for two halves", b.Name, len(b.Test), fewestTest)
	}
	for _, p := range b.Test {
		if err := b.rankable(p); err != nil {
			return nil, err
		}
	}
	order := byName(b.Test)
	return &Identification{Bibliography: b, Dev: order[:len(order)/2+1], Test: order[len(order)/2+1:]}, nil
}

// byName returns papers in the order of their names: by value if all are whole numbers of at most 64 bits, else by
// bytes.
func byName(papers []Paper) []Paper {
	order := slices.Clone(papers)
	value := make(map[string]int64, len(order))
	for _, p := range order {
		v, err := strconv.ParseInt(p.Name, 10, 64)
		if err != nil {
			slices.SortStableFunc(order, func(x, y Paper) int { return strings.Compare(x.Name, y.Name) })
			return order
		}
		value[p.Name] = v
	}
	slices.SortStableFunc(order, func(x, y Paper) int {
		return cmp.Or(cmp.Compare(value[x.Name], value[y.Name]), strings.Compare(x.Name, y.Name))
	})
	return order
}

// Ranker is a trained model that tells how likely authors are to have written a paper.
type Ranker interface {
	// Scores returns, for each paper, given by its tokens, a score of each author asked for: higher is likelier. Scores of one
	// paper can be compared, those of several papers need not. An author who is asked for twice has the same score twice. The
	// scores of a paper do not depend on the others asked for. Uses up to threads goroutines, whose number does not change
	// the result. It ends early with ctx's error when ctx is cancelled.
	Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error)
}

// Evaluate measures how well a ranker tells the authors of papers, which have candidates, from those: at AtFirst. Uses up to
// threads goroutines, whose number does not change the result. It returns an error for no papers, papers that cannot be ranked,
// scores that are NaN or do not fit, what the ranker returns, and ctx's error when that is cancelled.
func (t *Identification) Evaluate(ctx context.Context, r Ranker, papers []Paper, threads int) (eval.AuthorScore, error) {
	tokens, authors, err := t.Asked(papers)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	scores, err := r.Scores(ctx, tokens, authors, threads)
	if err != nil {
		return eval.AuthorScore{}, err
	}
	if len(scores) != len(papers) {
		return eval.AuthorScore{}, fmt.Errorf("papers: scores of %d papers: expected those of %d", len(scores), len(papers))
	}
	for i, p := range papers {
		if len(scores[i]) != len(authors[i]) {
			return eval.AuthorScore{}, fmt.Errorf("papers: paper %q: %d scores: expected %d, one for each candidate", p.Name, len(scores[i]), len(authors[i]))
		}
	}
	return eval.Identification(Rankings(papers, scores), AtFirst())
}

// Asked returns the tokens of papers, and whom to rank for each: its authors, then its candidates, with repetitions. It returns an error
// for no papers, and for one without authors or without other candidates.
func (t *Identification) Asked(papers []Paper) (tokens, authors [][]int32, err error) {
	if len(papers) == 0 {
		return nil, nil, errors.New("papers: no papers to identify authors of: expected at least one")
	}
	for _, p := range papers {
		if err := t.rankable(p); err != nil {
			return nil, nil, err
		}
		tokens = append(tokens, p.Tokens)
		authors = append(authors, slices.Concat(p.Authors, p.Candidates))
	}
	return tokens, authors, nil
}

// Rankings parts scores of those that Asked returns into those of papers' authors and those of others.
func Rankings(papers []Paper, scores [][]float32) []eval.AuthorRanking {
	rankings := make([]eval.AuthorRanking, len(papers))
	for i, p := range papers {
		own := len(p.Authors)
		rankings[i] = eval.AuthorRanking{True: scores[i][:own], False: scores[i][own:]}
	}
	return rankings
}

// Popularity returns what an order of the candidates by their number of training papers comes to, whatever a paper says: what a
// model must exceed to have learnt from texts. Authors with as many stand in a random order, the same for all papers. It returns the
// errors of Asked.
func (t *Identification) Popularity(papers []Paper) (eval.AuthorScore, error) {
	return t.Evaluate(context.Background(), t.popularity(), papers, 1)
}

// popularity returns the number of training papers of each author, and a random part below 1 by which equal ones are told apart.
func (t *Identification) popularity() popularity {
	written := make(popularity, t.Vertices(Author))
	ties := rng.New(0, "popularity")
	for a := range written {
		written[a] = float32(ties.Float64())
	}
	for _, authors := range t.AuthorsOf {
		for _, a := range authors {
			written[a]++
		}
	}
	return written
}

// CoAuthors returns what an order of the candidates comes to by how many others of a paper's candidates they have written a training paper with,
// whatever the paper says. It shows what the list of candidates tells: authors of a paper know one another, and other candidates are drawn at
// random. No method sees the list. Of authors with as many, those with more training papers come first, as by Popularity. It returns the errors of Asked.
func (t *Identification) CoAuthors(papers []Paper) (eval.AuthorScore, error) {
	wrote := make([]map[int32]bool, t.Vertices(Author)) // with
	for _, authors := range t.AuthorsOf {
		for _, a := range authors {
			if wrote[a] == nil {
				wrote[a] = map[int32]bool{}
			}
			for _, b := range authors {
				wrote[a][b] = true
			}
		}
	}
	order := t.popularity()
	most := slices.Max(order) + 1
	for a := range order {
		order[a] /= most
	}
	return t.Evaluate(context.Background(), listed{order, wrote}, papers, 1)
}

// listed ranks authors by those in their list.
type listed struct {
	order popularity // below 1
	wrote []map[int32]bool
}

// Scores implements Ranker, but that scores of a paper depend on the others asked for.
func (l listed) Scores(_ context.Context, _ [][]int32, authors [][]int32, _ int) ([][]float32, error) {
	scores := make([][]float32, len(authors))
	for p, list := range authors {
		all := slices.Compact(slices.Sorted(slices.Values(list)))
		for _, a := range list {
			score := l.order[a]
			for _, b := range all {
				if a != b && l.wrote[a][b] {
					score++
				}
			}
			scores[p] = append(scores[p], score)
		}
	}
	return scores, nil
}

// popularity ranks authors whatever papers say.
type popularity []float32

// Scores implements Ranker.
func (p popularity) Scores(_ context.Context, _ [][]int32, authors [][]int32, _ int) ([][]float32, error) {
	scores := make([][]float32, len(authors))
	for i, list := range authors {
		for _, a := range list {
			scores[i] = append(scores[i], p[a])
		}
	}
	return scores, nil
}
