package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
)

// byLabels is what the evaluations of an embedding by labels of its vertices begin with.
type byLabels struct {
	Model    string `json:"model"`
	Method   string `json:"method,omitempty"`
	Labels   string `json:"labels"`
	Count    int    `json:"labels_count"`
	Vertices int    `json:"vertices"` // with labels
}

// vectorKind names the vectors of an embedding that are measured.
type vectorKind struct {
	Vectors string `json:"vectors"`
	Dim     int    `json:"dim"`
}

// evaluateModel prints what an evaluation says of the embedding that a command names.
func evaluateModel[E interface{ write(*printout) }](p *program, c *cli.Context, evaluate func(*embedding) (E, error)) error {
	e, err := p.embedding(c)
	if err != nil {
		return err
	}
	doc, err := evaluate(e)
	if err != nil {
		return err
	}
	return p.emit(doc, doc.write)
}

// labelled is an embedding with labels of its vertices, and the tables of it that are to be judged by them.
type labelled struct {
	*embedding
	tables []string
	file   string    // where the labels stand
	names  []string  // of those that vertices have
	of     [][]int32 // (N): places in names, nil for a vertex without
}

// labelled reads what --vectors and --labels name, for an embedding.
func (p *program) labelled(c *cli.Context, e *embedding) (l *labelled, err error) {
	l = &labelled{embedding: e}
	if l.tables, err = e.tables(c.String("vectors")); err != nil {
		return nil, err
	}
	l.of, l.names, l.file, err = p.labelsOf(c, e)
	return l, err
}

// vectors returns those rows of a table whose vertices have labels, with these.
func (l *labelled) vectors(table string) (eval.Embedding, [][]int32, error) {
	all, err := l.table(table)
	if err != nil {
		return all, nil, err
	}
	some := eval.Embedding{D: all.D}
	var labels [][]int32
	for v, list := range l.of {
		if list != nil {
			some.Data = append(some.Data, all.Row(v)...)
			labels = append(labels, list)
		}
	}
	some.N = len(labels)
	return some, labels, nil
}
