package report

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/headless"
	"github.com/asp2vec/asp2vec/results/render"
)

// A page of hostile text raises no error, runs no script but its own, and asks nobody for anything.
func TestReportInBrowser(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	page := fullPage(strings.ReplaceAll(hostile, "http://example.com", server.URL))
	pictures := page.Sections[1].Pictures
	pictures[0].SVG = bytes.ReplaceAll(pictures[0].SVG, []byte("http://example.com"), []byte(server.URL))
	document, log := headless.Open(t, written(t, page))
	if found := headless.Console(log); found != nil {
		t.Errorf("the console says %q", found)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests: expected none", n)
	}
	if !strings.Contains(document, "<button") {
		t.Error("the page's own script did not run")
	}
}

// A click on a header sorts by it, a second one the other way, and what was never run stays last.
func TestReportSorts(t *testing.T) {
	const script = `<script>
var headers = document.querySelectorAll("table.figures thead th"), seen = [];
[0, 1, 1, 3, 3].forEach(function (i) {
  headers[i].querySelector("button").click();
  var rows = Array.prototype.map.call(document.querySelectorAll("table.figures tbody th"), function (th) { return th.textContent; });
  seen.push(i + " " + headers[i].getAttribute("aria-sort") + " " + rows.join(" "));
});
document.body.setAttribute("data-seen", seen.join("; "));
</script></body>`
	page := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(written(t, fullPage("x")), "") // the page allows no other script
	document, _ := headless.Open(t, strings.Replace(page, "</body>", script, 1))
	_, seen, _ := strings.Cut(document, `data-seen="`)
	seen, _, _ = strings.Cut(seen, `"`)
	const want = "0 ascending xa xb xc; " +
		"1 ascending xc xb xa; 1 descending xa xb xc; " + // .1, .75, .8
		"3 ascending xc xa xb; 3 descending xc xa xb" // one number: the others were never run
	if seen != want {
		t.Errorf("%s: expected %s", seen, want)
	}
}

// However wide its tables are, the page itself never scrolls sideways.
func TestReportIsNoWiderThanItsWindow(t *testing.T) {
	page := fullPage("x")
	table := &page.Sections[0].Tables[0]
	for range 60 {
		table.Columns = append(table.Columns, "column")
		for i := range table.Rows {
			table.Rows[i].Values = append(table.Rows[i].Values, render.Value{})
		}
	}
	text := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(written(t, page), "")
	const script = `<script>document.body.setAttribute("data-seen", document.documentElement.scrollWidth <= innerWidth);</script></body>`
	if document, _ := headless.Open(t, strings.Replace(text, "</body>", script, 1)); !strings.Contains(document, `data-seen="true"`) {
		t.Error("the page scrolls sideways")
	}
}
