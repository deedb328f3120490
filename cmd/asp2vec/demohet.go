package main

import (
	"fmt"

	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

func hetDemoReport(b *printout, r *demo.HetDemoResult) {
	n := r.Bibliography
	b.printf("%s papers by %s authors. An author has up to %d of %d topics; a paper is about one topic, which determines its words\n"+
		"(about %d) and co-authors (%.0f %% of both are random). Who among %d candidates each wrote %s other papers?\n\n",
		count(r.Train), count(r.Authors), n.Aspects, n.Topics, n.Tokens, 100*n.Mixing, n.Candidates, count(r.Reported))
	row := func(name, vectors string, m results.Metrics, rest ...string) []string {
		return append([]string{name, vectors, auc(m["recall@5"]).String(), auc(m["recall@10"]).String(), auc(m["auc"]).String()}, rest...)
	}
	rows := [][]string{row("a random order", "", r.Random, "", "")}
	for _, m := range r.Runs {
		title := m.Name
		if method, err := methods.Find(m.Name); err == nil {
			title = method.Title
		}
		rows = append(rows, row(title, fmt.Sprintf("%d of %d dimensions", m.Aspects, m.Dim), m.Metrics, fmt.Sprint(m.Epoch), seconds(m.Seconds)))
	}
	rows = append(rows, row("by the true topics", "", r.Topics, "", ""))
	b.table(2, []string{"author identification", "aspects per author", "Recall@5", "Recall@10", "AUC", "epoch", "time"}, rows)
	b.WriteString("\nRecall@N is the share of a paper's authors among the first N candidates. The last line ranks the authors of the paper's topic\n" +
		"before all others and does not tell them apart. Epochs were chosen on other papers.\n\n" +
		"With your own papers: asp2vec train --bibliography DIR --out run, then asp2vec predict --model run --text \"WORDS\".\n")
}
