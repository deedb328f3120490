package results_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// browse opens a page in a headless browser, and returns the document after its scripts have run, and what was logged.
func browse(t *testing.T, page string) (document, log string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium to look at the page with")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "index.html")
	if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--dump-dom", "file://"+path)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, 10*time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Skip("the browser did not come to an end")
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Skipf("the browser does not work here: %v", err)
	}
	return out.String(), errs.String()
}

// console finds messages of the page itself.
var console = regexp.MustCompile(`.*CONSOLE.*`)

// A page of hostile text raises no error, runs no script but its own, and asks nobody for anything.
func TestReportInBrowser(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	page := fullPage(strings.ReplaceAll(hostile, "http://example.com", server.URL))
	page.Figures[0].SVG = bytes.ReplaceAll(page.Figures[0].SVG, []byte("http://example.com"), []byte(server.URL))
	document, log := browse(t, write(t, page))
	if found := console.FindAllString(log, -1); found != nil {
		t.Errorf("the console says %q", found)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests: want none", n)
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
	page := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(write(t, fullPage("x")), "") // the page allows no other script
	document, _ := browse(t, strings.Replace(page, "</body>", script, 1))
	_, seen, _ := strings.Cut(document, `data-seen="`)
	seen, _, _ = strings.Cut(seen, `"`)
	const want = "0 ascending xa xb xc; " +
		"1 ascending xc xb xa; 1 descending xa xb xc; " + // .1, .75, .8
		"3 ascending xc xa xb; 3 descending xc xa xb" // one number: the others were never run
	if seen != want {
		t.Errorf("%s: want %s", seen, want)
	}
}

// On a phone no header of a row is wider than its cell, where it would cover the numbers beside it.
func TestReportOnAPhone(t *testing.T) {
	const script = `<script>
if (window === top) {
  var phone = document.createElement("iframe");
  phone.style.width = "360px";
  phone.srcdoc = document.documentElement.outerHTML;
  phone.onload = function () {
    var main = phone.contentDocument.querySelector("main"), cells = "<td>.1234 ± .0123</td>".repeat(6);
    main.innerHTML = "<div class=box><table class=figures><tbody><tr><th>dim=200/asp2vec-het</th>" + cells + "</tr></tbody></table></div>";
    var headers = main.querySelectorAll("th");
    var wide = Array.prototype.filter.call(headers, function (th) { return th.scrollWidth > th.clientWidth + 1; });
    document.body.setAttribute("data-seen", headers.length + " headers, too wide: " + wide.map(function (th) { return th.textContent; }).join(" "));
  };
  document.body.appendChild(phone);
}
</script></body>`
	page := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(write(t, fullPage("dim=200/asp2vec-het")), "")
	document, _ := browse(t, strings.Replace(page, "</body>", script, 1))
	_, seen, _ := strings.Cut(document, `data-seen="`)
	seen, _, _ = strings.Cut(seen, `"`)
	if count, wide, _ := strings.Cut(seen, " headers, too wide: "); count == "" || count == "0" || wide != "" {
		t.Errorf("seen %q: want headers, none of them too wide", seen)
	}
}
