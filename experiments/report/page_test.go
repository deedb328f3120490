package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results/render"
)

// hostile is text that would be markup, script or a template if it were taken for that.
const hostile = `"><script>alert(1)</script><img src="http://example.com/x" onerror='alert(1)'>{{.}}</style></title><!-- ]]>&amp;` + "\x00\u2028"

// fullPage is a page with every part, whose texts are all text.
func fullPage(text string) Page {
	paper := 0.7426
	value := func(mean float64, n int) render.Value {
		return render.Value{Mean: mean, SD: 0.002, N: n, Paper: &paper, Printed: "0.7426", Outside: math.Abs(mean-paper) > 0.015}
	}
	return Page{Title: text, Lead: []string{text}, Sections: []Section{
		{Title: text, Note: text, Tables: []render.Table{{Name: text, Title: text, Corner: text, Columns: []string{text, text, text}, Notes: []string{text}, Rows: []render.Row{
			{Label: text + "b", Values: []render.Value{value(0.75, 3), {Text: text, Printed: text}, {}}},
			{Label: text + "a", Values: []render.Value{value(0.8, 1), {Text: text}, value(0, 0)}},
			{Label: text + "c", Values: []render.Value{value(0.1, 2), {Text: text}, value(0.7, 2)}},
		}}}},
		{Title: text, Folded: true, Pictures: []Picture{{text, []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script><image href="http://example.com/x"/></svg>`)}}},
	}}
}

func written(t *testing.T, page Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, page); err != nil {
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
	safe, page := written(t, fullPage("text")), written(t, fullPage(hostile))
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
		t.Errorf("text became markup: %v: expected %v", names(tags), names(want))
	}
	ids := map[string]bool{}
	for _, tag := range tags {
		for _, a := range tag.Attr {
			name := a.Name.Local
			switch {
			case name == "id" && ids[a.Value]:
				t.Errorf("id %s is there twice", a.Value)
			case name == "id":
				ids[a.Value] = true
			case strings.HasPrefix(name, "on"), name == "srcset", name == "action", name == "style":
				t.Errorf("<%s %s=%q>", tag.Name.Local, name, a.Value)
			case name == "src" && !strings.HasPrefix(a.Value, "data:image/svg+xml;base64,"), name == "href" && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("<%s %s=%q>: expected nothing from elsewhere", tag.Name.Local, name, a.Value)
			}
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts: expected the page's own", n)
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;;`) {
		t.Error("the page lets the browser load what it likes")
	}
}

// A cell shows measured and published numbers, and a table is called by its number in the paper.
func TestReportCells(t *testing.T) {
	number := .7426
	for _, test := range []struct {
		value render.Value
		want  []string
	}{
		{render.Value{Mean: .7431, SD: .0033, N: 3, Paper: &number, Printed: "0.7426"}, []string{".7431 ± .0033 (3)", "paper .7426", "+.0005", `data-sort="0.7431"`}},
		{render.Value{Mean: .70, N: 1, Paper: &number, Printed: "0.7426", Outside: true}, []string{"−.0426", "outside of the acceptance band"}},
		{render.Value{Paper: &number, Printed: "0.7426"}, []string{"not run", `data-sort=""`, "paper .7426"}},
		{render.Value{Text: "OOM"}, []string{">OOM", `class="text"`}},
	} {
		page := written(t, Page{Sections: []Section{{Tables: []render.Table{{Name: "table3-paper", Title: "softmax", Columns: []string{"c"}, Rows: []render.Row{{Label: "r", Values: []render.Value{test.value}}}}}}}})
		page = strings.ReplaceAll(page, "&#43;", "+")
		for _, w := range append(test.want, "<caption><span>Table 3: softmax</span></caption>") {
			if !strings.Contains(page, w) {
				t.Errorf("%+v: expected %q in\n%s", test.value, w, page)
			}
		}
	}
}
