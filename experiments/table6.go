package experiments

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// table6 compares what the aspect of an author is picked from. The paper's rows differ by less than runs with other seeds may:
// there are more of these than in other tables.
func table6() Spec {
	const seeds = 5
	row := func(title, context string) column {
		return column{name: "context=" + title, method: hetnet.MethodAsp2vecHet, set: func(o *graphs.Options) {
			o.Dim, o.Aspects = 200/graphs.PaperAspects, graphs.PaperAspects
			graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Context = context })
		}}
	}
	return authorSheet{
		number: 6, title: "What the aspect of asp2vec-het is picked from", corner: "context", seeds: seeds,
		settings: func(Selection) []column {
			return []column{row("Author", hetnet.ContextAuthor), row("Paper", hetnet.ContextPaper), row("Author+Paper", hetnet.ContextBoth)}
		},
		metrics: []string{"Recall@10", "F1@10", "AUC"},
		notes: []string{
			fmt.Sprintf("Five aspects of 40 numbers. Here a paper has a vector in each aspect, a matrix times its own (aspect-variant %s): with one vector for all, as the paper has it, papers could not tell aspects apart.", hetnet.VariantHeads),
		},
	}.spec()
}
