package run

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// outcome is what a trial came to: numbers, which different processors may round differently, and words.
type outcome struct {
	Words   string    `json:"words,omitempty"`
	Numbers []float64 `json:"numbers"`
}

// add adds the gist of numbers: how many they are, their size, and a sum that depends on their order.
func (t *outcome) add(x []float32) {
	var squares, sum float64
	for i, v := range x {
		squares += float64(v) * float64(v)
		sum += float64(v) * math.Cos(float64(i))
	}
	size := math.Sqrt(squares)
	t.Numbers = append(t.Numbers, float64(len(x)), size)
	if size > 0 {
		t.Numbers = append(t.Numbers, 3+sum/size) // the ratio is often near 0, and within ±1 nearly always
	}
}

// Names of trials, beside those of methods under protocols.
const (
	trialPilot          = "pilot"
	trialWords          = "words"
	trialIdentification = "identification"
	trialRanking        = "ranking"
	trialOptimizer      = "optimizer "
	trialScoring        = "scoring "
)

// trialsOf names the trials that have a part in a run.
func trialsOf(o graphs.Options) []string {
	o = o.Complete()
	m := o.Method
	protocol := "validated"
	switch {
	case m.Typed:
		if o.FinalRate > 0 {
			protocol = StandardProtocol
		}
	case o.PairsPerVertex > 0 && m.Reads("pairs-per-vertex"):
		protocol = StandardProtocol
	case o.Select == graphs.SelectTest:
		protocol = "paper"
	}
	of := protocol
	if m.Reads("pairs-per-vertex") {
		of = StandardProtocol // whose vectors are far enough from 0 for groups of them not to hang on rounding
	}
	names := append([]string{m.Name + " " + protocol}, variants(o, of)...)
	if protocol == StandardProtocol && m.Reads("encoder") && hetnet.Own(o).Encoder == hetnet.EncoderGRU { // which not all methods have there
		names = append(names, m.Name+" validated")
	}
	switch {
	case !m.Typed:
		names = append(names, trialScoring+o.Scorer())
	case m.Reads("text-length"):
		names = append(names, trialIdentification, trialRanking)
	default:
		names = append(names, trialRanking)
	}
	if m.Reads("word-epochs") && hetnet.Own(o).WordVectors == "" {
		names = append(names, trialWords)
	}
	optimizers := []string{graphs.OptimizerAdam}
	if m.Reads("optimizer") {
		optimizers[0] = o.Optimizer
	}
	if o.Piloted() {
		names = append(names, trialPilot)
	}
	if optimizers[0] == graphs.OptimizerAuto {
		optimizers = []string{graphs.OptimizerAdam, graphs.OptimizerSGD}
	}
	for _, name := range optimizers {
		names = append(names, trialOptimizer+name)
	}
	return names
}

// noVariants are options whose values have trials of their own, or no part in training.
var noVariants = []string{"engine", "select", "scoring", "optimizer", "refit", "walks-in-memory"}

// variants names the trials in which a method has one option as a run has it, of options that are words or truth values and not as in the
// method's own trial.
func variants(o graphs.Options, protocol string) (names []string) {
	base, err := trialOptions(o.Method, protocol)
	if err != nil {
		return nil // which its trial says
	}
	for _, d := range o.Options() {
		if !o.Method.Reads(d.Key) || slices.Contains(noVariants, d.Key) || d.Kind != reflect.Bool && d.Words == nil {
			continue
		}
		value, _ := o.Get(d.Key)
		if usual, _ := base.Get(d.Key); value != usual {
			names = append(names, fmt.Sprintf("%s %s %s=%v", o.Method.Name, protocol, d.Key, value))
		}
	}
	return names
}

// trialOptions returns those of a method's trial under a protocol: as they were when the trial was first made, since a run's key has what the
// defaults of options are.
func trialOptions(m *graphs.Method, protocol string) (graphs.Options, error) {
	if was := knownTrials[m.Name+" "+protocol].Options; was != nil {
		o, err := methods.Decode(m.Name, was)
		return o.Complete(), err
	}
	o, err := methods.Options(m.Name, Protocols[protocol])
	if err != nil {
		return o, err
	}
	small(&o)
	return o.Complete(), nil
}

// trials are those that were made: the program does not change while it runs.
var trials sync.Map // func() (outcome, error), by name

// try makes a trial, once. m is the method of a trial of one. Of a trial that fails, as options may that do not go together, the outcome is what is
// wrong.
func try(name string, m *graphs.Method) outcome {
	made, _ := trials.LoadOrStore(name, sync.OnceValue(func() outcome {
		out, err := trial(name, m)
		if err != nil {
			return outcome{Words: err.Error()}
		}
		return out
	}))
	return made.(func() outcome)()
}

func trial(name string, m *graphs.Method) (outcome, error) {
	ctx := context.Background()
	switch {
	case name == trialPilot:
		return tryPilot(ctx)
	case name == trialWords:
		return tryWords(ctx)
	case name == trialIdentification:
		return tryIdentification(ctx)
	case name == trialRanking:
		return tryRanking(ctx)
	case len(name) > len(trialOptimizer) && name[:len(trialOptimizer)] == trialOptimizer:
		return tryOptimizer(name[len(trialOptimizer):]), nil
	case len(name) > len(trialScoring) && name[:len(trialScoring)] == trialScoring:
		return tryScoring(ctx, name[len(trialScoring):])
	}
	protocol, variant, _ := strings.Cut(name[len(m.Name)+1:], " ")
	o, err := trialOptions(m, protocol)
	if err != nil {
		return outcome{}, err
	}
	if key, value, is := strings.Cut(variant, "="); is {
		d, _ := option.Find(o.Options(), key)
		x, err := d.Parse(value)
		if err == nil {
			err = o.Set(key, x)
		}
		if err != nil {
			return outcome{}, err
		}
	}
	out, err := tryMethod(ctx, o)
	if err != nil {
		o.Engine = graphs.EngineGraph // there are no fused ops
		out, err = tryMethod(ctx, o)
	}
	return out, err
}

// tryMethod trains a method on some vertices.
func tryMethod(ctx context.Context, o graphs.Options) (outcome, error) {
	m := o.Method
	var err error
	in := graphs.Input{}
	if m.Typed {
		if in.Typed, err = trialInput(ctx, o); err != nil {
			return outcome{}, err
		}
	} else {
		in.Network, _ = network.Karate()
	}
	var out outcome
	calls := 0.
	res, err := graphs.Train(ctx, in, o, 1, graphs.Monitor{Score: func(_ context.Context, l graphs.Learner) (float64, error) {
		calls++
		score := math.Sin(2 * calls) // of the first epochs the first is the best, and then the fourth
		if l, ok := l.(hetnet.Observer); ok {
			l.Observe(score)
		}
		return score, nil
	}})
	if err != nil {
		return outcome{}, fmt.Errorf("experiments: trial of %s: %w", m.Name, err)
	}
	for _, s := range res.Stages {
		out.Words += fmt.Sprint(s.Name, " ", s.Best, " of ", len(s.Epochs), "; ")
		for _, e := range s.Epochs {
			out.Numbers = append(out.Numbers, float64(e.Pairs), e.Loss.Pairs+e.Loss.Penalty)
		}
	}
	e := res.Embedding
	for _, x := range [][]float32{e.Final, e.Center, e.Vectors, e.Share} {
		out.add(x)
	}
	if l, ok := res.Learner.(hetnet.Ranker); ok && m.Reads("text-length") {
		scores, err := l.Scores(ctx, [][]int32{{0, 1, 2}, {3}}, [][]int32{{0, 1, 2, 3}, {4, 5}}, 1)
		if err != nil {
			return outcome{}, err
		}
		for _, x := range scores {
			out.add(x)
		}
	}
	return out, nil
}

// small makes options those of a run of some steps.
func small(o *graphs.Options) {
	o.Dim, o.Aspects, o.Walks, o.Length, o.Batch = 6, 3, 1, 10, 500
	o.Epochs, o.WarmUpEpochs, o.Patience = 3, 1, 1
	o.PairsPerVertex, o.Steps, o.RateSum = min(o.PairsPerVertex, 60), min(o.Steps, 6), o.RateSum/50 // a large rate would magnify rounding
	o.Pilot = 0
	o.Engine = graphs.EngineFused // so that an edit of a loss, which graphs.Fingerprint is for, is not an edit of training
	if o.PairsPerVertex == 0 && o.Method.Reads("optimizer") {
		o.Optimizer, o.LearningRate = graphs.OptimizerSGD, 0.03 // Adam magnifies gradients that are nothing but rounding; it has a trial of its own
	}
	if o.Method.Typed {
		o.Aspects, o.Epochs, o.Length = 2, 2, 5
		graphs.Edit(o, func(p *hetnet.PaperOptions) { p.WordDim, p.ContextRatio = 6, 0.05 })
		if !o.Method.Reads("text-length") {
			*o = hetnet.ForSchema(*o)
		}
	}
	graphs.Edit(o, func(f *graphs.FacetOptions) { f.Copies = 1 })
}

// trialBibliography is a small one, whose words occur often.
func trialBibliography() (*hetnet.Bibliography, error) {
	o := hetnet.DefaultPlanted()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.TestShare, o.Candidates, o.Tokens = 16, 30, 2, 20, 0.2, 6, 3
	planted, err := o.Generate()
	if err != nil {
		return nil, err
	}
	return planted.Bibliography, nil
}

// trialMusic is a small network of users and items.
func trialMusic() (*typed.Network, *typed.Task, error) {
	p, err := typed.PlantedOptions{Users: 20, Items: 30, Genres: 3, Tastes: 2, Likes: 6, Friends: 2, Seed: 1}.Generate()
	if err != nil {
		return nil, nil, err
	}
	return p.Network()
}

// trialInput is what a method on vertices of several types learns from in its trial.
func trialInput(ctx context.Context, o graphs.Options) (graphs.Typed, error) {
	if !o.Method.Reads("text-length") {
		n, _, err := trialMusic()
		if err != nil {
			return nil, err
		}
		seen := hetnet.SeenBy(o.Method, n)
		return hetnet.Input{Typed: seen, Types: hetnet.EmbeddedTypes(seen, o.Method)}, nil
	}
	b, err := trialBibliography()
	if err != nil {
		return nil, err
	}
	words := &hetnet.Words{Dim: hetnet.Own(o).WordDim, Vectors: make([]float32, len(b.Words)*hetnet.Own(o).WordDim)}
	fill(words.Vectors, "words")
	return hetnet.Input{Bibliography: b, Words: words}, nil
}

// fill sets numbers between -1 and 1.
func fill(x []float32, name string) {
	rng.New(1, "trial "+name).Fill(x)
	for i := range x {
		x[i] = 2*x[i] - 1
	}
}
