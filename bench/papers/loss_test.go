package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// read returns an array that was written, in float64.
func (f arrays) read(t *testing.T, name string) []float64 {
	t.Helper()
	file, err := os.Open(filepath.Join(f.dir, name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, _, err := vectors.ReadNPY(file, name)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(data))
	for i, v := range data {
		x[i] = float64(v)
	}
	return x
}

// model returns the options, the vectors of all training papers, and the parameters by name.
func (f arrays) model(t *testing.T, in hetnet.Input) (o graphs.Options, vectors []float64, learnt map[string][]float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, "options.json"))
	var model struct{ Method string }
	if err == nil {
		err = json.Unmarshal(text, &model)
	}
	if err == nil {
		o, err = methods.Decode(model.Method, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := hetnet.NewEncoder(in.Words, o.Dim, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	learnt = map[string][]float64{}
	for _, p := range e.Parameters() {
		learnt[p.Name] = f.read(t, p.Name)
		for i, x := range learnt[p.Name] {
			p.X[i] = float32(x)
		}
	}
	var texts [][]int32
	words, at := f.read(t, "tokens"), 0
	for _, n := range f.read(t, "lengths") {
		var text []int32
		for _, w := range words[at : at+int(n)] {
			text = append(text, int32(w))
		}
		texts, at = append(texts, text), at+int(n)
	}
	out, err := e.Forward(texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out {
		vectors = append(vectors, float64(x))
	}
	return o, vectors, learnt
}

func row(table []float64, i float64, d int) []float64 { return table[int(i)*d:][:d] }

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func distance(x, y []float64) float64 { return dot(x, x) - 2*dot(x, y) + dot(y, y) } // squared

func softplus(x float64) float64 { return math.Log1p(math.Exp(x)) }

// camelLoss works out the loss of the first batch, over its triples, from the equations of Zhang et al., WWW 2018.
func camelLoss(t *testing.T, f arrays, in hetnet.Input) (loss float64) {
	o, papers, learnt := f.model(t, in)
	learnt["authors"], learnt["b"] = f.read(t, "authors"), f.read(t, "b")
	authors, b, d := learnt["authors"], learnt["b"][0], o.Dim
	direct, indirect := f.read(t, "direct-0"), f.read(t, "indirect-0")
	for i := 0; i < len(direct); i += 3 {
		p, own, other := row(papers, direct[i], d), row(authors, direct[i+1], d), row(authors, direct[i+2], d)
		loss += max(0, distance(p, own)-distance(p, other)+hetnet.Own(o).Margin)
	}
	for i := 0; i < len(indirect); i += 3 {
		p, own, other := row(papers, indirect[i], d), row(authors, indirect[i+1], d), row(authors, indirect[i+2], d)
		loss += hetnet.Own(o).Indirect * (softplus(-dot(p, own)-b) + softplus(dot(p, other)+b))
	}
	for _, x := range learnt {
		loss += hetnet.Own(o).Decay * dot(x, x)
	}
	return loss / float64(len(direct)/3+len(indirect)/3)
}

// hetLoss works out the loss of the first batch from the equations of Park et al., KDD 2020, with a softmax for the selection.
func hetLoss(t *testing.T, f arrays, in hetnet.Input) (loss float64) {
	o, papers, _ := f.model(t, in)
	p, q, heads := f.read(t, "P"), f.read(t, "Q"), f.read(t, "heads")
	d, k := o.Dim, o.Aspects
	free := len(p) / d
	final := make([]float64, len(p)) // U
	for v := range free {
		for i := range d {
			final[v*d+i] = p[v*d+i] / 2
			for s := range k {
				final[v*d+i] += q[(v*k+s)*d+i] / float64(2*k)
			}
		}
	}
	for at := 0; at < len(papers); at += d { // their aspects W_s f
		for s := range k {
			for i := range d {
				q = append(q, dot(heads[(s*d+i)*d:][:d], papers[at:at+d]))
			}
		}
	}
	p, final = append(p, papers...), append(final, papers...)
	for v := range free {
		for s := range k {
			for r := range s {
				x, y := q[(v*k+s)*d:][:d], q[(v*k+r)*d:][:d]
				if c := math.Abs(dot(x, y)) / math.Sqrt(dot(x, x)*dot(y, y)); c > o.Epsilon {
					loss += o.Lambda * c
				}
			}
		}
	}
	for _, kind := range []string{"authors", "papers"} {
		array := func(name string) []float64 { return f.read(t, fmt.Sprintf("%s-%s-0", kind, name)) }
		center, context, negative, bag, weight := array("center"), array("context"), array("negative"), array("bag"), array("weight")
		slots := len(context) / len(center)
		pairs := 0.0
		for w, c := range center {
			// The aspects' probabilities, and then the pairs.
			prob, table, aspects := []float64{1}, final, 1
			if kind == "authors" {
				prob, table, aspects = make([]float64, k), q, k
				var sum float64
				for s := range k {
					var logit float64
					for j := w * slots; j < (w+1)*slots; j++ {
						logit += bag[j] * dot(row(p, c, d), row(q, context[j]*float64(k)+float64(s), d))
					}
					prob[s] = math.Exp(logit)
					sum += prob[s]
				}
				for s := range k {
					prob[s] /= sum * float64(k)
				}
			}
			for j := w * slots; j < (w+1)*slots; j++ {
				pairs += weight[j]
				for s, share := range prob {
					score := func(v float64) float64 { return dot(row(p, c, d), row(table, v*float64(aspects)+float64(s), d)) }
					each := softplus(-score(context[j]))
					for m := range o.Negatives {
						each += softplus(score(negative[j*o.Negatives+m]))
					}
					loss += weight[j] * share * each
				}
			}
		}
		if math.Abs(pairs-1) > 1e-5 {
			t.Errorf("weights of %s add up to %v, want 1", kind, pairs)
		}
	}
	return loss
}
