package main

import (
	"encoding/json"
	"io/fs"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// goTool runs the go tool with files in the place of others, which are left alone.
func goTool(t *testing.T, replace map[string]string, command string, args ...string) {
	t.Helper()
	overlay := call.Of(json.Marshal(map[string]any{"Replace": replace}))(t)
	file := filepath.Join(t.TempDir(), "overlay.json")
	write(t, file, string(overlay))
	if out, err := exec.Command("go", append([]string{command, "-overlay", file}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", command, err, out)
	}
}

// builtOver builds the program with files in the place of others.
func builtOver(t *testing.T, replace map[string]string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "asp2vec.exe")
	goTool(t, replace, "build", "-ldflags=-s -w", "-o", program, ".")
	return program
}

// edits returns what takes the place of what under the edits of folders of testdata, given as patterns, which are laid one over the other. A file
// there takes the place of one of the tree, or comes to it; NAME.edit changes NAME: lines that begin with "-" become those that begin with "+" and
// follow, as often as there are such groups.
func edits(t *testing.T, patterns ...string) (replace map[string]string) {
	t.Helper()
	root := call.Of(filepath.Abs("../.."))(t)
	replace = map[string]string{}
	for _, pattern := range patterns {
		folders, err := filepath.Glob(filepath.Join(root, "cmd/asp2vec/testdata", pattern))
		if err != nil || len(folders) == 0 {
			t.Fatalf("%s: %d folders, %v", pattern, len(folders), err)
		}
		for _, folder := range folders {
			err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				inside, err := filepath.Rel(folder, path)
				if err != nil {
					return err
				}
				name, isEdit := strings.CutSuffix(filepath.Join(root, inside), ".edit")
				if !isEdit {
					replace[name] = path
					return nil
				}
				source := name
				if before, twice := replace[name]; twice {
					source = before // of another edit
				}
				text := applied(t, path, read(t, source))
				replace[name] = filepath.Join(t.TempDir(), filepath.Base(name))
				write(t, replace[name], text)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return replace
}

// applied returns a text with an edit of testdata in it.
func applied(t *testing.T, edit, text string) string {
	t.Helper()
	var from, to []string
	change := func() {
		old := strings.Join(from, "\n")
		if n := strings.Count(text, old); n != 1 {
			t.Fatalf("%s: %q is there %d times: expected once", edit, old, n)
		}
		text = strings.Replace(text, old, strings.Join(to, "\n"), 1)
		from, to = nil, nil
	}
	for line := range strings.Lines(read(t, edit)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "-"):
			if len(to) > 0 {
				change()
			}
			from = append(from, line[1:])
		case strings.HasPrefix(line, "+"):
			to = append(to, line[1:])
		default:
			t.Fatalf("%s: line %q: expected - or + before it", edit, line)
		}
	}
	change()
	return text
}

// A trial is a folder in which commands of a program run.
type trial struct{ program, dir string }

func (p trial) run(t *testing.T, fails bool, args ...string) string {
	t.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if (err != nil) != fails {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Whatever people come to add is one file, besides its tests.
func TestOneFileEach(t *testing.T) {
	for _, what := range []string{"loss", "degree", "curriculum", "annealed", "prior", "regularizer", "usage", "selection", "distance", "sparsemax", "line", "score", "command", "dataset"} {
		files := 0
		for name := range edits(t, "edits/"+what) {
			if !strings.HasSuffix(name, "_test.go") {
				files++
			}
		}
		if files != 1 {
			t.Errorf("%s: %d files, expected one", what, files)
		}
	}
}

// The tests of registries take the entries of the pages: all that they want of them is what the pages say,
// values that were computed elsewhere.
func TestTestsTakeEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	write(t, overlay, string(call.Of(json.Marshal(map[string]any{"Replace": edits(t, "edits/*")}))(t)))
	for _, args := range [][]string{{"../../layers", "../../losses", "../../eval", "../../methods"}, {"-run", "Learned|Sides|Step|Entries", "../../graphs"}} {
		out, _ := exec.Command("go", append([]string{"test", "-overlay", overlay}, args...)...).CombinedOutput()
		wanted := 0
		for line := range strings.Lines(string(out)) {
			switch {
			case strings.Contains(line, "golden value"), strings.Contains(line, "in softOf"), strings.Contains(line, "computed elsewhere"):
				wanted++
			case strings.Contains(line, "_test.go:"), strings.Contains(line, "panic"), strings.Contains(line, "build failed"):
				t.Error(line)
			}
		}
		if (wanted > 0) != (len(args) == 4) || !strings.Contains(string(out), "ok  \tgithub.com") {
			t.Errorf("%v: %d values are wanted\n%s", args, wanted, out)
		}
	}
}

// What people come to do: methods, selections, readouts, losses and regularizers of their own, each a function and an entry. The program takes them
// everywhere, with their hyperparameters, refuses those that cannot be trained, and leaves the paper's tables as they are.
func TestEdits(t *testing.T) {
	golden.StillPaper(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	p := trial{builtOver(t, edits(t, "edits/*", "entries")), t.TempDir()}
	p.run(t, false, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--mean-degree", "8", "--out", "links.tsv")
	p.run(t, false, "split", "--network", "links.tsv", "--remove", "0.3", "--rule", "ce1", "--seed", "1", "--out", "split")
	p.run(t, false, "split", "--network", "links.tsv", "--directed", "--remove", "0.3", "--rule", "ce1", "--seed", "1", "--out", "data/filmtrust/split")
	p.train(t, "standard", "")
	t.Run("train", p.entriesTrain)
	t.Run("values", p.values)
	t.Run("refused", p.refused)
	t.Run("everywhere", p.everywhere)
	t.Run("served", p.served)
	t.Run("scores", p.scores)
}

// Scores that come are worked out from the vectors of runs of before, which are not trained anew, and are options wherever scores are.
func (p trial) scores(t *testing.T) {
	asCora(t)
	p.dir = "."
	sweep := func(scores string) {
		write(t, "s.yaml", "datasets: cora\nmethod: asp2vec\nseeds: 2\noptions: {scoring: ["+scores+"], dim: 4, aspects: 2, pairs-per-vertex: 50, steps: 20}\n")
	}
	sweep("native, dot")
	says(t, must(t, "sweep", "s.yaml", "--data", "data").err, "done=2 were_there=0 scored=0")
	sweep("native, dot, distance, lr-max")
	out := p.run(t, false, "sweep", "s.yaml", "--data", "data")
	if !strings.Contains(out, "done=0 were_there=0 scored=2") || strings.Count(out, "0.") < 4 {
		t.Errorf("scores that came: expected no training\n%s", out)
	}
	for _, c := range []struct{ args, want string }{
		{"evaluate runs --score distance --score-order 1 --metric auc,ap", "distance AP"},
		{"evaluate s.yaml --score lr-max", "lr-max AUC"},
		{"methods", "minus the distance of the vectors"},
		{"evaluate --help all", "distance: order of the norm, a number from 1 to 100"},
		{"results show s.yaml", "scoring=distance"},
	} {
		if out := p.run(t, false, append(strings.Fields(c.args), "--data", "data")...); !strings.Contains(out, c.want) || strings.Contains(out, "could not be scored") {
			t.Errorf("%s: expected %q\n%s", c.args, c.want, out)
		}
	}
}

// Entries that come leave runs of before alone, also where they are in files of their own.
func (p trial) served(t *testing.T) {
	asCora(t)
	p.dir = "."
	for _, c := range []struct{ before, options, done string }{
		{"method: deepwalk\noptions: {pair-loss: [skipgram, margin], ", "method: deepwalk\noptions: {pair-loss: [skipgram, margin, degree, tempered], ", "done=2 were_there=2"},
		{"method: asp2vec\noptions: {readout: [mean, max], ", "method: asp2vec\noptions: {readout: [mean, max, distance], ", "done=1 were_there=2"},
		{"method: asp2vec\noptions: {selection: [gumbel, softmax], ", "method: asp2vec\noptions: {selection: [softmax, sparsemax, top], ", "done=2 were_there=1"},
		{"method: asp2vec\noptions: {regularizer: cosine2, ", "method: asp2vec\noptions: {regularizer: [cosine2, usage, square], ", "done=2 were_there=1"},
		{"method: deepwalk\noptions: {", "method: [deepwalk, line]\noptions: {", "done=1 were_there=1"},
	} {
		small := "dim: 4, walks: 2, walk-length: 10, epochs: 2}\n"
		if strings.Contains(c.options, "asp2vec") {
			small = "aspects: 2, " + small
		}
		write(t, "s.yaml", "datasets: cora\nprotocol: validated\n"+c.before+small)
		must(t, "sweep", "s.yaml", "--data", "data")
		write(t, "s.yaml", "datasets: cora\nprotocol: validated\n"+c.options+small)
		for _, want := range []string{c.done, "done=0 "} {
			says(t, p.run(t, false, "sweep", "s.yaml", "--data", "data"), "runs "+want)
		}
	}
}

// train trains with the options, and returns the record of what it wrote to the folder out.
func (p trial) train(t *testing.T, out, options string) (r results.Record) {
	t.Helper()
	args := strings.Fields("train --split split --dim 4 --walks 2 --epochs 2 --results none --out " + out + " " + options)
	if !strings.Contains(options, "--method") {
		args = append(args, "--aspects", "2")
	}
	said := p.run(t, false, args...)
	main, _, _ := strings.Cut(options+" ", " --warm-up-pair-loss")
	if told := strings.Contains(said, "also trains the warm-up"); told != (strings.Contains(main, "--pair-loss ") && main == options+" ") {
		t.Errorf("%s: it says that the warm-up is changed: %v\n%s", options, told, said)
	}
	return decode[results.Record](t, read(t, filepath.Join(p.dir, out, "record.json")))
}

// vectors are what a run in the folder out has written.
func (p trial) vectors(t *testing.T, out string) (text string) {
	t.Helper()
	for _, name := range []string{"embedding.vec", "center.npy"} {
		text += read(t, filepath.Join(p.dir, out, name))
	}
	return text
}

// Each entry passes check, trains, to other vectors than the entries of the program, and its hyperparameters are in the record.
func (p trial) entriesTrain(t *testing.T) {
	for name, c := range map[string]struct{ options, record string }{
		"line":       {"--method line", `"method":"line"`},
		"ste":        {"--selection ste --selection-temperature 0.5", `"selection-temperature":0.5`},
		"sparsemax":  {"--selection sparsemax", `"selection":"sparsemax"`},
		"top":        {"--selection top --selection-top 1", `"selection-top":1`},
		"hinge":      {"--pair-loss hinge --pair-loss-gap 0.25", `"pair-loss-gap":0.25`},
		"degree":     {"--pair-loss degree --pair-loss-power 0.5", `"pair-loss-power":0.5`},
		"tempered":   {"--pair-loss tempered", `"pair-loss-heat":0.5`},
		"smoothed":   {"--pair-loss smoothed", `"pair-loss-smoothing":0.1`},
		"curriculum": {"--pair-loss curriculum --pair-loss-begin 0.5", `"pair-loss-begin":0.5`},
		"annealed":   {"--selection annealed --selection-end 0.05", `"selection-end":0.05`},
		"prior":      {"--selection prior", `"selection":"prior"`},
		"nearby":     {"--pair-loss nearby", `"pair-loss":"nearby"`},
		"confident":  {"--pair-loss confident --warm-up-pair-loss skipgram", `"pair-loss":"confident"`}, // a warm-up has no aspects
		"square":     {"--regularizer square --regularizer-above 0.125", `"regularizer-above":0.125`},
		"usage":      {"--regularizer usage", `"regularizer":"usage"`},
		"hubs":       {"--regularizer hubs", `"regularizer":"hubs"`},
		"scores":     {"--regularizer scores", `"regularizer":"scores"`},
		"distance":   {"--readout distance --readout-decay 2", `"readout-decay":2`},
		"within-two": {"--readout within-two", `"readout":"within-two"`},
	} {
		t.Run(name, func(t *testing.T) {
			if out := p.run(t, false, append([]string{"check"}, strings.Fields(c.options)...)...); strings.Contains(out, "failed") || strings.Contains(out, "warning") {
				t.Errorf("check:\n%s", out)
			}
			r := p.train(t, name, c.options)
			says(t, strings.NewReplacer(" ", "", "\n", "").Replace(string(r.Options)), c.record)
			if len(r.Epochs) < 2 {
				t.Errorf("%d epochs", len(r.Epochs))
			}
			for _, e := range r.Epochs {
				if x := float64(e.LossNats) + float64(e.Penalty); math.IsNaN(x) || math.IsInf(x, 0) || e.LossNats == 0 {
					t.Errorf("%s epoch %d: loss %v, penalty %v", e.Stage, e.Epoch, e.LossNats, e.Penalty)
				}
			}
			if p.vectors(t, name) == p.vectors(t, "standard") {
				t.Error("the vectors are the standard ones")
			}
			if name == "prior" {
				a, err := vectors.ReadArray(filepath.Join(p.dir, name, vectors.LearnedDir, "selection-prior.npy"))
				if err != nil || len(a.Shape) != 2 || a.Data[0] == 0 {
					t.Errorf("what it has learned: %v, %v", a.Shape, err)
				}
			}
		})
	}
}

// Entries with a hyperparameter that leaves nothing of them come to the same bytes as what they are made from.
func (p trial) values(t *testing.T) {
	p.train(t, "window-two", "--window 2")
	p.train(t, "tau-one", "--tau 1")
	p.train(t, "no-penalty", "--selection none --lambda 0")
	for name, c := range map[string]struct{ options, like string }{
		"degree":     {"--pair-loss degree --pair-loss-power 0", "standard"},
		"curriculum": {"--pair-loss curriculum --pair-loss-begin 1", "standard"},
		"annealed":   {"--selection annealed --tau 1 --selection-end 1", "tau-one"},
		"tempered":   {"--pair-loss tempered --pair-loss-heat 1", "standard"},
		"smoothed":   {"--pair-loss smoothed --pair-loss-smoothing 0", "standard"},
		"one-type":   {"--pair-loss one-type", "standard"}, // of a network with one
		"distance":   {"--readout distance --readout-decay 0", "standard"},
		"within-two": {"--readout within-two --window 2", "window-two"},
		"usage":      {"--regularizer usage --selection none", "no-penalty"}, // all aspects are used alike
	} {
		t.Run(name, func(t *testing.T) {
			r := p.train(t, "like-"+name, c.options)
			if p.vectors(t, "like-"+name) != p.vectors(t, c.like) {
				t.Errorf("%s does not come to the vectors of %s", c.options, c.like)
			}
			for _, e := range r.Epochs {
				if name == "usage" && math.Abs(float64(e.Penalty)) > 1e-5 { // 0 but for rounding
					t.Errorf("%s epoch %d: penalty %v, expected 0", e.Stage, e.Epoch, e.Penalty)
				}
			}
		})
	}
	// Where aspects are not used alike there is a penalty.
	epochs := p.train(t, "used", "--regularizer usage --selection straight-through").Epochs
	if penalty := float64(epochs[len(epochs)-1].Penalty); !(penalty > 1e-2) {
		t.Errorf("the penalty of aspects that are not used alike is %v", penalty)
	}
}

// What cannot be trained is refused, by check and before any training, with the name of the function or of the entry.
func (p trial) refused(t *testing.T) {
	for options, want := range map[string]string{
		"--pair-loss nan":       `Log in losses: pair loss "nan": element (0,0) is NaN, of -`,
		"--pair-loss constant":  `Scale in losses.notAConstant, losses: pair loss "constant": element (0,0) is NaN`,
		"--pair-loss shape":     `pair loss "shape" returned (`,
		"--pair-loss shapes":    `pair loss "shapes": Failed to infer shape. Op: + false: Shape mismatch: (`,
		"--pair-loss matrices":  `pair loss "matrices": Failed to infer shape. Op: A × B`,
		"--pair-loss no-node":   `pair loss "no-node" returned no node`,
		"--pair-loss steep":     `that of Sqrt in losses: pair loss "steep" makes it: +Inf`,
		"--pair-loss steps":     `no gradient passes Ceil in losses: pair loss "steps"`,
		"--pair-loss crowd":     `pair loss "crowd" is `,
		"--pair-loss confident": `pair loss "confident"`, // whose warm-up has no aspects
		"--regularizer crowd":   `regularizer "crowd" is `,
		"--selection flat":      `selection "flat" returned (`,
		"--readout rows":        `readout "rows" returned (`,
		"--regularizer rows":    `regularizer "rows" returned (`,
	} {
		t.Run(options, func(t *testing.T) {
			says(t, p.run(t, true, append([]string{"check"}, strings.Fields(options)...)...), want, "fix them before training")
			out := p.run(t, true, append(strings.Fields("train --split split --aspects 2 --dim 4 --walks 2 --epochs 2 --results none"), strings.Fields(options)...)...)
			if !strings.Contains(out, want) || strings.Contains(out, "epoch 1 ") {
				t.Errorf("train: expected %q, and nothing trained\n%s", want, out)
			}
		})
	}
	t.Run("sweep", func(t *testing.T) {
		write(t, filepath.Join(p.dir, "refused.yaml"), "datasets: filmtrust\noptions: {dim: 4, walks: 2, epochs: 1, pair-loss: nan}\n")
		if out := p.run(t, true, "sweep", "refused.yaml", "--data", "data"); !strings.Contains(out, `pair loss \"nan\": element (0,0) is NaN, of -`) || strings.Contains(out, "epoch 1 ") {
			t.Errorf("sweep:\n%s", out)
		}
	})
	t.Run("falling", func(t *testing.T) { // which may be meant
		if out := p.run(t, false, "check", "--pair-loss", "falling"); strings.Count(out, "warning  from ") != 2 || !strings.Contains(out, " it falls to -") {
			t.Errorf("check:\n%s", out)
		}
	})
	for _, c := range []struct{ args, want string }{
		{"train --selection ste --tau 3", "tau = 3: selection ste does not read it: expected one of annealed, gumbel, hard, prior"},
		{"train --pair-loss-gap 1", "pair-loss-gap = 1: pair-loss skipgram does not read it: expected one of hinge"},
		{"train --pair-loss hinge --pair-loss-gap 11", "pair-loss-gap = 11: expected a number from 0 to 10"},
		{"train --method dgi --pair-loss-gap 1", "--pair-loss-gap 1: dgi has no such option; it is one of"},
		{"train --readout-decay 1", "readout-decay = 1: readout mean does not read it: expected one of distance"},
	} {
		says(t, p.run(t, true, append(strings.Fields(c.args), "--split", "split", "--results", "none")...), c.want)
	}
}

// Help, lists and sweeps have what was added; the paper's tables do not.
func (p trial) everywhere(t *testing.T) {
	says(t, p.run(t, false, "methods"), "\n line ")
	write(t, filepath.Join(p.dir, "sweep.yaml"), "datasets: filmtrust\nmethod: [line, deepwalk]\noptions: {dim: [8, 16]}\n")
	if out := p.run(t, false, "sweep", "sweep.yaml", "--dry-run", "--full", "--data", "data"); strings.Count(out, " line ") != 2 || strings.Contains(out, "nothing") {
		t.Errorf("a sweep of it, with what its time is taken from:\n%s", out)
	}
	says(t, p.run(t, false, "degrees", "links.tsv"), ".")
	says(t, p.run(t, false, "data", "list"), "mine")
	help := strings.Join(strings.Fields(p.run(t, false, "train", "--help", "all")), " ") // lines are broken
	if !strings.Contains(p.run(t, false, "--help"), "print the mean degree") {
		t.Error("--help does not list the command")
	}
	says(t, help, "--pair-loss-gap", "hinge: gap between scores, a number from 0 to 10", "--regularizer-above", "ste", "line", "--readout-decay", "sparsemax")
	for _, args := range []string{"reproduce table1 --dry-run --datasets filmtrust --data data", "results show table1", "results show table7"} {
		if out := p.run(t, false, strings.Fields(args)...); strings.Contains(strings.ToLower(out), "line/") || strings.Contains(out, " line ") || strings.Contains(out, "LINE") {
			t.Errorf("%s lists LINE:\n%s", args, out)
		}
	}
}

// No run of before an edit stands for one after it, wherever the edit is that its numbers come from, and no run is trained anew that does not pass through it.
func TestNeverAnOldNumber(t *testing.T) {
	golden.StillPaper(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	before := builtOver(t, edits(t, "stale/before"))
	after := builtOver(t, edits(t, "stale/before", "stale/after", "shared"))
	more := builtOver(t, edits(t, "stale/before", "stale/more"))
	asCora(t)
	const small = "protocol: paper\noptions: {dim: 4, walks: 2, walk-length: 10, select: last, epochs: 10, learning-rate: 0.1"
	for _, c := range []struct{ name, sweep, done string }{
		{"losses", "method: deepwalk\n" + small + ", pair-loss: [skipgram, margin, infonce, bpr]}", "done=1 were_there=3 scored=0"},
		{"losses made elsewhere", "method: deepwalk\n" + small + ", pair-loss: [crossed, own, prior]}", "done=3 were_there=0 scored=0"},
		{"method", "method: [aliased, deepwalk]\n" + small + ", pair-loss: bpr}", "done=1 were_there=1 scored=0"},
		{"warm-ups", "method: asp2vec\n" + small + ", warm-up-epochs: 10, aspects: 2, pair-loss: infonce, warm-up-pair-loss: [skipgram, bpr]}", "done=1 were_there=1 scored=0"},
		{"readouts", "method: asp2vec\n" + small + ", warm-up-epochs: 10, aspects: 2, pair-loss: bpr, warm-up-pair-loss: bpr, readout: [mean, sum, max]}", "done=1 were_there=2 scored=0"},
		{"scores", "protocol: standard\nmethod: polydw\noptions: {dim: 4, steps: 20, pair-loss: bpr, scoring: [far, lr-max, neighbourhood, dot]}", "done=0 were_there=0 scored=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, "s.yaml", "title: "+c.name+"\ndatasets: cora\n"+c.sweep+"\n")
			sweep := func(program, store string) (out string) {
				return trial{program, "."}.run(t, false, "sweep", "s.yaml", "--data", "data", "--results", store)
			}
			sweep(before, "old")
			says(t, sweep(more, "old"), "runs done=0 ")
			says(t, sweep(after, "old"), "runs "+c.done)
			sweep(after, "new")
			numbers := func(program, store string) (out string) {
				if c.name == "scores" {
					out = trial{program, "."}.run(t, false, "evaluate", "s.yaml", "--score", "dot", "--metric", "gap,auc", "--negatives", "odd", "--data", "data", "--results", store)
				}
				return out + trial{program, "."}.run(t, false, "results", "show", "s.yaml", "--format", "csv", "--data", "data", "--results", store)
			}
			old := numbers(before, "old")
			if served, fresh := numbers(after, "old"), numbers(after, "new"); served != fresh || served == old || !strings.Contains(fresh, "0.") {
				t.Errorf("a store of\n%s\nhas after the edit\n%s\nan empty one comes to\n%s", old, served, fresh)
			}
			says(t, sweep(before, "old"), "runs done=0 ")
		})
	}
}

// Another optimizer counts for the runs that choose it. A learning rate that drops after 300 steps, an edit of graphs, counts for all.
func TestEditTraining(t *testing.T) {
	golden.StillPaper(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	program, adamw := builtOver(t, edits(t, "training/*")), builtOver(t, edits(t, "training/adamw"))
	enter(t)
	p := trial{program, "."}
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--mean-degree", "8", "--out", "links.tsv")
	must(t, "split", "--network", "links.tsv", "--remove", "0.3", "--rule", "ce1", "--seed", "1", "--out", "split")
	train := func(out, options string) []string {
		return strings.Fields("train --split split --method deepwalk --dim 4 --walks 20 --epochs 1 --results none --out " + out + " " + options)
	}
	definition := func(out string) string { return decode[results.Record](t, read(t, out+"/record.json")).Definition }
	must(t, train("before-short", "--batch 5000")...) // 113 steps
	must(t, train("before-long", "--batch 1000")...)  // 562
	p.run(t, false, train("short", "--batch 5000")...)
	p.run(t, false, train("long", "--batch 1000")...)
	p.run(t, false, train("adamw", "--batch 5000 --optimizer adamw")...)
	if p.vectors(t, "short") != p.vectors(t, "before-short") {
		t.Error("the rate drops before 300 steps")
	}
	if p.vectors(t, "long") == p.vectors(t, "before-long") {
		t.Error("the rate does not drop after 300 steps")
	}
	if p.vectors(t, "adamw") == p.vectors(t, "short") {
		t.Error("AdamW comes to the vectors of Adam")
	}
	if definition("short") == definition("before-short") {
		t.Error("the definition is that of before")
	}
	added := trial{adamw, "."}
	added.run(t, false, train("plain", "--batch 5000")...)
	added.run(t, false, train("chosen", "--batch 5000 --optimizer adamw --optimizer-decay 0.1")...)
	if definition("plain") != definition("before-short") || definition("chosen") == definition("plain") || p.vectors(t, "chosen") == p.vectors(t, "adamw") {
		t.Error("an optimizer that was added: expected another definition for the runs that choose it, and its hyperparameter read")
	}
	says(t, p.run(t, true, train("none", "--optimizer adamx")...), "adamw")
}

// The tests that come with edits pass, and those that go over all entries: of gradients, and that what is trained is the graph.
func TestEditsOwnTests(t *testing.T) {
	golden.StillPaper(t)
	if testing.Short() {
		t.Skip("builds tests")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	goTool(t, edits(t, "edits/loss", "edits/regularizer", "edits/degree", "edits/curriculum", "edits/annealed", "edits/prior", "edits/usage", "edits/distance", "edits/sparsemax", "training/adamw", "training/rate"), "test", "-vet=off",
		"-ldflags=-s -w", "-run", "^(TestGradients|TestBlocksAreTheGraph|TestSparsemax|TestByDistance|TestByDegree|TestUsageVariance|TestAdamW|TestRateDrops)$",
		"../../layers", "../../losses", "../../graphs")
}
