package results

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// What is read in brief is what is read whole, of each record that the project measured.
func TestParseBrief(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("measured", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if n++; n%10 != 1 {
			continue
		}
		whole, err := ParseRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseBrief([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		whole.Epochs = nil
		if !reflect.DeepEqual(got, whole) {
			t.Fatalf("line %d: %+v\nwant %+v", n, got, whole)
		}
	}
	odd := sample()
	odd.Error, odd.Method = `x,"epochs":[{"a":[{}],"y`, `}],"epochs":[{`
	odd.Epochs[0].Stage = `}],"seed":7,"`
	for range 2 {
		line, err := odd.Line()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseBrief(line); err != nil || got.Error != odd.Error || got.Method != odd.Method || got.Seed != odd.Seed || got.BestEpoch != odd.BestEpoch {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
		odd.Epochs = nil
	}
	for _, line := range []string{"", "{", "[]", `{"schema":99,"method":"m"}`, `{"schema":1}`, `{"schema":1,"method":"m","seed":-1}`} {
		if _, err := ParseBrief([]byte(line)); err == nil {
			t.Errorf("%q: no error", line)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	line, err := sample().Line()
	if err != nil {
		b.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join("measured", "runs.jsonl")); err == nil {
		first, _, _ := strings.Cut(string(text), "\n")
		line = []byte(first)
	}
	for name, parse := range map[string]func([]byte) (Record, error){"whole": ParseRecord, "brief": ParseBrief} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				if _, err := parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
