package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// howChosen says in words how the reported epoch was chosen.
func howChosen(data run.Data, selection string) string {
	papers := data.Bibliography != nil
	switch {
	case selection == results.ValidationBest && papers:
		return "the best by Recall@5 of the development papers"
	case selection == results.ValidationBest:
		return "the best by validation AUC"
	case selection == results.TestBest && papers:
		return "but each score is the best of all epochs by itself, as in the published code: not an unbiased estimate"
	case selection == results.TestBest:
		return "the best by test AUC, as in the paper: not an unbiased estimate"
	case selection == results.LossBest:
		return "the one with the lowest training loss"
	}
	return "the last"
}

// reportTraining prints what a run came to.
func (p program) reportTraining(data run.Data, o graphs.Options, k kept, outcome *run.Outcome, steps int) error {
	r := outcome.Record
	cell, known := run.Published(r.Dataset.Name, o)
	d := p.Answer()
	add := d.Line
	add(r.Method, fmt.Sprintf("%s, seed %d", r.Dataset.Name, r.Seed))
	var validation any // AUC of the reported epoch, or of links held out
	if score, on := store.ChosenBy(r); on == store.OnValidation {
		validation = shell.AUC(score)
	}
	d.Data("out", k.out, "store", k.store, "validation_auc", validation, "record", r)
	if known {
		d.Data("paper_auc", cell.Value)
	}
	chosen, baselines := models.Metric{Name: "auc", Title: "AUC"}, map[string]results.Metrics{}
	for _, s := range r.Scores {
		if slices.Contains(run.Untrained, s.Score) {
			baselines[s.Score] = s.Metrics
		}
	}
	shown := []models.Metric{chosen, {Name: "auc_random", Title: "AUC, random negatives"}, {Name: "auc_matched", Title: "AUC, negatives of matched degrees"}}
	if data.Bibliography != nil {
		chosen, baselines, shown = models.RankingMetrics[0], r.Baselines, models.RankingMetrics
	} else if data.Split == nil || !data.Split.Directed {
		shown = slices.Delete(shown, 1, 2)
	}
	for _, m := range shown {
		x, measured := r.Metrics[m.Name]
		if !measured {
			continue
		}
		add("test "+m.Title, shell.AUC(x))
		if m != chosen {
			continue
		}
		if known {
			on := ""
			if data.Split.Options.Rule != "" { // made here, not published
				on = " on another split"
			}
			add("", fmt.Sprintf("paper %s%s: Table 1, %s", cell.Printed, on, cell.Column))
		}
		for _, name := range slices.Sorted(maps.Keys(baselines)) {
			add("  baseline: "+name, shell.AUC(baselines[name][m.Name]))
		}
		add("", models.RankedBetter(m, x, baselines))
		if data.Split != nil && data.Split.Directed {
			add("", "reversed links among the negatives, as in the paper")
		}
	}
	for _, s := range r.Scores {
		for _, m := range shown {
			if x, ok := s.Metrics[m.Name]; ok && run.NeedsHeld(s.Score) {
				add("test "+m.Title+", by "+s.Score, shell.AUC(x))
			}
		}
		if x, ok := s.Metrics[run.ValidationAUC]; ok && run.NeedsHeld(s.Score) {
			add("validation AUC, by "+s.Score, shell.AUC(x))
		}
	}
	if x, ok := r.Metrics[run.LengthsByDegree]; ok {
		add("lengths of vectors and degrees", fmt.Sprintf("%.2f rank correlation", x))
	}
	add("validation AUC", validation)
	if recipe, ok := o.Recipe(1, 1, 1); ok && recipe.Pairs > 0 && r.Selection == results.Last && r.BestEpoch > 0 && !r.Interrupted {
		var pairs int64
		for _, e := range r.Epochs {
			pairs += e.Pairs
		}
		add("trained", fmt.Sprintf("%s pairs in %s steps", shell.Count(pairs), shell.Count(steps)))
	} else if !o.Method.Reads("epochs") {
		// Nothing is trained epoch by epoch.
	} else if r.BestEpoch > 0 {
		add("epoch", fmt.Sprintf("%s %d of %d, %s", r.BestStage, r.BestEpoch, epochsOf(r, r.BestStage), howChosen(data, r.Selection)))
	} else {
		add("epoch", fmt.Sprintf("stopped in %s %d", r.BestStage, r.PartialEpoch))
	}
	if a := k.aspects; a != nil && len(a.Links) > 0 {
		add("aspects", fmt.Sprintf("%.1f per vertex, in %s", float64(len(a.Links))/float64(a.Network.Vertices()), shell.Many(a.Groups, "group")))
	}
	if r.Pilot != nil {
		add("rate-sum", fmt.Sprintf("%.2g by %s, found by a pilot that %s held-out links scored", r.Pilot.RateSum, cmp.Or(r.Pilot.Optimizer, o.Optimizer), shell.Count(int64(r.Pilot.Links))))
	}
	add("time", fmt.Sprintf("%s training, %s evaluation", shell.Seconds(r.TrainSeconds), shell.Seconds(r.EvalSeconds)))
	add("speed", speeds(r))
	add("peak memory", shell.Size(r.PeakMemoryBytes))
	if r.Dataset.FeaturesSHA256 != "" {
		text := fmt.Sprintf("%s of %s vertices have none", shell.Count(r.Dataset.FeaturesMissing), shell.Count(r.Dataset.Vertices))
		if n := r.Dataset.FeaturesUnknown; n > 0 {
			text += fmt.Sprintf("; lines of vertices that are not in the network: %s", shell.Count(n))
		}
		add("features", text)
	}
	add("store of records", k.store)
	if s := data.Split; s != nil {
		add("links", hidden(s, o))
	}
	embedding := "not written"
	if k.out != "" {
		embedding = filepath.Join(k.out, vectors.EmbeddingFile)
	}
	add("embedding", embedding)
	return p.Show(d)
}

// hidden says how many links were trained on, and which were not.
func hidden(s *network.Split, o graphs.Options) string {
	text := shell.Count(len(s.Train))
	switch {
	case len(s.Test) > 0:
		text = fmt.Sprintf("%s of %s; the others are the test links of the split", text, shell.Count(len(s.Train)+len(s.Test)))
	case o.HoldOut == 0 && o.Select != graphs.SelectValidation:
		return text + ", all; none is hidden, so nothing is measured (--hold-out 0.1 hides a tenth)"
	}
	if share := cmp.Or(o.HoldOut, run.HoldOutFraction); o.HoldOut > 0 || o.Select == graphs.SelectValidation {
		text += fmt.Sprintf(", %.3g %% of them held out", 100*share)
	}
	if o.Refit {
		text += ", and trained on in the end"
	}
	return text
}

func epochsOf(r results.Record, stage string) int {
	return seq.Count(r.Epochs, func(e results.Epoch) bool { return e.Stage == stage })
}

// speeds says how many pairs a second each stage trained, or of what the method trains on.
func speeds(r results.Record) string {
	unit := "pairs"
	if m, err := methods.Find(r.Method); err == nil {
		unit = m.Unit()
	}
	var all []string
	for _, stage := range []string{results.StageWarmUp, r.Method} {
		var pairs, seconds float64
		for _, e := range r.Epochs {
			if e.Stage == stage {
				pairs += float64(e.Pairs)
				seconds += e.Seconds
			}
		}
		if pairs > 0 {
			all = append(all, fmt.Sprintf("%s %s/s in %s", shell.Rate(pairs/seconds), unit, stage))
		}
	}
	return strings.Join(all, ", ")
}
