package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// harmless runs a command, and fails if a control character reaches the terminal.
func harmless(t *testing.T, args ...string) ran {
	t.Helper()
	r := must(t, args...)
	if bad := unsafeAt(r.out + r.err); bad != "" {
		t.Errorf("%q: %s", args, bad)
	}
	return r
}

// noMarkup fails if an XML file has elements or attributes that run something, or is none.
func noMarkup(t *testing.T, file string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(read(t, file))); ; {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		e, ok := token.(xml.StartElement)
		if ok && (e.Name.Local == "script" || e.Name.Local == "img" || slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return strings.HasPrefix(a.Name.Local, "on") })) {
			t.Errorf("%s has the element %v", file, e)
		}
	}
}

// Pictures, the page of explore and vectors of new vertices say hostile names as text.
func TestHostilePictures(t *testing.T) {
	enter(t)
	hostileNetwork(t)
	harmless(t, append([]string{"train", "--network", "links.csv", "--out", "run"}, quick...)...)
	harmless(t, "figure", "embedding", "run", "--map", "pca", "--labels", "labels.tsv", "--out", "map.svg")
	harmless(t, "figure", "embedding", "run", "--map", "pca", "--vertex="+hostile[4], "--top", "3", "--out", "near.svg")
	harmless(t, "figure", "network", "--network", "links.csv", "--labels", "labels.tsv", "--out", "network.svg")
	for _, picture := range []string{"map.svg", "near.svg", "network.svg"} {
		noMarkup(t, picture)
	}
	if text := read(t, "near.svg"); !strings.Contains(text, "&lt;script&gt;") {
		t.Error("the picture near a name lacks it")
	}
	harmless(t, "explore", "run", "--map", "pca", "--labels", "labels.tsv", "--out", "page.html")
	page := read(t, "page.html")
	for _, name := range hostile {
		if strings.HasPrefix(name, "<") && strings.Contains(page, name) || strings.Contains(page, `"><img`) {
			t.Errorf("the page has %q as it is", name)
		}
	}
	if strings.ContainsAny(page, "\u202e\x1b") {
		t.Error("the page has characters that turn text around")
	}

	var late strings.Builder
	w := csv.NewWriter(&late)
	for i, name := range hostile {
		if err := w.Write([]string{"late " + name, hostile[(i+1)%len(hostile)]}); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	write(t, "late.csv", late.String())
	harmless(t, "embed", "--model", "run", "--links", "late.csv", "--out", "grown")
	for i, name := range hostile {
		near := harmless(t, "nearest", "--model", "grown", "--json", "--", "late "+name)
		if d := decode[nearDoc](t, near.out); d.Vertex != "late "+name {
			t.Errorf("nearest to the late %q: %+v", name, d)
		}
		if i%6 == 0 {
			harmless(t, "nearest", "--model", "grown", "--", "late "+name)
		}
	}
}

// References of others hold hostile titles, authors, venues and keys.
func TestHostileBibliography(t *testing.T) {
	enter(t)
	type author struct {
		Literal string `json:"literal"`
	}
	type paper struct {
		ID     string              `json:"id"`
		Title  string              `json:"title"`
		Venue  string              `json:"container-title"`
		Author []author            `json:"author"`
		Issued map[string][][2]int `json:"issued"`
	}
	var papers []paper
	for i, name := range hostile {
		for year := range 4 {
			papers = append(papers, paper{ID: fmt.Sprintf("%s %d", name, year), Title: "walks on graphs " + name, Venue: hostile[(i+1)%len(hostile)],
				Author: []author{{name}, {hostile[(i+2)%len(hostile)]}}, Issued: map[string][][2]int{"date-parts": {{2000 + year, 1}}}})
		}
	}
	text, err := json.Marshal(papers)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "references.json", string(text))
	harmless(t, "data", "import", "references.json", "--test-from", "2003", "--out", "papers")
	harmless(t, "train", "--bibliography", "papers", "--method", "camel", "--dim", "4", "--word-dim", "4", "--epochs", "1", "--meta-paths", "APA", "--out", "model")
	harmless(t, "evaluate", "authors", "--bibliography", "papers", "--model", "model")
	shown := harmless(t, "predict", "--model", "model", "--text", "walks on graphs", "--top", "20")
	harmless(t, "predict", "--model", "model", "--text", "walks on graphs", "--top", "20", "--json")
	if !strings.Contains(shown.out, "<script>") {
		t.Errorf("predict names none of the authors:\n%s", shown.out)
	}
	harmless(t, "nearest", "--model", "model", "--", hostile[4])
	harmless(t, "results", "show", "runs")
	write(t, "steered.json", `[{"id":"a","title":"x","author":[{"literal":"\u001b[31mred"}],"issued":{"date-parts":[[2000]]}}]`)
	if r := invoke("data", "import", "steered.json", "--out", "steered"); unsafeAt(r.out+r.err) != "" {
		t.Errorf("a name that steers: %+v", r)
	}
	if exists("pwned") {
		t.Error("a name was run by a shell")
	}
}

// The best settings of a store whose records say hostile names of data.
func TestHostileBest(t *testing.T) {
	karate(t)
	must(t, append([]string{"train", "--split", "split", "--protocol", "validated", "--results", "one"}, quick...)...)
	record, err := results.ParseRecord([]byte(read(t, "one/runs.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	names := append(slices.Clone(hostile), "\x1b]0;x\x07", "a\nb", "\u009b31m")
	for i, name := range names {
		record.Dataset.Name, record.Dataset.SHA256 = name, fmt.Sprint(i)
		if err := record.Append("results/runs.jsonl"); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"terminal", "markdown", "latex", "csv"} {
		out := harmless(t, "results", "best", "--format", format).out
		if strings.Contains(out, "<script") && format == "markdown" || strings.Contains(out, `\input{`) && format == "latex" {
			t.Errorf("%s has what a name holds:\n%s", format, out)
		}
		if format != "csv" {
			continue
		}
		lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(lines) < len(names) {
			t.Fatalf("%d lines, error %v", len(lines), err)
		}
		for _, line := range lines {
			if line[0] != "" && strings.Contains("=@+", line[0][:1]) {
				t.Errorf("a formula: %q", line[0])
			}
		}
	}
	if r := harmless(t, "results", "best", "--json"); !json.Valid([]byte(r.out)) {
		t.Error("no JSON")
	}
}
