package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// What check says of losses that were edited in place: what made a number that is not finite, that a loss has no bound, and what the edit changes.
func TestCheckOfEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	replace := map[string]string{}
	edit := func(file string, changes ...string) {
		original := call.Of(filepath.Abs(filepath.Join("../../losses", file)))(t)
		text := read(t, original)
		for i := 0; i < len(changes); i += 2 {
			if !strings.Contains(text, changes[i]) {
				t.Skipf("%s has been edited", file)
			}
			text = strings.Replace(text, changes[i], changes[i+1], 1)
		}
		replace[original] = filepath.Join(t.TempDir(), file)
		write(t, replace[original], text)
	}
	edit("skipgram.go", "return G.Must(G.Add(posTerm, negTerm)), nil", "return G.Sub(G.Must(G.Sub(posTerm, posTerm)), G.Must(G.Square(negTerm)))")
	edit("infonce.go", "return G.Must(op.LogOnePlusSum(behind)), nil", "return G.Must(op.SumAxis1(G.Must(G.Log(behind)))), nil")
	edit("scoremargin.go",
		"G.Must(op.SumAxis1(G.Must(G.Rectify(excess))))", "G.Must(op.SumAxis1(G.Must(G.Sqrt(G.Must(G.Rectify(G.Must(op.Shift(excess, -margin))))))))")
	program := builtOver(t, replace)
	for name, c := range map[string]struct {
		fails bool
		want  []string
	}{
		"skipgram": {false, []string{"warning  from ", " it falls to -", "losses.Pairs skipgram: changes deepwalk, ", ", warm-up of asp2vec"}},
		"infonce":  {true, []string{"the loss is NaN: Log in losses", "is NaN, of -", "changes only runs whose options choose it"}},
		"margin":   {true, []string{"has a gradient of ", ": that of Sqrt in losses", "makes it: +Inf at element (", "a gradient is not finite"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(program, "check", "--pair-loss", name).CombinedOutput()
			if (err != nil) != c.fails {
				t.Errorf("%v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("expected %q:\n%s", want, out)
				}
			}
		})
	}
}
