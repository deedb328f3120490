package results

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzReadLines: whatever a store holds, reading never panics; each line that is not blank is a record or a problem; and a
// record that was read can be written, and is then the same line each time.
func FuzzReadLines(f *testing.F) {
	line, err := sample().Line()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add(append(line[:len(line):len(line)], line[:len(line)/2]...))
	for _, s := range []string{"{}\n", "null\n[]\n1\n", "\n \r\n", `{"schema":99}`, `{"schema":1,"metrics":{"auc":"NaN"}}`, "\xff\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		records, problems, err := linesOfText(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for l := range bytes.SplitSeq(file, []byte{'\n'}) {
			if len(bytes.TrimSpace(l)) > 0 {
				lines++
			}
		}
		if len(records)+len(problems) != lines {
			t.Fatalf("%q: %d records and %d problems of %d lines", file, len(records), len(problems), lines)
		}
		for _, p := range problems {
			if p.Line < 1 || !strings.HasPrefix(p.Error(), "fuzz:") {
				t.Fatalf("%q: problem %v", file, p)
			}
		}
		for _, r := range records {
			once, err := r.Line()
			if err != nil {
				t.Fatalf("%q: read, but cannot be written: %v", file, err)
			}
			again, problems, _ := linesOfText(once)
			if len(again) != 1 {
				t.Fatalf("%q: written as %q, which gives %v", file, once, problems)
			}
			if twice, err := again[0].Line(); err != nil || !bytes.Equal(twice, once) {
				t.Fatalf("%q: written as %q, then as %q, %v", file, once, twice, err)
			}
		}
	})
}

func linesOfText(text []byte) (records []Record, problems []Problem, err error) {
	all := parse("fuzz", text)
	return all.Records, all.Problems, nil
}
