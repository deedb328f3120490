package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// cancelAt cancels once a line of the log holds the text.
type cancelAt struct {
	text   string
	cancel context.CancelFunc
	bytes.Buffer
}

func (w *cancelAt) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.text) {
		w.cancel()
	}
	return w.Buffer.Write(b)
}

// stoppedAt runs the command line, and stops it once a line of the log holds the text.
func stoppedAt(t *testing.T, text string, args ...string) ran {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log := &cancelAt{text: text, cancel: cancel}
	r := invokeWith(ctx, shell.Program{Err: log}, args...)
	return ran{r.code, r.out, log.String()}
}

func TestInterrupt(t *testing.T) {
	karate(t)
	untilLast := with(append([]string{"train", "--results", "results", "--split", "split", "--protocol", "validated", "--checkpoint-every", "off"}, quick...), "--epochs", "100000", "--out")
	long := slices.Insert(slices.Clone(untilLast), 1, "--patience", "100000")
	for name, at := range map[string]struct{ text, stage string }{
		"in the warm-up": {"warm-up epoch 2 ", results.StageWarmUp}, "in the model's epochs": {"asp2vec epoch 2 ", results.StageAsp2vec},
	} {
		t.Run(name, func(t *testing.T) {
			args := append(long, at.stage)
			if at.stage == results.StageAsp2vec {
				args = append(args, "--warm-up-epochs", "1")
			}
			r := stoppedAt(t, at.text, args...)
			if last := lastLine(r.err); r.code != 1 || !strings.Contains(last, "interrupted: "+at.stage+" holds the best epoch so far") {
				t.Errorf("exit code %d, last line %q", r.code, last)
			}
			rec := call.Of(results.ReadRecord(at.stage))(t)
			if !rec.Interrupted || rec.BestStage != at.stage || rec.Metrics["auc"] == 0 {
				t.Errorf("record: interrupted %v, stage %q, %v", rec.Interrupted, rec.BestStage, rec.Metrics)
			}
			must(t, "evaluate", "--split", "split", "--embedding", at.stage)
		})
	}
	t.Run("with the last epoch asked for", func(t *testing.T) {
		// Cancelled where epoch 2 is told to be done: no step of epoch 3 is taken, so that epoch 2 is what there is.
		r := stoppedAt(t, "asp2vec epoch 2 ", append(untilLast, "last", "--select", "last", "--warm-up=false")...)
		if last := lastLine(r.err); r.code != 1 || !strings.Contains(last, "interrupted: last holds the last finished epoch, asp2vec 2") {
			t.Errorf("exit code %d, last line %q", r.code, last)
		}
	})
	t.Run("before the first step", func(t *testing.T) {
		before := tree(t)
		r := stoppedAt(t, "training", append(long, "never")...)
		if r.code != 1 || !strings.Contains(lastLine(r.err), "nothing was written") || tree(t) != before {
			t.Errorf("%+v", r)
		}
	})
	t.Run("while aspects are found", func(t *testing.T) {
		must(t, "data", "generate", "planted", "--vertices", "17000", "--out", "many")
		r := stoppedAt(t, "finding the aspects of links", "train", "many/edges.tsv.gz", "--method", "prone", "--dim", "2", "--out", "model")
		if last := lastLine(r.err); r.code != 1 || !strings.Contains(last, "interrupted: model holds the model without the aspects") || !strings.Contains(r.out, "embedding") || exists("model/aspects.tsv") {
			t.Errorf("exit code %d, last line %q, %s", r.code, last, r.out)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		invokeWith(ctx, shell.Program{}, "plot", "model", "--out", "p.svg").exits(t, 1, "interrupted", "asp2vec plot --model model --out p.svg did not finish")
	})
	t.Run("with checkpoints, as usual", func(t *testing.T) {
		args := append([]string{"train", "karate.tsv", "--protocol", "validated", "--threads", "1"}, quick...)
		r := stoppedAt(t, "asp2vec epoch 2 ", args...)
		if last := lastLine(r.err); r.code != 1 || !strings.Contains(last, "the same command continues") || exists("karate.asp2vec") {
			t.Errorf("exit code %d, last line %q", r.code, last)
		}
		if r := must(t, args...); !strings.Contains(r.err, "continues from a checkpoint") || exists("karate.asp2vec.checkpoint") {
			t.Errorf("it begins anew, or leaves its checkpoint:\n%s", r.err)
		}
		must(t, append(args, "--out", "undisturbed")...)
		if read(t, "karate.asp2vec/embedding.vec") != read(t, "undisturbed/embedding.vec") {
			t.Error("a run that was stopped has other vectors")
		}
	})
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
