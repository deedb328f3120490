package experiments

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
)

// A random search draws from a grid that nobody could hold, and from all numbers of a range, evenly along its scale; a longer search begins
// with a shorter one.
func TestRandomSearchOfRanges(t *testing.T) {
	const text = "datasets: cora\noptions:\n  tau: {from: 0.001, to: 10, scale: log}\n  epsilon: {from: 0.2, to: 0.6}\n  aspects: {from: 2, to: 4}\n" +
		"  lambda: {from: 0.001, to: 0.1, steps: 100000}\n  learning-rate: {from: 0.001, to: 0.1, steps: 100000}\nsearch: {random: %d}\n"
	s, jobs := jobsOf(t, fmt.Sprintf(text, 300))
	low, aspects := 0, map[int]int{}
	for _, j := range jobs {
		o := j.Options
		if o.Tau < .001 || o.Tau > 10 || o.Epsilon < .2 || o.Epsilon > .6 {
			t.Fatalf("tau %v and epsilon %v", o.Tau, o.Epsilon)
		}
		if o.Tau < .1 { // half of the scale
			low++
		}
		aspects[o.Aspects]++
	}
	// Of 300 coins the standard deviation is 8.7, of dice with three sides 8.2: both are within five of them.
	if math.Abs(float64(low)-150) > 45 || len(aspects) != 3 || aspects[2] < 60 || aspects[4] < 60 {
		t.Errorf("%d of 300 below the middle, aspects %v", low, aspects)
	}
	if _, fewer := jobsOf(t, fmt.Sprintf(text, 7)); !slices.Equal(fewer, jobs[:7]) {
		t.Error("a longer search does not begin with the shorter one")
	}
	if got := s.Varied(); !slices.Equal(got, []string{"tau", "epsilon", "aspects", "lambda", "learning-rate"}) {
		t.Errorf("varied %v", got)
	}
	if _, all := jobsOf(t, "datasets: cora\noptions: {aspects: {from: 2, to: 9}}\nsearch: {random: 8}\n"); len(all) != 8 {
		t.Errorf("%d whole numbers from 2 to 9", len(all))
	}
	for text, want := range map[string]string{
		"options: {tau: {from: 1, to: 2}}":                                                                                                      "s.yaml:2: option tau: a range without steps: want steps: COUNT, or search: {random: COUNT}",
		"options: {aspects: {from: 2.1, to: 2.9}}\nsearch: {random: 1}":                                                                         "no whole number from 2.1 to 2.9",
		"options: {aspects: {from: 2, to: 4}}\nsearch: {random: 4}":                                                                             "4 random combinations of 3",
		"options: {tau: {from: 1, to: 1.000025}}\nsearch: {random: 50}":                                                                         "50 random combinations of 3",
		"settings: [{name: a, options: {tau: {from: 1, to: 2}}}]":                                                                               "a range without steps",
		"settings: [{name: a}]\nsearch: {random: 2}":                                                                                            "a search with settings or choose",
		"options: {tau: [1, 2]}\nsearch: {halving: {from: 1, to: 3}}":                                                                           "without a budget",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: walks, from: 1, to: 3}}":                                                            `budget "walks": want one of epochs, pairs-per-vertex`,
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 3, to: 3}}":                                                           "halving from 3 to 3 epochs: want two whole numbers",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 9, factor: 1}}":                                                "factor of 1: want 2 or more",
		"options: {epochs: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 9}}":                                                        "option epochs with halving",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 2000000000, factor: 2}}":                                       "halving in 32 rungs: want at most 20",
		"options: {dim: {from: 1, to: 9999}, window: {from: 1, to: 999}}\nsearch: {random: 1000000, halving: {budget: epochs, from: 1, to: 9}}": "want at most 10000",
	} {
		s, err := sweepOf(t, "datasets: cora\n"+text)
		if err == nil {
			_, err = s.Jobs(MaxSweep)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v\nwant %s", text, err, want)
		}
	}
}

// Of nine combinations a third goes on from each rung, by validation; of what is left the other seeds are run, and under protocol standard, where
// links were held out, the run on all training links.
func TestHalving(t *testing.T) {
	for protocol, budget := range map[string]string{"validated": "epochs", "standard": "pairs-per-vertex"} {
		s, jobs := jobsOfHalving(t, fmt.Sprintf("datasets: cora\nprotocol: %s\nseeds: 2\noptions: {epsilon: {from: 0.1, to: 0.9, steps: 9}}\nsearch: {halving: {budget: %s, from: 2, to: 18}}\n", protocol, budget))
		score := func(j store.Job) float64 { // the larger epsilon the better, and a little the longer
			return .5 + j.Options.Epsilon/10 + float64(j.Options.Epochs)/1e6 + float64(j.Options.PairsPerVertex)/1e6
		}
		var records []results.Record
		for round := 0; ; round++ {
			runs := store.NewRuns(records)
			var left []store.Job
			for _, j := range jobs {
				if !runs.NeedsNoRun(j) {
					left = append(left, j)
				}
			}
			if len(left) == 0 {
				break
			}
			open := map[string]bool{}
			for _, j := range left {
				open[j.Key()] = true
			}
			for _, j := range left { // those that wait for none
				if slices.ContainsFunc(store.Deciders(j), func(d store.Job) bool { return open[d.Key()] }) {
					continue
				}
				r := recordOf(t, j, 1-score(j), score(j))
				if j.Options.HoldOut > 0 {
					r.Metrics = results.Metrics{run.ValidationAUC: score(j)}
				}
				records = append(records, r)
			}
			if round > 10 {
				t.Fatalf("%s: %d runs are left for ever", protocol, len(left))
			}
		}
		// 9 and 3 and 1 score; then both seeds of what was found, of which one is that of the last rung under validation.
		want := map[string]int{"validated": 9 + 3 + 1 + 1, "standard": 9 + 3 + 1 + 2}[protocol]
		if len(records) != want {
			t.Errorf("%s: %d runs, want %d", protocol, len(records), want)
		}
		rows := s.Rows(jobs, store.NewRuns(records))
		if len(rows) != 9 || !rows[0].Best || rows[1].Best || rows[0].Values[0] != "0.9" || rows[0].Values[1] != "18" || rows[1].Values[1] != "6" || rows[3].Values[1] != "2" {
			t.Fatalf("%s: rows %+v", protocol, rows)
		}
		if r := rows[0]; r.AUC.N != 2 || math.Abs(r.AUC.Mean-.41) > 1e-4 || math.Abs(r.Choice.Mean-.59) > 1e-4 || rows[1].Shown().N != 0 {
			t.Errorf("%s: found %+v, next %+v", protocol, r, rows[1])
		}
		best := store.NewRuns(records).Best(1, func(store.Job) bool { return true })
		if len(best) == 0 || best[0].Options["epsilon"] != "0.9" || best[0].Test.N != 2 || !strings.Contains(best[0].Flags, "--epsilon 0.9") || strings.Contains(best[0].Flags, "hold-out") {
			t.Errorf("%s: best %+v", protocol, best)
		}
		planned, err := (&runner.Runner{Store: filepath.Join(t.TempDir(), "runs.jsonl")}).Plan(jobs)
		if n := runner.Expected(planned); err != nil || n != want {
			t.Errorf("%s: %d runs are expected, want %d, %v", protocol, n, want, err)
		}
	}
}

func jobsOfHalving(t *testing.T, text string) (*Sweep, []store.Job) {
	t.Helper()
	s, err := sweepOf(t, text)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(MaxSweep)
	if err != nil {
		t.Fatal(err)
	}
	return s, jobs
}

// A candidate that failed goes no further, and keeps nobody waiting.
func TestHalvingWithFailures(t *testing.T) {
	_, jobs := jobsOfHalving(t, "datasets: cora\nprotocol: validated\noptions: {epsilon: [.1, .2, .3]}\nsearch: {halving: {budget: epochs, from: 1, to: 3}}\n")
	var records []results.Record
	for i, j := range jobs[:3] {
		r := recordOf(t, j, .5, .5+j.Options.Epsilon)
		if i == 2 {
			r.Error = "no memory"
		}
		records = append(records, r)
	}
	runs := store.NewRuns(records)
	var left []string
	for _, j := range jobs[3:] {
		if !runs.NeedsNoRun(j) {
			left = append(left, strconv.FormatFloat(j.Options.Epsilon, 'g', -1, 64))
		}
	}
	if !slices.Equal(left, []string{"0.2"}) {
		t.Errorf("epsilon %v goes on, want .2", left)
	}
}

// A setting of a sweep that is chosen has one row, of what was chosen; runs that others make needless are not done.
func TestSweepChooses(t *testing.T) {
	s, err := sweepOf(t, "datasets: cora\nprotocol: validated\nseeds: [1, 2]\nsettings:\n  - {name: fixed}\n  - {name: \"K={aspects}\", options: {aspects: [2, 3]}, choose: {epsilon: [.1, .5, .9]}}\n")
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(MaxSweep)
	if err != nil || len(jobs) != 2+2*2*3 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	var records []results.Record
	for _, j := range jobs {
		if j.Choice == nil || j.Options.Seed == 1 || j.Options.Epsilon == .9 {
			records = append(records, recordOf(t, j, .6, map[float64]float64{.1: .7, .5: .8, .9: .9}[j.Options.Epsilon]))
		}
	}
	runs := store.NewRuns(records)
	for _, j := range jobs {
		if !runs.NeedsNoRun(j) {
			t.Errorf("%v still needs a run", j)
		}
	}
	rows := s.Rows(jobs, runs)
	if got := s.Varied(); !slices.Equal(got, []string{"setting", "epsilon"}) || len(rows) != 3 {
		t.Fatalf("varied %v, rows %+v", got, rows)
	}
	if r := rows[1]; !slices.Equal(r.Values, []string{"K=2", "0.9"}) || r.AUC.N != 2 || r.Choice.Mean != .9 || !r.Best || !slices.Equal(rows[0].Values, []string{"fixed", ""}) {
		t.Errorf("rows %+v", rows)
	}
	if rows := s.Rows(jobs, store.NewRuns(nil)); !slices.Equal(rows[1].Values, []string{"K=2", ""}) || rows[1].AUC.N != 0 {
		t.Errorf("before anything was run: %+v", rows[1])
	}
	// A run that is also asked for by itself is done whatever others come to.
	plain := jobs[4]
	plain.Choice = nil
	both, _ := store.Merged([]store.Job{jobs[4], plain})
	if len(both) != 1 || both[0].Choice != nil {
		t.Errorf("merged %+v", both)
	}
}

// A network of one's own is a data set of a grid, under a name of its own; another network under its name is another one.
func TestSweepOfOwnNetworks(t *testing.T) {
	dir := t.TempDir()
	split := tiny.Split(t, false)
	if err := split.Write(filepath.Join(dir, "parts", "split"), false); err != nil {
		t.Fatal(err)
	}
	write := func(links string) { writeFile(t, filepath.Join(dir, "links.tsv"), links) }
	ring := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("%d\t%d\n%d\t%d\n", i, (i+1)%n, i, (i+7)%n)
		}
		return text
	}
	write(ring(80))
	writeFile(t, filepath.Join(dir, "s.yaml"), "datasets: [links.tsv, parts/split, {name: again, network: links.tsv}]\noptions: {dim: 4, epochs: 1, warm-up-epochs: 1, engine: fused}\n")
	s, err := ReadSweep(filepath.Join(dir, "s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(MaxSweep)
	if err != nil || len(jobs) != 3 || jobs[0].Dataset != "links" || jobs[1].Dataset != "parts" || jobs[2].Dataset != "again" {
		t.Fatalf("%+v, %v", jobs, err)
	}
	r := &runner.Runner{Store: filepath.Join(dir, "results", "runs.jsonl"), Threads: 2}
	if got := runAll(t, r, jobs); got.Done != 3 {
		t.Fatalf("%+v", got)
	}
	if got := runAll(t, r, jobs); got.There != 3 {
		t.Errorf("again: %+v", got)
	}
	for _, record := range records(t, r.Store) {
		if (record.Dataset.NetworkSHA256 == "") != (record.Dataset.Name == "parts") || !(record.Metrics["auc"] > 0) {
			t.Errorf("%+v", record.Dataset)
		}
	}
	plantMusic(t, filepath.Join(dir, "music"))
	write(ring(90))
	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != runner.StateStale || planned[1].State != runner.StateDone || planned[2].State != runner.StateStale {
		t.Errorf("after another network took the name: %+v, %v", planned, err)
	}
	for text, want := range map[string]string{
		"datasets: nowhere.tsv":                           "nowhere.tsv: no such file",
		"datasets: parts":                                 "or ./parts for the path",
		"datasets: {network: links.tsv}":                  "",
		"datasets: {name: Cora, network: links.tsv}":      "the data set name Cora is used already",
		"datasets: {network: links.tsv, split: parts}":    "one of them",
		"datasets: {schema: music, directed: true}":       "want directed in the schema",
		"datasets: {schema: nowhere}":                     "nowhere: no such file",
		"datasets: music\nmethod: deepwalk":               `data set "music": want one of`,
		"datasets: ./music\nmethod: deepwalk":             "deepwalk cannot learn from data set music: want m2v++",
		"datasets: {split: links.tsv}":                    "want network: FILE, split: FOLDER or",
		"datasets: [links.tsv, links.tsv]":                "data set links is given twice: want another name",
		"datasets: links.tsv\nmethod: camel":              "camel cannot learn from data set links",
		"datasets: [{network: links.tsv, undirected: 1}]": `key of a data set "undirected": want one of`,
	} {
		writeFile(t, filepath.Join(dir, "bad.yaml"), text+"\n")
		s, err := ReadSweep(filepath.Join(dir, "bad.yaml"))
		if err == nil {
			_, err = s.Jobs(10)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// plantMusic writes a small network of users with tastes into a new folder.
func plantMusic(t *testing.T, dir string) {
	t.Helper()
	p, err := typed.PlantedOptions{Users: 30, Items: 40, Genres: 3, Tastes: 2, Likes: 8, Friends: 2, Seed: 1}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(dir, 0o777), p.Write(dir)); err != nil {
		t.Fatal(err)
	}
}

// Networks with types of the user's are data sets of a sweep, by their folder or the file of their schema; what is there is not done
// again.
func TestSweepOfSchemas(t *testing.T) {
	dir := t.TempDir()
	plantMusic(t, filepath.Join(dir, "music"))
	path := filepath.Join(dir, "s.yaml")
	writeFile(t, path, "datasets: [./music, {name: again, schema: music/schema.yaml}]\nmethod: metapath2vec\noptions: {dim: 4, epochs: 2, l2: [0, 0.1]}\n"+
		"seeds: 1\n")
	s, err := ReadSweep(path)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(MaxSweep)
	if err != nil || len(jobs) != 4 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if got := s.ScoreName(); got != "Recall@20" {
		t.Errorf("rows show the %s", got)
	}
	r := &runner.Runner{Store: filepath.Join(dir, "results", "runs.jsonl"), Threads: 2}
	if got := runAll(t, r, jobs); got.Done != 4 {
		t.Fatalf("%+v", got)
	}
	if got := runAll(t, r, jobs); got.There != 4 {
		t.Errorf("again: %+v", got)
	}
	there, err := store.ReadStore(r.Store)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := there.List(store.Filter{}, func(store.Summary) bool { return true }, "auc", 0)
	if err != nil || len(list) != 4 || list[0].ScoreOf != "Recall@20" || list[0].Score < list[3].Score {
		t.Errorf("runs by their score: %+v, %v", list, err)
	}
	for _, listed := range list {
		if !slices.ContainsFunc(records(t, r.Store), func(record results.Record) bool { return record.Metrics[run.RankingChoice] == listed.Score }) {
			t.Errorf("no record has the %s of %v", listed.ScoreOf, listed.Score)
		}
	}
	l, err := source.Source{Schema: filepath.Join(dir, "music")}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records(t, r.Store) {
		if !(record.Metrics[run.RankingChoice] > 0) || record.Dataset.SHA256 != l.Task.Checksum(l.Typed) {
			t.Errorf("%+v: %v", record.Dataset, record.Metrics)
		}
	}
	plant := filepath.Join(dir, "music", typed.LikesFile)
	text, err := os.ReadFile(plant)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, plant, string(text)+"u1\ti39\nu2\ti39\nu3\ti39\n")
	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != runner.StateStale {
		t.Errorf("after other links: %+v, %v", planned, err)
	}
}

// Runs are listed by what they came to, and by what they are of.
func TestListOfRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	for i, epsilon := range []float64{.1, .5, .9} {
		o := graphs.Default()
		o.Epsilon, o.Seed = epsilon, uint64(i)
		r := recordOf(t, store.Job{Dataset: "Cora", Protocol: "validated", Options: o}, .8-epsilon/10, .5+epsilon/10)
		if err := r.Append(path); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.ReadStore(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sort, where, want string
		most, count       int
	}{
		{"", "", "epsilon=0.1||epsilon=0.9", 0, 3}, {"validation", "", "epsilon=0.9||epsilon=0.1", 0, 3}, {"auc", "", "epsilon=0.1|", 2, 3},
		{"-auc", "", "epsilon=0.9", 1, 3}, {"", "", "|epsilon=0.9", 2, 3}, {"seed", "epsilon=0.9", "epsilon=0.9", 0, 1}, {"", "dataset=ppi", "", 0, 0},
	} {
		f, err := store.ParseFilter(c.where)
		if err != nil {
			t.Fatal(err)
		}
		list, count, err := s.List(f, func(store.Summary) bool { return true }, c.sort, c.most)
		var words []string
		for _, l := range list {
			words = append(words, l.Settings)
		}
		if got := strings.Join(words, "|"); err != nil || got != c.want || count != c.count {
			t.Errorf("by %q where %q: %q of %d, %v", c.sort, c.where, got, count, err)
		}
	}
	if _, _, err := s.List(store.Filter{}, func(store.Summary) bool { return true }, "ac", 0); err == nil || !strings.Contains(err.Error(), `sort "ac": want one of auc`) {
		t.Errorf("error %v", err)
	}
}

// A sweep's picture is a line where one number varies, and parallel coordinates where more does.
func TestFigureOfASweep(t *testing.T) {
	for text, want := range map[string]string{
		"datasets: cora\noptions: {tau: [.1, .5, 1]}\n":                                                   figureLine,
		"datasets: cora\noptions: {tau: [.1, .5], selection: [gumbel, softmax]}\n":                        figureLines,
		"datasets: cora\nfigure: curves\nmethod: [asp2vec, deepwalk]\n":                                   figureCurves,
		"datasets: cora\nx: dim\nsettings: [{name: a, options: {dim: 4}}, {name: b}]\n":                   figureLine,
		"datasets: cora\nfigure: line\noptions: {tau: [.1, .5], lambda: [0, .1]}\n":                       "error: 2 options that vary",
		"datasets: cora\nfigure: pie\noptions: {tau: [.1, .5]}\n":                                         `error: figure "pie": want one of cosines`,
		"datasets: cora\nfigure: line\nx: selection\noptions: {selection: [gumbel]}\n":                    "error: has no number",
		"datasets: cora\noptions: {tau: [.1, .5]}\nsearch: {halving: {budget: epochs, from: 1, to: 9}}\n": "error: figures do not support halving",
		"datasets: cora\nfigure: curves\nsettings: [{name: a, choose: {tau: [.1, .5]}}, {name: b}]\n":     "error: choose in a figure of kind curves",
	} {
		path := filepath.Join(t.TempDir(), "s.yaml")
		writeFile(t, path, text)
		f, err := ReadFigureFile(path)
		if err == nil {
			panels, perr := f.Panels(Selection{})
			d, derr := f.Drawing(filepath.Join(t.TempDir(), "runs.jsonl"), panels)
			if err = errors.Join(perr, derr); err == nil {
				_, err = d.Draw()
			}
		}
		if wrong, is := strings.CutPrefix(want, "error: "); is {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: error %v, want %s", text, err, wrong)
			}
		} else if err != nil || f.sweep.view.figure != want {
			t.Errorf("%s: %s, %v: want %s", text, f.sweep.view.figure, err, want)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
