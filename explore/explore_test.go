package explore

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/headless"
)

const hostile = `</script><script>document.title="taken"</script><img src=x onerror=document.title="taken">&"'` + "\u2028"

// example is a page of n vertices in a ring, each with two aspects: in the first those after it are near, in the second those
// across.
func example(n int) Page {
	p := Page{Title: hostile, Note: "a note", First: []int32{0}}
	c := Coloring{Title: "label <b>"}
	for g := range 9 {
		c.Names = append(c.Names, fmt.Sprintf("group %d", g))
	}
	for v := range n {
		p.Names = append(p.Names, fmt.Sprintf("vertex %d", v))
		angle := 2 * math.Pi * float64(v) / float64(n)
		p.At = append(p.At, math.Cos(angle), math.Sin(angle))
		list := func(steps ...int) (near []eval.Neighbor) {
			for i, s := range steps {
				near = append(near, eval.Neighbor{Row: int32((v + s) % n), Cosine: .9 - .25*float64(i)})
			}
			return near
		}
		p.Near = append(p.Near, list(1, n-1))
		p.Aspects = append(p.Aspects, list(1, 2), list(n/2, n/2+1))
		p.First = append(p.First, int32(2*v+2))
		p.Counts, p.Groups = append(p.Counts, 1, 1), append(p.Groups, int32(v%3), int32(v%3+7))
		p.Links = append(p.Links, []int32{int32((v + 1) % n), int32((v + n - 1) % n)})
		c.Of = append(c.Of, int32(v%9))
		c.All = append(c.All, []int32{0, 8})
	}
	p.Names[3] = hostile
	p.Colorings = []Coloring{c}
	return p
}

func written(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	call.OK(t, Write(&b, p))
	return b.String()
}

// Names are text: none ends the element that it is in.
func TestWriteHostile(t *testing.T) {
	page := written(t, example(20))
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "<img") {
		t.Errorf("%d scripts: expected the data and the page's own", n)
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("the page asks for something else")
	}
	if page != written(t, example(20)) {
		t.Error("the same page is written otherwise")
	}
}

// script is run after the page's own, which then is not the only one that the page allows.
func with(page, script string) string {
	page = regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(page, "")
	return strings.Replace(page, "</body>", "<script>"+script+`document.body.setAttribute("data-seen", seen.join("; "));</script></body>`, 1)
}

func seen(document string) string {
	_, text, _ := strings.Cut(document, `data-seen="`)
	text, _, _ = strings.Cut(text, `"`)
	return text
}

// With its policy the page runs, shows hostile names as text, and logs no error.
func TestInBrowser(t *testing.T) {
	document, log := headless.Open(t, written(t, example(20)))
	if found := headless.Console(log); found != nil {
		t.Errorf("the console says %q", found)
	}
	if !strings.Contains(document, "<h2>20 vertices</h2>") || strings.Contains(document, "<title>taken") || strings.Contains(document, "<img") {
		t.Errorf("the page's own script did not run, or another did: %.2000s", document)
	}
}

// Someone searches by keyboard, sees a vertex's aspects, goes on to a neighbour, changes colours, and picks a vertex on the map.
func TestUse(t *testing.T) {
	const script = `
var seen = [], panel = document.getElementById("panel"), input = document.getElementById("search"), canvas = document.getElementById("map");
function key(where, name) { where.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })); }
function type(text) { input.value = text; input.dispatchEvent(new Event("input")); }
function title() { return panel.querySelector("h2").textContent; }
key(document.body, "/");
seen.push(document.activeElement === input);
type("VERTEX 1");
seen.push(document.querySelectorAll("#found li").length + " " + document.querySelector("#found [aria-selected=true]").textContent);
key(input, "ArrowDown"); key(input, "Enter");
seen.push(title());
seen.push(Array.prototype.map.call(panel.querySelectorAll("h3 > span:not(.dot)"), function (e) { return e.textContent; }).join(", "));
seen.push(Array.prototype.map.call(panel.querySelectorAll("ol:first-of-type li"), function (e) { return e.textContent; }).slice(0, 2).join(", "));
seen.push(Array.prototype.map.call(panel.querySelectorAll("p"), function (e) { return e.textContent; }).slice(0, 2).join(", "));
panel.querySelectorAll("h3 button")[1].click();
seen.push(panel.querySelectorAll("h3 button[aria-pressed=true]").length);
seen.push(document.getElementById("color").selectedOptions[0].textContent);
panel.querySelector("li button").focus();
panel.querySelector("li button").click();
seen.push(title() + " " + decodeURIComponent(location.hash) + " " + document.activeElement.tagName);
type("script>");
key(input, "Enter");
seen.push(title().slice(0, 9));
var color = document.getElementById("color"), legend = document.getElementById("key");
seen.push(legend.textContent);
key(document.body, "Escape");
seen.push(title());
seen.push(legend.children.length);
color.value = 1; color.dispatchEvent(new Event("change"));
seen.push(legend.children.length);
type("nobody at all"); seen.push(document.querySelector("#found .none") !== null);
var r = canvas.getBoundingClientRect(), x = r.left + r.width / 2 + (Math.min(r.width, r.height) - 40) / 2, y = r.top + r.height / 2;
["pointerdown", "pointerup"].forEach(function (name) { canvas.dispatchEvent(new PointerEvent(name, { clientX: x, clientY: y, pointerId: 1, bubbles: true })); });
seen.push(title());
key(canvas, "+"); key(canvas, "ArrowLeft"); key(canvas, "0");
`
	document, log := headless.Open(t, with(written(t, example(20)), script), "--window-size=1200,800")
	if found := headless.Console(log); found != nil {
		t.Errorf("the console says %q", found)
	}
	const want = "true; 11 vertex 1; vertex 10; " +
		"Aspect 1, group 2, 1 link, Aspect 2, group 9, 1 link, Near by the final vectors; • vertex 110.90, vertex 120.65; 2 links; below, • marks whom it is linked with, label &lt;b&gt;: group 0, group 8; " +
		"1; aspects of the vertex; vertex 11 #vertex 11 H2; &lt;/script&gt;; near in aspect 1near in aspect 2; 20 vertices; 8; 0; true; vertex 0"
	if got := seen(document); got != want {
		t.Errorf("seen\n%s\nwant\n%s", got, want)
	}
}
