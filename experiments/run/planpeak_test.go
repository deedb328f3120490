//go:build paper

package run

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/test/music"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// planned is set, to a method and an encoder, in the processes that TestPlanIsAbovePeak starts.
const planned = "ASP2VEC_TEST_PLANNED"

// No run takes more memory than its plan says, or less than a sixth: each method's in a process of its own, on data that take more than the program does.
func TestPlanIsAbovePeak(t *testing.T) {
	if what := os.Getenv(planned); what != "" {
		runPlanned(t, what)
		return
	}
	build, _ := debug.ReadBuildInfo()
	raced := slices.ContainsFunc(build.Settings, func(s debug.BuildSetting) bool { return s.Key == "-race" && s.Value == "true" })
	if _, err := os.Stat("/proc/self/status"); err != nil || raced || testing.Short() {
		t.Skip("without /proc, or a program that takes more memory than it would")
	}
	var runs []string
	for _, m := range methods.All() {
		runs = append(runs, m.Name+" mean")
		if m.Reads("encoder") && m.Name != hetnet.MethodCamel { // which TaPEm begins with
			runs = append(runs, m.Name+" gru")
		}
	}
	for _, what := range runs {
		c := exec.Command(os.Args[0], "-test.run=^TestPlanIsAbovePeak$", "-test.v")
		c.Env = append(os.Environ(), planned+"="+what, "GOGC=", "GOMEMLIMIT=")
		out, err := c.CombinedOutput()
		var plan, peak int64
		for line := range strings.Lines(string(out)) {
			fmt.Sscanf(line, "plan %d, peak %d", &plan, &peak)
		}
		if err != nil || peak == 0 || plan < peak || plan > 6*peak {
			t.Errorf("%s: plan %d MiB, peak %d MiB: expected no more than planned\n%v %.500s", what, plan>>20, peak>>20, err, out)
		}
		t.Logf("%s: plan %d MiB, peak %d MiB", what, plan>>20, peak>>20)
	}
}

// runPlanned takes some steps of a run, and prints what was planned of its memory and the most that the process held.
func runPlanned(t *testing.T, what string) {
	method, encoder, _ := strings.Cut(what, " ")
	o := call.Of(methods.Options(method, graphs.Standard))(t)
	o.Dim, o.Aspects, o.WarmUpEpochs = 64, 4, 1
	graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.Encoder, p.WordEpochs = encoder, 1 })
	d := Data{Name: "planted"}
	switch {
	case !o.Method.Typed:
		n := call.Of(network.PlantedOptions{Vertices: 2000, Communities: 40, Memberships: 2, MeanDegree: 20, Mixing: 0.1, Seed: 1}.Generate())(t).Network
		d.Split = call.Of(network.MakeSplit(t.Context(), n, network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1}))(t)
	case o.Method.Reads("word-epochs"):
		like := shelf.Options()
		like.Authors, like.Papers, like.Vocabulary, like.Tokens = 2000, 2500, 2000, 60
		d.Bibliography = like.Bibliography(t)
	default:
		d.Typed = music.Network(t, music.Options{Users: 4000, Items: 6000, Genres: 10, Tastes: 2, Likes: 10, Friends: 2})
	}
	ctx, cancel := context.WithCancel(t.Context())
	steps, mainStage := 0, false
	_, err := Run(ctx, d, o, "custom", 2, func(e graphs.Event) {
		switch e := e.(type) {
		case graphs.Begun:
			steps, mainStage = 0, e.Stage == graphs.StageMain
		case graphs.Progress:
			if steps++; mainStage && steps == 6 || steps == 120 {
				cancel()
			}
		}
	})
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	status := call.Of(os.ReadFile("/proc/self/status"))(t)
	var peak int64
	if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
		fmt.Sscan(line, &peak)
	}
	fmt.Printf("plan %d, peak %d\n", NewPlan(d, o).Memory, peak<<10)
}
