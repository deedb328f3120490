package webpage_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// hostile is text that would be markup, script or a template if it were taken for that.
const hostile = `"><script>alert(1)</script><img src="http://example.com/x" onerror='alert(1)'>{{.}}</style></title><!-- ]]>&amp;` + "\x00\u2028"

// fullPage is a page with every part, whose texts are all text.
func fullPage(text string) webpage.Page {
	paper := 0.7426
	value := func(mean float64, n int) render.Value {
		return render.Value{Mean: mean, SD: 0.002, N: n, Paper: &paper, Printed: "0.7426", Outside: math.Abs(mean-paper) > 0.015}
	}
	return webpage.Page{
		Title: text, Lead: []string{text}, Facts: []webpage.Fact{{Name: text, Value: text}}, ClaimRule: text,
		Claims: []webpage.Claim{{Name: text, Text: text, Verdicts: []webpage.Verdict{
			{Protocol: text, Verdict: "supported", Evidence: []string{text}}, {Protocol: text, Verdict: "not supported", Evidence: []string{text}},
			{Protocol: text, Verdict: text},
		}}},
		Tables: []render.Table{{Name: text, Title: text, Corner: text, Columns: []string{text, text, text}, Notes: []string{text}, Rows: []render.Row{
			{Label: text + "b", Values: []render.Value{value(0.75, 3), {Text: text, Printed: text}, {}}},
			{Label: text + "a", Values: []render.Value{value(0.8, 1), {Text: text}, value(0, 0)}},
			{Label: text + "c", Values: []render.Value{value(0.1, 2), {Text: text}, value(0.7, 2)}},
		}}},
		Figures: []webpage.Figure{{Name: text, Caption: text,
			SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script><image href="http://example.com/x"/></svg>`)}},
		Curves: []webpage.Figure{{Name: text, Caption: text, SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}}, CurveNote: text,
		Listings: []webpage.Listing{{Title: text, Text: text, Columns: []string{text, text}, Rows: [][]string{{text, text}, {text}}},
			{Title: text, Columns: []string{text}, Rows: [][]string{{text}}, Folded: true}, {Title: text, Text: text}},
	}
}

func write(t *testing.T, page webpage.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := webpage.Write(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var contents = regexp.MustCompile(`(?s)(<(?:script|style)>).*?(</(?:script|style)>)`)

// elements returns the tags of a page, which must be well formed even as XML: every tag is closed, and every attribute quoted.
// The page's own script and style are left out.
func elements(t *testing.T, page string) (tags []xml.StartElement) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(contents.ReplaceAllString(page, "$1$2")))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return tags
		}
		if err != nil {
			line, _ := d.InputPos()
			t.Fatalf("line %d: %v", line, err)
		}
		if tag, ok := token.(xml.StartElement); ok {
			tags = append(tags, tag.Copy())
		}
	}
}

// Whatever the texts are, a page has the same tags, and nothing in it is loaded or run but what it brings.
func TestReportEscapes(t *testing.T) {
	safe, page := write(t, fullPage("text")), write(t, fullPage(hostile))
	names := func(tags []xml.StartElement) (out []string) {
		for _, tag := range tags {
			if tag.Name.Local != "wbr" { // where a header may be broken: at slashes
				out = append(out, tag.Name.Local)
			}
		}
		return out
	}
	want, tags := elements(t, safe), elements(t, page)
	if !slices.Equal(names(want), names(tags)) {
		t.Errorf("text became markup: %v: want %v", names(tags), names(want))
	}
	for _, tag := range tags {
		for _, a := range tag.Attr {
			name := a.Name.Local
			switch {
			case strings.HasPrefix(name, "on"), name == "srcset", name == "action", name == "style":
				t.Errorf("<%s %s=%q>", tag.Name.Local, name, a.Value)
			case name == "src" && !strings.HasPrefix(a.Value, "data:image/svg+xml;base64,"), name == "href" && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("<%s %s=%q>: want nothing from elsewhere", tag.Name.Local, name, a.Value)
			}
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts: want the page's own", n)
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;;`) {
		t.Error("the page lets the browser load what it likes")
	}
}

// Parts that assistive technology needs: a language, captions, scopes of headers, titles of pictures, unique ids.
func TestReportStructure(t *testing.T) {
	page := write(t, fullPage("text"))
	ids := map[string]bool{}
	count := map[string]int{}
	for _, tag := range elements(t, page) {
		name := tag.Name.Local
		count[name]++
		attrs := map[string]string{}
		for _, a := range tag.Attr {
			attrs[a.Name.Local] = a.Value
		}
		if id := attrs["id"]; id != "" && ids[id] {
			t.Errorf("id %s is there twice", id)
		} else {
			ids[id] = true
		}
		if name == "html" && attrs["lang"] != "en" || name == "th" && attrs["scope"] == "" || name == "img" && attrs["alt"] == "" {
			t.Errorf("<%s> with %v", name, attrs)
		}
	}
	if count["table"] == 0 || count["caption"] != count["table"] {
		t.Errorf("%d captions of %d tables", count["caption"], count["table"])
	}
	for _, tag := range elements(t, page) {
		for _, a := range tag.Attr {
			if a.Name.Local == "href" && !ids[strings.TrimPrefix(a.Value, "#")] {
				t.Errorf("link to %s, which is not there", a.Value)
			}
			if a.Name.Local == "aria-labelledby" {
				for _, id := range strings.Fields(a.Value) {
					if !ids[id] {
						t.Errorf("a label %s, which is not there", id)
					}
				}
			}
		}
	}
}

// What a cell shows of measured and published numbers.
func TestReportCells(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	tests := []struct {
		value     render.Value
		want, not []string
	}{
		{render.Value{Mean: .7431, SD: .0033, N: 3, Paper: number(.7426), Printed: "0.7426"},
			[]string{".7431 ± .0033 (3)", "paper .7426", "+.0005", `data-sort="0.7431"`}, []string{"▲</td>", "acceptance band<"}},
		{render.Value{Mean: .70, N: 1, Paper: number(.7426), Printed: "0.7426", Outside: true}, []string{"−.0426", "▼", "below the acceptance band"}, []string{"±"}},
		{render.Value{Mean: .80, N: 1, Paper: number(.7426), Printed: "0.7426", Outside: true}, []string{"+.0574", "▲", "above the acceptance band"}, nil},
		{render.Value{Paper: number(.7426), Printed: "0.7426"}, []string{"not run", `data-sort=""`, "paper .7426"}, []string{"−.7426"}},
		{render.Value{Mean: 1642, N: 1}, []string{">1,642"}, []string{"1642.0"}},
		{render.Value{Text: "OOM"}, []string{">OOM"}, []string{"not run"}},
		{render.Value{Mean: math.NaN(), SD: math.Inf(1), N: 2}, []string{"NaN"}, nil},
	}
	for _, test := range tests {
		page := write(t, webpage.Page{Tables: []render.Table{{Columns: []string{"c"}, Rows: []render.Row{{Label: "r", Values: []render.Value{test.value}}}}}})
		_, cell, _ := strings.Cut(page, "<td")
		cell, _, _ = strings.Cut(cell, "</td>")
		cell = html.UnescapeString(cell) + "</td>"
		for _, w := range test.want {
			if !strings.Contains(cell, w) {
				t.Errorf("%+v: %s: want %q", test.value, cell, w)
			}
		}
		for _, w := range test.not {
			if strings.Contains(cell, w) {
				t.Errorf("%+v: %s: want no %q", test.value, cell, w)
			}
		}
	}
}

// A table is called by its number in the paper, if it has one and does not say so itself.
func TestReportCaptions(t *testing.T) {
	for _, test := range []struct{ name, title, want string }{
		{"table3-paper", "softmax", "Table 3: softmax"}, {"table10", "Table 10: aspects", "Table 10: aspects"}, {"runs", "all runs", "all runs"}, {"tableau", "x", "x"},
	} {
		if page := write(t, webpage.Page{Tables: []render.Table{{Name: test.name, Title: test.title}}}); !strings.Contains(page, "<caption><span>"+test.want+"</span></caption>") {
			t.Errorf("%s, %q: want %q", test.name, test.title, test.want)
		}
	}
}

func TestReportWantsSVG(t *testing.T) {
	for _, text := range []string{"", "picture", "<html/>", "<svg>", "<svg/><", "\x89PNG"} {
		err := webpage.Write(io.Discard, webpage.Page{Figures: []webpage.Figure{{Name: "figure4", SVG: []byte(text)}}})
		if err == nil || !strings.Contains(err.Error(), `webpage: figure "figure4"`) {
			t.Errorf("%q: %v: want an error", text, err)
		}
	}
}
