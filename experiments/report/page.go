package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Page is what one HTML page shows, from the top.
type Page struct {
	Title    string
	Lead     []string // paragraphs on what this is
	Sections []Section
}

// Section is tables and pictures under a heading.
type Section struct {
	Title, Note string
	Tables      []render.Table
	Pictures    []Picture
	Folded      bool // shown when asked for
}

// Picture is one made elsewhere.
type Picture struct {
	Caption string
	SVG     []byte
}

//go:embed html/page.tmpl
var pageText string

//go:embed html/style.css
var pageStyle string

//go:embed html/sort.js
var pageScript string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"cells": cells, "picture": picture, "width": widthClass, "caption": tableCaption, "parts": func(s string) []string { return strings.Split(s, "/") },
	}).Parse(pageText))
})

// Write writes the page as one HTML document that needs nothing else: no network, no other file, no script to be read.
//
// All text of the page is taken as text, whatever is in it. The document forbids the browser to load anything or to run any
// script but its own. It returns an error where w fails.
func Write(w io.Writer, page Page) error {
	hash := sha256.Sum256([]byte(pageScript))
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, map[string]any{
		"Page": page, "Style": template.CSS(pageStyle), "Script": template.JS(pageScript),
		"Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'",
	})
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = io.WriteString(w, render.Safe(b.String()))
	return err
}

// picture returns the address of a picture that holds all of it. Browsers run no script and load nothing in such a picture.
func picture(p Picture) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(p.SVG))
}

// row is a table's row as the page shows it.
type row struct {
	Label string
	Cells []cell
}

type cell struct {
	render.Shown
	Sort    string // a number to sort by, or ""
	Missing bool   // never run
	Outside bool   // of the band around the paper's number
}

func cells(t render.Table) []row {
	return seq.Map(t.Rows, func(r render.Row) row {
		x := row{Label: r.Label}
		for j, v := range r.Values {
			c := cell{Shown: v.Show(t.Columns[j]), Missing: v.N == 0 && v.Text == "", Outside: v.Outside}
			if v.N > 0 && v.Text == "" {
				c.Sort = strconv.FormatFloat(v.Mean, 'g', -1, 64)
			}
			x.Cells = append(x.Cells, c)
		}
		return x
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
