// Package webpage writes the report: one HTML file with tables, charts, claims and figures that needs no network.
package webpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/results/render"
)

// Page is a report on a store of records: what its one HTML page shows, from the top. Parts that are empty are left out.
type Page struct {
	Title     string
	Lead      []string // paragraphs on what this is
	Facts     []Fact
	Own       []Listing // of the user's own data, before all else
	ClaimRule string    // how claims get their verdicts
	Claims    []Claim
	Tables    []render.Table
	Curves    []Figure // of training
	CurveNote string   // what they show, and what not
	Figures   []Figure
	Listings  []Listing // runs, those that failed first
}

// Fact is a line of the summary.
type Fact struct{ Name, Value string }

// Claim is something that the paper says, with a verdict under each protocol.
type Claim struct {
	Name, Text string
	Verdicts   []Verdict
}

// Verdict is what the records say of a claim under one protocol.
type Verdict struct {
	Protocol string
	Verdict  string // "supported", "not supported" or anything else, which counts as undecided
	Evidence []string
}

// Figure is a picture made elsewhere.
type Figure struct {
	Name, Caption string
	SVG           []byte
}

// Listing is a table of text: what a reader may want to look up.
type Listing struct {
	Title   string
	Text    string
	Columns []string
	Rows    [][]string
	Folded  bool // shown when asked for
}

//go:embed html/page.tmpl
var pageText string

//go:embed html/style.css
var pageStyle string

//go:embed html/sort.js
var pageScript string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"cell": newCellView, "picture": picture, "icon": verdictIcon,
		"width": widthClass, "outside": anyOutside, "caption": tableCaption, "parts": func(s string) []string { return strings.Split(s, "/") },
		"short": func(s string) bool { return len(s) <= 20 }, // one number with its spread, or a date: not broken into lines
	}).Parse(pageText))
})

// Write writes the page as one HTML document that needs nothing else: no network, no other file, no script to be read.
//
// All text of the page is taken as text, whatever is in it. The document forbids the browser to load anything or to run any
// script but its own. It returns an error for a figure that is no SVG.
func Write(w io.Writer, page Page) error {
	for _, f := range slices.Concat(page.Curves, page.Figures) {
		if err := checkSVG(f.SVG); err != nil {
			return fmt.Errorf("webpage: figure %q: %w: want SVG", f.Name, err)
		}
	}
	hash := sha256.Sum256([]byte(pageScript))
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, map[string]any{
		"Page": page, "Style": template.CSS(pageStyle), "Script": template.JS(pageScript),
		"Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'",
	})
	if err != nil {
		return fmt.Errorf("webpage: report: %w", err)
	}
	_, err = io.WriteString(w, render.Safe(b.String()))
	return err
}

// picture returns the address of a picture that holds all of it. Browsers run no script and load nothing in such a picture.
func picture(f Figure) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(f.SVG))
}

// checkSVG returns an error if text is not XML whose root is svg.
func checkSVG(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	root := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if root != "svg" {
				return fmt.Errorf("root %q", root)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
	}
}

// cellView is a table's cell as the page shows it.
type cellView struct {
	render.Shown
	Sort    string // a number to sort by, or ""
	Missing bool   // never run
	Outside string // "above" or "below" the band, or ""
}

func newCellView(v render.Value, column string) cellView {
	c := cellView{Shown: v.Show(column), Missing: v.N == 0 && v.Text == ""}
	if v.N > 0 && v.Text == "" {
		c.Sort = strconv.FormatFloat(v.Mean, 'g', -1, 64)
	}
	if v.Outside && c.Difference != "" {
		c.Outside = "above"
		if v.Mean < *v.Paper {
			c.Outside = "below"
		}
	}
	return c
}

func anyOutside(t render.Table) bool {
	return slices.ContainsFunc(t.Rows, func(r render.Row) bool {
		return slices.ContainsFunc(r.Values, func(v render.Value) bool { return v.Outside })
	})
}

// widthClass says how a table with so many columns must be squeezed on paper.
func widthClass(columns []string) string {
	switch {
	case len(columns) > 12:
		return " wide widest"
	case len(columns) > 6:
		return " wide"
	}
	return ""
}

var tableNumber = regexp.MustCompile(`^table(\d+)`)

// tableCaption returns the title, with the number that the table has in the paper.
func tableCaption(t render.Table) string {
	if number := tableNumber.FindStringSubmatch(t.Name); number != nil && !strings.HasPrefix(t.Title, "Table ") {
		return "Table " + number[1] + ": " + t.Title
	}
	return t.Title
}

// verdictIcon returns a sign that stands beside a verdict, and the class it is drawn in.
func verdictIcon(verdict string) (icon struct{ Sign, Class string }) {
	icon.Sign, icon.Class = "?", "open"
	switch verdict {
	case "supported":
		icon.Sign, icon.Class = "✓", "yes"
	case "not supported":
		icon.Sign, icon.Class = "✗", "no"
	}
	return icon
}
