package run

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Plan is what a run is going to do, worked out beforehand from sizes alone.
type Plan struct {
	Vertices   int   `json:"vertices"`
	Train      int   `json:"train"` // links, with those held out for validation
	Test       int   `json:"test"`
	Walks      int64 `json:"walks"` // at most: none start at a vertex without an outgoing link
	Pairs      int64 `json:"pairs"` // of an epoch, at most: walks end early at such a vertex
	Parameters int64 `json:"parameters"`
	Memory     int64 `json:"memory_bytes"` // about

	Ranked string `json:"-"` // what a run on a heterogeneous network ranks

	Recipe *graphs.Recipe `json:"recipe,omitempty"` // of the whole run, where it ends after a number of pairs; else nil

	parts memory
}

// NewPlan returns the plan of a run.
func NewPlan(d Data, o graphs.Options) Plan {
	o = o.Complete() // a table's or a sweep's may not be
	if d.Bibliography != nil {
		return newAuthorPlan(d.Bibliography, o)
	}
	if d.Typed != nil {
		return newTypedPlan(d.Typed, d.Task, o)
	}
	s := d.Split
	starts := len(s.Names)
	if s.Directed {
		starts = sources(s.Names, s.Train)
	}
	links := len(s.Train) + len(s.TrainNeg) + len(s.Test) + len(s.TestNeg) + len(s.TestNegDirected)
	p := newPlan(len(s.Names), starts, len(s.Train), personasOf(s, o), links, o)
	p.Train, p.Test = len(s.Train), len(s.Test)
	links = len(s.Train) - int(math.Round(o.HoldOut*float64(len(s.Train))))
	if recipe, ok := o.Recipe(len(s.Names), links, graphs.DegreeSpread(len(s.Names), s.Train)); ok {
		p.Recipe = &recipe
	}
	return p
}

// NewBenchPlan returns the plan of Bench.
func NewBenchPlan(n *network.Network, o graphs.Options) Plan {
	starts := n.Vertices()
	if n.Directed() {
		starts = sources(n.Names(), n.List())
	}
	p := newPlan(n.Vertices(), starts, n.Links(), guessPersonas(n.Vertices(), n.Links()), n.Links(), benchOptions(o))
	p.Train = n.Links()
	return p
}

// PlanOfSizes returns the plan of a run on a network of which no more is known than how many vertices, training links, and links of all kinds
// it has, those that stand against them in evaluation among them.
func PlanOfSizes(vertices, train, links int, o graphs.Options) Plan {
	return newPlan(vertices, vertices, train, guessPersonas(vertices, train), links, o.Complete())
}

// personas are those of the training links that were counted last, as counting takes as long as listing all triangles.
var personas struct {
	sync.Mutex
	of         *network.Split
	clustering string
	count      int
}

// personasOf returns how many personas the vertices of a split have, if the method is one that trains them, else 0.
func personasOf(s *network.Split, o graphs.Options) int {
	if !o.Is(graphs.MethodSplitter) {
		return 0
	}
	clustering := graphs.Own[graphs.PersonaOptions](o).Clustering
	personas.Lock()
	defer personas.Unlock()
	if personas.of == s && personas.clustering == clustering {
		return personas.count
	}
	count := guessPersonas(len(s.Names), len(s.Train))
	if net, err := s.TrainNetwork(); err == nil {
		if p, err := net.Simple().Personas(context.Background(), clustering, runtime.GOMAXPROCS(0)); err == nil {
			count = len(p.Owner)
		}
	}
	personas.of, personas.clustering, personas.count = s, clustering, count
	return count
}

// guessPersonas is about how many personas there are where the links are not at hand.
func guessPersonas(vertices, links int) int { return vertices + links/2 }

func newPlan(vertices, starts, train, personas, links int, o graphs.Options) Plan {
	if recipe, ok := o.Recipe(vertices, train, 1); ok {
		o.Batch = recipe.Batch
	}
	if o.Is(graphs.MethodPolyDW) {
		starts = vertices // it takes no notice of directions
	}
	p := Plan{Vertices: vertices, Walks: int64(starts) * int64(o.Walks), Parameters: int64(vertices) * int64(o.Dim) * int64(o.Aspects+1)}
	p.Pairs = p.Walks * PairsOfWalk(int64(o.Length), int64(o.Window))
	switch o.Method.Name {
	case graphs.MethodDGI:
		p.Walks, p.Pairs = 0, int64(vertices)
		p.Parameters = int64(vertices+o.Dim+1)*int64(o.Dim) + 2 // features of a file are fewer than vertices, as a rule
		p.parts = dgiMemory(p, links, o)
	case graphs.MethodPolyDW: // a skip-gram over the facets of vertices
		tokens := o
		tokens.SetMethod(graphs.MethodOf(graphs.MethodDeepWalk))
		tokens.Aspects = 1
		copies := int64(graphs.Own[graphs.FacetOptions](o).Copies)
		p.Walks, p.Pairs = p.Walks*copies, p.Pairs*copies
		p.Vertices *= o.Aspects
		p.Parameters = 2 * int64(p.Vertices) * int64(o.Dim)
		p.parts = memoryOf(p, links, tokens)
		p.Vertices = vertices
	case graphs.MethodSplitter: // one over vertices and one over personas
		p.Vertices = personas
		p.Walks = int64(p.Vertices) * int64(o.Walks)
		p.Pairs = p.Walks * PairsOfWalk(int64(o.Length), int64(o.Window))
		p.Parameters = 2 * int64(p.Vertices+vertices) * int64(o.Dim)
		p.parts = memoryOf(p, links, o)
		p.parts.tables += 4 * 3 * 2 * float64(vertices) * float64(o.Dim) // of the vertices, which the personas are tied to
		p.parts.data += 64*float64(train) + 100*float64(personas)        // the network of personas, and their names
		p.Vertices = vertices
	default:
		p.parts = memoryOf(p, links, o)
	}
	if o.Scorer() == graphs.ScoringLR {
		p.parts.data += 8 * float64(o.Dim) * float64(o.Dim) // the classifier's second derivatives
	}
	p.Memory = int64(min(p.parts.total(), math.MaxInt64/2))
	return p
}

// dgiBuffers is how many matrices of vertices by numbers of a vector the graph of DGI holds at once.
const dgiBuffers = 28

// checkFeatures returns an error for features of which DGI would have more parameters than there is memory for: their number
// is known when their file has been read, after the plan.
func checkFeatures(p Plan, f *network.Features, o graphs.Options, limit uint64) error {
	p.Parameters += int64(f.Columns-p.Vertices) * int64(o.Dim)
	m := dgiMemory(p, p.Train+p.Test, o)
	m.data += 8 * float64(len(f.Index))
	if need := m.total(); limit > 0 && need > float64(limit) {
		return fmt.Errorf("experiments: features up to number %d need about %.0f MiB of memory with dim = %d, and there are %d: want smaller numbers of features, "+
			"without gaps, or a smaller dim", f.Columns-1, need/(1<<20), o.Dim, limit>>20)
	}
	return nil
}

// dgiMemory estimates the memory of a run of DGI.
func dgiMemory(p Plan, links int, o graphs.Options) (m memory) {
	m.tables = 4 * 4 * float64(p.Parameters) // with moments and the best epoch
	m.graph = 4 * dgiBuffers * float64(p.Vertices) * float64(o.Dim)
	m.data = 64*float64(links) + 64*float64(p.Vertices)
	return m
}

// sources counts the vertices with an outgoing link.
func sources(names []string, links []network.Link) (count int) {
	out := make([]bool, len(names))
	for _, l := range links {
		if !out[l.From] {
			out[l.From] = true
			count++
		}
	}
	return count
}

// PairsOfWalk returns how many (centre, context) pairs a walk of the given length has.
func PairsOfWalk(length, window int64) int64 {
	window = min(window, length-1)
	return 2*window*length - window*(window+1)
}

// memory is what a run holds at once, in bytes. float64: the largest options would overflow integers.
type memory struct {
	tables  float64 // parameters, moments, and the best epoch
	graph   float64 // what graphs add to that
	garbage float64 // of graphs, before it is collected
	batches float64
	walks   float64
	data    float64
}

func (m memory) total() float64 {
	return m.tables + m.graph + m.garbage + m.batches + m.walks + m.data + 32<<20
}

// Lower says which options to lower for a run that needs less memory: those of its largest part.
func (p Plan) Lower() string {
	m := p.parts
	switch max(m.tables, m.graph+m.garbage, m.batches, m.walks, m.data) {
	case m.graph + m.garbage:
		return "a lower --dim, --aspects or --window, or --engine fused"
	case m.batches:
		return "a lower --batch, --aspects or --negatives"
	case m.walks:
		return "fewer --walks, or --order " + walks.Shuffled + " with --walks-in-memory false"
	case m.data:
		return "a smaller network"
	}
	return "a lower --dim or --aspects"
}

// What a graph adds, fitted to the peak memory of asp2vec bench --engine graph on a network of the size of PPI, with windows
// of 3 and 10, 2 and 10 negatives, 5 and 40 aspects, and vectors of 20 and 100 dimensions: most are met to a fifth, and that of
// 10 negatives is two fifths too high.
const (
	graphFixed    = 30 << 20
	graphGarbage  = 1.5 // of all but the rows, left from earlier steps and not collected yet
	graphLittle   = 120 << 20
	graphMore     = 0.6 // of what is beyond so much, fitted to runs on ca-AstroPh and soc-epinions
	graphLanes    = 4   // each with gradients of its own (graphs/composed.go)
	graphWindows  = 512 // of a lane at a time
	graphCopies   = 4   // of the rows that a lane gathers: rows, their gradients, the small tables and theirs
	penaltyCopies = 3   // of the aspect table in the regularizer's graph
	cosineCopies  = 4   // of every vertex's cosines there
	checkVertices = 16  // of the models that engine auto compares
)

// slotBytes are those of a slot of a window: 13 in each of two batches with its index, and 12 where it is sorted.
const slotBytes = 2*13 + 12.0

// memoryOf estimates the memory of a run over the given number of links.
func memoryOf(p Plan, links int, o graphs.Options) (m memory) {
	n, dim, k := float64(p.Vertices), float64(o.Dim), float64(o.Aspects)
	slotsOfWindow := float64(2*o.Window) * float64(1+o.Negatives)
	aspects, all := n*dim*k, n*dim*(k+1)

	copies := 1.0
	if o.Optimizer != graphs.OptimizerSGD {
		copies += 2 // moments
	}
	if o.Select != graphs.SelectLast {
		copies++ // of the best epoch
	}
	parameters := all
	if o.WarmUp { // its tables stand beside the model's
		parameters += n * dim * 2
	}
	m.tables = 4 * (copies*parameters + n*dim)

	// A window has fewer pairs than slots at the ends of a walk, yet room for all. A slot has a coefficient for each aspect as well; lists
	// grow by an eighth or more.
	windows := float64(p.Walks) * float64(o.Length)
	used := windows
	if p.Pairs > 0 {
		used = min(windows, float64(o.Batch)*windows/float64(p.Pairs))
	}
	pairs, penalty := graphOf(o)
	gathered := 0.0
	if pairs {
		rows := min(graphWindows, 1+used/graphLanes) * slotsOfWindow
		gathered = graphFixed + graphLanes*4*graphCopies*(rows*dim*k+graphWindows*dim)
		m.graph += gathered + graphLanes*4*(all+n*3)
	}
	if penalty {
		m.graph += 4 * (penaltyCopies*aspects + cosineCopies*n*k*k)
	} else if o.Engine == graphs.EngineAuto && o.Lambda > 0 && k > 1 {
		m.graph += 4 * cosineCopies * checkVertices * k * k
	}

	slot := slotBytes
	if !pairs {
		slot += 4 * k
	}
	m.batches = 1.125*used*(slotsOfWindow*slot+2*36+4*dim) + 2*8*n

	// Walks are held twice while they are put together; after that the published order needs 4 bytes a window.
	const small = 64 << 20 // below which engine and order do not matter: walks are kept
	tokens := 4 * windows
	var kept float64
	if o.WalksInMemory == "true" || o.WalksInMemory != "false" && (o.Order == walks.Grouped || tokens <= small) {
		kept = tokens
	}
	m.walks = 2 * kept
	if o.Order == walks.Grouped {
		m.walks = max(m.walks, kept+4*windows)
	}
	// A link is 8 bytes in a list, up to 8 as arcs, and twice in a list again where some are held out.
	m.data = 32*float64(links) + 64*n
	if pairs {
		live := m.tables + m.graph - gathered + m.batches + m.walks + m.data
		m.garbage = graphGarbage*min(live, graphLittle) + graphMore*max(0, live-graphLittle)
	}
	return m
}

// graphOf says which terms of the loss a graph computes. Engine auto is taken to find the fused ops right wherever there are
// any: the plan comes before the comparison, which takes memory itself.
func graphOf(o graphs.Options) (pairs, penalty bool) {
	if o.Engine == graphs.EngineGraph {
		return true, o.Is(graphs.MethodAsp2vec) && o.Lambda > 0 && o.Aspects > 1
	}
	probe := o
	probe.Dim, probe.Aspects, probe.Engine = 1, min(o.Aspects, 2), graphs.EngineFused
	regularizer := losses.Regularizers[o.Regularizer]
	if regularizer.Batch == nil {
		probe.Lambda = 0 // it has no part in the pairs
	}
	_, err := graphs.NewSkipGram(probe, 1, 1)
	if pairs = err != nil; pairs {
		probe = graphs.Default()
		probe.Dim, probe.Engine = 1, graphs.EngineFused
	}
	if regularizer.Table == nil {
		return pairs, false
	}
	probe.Lambda, probe.Regularizer, probe.Epsilon, probe.Aspects = o.Lambda, o.Regularizer, o.Epsilon, min(o.Aspects, 2)
	_, err = graphs.NewSkipGram(probe, 1, 1)
	return pairs, err != nil
}
