package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/network"
)

// Scores of a network alone. Nothing is trained: they are what a method has to be compared with.
//
// Degrees k and neighbours Γ are those of the training network without self-loops and weights. Of a directed one they count links in either
// direction, but for degrees and walk, which tell a link from its reverse.
func init() {
	const survey = "Lü and Zhou, Physica A 390 (2011)"
	local := func(name, help, source string, of func(s *surround, u, v int32) float64) {
		Scorers.Add(name, closeness{local: of, near: func(s *surround, u int32, use func(v int32, score float64)) {
			for _, v := range s.touched {
				use(v, of(s, u, v))
			}
		}}.scorer(help, source))
	}
	Scorers.Add("degrees", closeness{directed: true, local: func(s *surround, u, v int32) float64 { return s.t.out(u) * s.t.in(v) }}.scorer(
		"product of the degrees; of a directed network, links out of the source times links into the target", "Liben-Nowell and Kleinberg, CIKM 2003"))
	local("common", "number of common neighbours", "Liben-Nowell and Kleinberg, CIKM 2003", func(s *surround, u, v int32) float64 { return s.of(u, v, s.common) })
	local("adamic-adar", "sum of 1/log k over common neighbours", "Adamic and Adar, Social Networks 25 (2003)",
		func(s *surround, u, v int32) float64 { return s.of(u, v, s.logs) })
	local("allocation", "resource allocation: sum of 1/k over common neighbours", "Zhou, Lü and Zhang, EPJ B 71 (2009)",
		func(s *surround, u, v int32) float64 { return s.of(u, v, s.shares) })
	local("jaccard", "share of common neighbours among the neighbours of either", "Liben-Nowell and Kleinberg, CIKM 2003",
		func(s *surround, u, v int32) float64 { return jaccard(s.t, u, v, s.of(u, v, s.common)) })
	Scorers.Add("l3", closeness{
		local: func(s *surround, u, v int32) float64 { return s.threes(s.other(u, v)) },
		near:  func(s *surround, _ int32, use func(v int32, score float64)) { s.eachThree(use) },
	}.scorer("sum of 1/√(k k') over paths of three links", "Kovács et al., Nature Communications 10 (2019)"))
	Scorers.Add("walk", closeness{
		steps: 6, weight: func(int) float64 { return 1 },
		directed: true,
		walks: func(t *topology, u, v int32, sum float64) float64 {
			if t.directed {
				sum *= shareOf(t.out(u), t.in(u)) * shareOf(t.in(v), t.out(v))
			}
			return sum
		},
	}.scorer("degree times the probability that a random walk of 1 to 6 steps ends at the other vertex; of a directed network, times the share of links out of the source and into the target",
		"Liu and Lü, EPL 89 (2010)"))
	const restart = 0.15
	Scorers.Add("pagerank", closeness{
		steps: 50, weight: func(step int) float64 { return restart * math.Pow(1-restart, float64(step)) },
		walks: func(t *topology, u, v int32, sum float64) float64 { return sum/t.degree[u] + sum/t.degree[v] },
	}.scorer("probabilities of both vertices in a random walk from the other that begins again with probability .15, by its first 50 steps", survey))
}

// shareOf is the share of a among a and b, drawn a little to a half so that it is not 0.
func shareOf(a, b float64) float64 { return (a + 0.1) / (a + b + 0.2) }

func jaccard(t *topology, u, v int32, common float64) float64 {
	if common == 0 {
		return 0
	}
	return common / (t.degree[u] + t.degree[v] - common)
}

// of returns what a sum over common neighbours of a pair comes to, one of which is the source.
func (s *surround) of(u, v int32, sums []float64) float64 { return sums[s.other(u, v)] }

// other returns the end of a pair that is not the source.
func (s *surround) other(u, v int32) int32 {
	if u == s.source {
		return v
	}
	return u
}

// closeness is a score of pairs by the network. Its scores of (u,v) and (v,u) are the same but where local or walks tell them apart.
type closeness struct {
	local func(s *surround, u, v int32) float64 // of the surroundings of one end; nil where walks are followed
	// near hands use the vertices whose score with the source is not 0; nil where most have one
	near func(s *surround, u int32, use func(v int32, score float64))

	directed bool // they do

	steps  int
	weight func(step int) float64
	walks  func(t *topology, u, v int32, sum float64) float64 // of k_u times the weighted probability of walks from u that end at v, which is the same both ways
}

func (c closeness) scorer(help, source string) Scorer {
	return Scorer{
		Help: help, Source: source, Untrained: true,
		Fit: func(ctx context.Context, _ Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
			t := newTopology(len(s.Names), s.Train, s.Directed)
			out := t.scorer(ctx, o.Threads, c.block)
			out.Directed = t.directed && c.directed
			if c.local == nil {
				out.sources = t.sourced(c.steps)
			}
			if c.near != nil {
				out.Near = func() func(u int32, use func(v int32, score float64)) {
					s := t.surround()
					return func(u int32, use func(v int32, score float64)) {
						s.around(u)
						c.near(s, u, use)
					}
				}
			}
			return out, nil
		},
	}
}

// block scores the pairs of some sources.
func (c closeness) block(s *surround, sources []int32, pairs [][]place, use func(j int, p place, score float64)) {
	if c.local != nil {
		for j, u := range sources {
			s.around(u)
			for _, p := range pairs[j] {
				a, b := p.ends(u)
				use(j, p, c.local(s, a, b))
			}
		}
		return
	}
	sums := make([][]float64, len(sources))
	for j := range sums {
		sums[j] = make([]float64, len(pairs[j]))
	}
	s.walks(sources, c.steps, func(step int, x []float32) {
		w := c.weight(step)
		for j := range sources {
			for i, p := range pairs[j] {
				sums[j][i] += w * float64(x[int(p.other)*sourceBlock+j])
			}
		}
	})
	for j, u := range sources {
		for i, p := range pairs[j] {
			a, b := p.ends(u)
			if sums[j][i] == 0 {
				use(j, p, 0)
				continue
			}
			use(j, p, c.walks(s.t, a, b, s.t.degree[p.other]*sums[j][i]))
		}
	}
}
