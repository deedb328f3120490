package graphs

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/option"
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

	ScoringNative = "native" // the method's own, one of these
	ScoringLR     = "lr"     // logistic regression on products of final vectors
	ScoringSum    = "sum"    // sum of the cosines of all pairs of vectors of two vertices
	ScoringMax    = "max"    // the largest of those cosines

	ScoringDot      = "dot"      // of authors for a paper: inner product of their vectors
	ScoringDistance = "distance" // minus the distance of their vectors
	ScoringPair     = "pair"     // what a classifier makes of both
)

// Options of a run. What is said of an option stands at its field, for flags, sweeps, records and checks: see package
// internal/option. Words that name an entry of a registry, and the hyperparameters of entries, are declared there. Equation numbers
// are those of Park et al., KDD 2020; "code" is the authors' published program.
type Options struct {
	Method *Method `json:"-"` // records have its name

	// D; paper: 20, 40, 100, and five times that for one vector.
	Dim int `json:"dim" default:"20" range:"[1,65536]" group:"Model" help:"<D> dimensions of each vector"`
	// K, or facets; paper: 5. DeepWalk has 1.
	Aspects int `json:"aspects" part:"several" default:"5" range:"[1,4096]" group:"Model" help:"<K> aspects per vertex, or facets"`
	// A name of layers.Selections; paper: gumbel (Eq. 7).
	Selection string `json:"selection" part:"several" default:"gumbel" group:"Model" help:"function that turns scores into aspect probabilities"`
	Noise     string `json:"noise" part:"several" default:"pair" of:"pair,window" group:"Model" help:"draw Gumbel noise for each pair or for each window"`
	// Of the selections that declare it (Eq. 7); paper: 0.5.
	Tau float64 `json:"tau" part:"several" group:"Model"`
	// A name of layers.Readouts (Eq. 9); paper: mean.
	Readout string `json:"readout" part:"several" default:"mean" group:"Model" help:"function that turns a window into a vector"`
	// A name of losses.Pairs (Eq. 2); paper: skipgram.
	PairLoss string `json:"pair-loss" part:"pairs" default:"skipgram" group:"Model" help:"loss of a pair"`
	// A name of losses.Regularizers (Eq. 10 to 14); paper: cosine.
	Regularizer string `json:"regularizer" part:"several" default:"cosine" group:"Model" help:"penalty on similar aspects"`
	// Eq. 15; paper: 0.01.
	Lambda float64 `json:"lambda" part:"several" default:"0.01" range:"[0,)" group:"Model" help:"weight of the regularizer, or of splitter's constraint; 0 turns it off"`
	// Of the regularizers that declare it (Eq. 13); paper: .1 to .9, code .5.
	Epsilon float64 `json:"epsilon" part:"several" group:"Model"`
	WarmUp  bool    `json:"warm-up" part:"several" default:"true" group:"Model" help:"start from a simpler model: deepwalk; camel for tapem, m2v++ for asp2vec-het"`

	WarmUpPairLoss string `json:"warm-up-pair-loss" part:"deepwalk" zero:"as --pair-loss" group:"Model" help:"loss of a pair in asp2vec's warm-up"`

	// Paper: alike.
	// Paper: none.
	AspectNoise float64 `json:"aspect-noise" part:"several" range:"[0,)" group:"Model" help:"standard deviation of noise added to the aspects after the warm-up"`
	// Paper: a sum.
	MeanPenalty bool `json:"lambda-mean" part:"several" group:"Model" help:"scale the regularizer so that --lambda means the same for any network and --aspects"`

	// Own are the options that the method alone declares: a struct of the method's package that can be compared, as Options can;
	// nil where it has none. Own and Edit read and change it.
	Own any `json:"-"`

	Walks     int  `json:"walks" part:"corpus,walked" default:"10" range:"[1,65536]" group:"Walks" help:"walks from each vertex"`
	Length    int  `json:"walk-length" part:"corpus,walked" default:"80" range:"[2,65536]" group:"Walks" help:"vertices per walk"`
	Window    int  `json:"window" part:"corpus,walked" default:"3" range:"[1,32]" group:"Walks" help:"vertices on each side of a centre"`
	Shrink    bool `json:"shrink-window" part:"corpus" group:"Walks" help:"draw the size of each window from 1 to --window, as word2vec does"`
	Negatives int  `json:"negatives" part:"corpus,walked" default:"2" range:"[1,4096]" group:"Walks" help:"negatives per pair"`
	// Paper: 0, uniform.
	NoisePower float64 `json:"noise-power" part:"corpus" range:"[0,)" group:"Walks" help:"draw negatives in proportion to frequency to this power; 0 equally often"`
	// Code: 50,000. sgd takes fewer in small networks (staleBatch), and so do methods on papers with a final-learning-rate.
	Batch int `json:"batch" part:"pairs,walked" undoes:"steps" default:"50000" range:"[1,)" group:"Training" help:"pairs per step"`
	// Code: no.
	Resample bool `json:"resample-negatives" part:"corpus,walked" default:"true" group:"Walks" help:"draw new negatives in each epoch"`

	PairsPerVertex float64 `json:"pairs-per-vertex" part:"pairs" range:"[0,1e9]" group:"Schedule" help:"length of training: pairs per vertex; 0 ends it after --epochs"`
	Steps          int     `json:"steps" part:"pairs" range:"[0,)" group:"Schedule" help:"steps of the training; 0 for steps of --batch pairs"`
	// See budget.
	RateSum     float64 `json:"rate-sum" part:"pairs" undoes:"pilot,spread-power" range:"[0,)" group:"Schedule" help:"sum of the learning rates of all steps, for 20 dimensions; 0 uses --learning-rate"`
	RateEnd     float64 `json:"rate-end" part:"pairs" range:"[0,1]" group:"Schedule" help:"last learning rate as a share of the first"`
	DegreePower float64 `json:"degree-power" part:"pairs" undoes:"pilot" range:"[-10,10]" group:"Schedule" help:"power of the mean degree that divides --rate-sum"`
	// See DegreeSpread.
	SpreadPower float64 `json:"spread-power" part:"pairs" undoes:"pilot" range:"[-10,10]" group:"Schedule" help:"power of the spread of the degrees that divides --rate-sum"`
	// See Pilot. It is run by whoever has links to score it by (experiments.Run); Train takes the sum as it is.
	Pilot float64 `json:"pilot" part:"pilot" range:"[0,1]" group:"Schedule" help:"try learning rates on 90 % of the links first, for this share of the training; 0 skips it"`
	// Against random pairs alone, vectors that say how many links a vertex has, and nothing else, are the best on networks of hubs.
	PilotNegatives string  `json:"pilot-negatives" written:"given" part:"pilot" default:"published" of:"published,uniform,degree,matched,both,uniform-matched" group:"Schedule" help:"negatives of the pilot, or of two kinds alike: both is uniform and degree"`
	WarmUpShare    float64 `json:"warm-up-share" part:"deepwalk" default:"0.5" range:"(0,1)" group:"Schedule" help:"share of the pairs for the warm-up"`
	// Code: 1.
	MaxNorm float64 `json:"max-norm" part:"vectors" default:"1" range:"[0,)" group:"Training" help:"scale vectors of deepwalk and of a warm-up to at most this length; 0 never"`
	// Paper: mean (Eq. 16).
	Vectors string `json:"embedding" part:"vectors" default:"mean" of:"mean,center" group:"Training" help:"final vectors: center, or the mean of the centre and the aspects or contexts"`
	// Paper: as it is.
	Scale float64 `json:"embedding-scale" part:"vectors" range:"[0,)" group:"Schedule" help:"root mean square length of the final vectors; 0 leaves them"`
	// Validation has a tenth.
	HoldOut float64 `json:"hold-out" range:"[0,1)" group:"Training" help:"hide this share of the training links, and measure by them at the end"`
	Refit   bool    `json:"refit" part:"refit" group:"Training" help:"after validation has chosen the epoch, train equally long on all links"`

	// Code: grouped.
	Order string `json:"order" part:"corpus,walked" default:"shuffled" of:"shuffled,grouped" group:"Walks" help:"order of windows: shuffled, or grouped by centre as published"`
	// Code: 0.003, of Adam. Of sgd: of one pair, as in word2vec.
	LearningRate float64 `json:"learning-rate" part:"epochs" undoes:"rate-sum,pilot" default:"0.003" range:"(0,)" group:"Training" help:"learning rate, above 0"`
	FinalRate    float64 `json:"final-learning-rate" part:"pairs,walked" undoes:"rate-sum,pilot" range:"[0,)" group:"Training" help:"decrease the learning rate to this over all epochs; 0 keeps it"`
	// Paper: adam, dense.
	Optimizer string `json:"optimizer" part:"pairs" default:"adam" group:"Training" help:"what moves the vectors; with auto --pilot chooses adam or sgd"`
	// 0: the method's own, else 1000, or 20 where the last epoch is reported.
	Epochs       int `json:"epochs" part:"epochs" undoes:"pairs-per-vertex" range:"[1,)" zero:"1000; 20 with --select last" group:"Training" help:"maximum number of epochs of each stage"`
	WarmUpEpochs int `json:"warm-up-epochs" part:"several" undoes:"pairs-per-vertex" range:"[1,)" zero:"as --epochs" group:"Training" help:"maximum number of epochs of the warm-up"`
	// See stopping. 0: the method's own, else 10, or 5 where test AUC selects, as in the code.
	Patience int    `json:"patience" part:"epochs" range:"[1,)" zero:"10, or 5 with --select test; of papers and authors 5 or 10, or 20" group:"Training" help:"stop after this many epochs without improvement"`
	Select   string `json:"select" part:"epochs" default:"validation" of:"validation,test,loss,last" group:"Training" help:"report the epoch best by validation, test or training loss, or the last"`
	// Native, or another Scoring... that the method can do.
	Scoring string `json:"scoring" default:"native" group:"Training" help:"score that ranks links or authors; native is that of the method"`

	WalksInMemory string `json:"walks-in-memory" part:"corpus" default:"auto" of:"auto,true,false" group:"Walks" help:"keep walks in memory, or draw them anew in each epoch; changes no number"`
	Seed          uint64 `json:"seed" default:"1" group:"Training" help:"<SEED> of all random numbers"`

	Hyper option.Values `json:"-"` // the other hyperparameters that entries declare, each an option of its own: those that are not at their defaults; see Set
}

// Complete returns the options with every 0 that stands for a default replaced by it, with what their method leaves no choice of, and with the
// defaults of hyperparameters that nothing reads: options of one run are then the same.
func (o Options) Complete() Options { return o.complete().normal() }

// complete is Complete with hyperparameters as they were given.
func (o Options) complete() Options {
	if o.Method != nil {
		o.fix()
	}
	o.Epochs = cmp.Or(o.Epochs, o.unset("epochs"))
	o.WarmUpEpochs = cmp.Or(o.WarmUpEpochs, o.Epochs)
	o.Patience = cmp.Or(o.Patience, o.unset("patience"))
	return o
}

// Resolve returns the options complete, or an error that names every problem of them at once. What comes from the command line, a
// file or a caller goes through it once, and is taken as it is from there on.
func (o Options) Resolve() (Options, error) {
	o = o.complete()
	return o.normal(), o.Validate() // which refuses hyperparameters that nothing reads
}

// As returns complete options for a stage of the run that trains another method's model: with what that method leaves no choice of, and
// ranked by its own scores. What only the run's method declares is kept where the other declares the same, else at its defaults.
func (o Options) As(m *Method) Options {
	if reflect.TypeOf(o.Own) != reflect.TypeOf(m.Own) {
		o.Own = m.Own
	}
	o.Method, o.Scoring = m, ScoringNative
	o.fix()
	return o
}

// Validate returns every problem of the options at once as one error, or nil.
func (o Options) Validate() error {
	m := o.Method
	if m == nil {
		return errors.New("method = \"\": expected the options of one")
	}
	errs := []error{Conflict()}
	check := func(ok bool, name string, got any, want string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s = %v: expected %s", name, got, want))
		}
	}
	for _, p := range o.Options() {
		value, _ := o.Get(p.Key)
		errs = append(errs, p.Check(value))
	}
	errs = append(errs, o.checkHyperparameters()...)
	_, err := o.learned()
	errs = append(errs, err)
	check(!(o.FinalRate > o.LearningRate), "final-learning-rate", o.FinalRate, "at most learning-rate")
	check(o.HoldOut == 0 || o.Select == SelectLast || o.Select == SelectLoss, "hold-out", o.HoldOut, fmt.Sprintf("0 with select = %q, which holds links out itself", o.Select))
	if m.Typed {
		check(!o.Refit, "refit", o.Refit, "false with a method on heterogeneous networks")
	}
	check(!o.Refit || o.Select == SelectValidation, "refit", o.Refit, fmt.Sprintf("select = %q: without validation links, nothing is trained again", SelectValidation))
	check(o.Order != walks.Grouped || o.WalksInMemory != "false", "walks-in-memory", o.WalksInMemory,
		fmt.Sprintf("auto or true with order = %q, which visits each walk many times", walks.Grouped))
	scorings := append([]string{ScoringNative}, m.Scores()...)
	check(slices.Contains(scorings, o.Scoring), "scoring", strconv.Quote(o.Scoring), "one of "+strings.Join(scorings, ", "))
	check(!(o.budgeted() && o.PairsPerVertex <= 1e9 && m.Reads("pairs-per-vertex") && scored(o.Select)), "select", strconv.Quote(o.Select),
		fmt.Sprintf("%q if a number of pairs ends training; to choose epochs, pairs-per-vertex = 0, as in protocols validated and paper", SelectLast))
	if m.Valid != nil {
		errs = append(errs, m.Valid(o))
	}
	return errors.Join(errs...)
}

// Scorer returns how vectors rank links: Scoring, with the method's own for native.
func (o Options) Scorer() string {
	if o.Scoring == ScoringNative {
		return o.Method.Scorings[0]
	}
	return o.Scoring
}

// flat says whether the loss of pairs is DeepWalk's: one vector and one context vector for each vertex.
func (o Options) flat() bool { return !o.Is(MethodAsp2vec) }

// regularized says whether the loss has a regularizer: DeepWalk's has none, and one aspect has nothing to be compared with.
func (o Options) regularized() bool {
	return !o.flat() && o.Lambda > 0 && o.Aspects > 1
}

// warmsUpAlone says whether the run has a warm-up whose loss of pairs can be another one.
func (o Options) warmsUpAlone() bool {
	return o.WarmUp && o.Method.lists("warm-up-pair-loss")
}

// WarmsUp says whether a run has a stage before its main one.
func WarmsUp(o Options) bool {
	return o.Method.Reads("warm-up-epochs") && (o.WarmUp || !o.Method.Reads("warm-up"))
}

// AlsoWarmsUp says whether a loss of pairs that is not the default one also trains the run's warm-up.
func AlsoWarmsUp(o Options) bool {
	return o.Method.lists("pair-loss") && o.PairLoss != Default().PairLoss && WarmsUp(o) && o.WarmUpPairLoss == ""
}
