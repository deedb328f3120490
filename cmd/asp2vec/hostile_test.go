package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// hostile are names that mean something to what shows them: terminals, spreadsheets, browsers, TeX, Graphviz, shells.
var hostile = []string{
	`=cmd|' /C calc'!A0`, "+1+cmd", "-2+3", "@SUM(A1)", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `\input{/etc/passwd}`,
	`$\immediate\write18{id}$`, `x"]; evil [label="y`, `a"b'c`, "\u202Eevil\u202C", "\u2066x\u2069", "a,b;c", "$(touch pwned)", "`id`", "%s%n%x", "--out=x", "&lt;b&gt;",
	"👩\u200d🚀", "می\u200cخواهم", "#a",
}

// unsafeAt returns what of a text would steer a terminal, "" if nothing.
func unsafeAt(text string) string {
	at := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	})
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("%q", text[max(0, at-20):min(len(text), at+20)])
}

// hostileNetwork writes links between hostile ids, and labels of them.
func hostileNetwork(t *testing.T) {
	t.Helper()
	var links, labels strings.Builder
	w := csv.NewWriter(&links)
	lines := [][]string{{"source", "target"}}
	for i, a := range hostile {
		for _, step := range []int{1, 2, 5} {
			lines = append(lines, []string{a, hostile[(i+step)%len(hostile)]})
		}
		if !strings.ContainsAny(a, "#") {
			fmt.Fprintf(&labels, "%s\t%s\n", a, hostile[i%3])
		}
	}
	call.OK(t, w.WriteAll(lines))
	write(t, "links.csv", links.String())
	write(t, "labels.tsv", labels.String())
}

// Through every command, names that are hostile to what shows them come out as text: no control sequence reaches a terminal, JSON is
// JSON and says the same names, and files for other programs say them in their own way.
func TestHostileNames(t *testing.T) {
	enter(t)
	hostileNetwork(t)
	run := func(args ...string) ran {
		t.Helper()
		r := invoke(args...)
		if r.code != 0 {
			t.Errorf("%q: exit code %d\n%s", args, r.code, r.err)
		}
		for name, text := range map[string]string{"output": r.out, "log": r.err} {
			if bad := unsafeAt(text); bad != "" {
				t.Errorf("%q: %s has %s", args, name, bad)
			}
		}
		return r
	}
	run(append([]string{"train", "--network", "links.csv", "--out", "run"}, quick...)...)
	run("split", "--network", "links.csv", "--remove", "0.2", "--rule", "ce1", "--out", "split")
	run(append([]string{"train", "--split", "split", "--out", "measured"}, quick...)...)
	run("evaluate", "--split", "split", "--embedding", "measured")
	run("evaluate", "labels", "--model", "run", "--labels", "labels.tsv", "--shares", "0.5", "--splits", "1")
	run("predict", "--model", "measured", "--split", "split", "--top", "5")
	run("predict", "--model", "run", "--network", "links.csv", "--top", "30", "--out", "new.tsv")
	run("predict", "--model", "run", "--pairs", "new.tsv") // which are the same ids
	run("results", "show", "runs")
	for i, id := range hostile {
		near := run("nearest", "--model", "run", "--json", "--", id)
		if d := decode[nearDoc](t, near.out); d.Vertex != id || len(d.Nearest) == 0 || !slices.Contains(hostile, d.Nearest[0].Vertex) {
			t.Errorf("nearest %q: %+v", id, d)
		}
		if i%4 > 0 {
			continue
		}
		run("nearest", "--model", "run", "--", id)
		run("aspects", "--model", "run", "--labels", "labels.tsv", "--", id)
		run("predict", "--model", "run", "--vertex="+id, "--top", "2")
	}
	for _, format := range []string{"word2vec", "npz", "graphml"} {
		run("export", "--model", "run", "--format", format, "--out", "as-"+format)
	}
	f := call.Of(os.Open("as-graphml"))(t)
	defer f.Close()
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("GraphML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "img") {
			t.Errorf("GraphML has the element %s", e.Name.Local)
		}
	}
	// What does not exist is told with the same care.
	for _, args := range [][]string{
		{"nearest", "\x1b]0;title\x07", "--model", "run"}, {"train", "--network", "no\x1b[31m.tsv"}, {"train", "--split", "\u202Esplit"}, {"results", "show", "\x1b[2J"},
		{"data", "show", "\x1b[2J\r"}, {"export", "run", "--format", "word2vec", "--out", "x", "--names", "\x9b31m"}, {"\x1b[31m"}, {"train", "--\x1b[31m", "x"}, {"figure", "\x1b[31m"},
	} {
		if r := invoke(args...); r.code == 0 || unsafeAt(r.out+r.err) != "" {
			t.Errorf("%q: code %d, %s in %q", args, r.code, unsafeAt(r.out+r.err), r.err)
		}
	}
	for _, id := range []string{"a\x1b[31m", "a\x00", "a\u0085", "a\x7f"} {
		write(t, "bad.tsv", "x\t"+id+"\n")
		if r := invoke("train", "--network", "bad.tsv"); r.code != 2 || unsafeAt(r.err) != "" || !strings.Contains(r.err, "bad.tsv:") {
			t.Errorf("%q: %+v", id, r)
		}
	}
	if exists("pwned") {
		t.Error("a name was run by a shell")
	}
}

// Records are files too, and what they say of data, methods and options is shown as text in every format.
func TestHostileRecords(t *testing.T) {
	enter(t)
	for i, name := range append(slices.Clone(hostile), "\x1b]0;x\x07", "a\nb", "\u009b31m") {
		auc := .5
		r := results.Record{Schema: results.Schema, Method: "deepwalk", Protocol: "validated", Selection: results.ValidationBest, Seed: uint64(i), Metrics: results.Metrics{"auc": auc}, Error: ""}
		r.Dataset = results.Dataset{Name: name, SHA256: fmt.Sprint(i), Vertices: 2, Links: 1}
		r.Options = json.RawMessage(`{"dim":4,"epochs":1}`)
		r.Command = []string{"asp2vec", name}
		call.OK(t, r.Write(filepath.Join("results", fmt.Sprint(i))))
	}
	for _, format := range []string{"terminal", "markdown", "latex", "csv", "json"} {
		r := must(t, "results", "show", "runs", "--format", format)
		if bad := unsafeAt(r.out + r.err); bad != "" {
			t.Errorf("%s has %s", format, bad)
		}
		switch format {
		case "csv":
			lines := call.Of(csv.NewReader(strings.NewReader(r.out)).ReadAll())(t)
			for _, line := range lines {
				for _, cell := range line {
					if cell != "" && strings.Contains("=@", cell[:1]) || strings.HasPrefix(cell, "+1+") || strings.HasPrefix(cell, "-2+") {
						t.Errorf("a formula: %q", cell)
					}
				}
			}
		case "latex":
			for _, command := range []string{`\input{`, `\immediate`, `\write18`} {
				if strings.Contains(r.out, command) {
					t.Errorf("LaTeX has %s", command)
				}
			}
		case "markdown":
			if strings.Contains(r.out, "<script") || strings.Contains(r.out, "<img") {
				t.Error("Markdown has HTML")
			}
		case "json":
			if !json.Valid([]byte(r.out)) {
				t.Error("no JSON")
			}
		}
	}
	if r := invoke("results", "compare", "--a", "method=deepwalk", "--b", "method=asp2vec"); unsafeAt(r.out+r.err) != "" || !strings.Contains(r.err, "nothing to compare") {
		t.Errorf("%s in %q", unsafeAt(r.out+r.err), r.err)
	}
}
