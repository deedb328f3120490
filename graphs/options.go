package graphs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Names of choices that are not looked up in a map.
const (
	MethodAsp2vec  = "asp2vec"
	MethodDeepWalk = "deepwalk"
	MethodNode2vec = "node2vec"
	MethodDGI      = "dgi"
	MethodPolyDW   = "polydw"
	MethodSplitter = "splitter"

	NoisePair   = "pair"   // Gumbel noise drawn for each pair (the authors' code)
	NoiseWindow = "window" // and for each window (the paper's Eq. 7)

	SelectValidation = "validation" // report the epoch with the best validation AUC
	SelectTest       = "test"       // the paper's: the epoch with the best test AUC
	SelectLoss       = "loss"       // the epoch with the lowest training loss
	SelectLast       = "last"

	ScoringNative   = "native"   // the method's own, one of these
	ScoringLR       = "lr"       // logistic regression on products of final vectors
	ScoringSum      = "sum"      // sum of the cosines of all pairs of vectors of two vertices
	ScoringWeighted = "weighted" // that sum, weighted by the shares of the vectors
	ScoringMax      = "max"      // the largest of those cosines

	ScoringDot      = "dot"      // of authors for a paper: inner product of their vectors
	ScoringDistance = "distance" // minus the distance of their vectors
	ScoringPair     = "pair"     // what a classifier makes of both

	ContextPaper  = "paper"
	ContextAuthor = "author"
	ContextBoth   = "both"

	VariantHeads   = "heads"   // a paper's vector times a matrix of each aspect
	VariantTarget  = "target"  // nothing: the aspects are those of the centre
	VariantLiteral = "literal" // nothing, as the paper has it: contexts that are papers cannot tell aspects apart

	AllMetaPaths = "all" // those that the bibliography has the venues and references for

	CellResetAfter  = "reset-after"
	CellResetBefore = "reset-before"

	FeaturesOut  = "out"  // what a vertex points to stands for its features: its row of the adjacency matrix
	FeaturesBoth = "both" // and what points to it: the adjacency matrix made symmetric

	EngineAuto  = "auto"  // fused where the model is the standard one, else graph
	EngineGraph = "graph" // composed from layers and losses
	EngineFused = "fused" // the same numbers from fused ops
)

// Bounds of sizes, far above any use: a slip of the hand must not ask for all memory.
const (
	maxDim     = 1 << 16
	maxAspects = 1 << 12
	maxCopies  = 1 << 16

	maxPairsPerVertex = 1e9
)

// Options of a run. Names of JSON keys are those of the command line's flags, of records and of sweeps. Equation numbers
// are those of Park et al., KDD 2020; "code" is the authors' published program.
type Options struct {
	Method string `json:"method"` // a name of Methods, which says which of the options a method reads

	Dim         int     `json:"dim"`         // D, numbers of a vector, >= 1; paper: 20, 40, 100, and five times that for one vector
	Aspects     int     `json:"aspects"`     // K, aspects of a vertex, or facets, >= 1, of PolyDW to 64; paper: 5. DeepWalk has 1
	Selection   string  `json:"selection"`   // how a window picks its aspect, a name of layers.Selections; paper: gumbel (Eq. 7)
	Noise       string  `json:"noise"`       // pair or window: how often Gumbel noise is drawn
	Tau         float64 `json:"tau"`         // of the selections that declare it (Eq. 7); paper: 0.5
	Readout     string  `json:"readout"`     // a name of layers.Readouts (Eq. 9); paper: mean
	PairLoss    string  `json:"pair-loss"`   // a name of losses.Pairs (Eq. 2); paper: skipgram
	Regularizer string  `json:"regularizer"` // a name of losses.Regularizers (Eq. 10 to 14); paper: cosine
	Lambda      float64 `json:"lambda"`      // weight of the regularizer, >= 0; 0 turns it off (Eq. 15); paper: 0.01. Splitter: of its constraint
	Epsilon     float64 `json:"epsilon"`     // of the regularizers that declare it (Eq. 13); paper: .1 to .9, code .5
	WarmUp      bool    `json:"warm-up"`     // start from DeepWalk's embedding; paper: yes

	WarmUpPairLoss string `json:"warm-up-pair-loss"` // of asp2vec's warm-up, a name of losses.Pairs; "": as pair-loss

	AspectNoise float64 `json:"aspect-noise"` // standard deviation of noise added to the aspects after the warm-up, >= 0; paper: none

	P            float64 `json:"p"`               // node2vec: a step back is 1/p times as likely, 1e-100 to 1e100
	Q            float64 `json:"q"`               // node2vec: a step away is 1/q times as likely, 1e-100 to 1e100
	Copies       int     `json:"facet-copies"`    // PolyDW: copies of each walk, with facets drawn anew, 1 to 65536
	Tolerance    float64 `json:"facet-tolerance"` // PolyDW: see symnmf.Options, above 0 and below 1; at the default, 1e-4, facets still change
	Clustering   string  `json:"clustering"`      // Splitter: of ego-networks, labels or components
	Features     string  `json:"features"`        // DGI: file of vertex features; "" for the adjacency matrix
	FeatureLinks string  `json:"feature-links"`   // DGI without features, on directed networks: out or both; no matter elsewhere

	// Of methods on papers and authors (package hetnet).
	MetaPaths    string  `json:"meta-paths"`     // what walks go along, with commas: APA, APPA, APVPA; or AllMetaPaths
	Context      string  `json:"aspect-context"` // asp2vec-het: an aspect is picked from the window's author, paper or both; paper: paper
	Variant      string  `json:"aspect-variant"` // asp2vec-het: what of a paper differs by aspect: heads, target or literal
	AuthorWeight float64 `json:"author-weight"`  // asp2vec-het: weight of the windows around authors, > 0; those around papers weigh 1
	MeanPenalty  bool    `json:"lambda-mean"`    // asp2vec-het: the regularizer is a mean over authors; paper: a sum
	HeadNoise    float64 `json:"head-noise"`     // asp2vec-het: standard deviation about the identity that heads begin with, >= 0
	Cell         string  `json:"cell"`           // of the GRU, reset-after (PyTorch) or reset-before (TensorFlow 1)
	TextLength   int     `json:"text-length"`    // words of a paper that are read, >= 1; code: 100
	WordVectors  string  `json:"word-vectors"`   // word2vec text file; "" trains them on the words of the training papers
	WordDim      int     `json:"word-dim"`       // numbers of a word's vector where they are trained, >= 1; code: 128
	WordEpochs   int     `json:"word-epochs"`    // passes over the texts where words are trained; 0: as many as their size asks for; gensim and code: 5
	Margin       float64 `json:"margin"`         // Camel, TaPEm: between an author and another one, >= 0; code: .1
	Indirect     float64 `json:"indirect"`       // Camel: weight of the pairs from walks, >= 0; code: .1
	Decay        float64 `json:"l2"`             // of papers' methods but TaPEm: weight of the sum of squares of all parameters, >= 0; Camel's code: .001
	Dropout      float64 `json:"dropout"`        // TaPEm: share of numbers dropped in the pair embedding, in [0,1); code: .15
	ContextRatio float64 `json:"context-ratio"`  // TaPEm: share of the context paths that an epoch takes, in (0,1]; code: .01

	Walks      int     `json:"walks"`              // walks from each vertex, >= 1; paper: 10
	Length     int     `json:"walk-length"`        // vertices of a walk, >= 2; paper: 80
	Window     int     `json:"window"`             // context vertices on each side, 1 to 32; paper: 3
	Shrink     bool    `json:"shrink-window"`      // draw the reach of each window from 1 to window, as word2vec does
	Negatives  int     `json:"negatives"`          // M, noise vertices of a pair, >= 1; paper: 2
	NoisePower float64 `json:"noise-power"`        // a vertex is noise in proportion to its frequency to this power; 0, uniform: paper
	Batch      int     `json:"batch"`              // pairs of a step, >= 1; code: 50,000. sgd takes fewer in small networks (staleBatch), and so do methods on papers with a final-learning-rate
	Resample   bool    `json:"resample-negatives"` // draw negatives anew in each epoch; code: no

	PairsPerVertex float64 `json:"pairs-per-vertex"` // training ends after so many for each vertex, all stages together, >= 0; 0: after epochs
	Steps          int     `json:"steps"`            // of a run that ends after pairs: its batch is as large as this many steps need, >= 0; 0: batch
	RateSum        float64 `json:"rate-sum"`         // of such a run: the sum of its steps' learning rates (see budget), >= 0; 0: learning-rate
	RateEnd        float64 `json:"rate-end"`         // of such a sum: the last rate as a share of the first, in [0,1]; 0: rates fall to 0
	DegreePower    float64 `json:"degree-power"`     // rate-sum is over the mean degree to this power, >= 0; 0: rate-sum itself
	SpreadPower    float64 `json:"spread-power"`     // rate-sum is over the spread of the degrees (see degreeSpread) to this power; 0: rate-sum itself
	DirectedShare  float64 `json:"directed-share"`   // of rate-sum, that a directed network gets, > 0
	WarmUpShare    float64 `json:"warm-up-share"`    // of the pairs of such a run, in (0,1)
	DenseDegree    float64 `json:"dense-degree"`     // from this mean degree on, such a run of asp2vec has the recipe of dense networks (see dense), >= 0; 0: never
	MaxNorm        float64 `json:"max-norm"`         // DeepWalk's rows are shortened to this length after each epoch, >= 0; 0: never; code: 1
	Vectors        string  `json:"embedding"`        // mean (paper, Eq. 16) or center: which vectors are the embedding
	Scale          float64 `json:"embedding-scale"`  // the embedding is scaled to this root mean square length, >= 0; 0: is left as it is (paper)
	HoldOut        float64 `json:"hold-out"`         // share of the training links that are held out to be scored at the end, in [0,1); validation has a tenth
	Refit          bool    `json:"refit"`            // after validation has chosen the epoch, train as long on all training links

	Order        string  `json:"order"`               // shuffled or grouped; code: grouped
	LearningRate float64 `json:"learning-rate"`       // > 0; code: 0.003, of Adam. Of sgd: of one pair, as in word2vec
	FinalRate    float64 `json:"final-learning-rate"` // that it falls to linearly over all epochs, >= 0; 0: stays
	Optimizer    string  `json:"optimizer"`           // adam, lazy-adam or sgd; paper: adam, dense
	Epochs       int     `json:"epochs"`              // at most, of each stage; 0: the method's, else 1000, or 20 where the last epoch is reported
	WarmUpEpochs int     `json:"warm-up-epochs"`      // at most, of the warm-up; 0: as epochs
	Patience     int     `json:"patience"`            // see Stopping; 0: the method's, else 10, or 5 where test AUC selects, as in the code
	Select       string  `json:"select"`              // validation, test, loss or last: which epoch is reported
	Scoring      string  `json:"scoring"`             // native, or another Scoring... that the method can do: how vectors rank links

	Engine        string `json:"engine"`          // auto, graph or fused; changes no number beyond float32 rounding
	WalksInMemory string `json:"walks-in-memory"` // auto, true or false: keep walks, or draw them anew; changes no number
	Seed          uint64 `json:"seed"`

	Hyper Hyper `json:"-"` // the other hyperparameters that entries declare, each an option of its own; see SetHyperparameter
}

// Default returns the options of the protocol "validated": the paper's model with epochs selected on validation links, shuffled
// windows and negatives drawn anew.
func Default() Options {
	return Options{
		Method: MethodAsp2vec,
		Dim:    20, Aspects: 5, Selection: "gumbel", Noise: NoisePair, Tau: declaredDefault("tau"), Readout: "mean",
		PairLoss: "skipgram", Regularizer: "cosine", Lambda: 0.01, Epsilon: declaredDefault("epsilon"), WarmUp: true,
		Walks: 10, Length: 80, Window: 3, Negatives: 2, Batch: 50000, Resample: true,
		Order: walks.Shuffled, LearningRate: 0.003, Optimizer: OptimizerAdam, Select: SelectValidation,
		Engine: EngineAuto, WalksInMemory: "auto", Seed: 1, Scoring: ScoringNative,
		P: 1, Q: 1, Copies: 10, Tolerance: 1e-4, Clustering: network.ClusteringLabels, FeatureLinks: FeaturesOut,
		MetaPaths: "APA", Context: ContextPaper, Variant: VariantHeads, Cell: CellResetAfter, TextLength: 100, WordDim: 128, WordEpochs: 5,
		AuthorWeight: 1, HeadNoise: 0.01,
		DirectedShare: 1, WarmUpShare: 0.5, Vectors: EmbeddingMean, MaxNorm: 1,
		Margin: 0.1, Indirect: 0.1, Decay: 0.001, Dropout: 0.15, ContextRatio: 0.01,
	}
}

// Paper returns the published protocol: windows grouped by centre, the same negatives in every epoch, noise for each pair,
// and the epoch with the best test AUC reported.
func Paper() Options {
	o := Default()
	o.Order, o.Resample, o.Noise, o.Select, o.Patience = walks.Grouped, false, NoisePair, SelectTest, 5
	return o
}

// Complete returns the options with every 0 that stands for a default replaced by it.
func (o Options) Complete() Options {
	if m, err := FindMethod(o.Method); err == nil {
		if m.Fixed != nil {
			m.Fixed(&o)
		}
		var usual Options
		if m.Defaults != nil {
			m.Defaults(&usual)
		}
		o.Epochs, o.Patience = cmp.Or(o.Epochs, usual.Epochs), cmp.Or(o.Patience, usual.Patience)
	}
	if o.Epochs == 0 {
		o.Epochs = 1000
		if o.Select == SelectLast {
			o.Epochs = 20
		}
	}
	if o.WarmUpEpochs == 0 {
		o.WarmUpEpochs = o.Epochs
	}
	if o.Patience == 0 {
		o.Patience = 10
		if o.Select == SelectTest {
			o.Patience = 5
		}
	}
	return o
}

// Validate returns every problem of the options at once, or nil.
func (o Options) Validate() error {
	var errs []error
	check := func(ok bool, name string, got any, want string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s = %v: want %s", name, got, want))
		}
	}
	oneOf := func(name, got string, want ...string) {
		for _, w := range want {
			if got == w {
				return
			}
		}
		check(false, name, fmt.Sprintf("%q", got), "one of "+strings.Join(want, ", "))
	}
	// Comparisons are written so that NaN fails.
	oneOf("method", o.Method, MethodNames()...)
	check(o.Dim >= 1 && o.Dim <= maxDim, "dim", o.Dim, fmt.Sprintf("1 to %d", maxDim))
	most := maxAspects
	if o.Method == MethodPolyDW {
		most = walks.MaxFacets
	}
	check(o.Aspects >= 1 && o.Aspects <= most, "aspects", o.Aspects, fmt.Sprintf("1 to %d", most))
	oneOf("selection", o.Selection, registered(layers.Selections)...)
	oneOf("noise", o.Noise, NoisePair, NoiseWindow)
	oneOf("readout", o.Readout, registered(layers.Readouts)...)
	oneOf("pair-loss", o.PairLoss, registered(losses.Pairs)...)
	oneOf("regularizer", o.Regularizer, registered(losses.Regularizers)...)
	check(o.Lambda >= 0 && !math.IsInf(o.Lambda, 0), "lambda", o.Lambda, "a number, at least 0")
	errs = append(errs, o.checkHyperparameters()...)
	if o.WarmUpPairLoss != "" {
		oneOf("warm-up-pair-loss", o.WarmUpPairLoss, registered(losses.Pairs)...)
	}
	check(o.AspectNoise >= 0 && !math.IsInf(o.AspectNoise, 0), "aspect-noise", o.AspectNoise, "a number, at least 0")
	biases := fmt.Sprintf("a number from %g to %g", 1/walks.MaxBias, walks.MaxBias)
	check(o.P >= 1/walks.MaxBias && o.P <= walks.MaxBias, "p", o.P, biases)
	check(o.Q >= 1/walks.MaxBias && o.Q <= walks.MaxBias, "q", o.Q, biases)
	check(o.Copies >= 1 && o.Copies <= maxCopies, "facet-copies", o.Copies, fmt.Sprintf("1 to %d", maxCopies))
	check(o.Tolerance > 0 && o.Tolerance < 1, "facet-tolerance", o.Tolerance, "a number above 0 and below 1")
	oneOf("clustering", o.Clustering, network.ClusteringLabels, network.ClusteringComponents)
	oneOf("feature-links", o.FeatureLinks, FeaturesOut, FeaturesBoth)
	check(o.Walks >= 1 && o.Walks <= walks.MaxPerVertex, "walks", o.Walks, fmt.Sprintf("1 to %d", walks.MaxPerVertex))
	check(o.Length >= 2 && o.Length <= walks.MaxLength, "walk-length", o.Length, fmt.Sprintf("2 to %d", walks.MaxLength))
	check(o.Window >= 1 && o.Window <= walks.MaxWindow, "window", o.Window, fmt.Sprintf("1 to %d", walks.MaxWindow))
	check(o.Negatives >= 1 && o.Negatives <= walks.MaxNegatives, "negatives", o.Negatives, fmt.Sprintf("1 to %d", walks.MaxNegatives))
	check(o.NoisePower >= 0 && !math.IsInf(o.NoisePower, 0), "noise-power", o.NoisePower, "a number, at least 0")
	check(o.Batch >= 1, "batch", o.Batch, "at least 1")
	oneOf("order", o.Order, walks.Shuffled, walks.Grouped)
	check(o.LearningRate > 0 && !math.IsInf(o.LearningRate, 0), "learning-rate", o.LearningRate, "a number above 0")
	check(o.FinalRate >= 0 && !(o.FinalRate > o.LearningRate), "final-learning-rate", o.FinalRate, "a number from 0 to learning-rate")
	check(o.PairsPerVertex >= 0 && o.PairsPerVertex <= maxPairsPerVertex, "pairs-per-vertex", o.PairsPerVertex, fmt.Sprintf("a number from 0 to %g", float64(maxPairsPerVertex)))
	check(o.Steps >= 0, "steps", o.Steps, "at least 1, or 0 for batch")
	check(o.RateSum >= 0 && !math.IsInf(o.RateSum, 0), "rate-sum", o.RateSum, "a number, at least 0")
	check(math.Abs(o.DegreePower) <= 10, "degree-power", o.DegreePower, "a number from -10 to 10")
	check(math.Abs(o.SpreadPower) <= 10, "spread-power", o.SpreadPower, "a number from -10 to 10")
	check(o.DirectedShare > 0 && !math.IsInf(o.DirectedShare, 0), "directed-share", o.DirectedShare, "a number above 0")
	check(o.RateEnd >= 0 && o.RateEnd <= 1, "rate-end", o.RateEnd, "a number from 0 to 1")
	check(o.DenseDegree >= 0 && !math.IsInf(o.DenseDegree, 0), "dense-degree", o.DenseDegree, "a number, at least 0")
	check(o.MaxNorm >= 0 && !math.IsInf(o.MaxNorm, 0), "max-norm", o.MaxNorm, "a number, at least 0")
	check(o.WarmUpShare > 0 && o.WarmUpShare < 1, "warm-up-share", o.WarmUpShare, "a number between 0 and 1")
	oneOf("embedding", o.Vectors, EmbeddingMean, EmbeddingCenter)
	check(o.Scale >= 0 && !math.IsInf(o.Scale, 0), "embedding-scale", o.Scale, "a number, at least 0")
	check(o.HoldOut >= 0 && o.HoldOut < 1, "hold-out", o.HoldOut, "at least 0 and below 1")
	check(o.HoldOut == 0 || o.Select == SelectLast || o.Select == SelectLoss, "hold-out", o.HoldOut, fmt.Sprintf("0 with select = %q, which holds links out by itself", o.Select))
	if m, err := FindMethod(o.Method); err == nil && m.Typed {
		check(o.HoldOut == 0, "hold-out", o.HoldOut, "0 with a method on papers and authors, whose papers have parts of their own")
		check(!o.Refit, "refit", o.Refit, "false with a method on papers and authors, whose papers have parts of their own")
	}
	check(!o.Refit || o.Select == SelectValidation, "refit", o.Refit, fmt.Sprintf("select = %q: without validation links there is nothing to train anew for", SelectValidation))
	oneOf("optimizer", o.Optimizer, OptimizerAdam, OptimizerLazyAdam, OptimizerSGD)
	check(o.Epochs >= 0, "epochs", o.Epochs, "at least 1, or 0 for the default")
	check(o.WarmUpEpochs >= 0, "warm-up-epochs", o.WarmUpEpochs, "at least 1, or 0 for the default")
	check(o.Patience >= 0, "patience", o.Patience, "at least 1, or 0 for the default")
	oneOf("select", o.Select, SelectValidation, SelectTest, SelectLoss, SelectLast)
	oneOf("engine", o.Engine, EngineAuto, EngineGraph, EngineFused)
	oneOf("walks-in-memory", o.WalksInMemory, "auto", "true", "false")
	check(o.Order != walks.Grouped || o.WalksInMemory != "false", "walks-in-memory", o.WalksInMemory,
		fmt.Sprintf("auto or true with order = %q, which comes back to each walk many times", walks.Grouped))
	oneOf("aspect-context", o.Context, ContextPaper, ContextAuthor, ContextBoth)
	oneOf("aspect-variant", o.Variant, VariantHeads, VariantTarget, VariantLiteral)
	oneOf("cell", o.Cell, CellResetAfter, CellResetBefore)
	check(o.TextLength >= 1, "text-length", o.TextLength, "at least 1")
	check(o.WordDim >= 1 && o.WordDim <= maxDim, "word-dim", o.WordDim, fmt.Sprintf("1 to %d", maxDim))
	check(o.AuthorWeight > 0 && !math.IsInf(o.AuthorWeight, 0), "author-weight", o.AuthorWeight, "a number above 0")
	check(o.HeadNoise >= 0 && !math.IsInf(o.HeadNoise, 0), "head-noise", o.HeadNoise, "a number, at least 0")
	check(o.WordEpochs >= 0, "word-epochs", o.WordEpochs, "at least 1, or 0 for as many as the texts ask for")
	check(o.Margin >= 0 && !math.IsInf(o.Margin, 0), "margin", o.Margin, "a number, at least 0")
	check(o.Indirect >= 0 && !math.IsInf(o.Indirect, 0), "indirect", o.Indirect, "a number, at least 0")
	check(o.Decay >= 0 && !math.IsInf(o.Decay, 0), "l2", o.Decay, "a number, at least 0")
	check(o.Dropout >= 0 && o.Dropout < 1, "dropout", o.Dropout, "at least 0 and below 1")
	check(o.ContextRatio > 0 && o.ContextRatio <= 1, "context-ratio", o.ContextRatio, "above 0 and at most 1")
	if m, err := FindMethod(o.Method); err == nil {
		oneOf("scoring", o.Scoring, append([]string{ScoringNative}, m.Scorings...)...)
		check(!(o.budgeted() && o.PairsPerVertex <= maxPairsPerVertex && m.Reads("pairs-per-vertex") && o.scored()), "select", fmt.Sprintf("%q", o.Select),
			fmt.Sprintf("%q where a number of pairs ends training: for a choice of epochs pairs-per-vertex = 0, as protocols validated and paper have it", SelectLast))
		if m.Valid != nil {
			errs = append(errs, m.Valid(o))
		}
	}
	return errors.Join(errs...)
}

// Scorer returns how vectors rank links: Scoring, with the method's own for native.
func (o Options) Scorer() string {
	if m, err := FindMethod(o.Method); err == nil && o.Scoring == ScoringNative {
		return m.Scorings[0]
	}
	return o.Scoring
}

// flat says whether the loss of pairs is DeepWalk's: one vector and one context vector for each vertex.
func (o Options) flat() bool { return o.Method != MethodAsp2vec }

// regularized says whether the loss has a regularizer: DeepWalk's has none, and one aspect has nothing to be compared with.
func (o Options) regularized() bool {
	return !o.flat() && o.Lambda > 0 && o.Aspects > 1
}

// registered returns the names of a registry, sorted.
func registered[V any](registry map[string]V) []string { return slices.Sorted(maps.Keys(registry)) }
