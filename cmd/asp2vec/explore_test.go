package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The page holds the run's vertices and all that colours can say, whatever the number of threads.
func TestExplore(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	d := decode[exploreDoc](t, must(t, "explore", "run", "--labels", "karate.memberships.tsv", "--out", "a.html", "--threads", "1", "--json").out)
	must(t, "explore", "--model", "run", "--labels", "karate.memberships.tsv", "--out", "b.html", "--threads", "2")
	if page := read(t, "a.html"); page != read(t, "b.html") || len(page) != d.Bytes {
		t.Error("another number of threads gives another page")
	}
	if d.Vertices != 34 || strings.Join(d.Colors, ", ") != "label, community, most used aspect" {
		t.Errorf("%+v", d)
	}
	for _, model := range []string{"personas", "run/embedding.vec"} { // several vectors each, and one without a record
		must(t, "explore", model, "--map", "pca", "--out", "c.html", "--force")
	}
	hostileVectors(t)
	must(t, "explore", "hostile.vec", "--out", "h.html")
	if page := read(t, "h.html"); strings.Contains(page, "<b>") || strings.Contains(page, "\x1b") {
		t.Error("a name stands in the page as it is")
	}
}

// --serve shows the page to this machine alone, until it is stopped.
func TestExploreServe(t *testing.T) {
	enter(t)
	write(t, "v.vec", "3 2\na 1 0\nb 3 4\nc 2 0\n")
	ctx, stop := context.WithCancel(context.Background())
	read, write := io.Pipe()
	ended := make(chan ran)
	go func() {
		ended <- invokeWith(ctx, program{out: write}, "explore", "v.vec", "--serve", "--port", "0", "--json")
	}()
	var d exploreDoc
	if err := json.NewDecoder(read).Decode(&d); err != nil {
		t.Fatal(err)
	}
	get := func(path, host string) (int, string) {
		r, err := http.NewRequest("GET", strings.TrimSuffix(d.Address, "/")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(resp.Body); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, b.String()
	}
	if code, page := get("/", ""); code != 200 || len(page) != d.Bytes {
		t.Errorf("%d and %d bytes: want the page of %d", code, len(page), d.Bytes)
	}
	if code, page := get("/", "example.com:80"); code != 403 || len(page) > 100 {
		t.Errorf("another name for this machine gets %d and %d bytes: want none", code, len(page))
	}
	if code, _ := get("/etc/passwd", ""); code != 404 {
		t.Errorf("another path gets %d", code)
	}
	stop()
	if r := <-ended; r.code != 0 {
		t.Errorf("exit code %d after it was stopped: %s", r.code, r.err)
	}
}

func TestExploreBadInput(t *testing.T) {
	enter(t)
	write(t, "v.vec", "3 2\na 1 0\nb 3 4\nc 2 0\n")
	write(t, "mine.html", "mine")
	for args, want := range map[string]string{
		"v.vec":                            "nowhere to show the page",
		"v.vec --out mine.html":            "--force",
		"v.vec --out x.html --port 80":     "--port without --serve",
		"v.vec --serve --port 70000":       "want 0 to 65535",
		"v.vec --out x.html --top 0":       "--top 0",
		"--out x.html":                     "no embedding given",
		"none.vec --out x.html":            "none.vec",
		"v.vec --out x.html --labels none": "none",
		"v.vec --out x.html --map no":      "want one of tsne, pca",
	} {
		if r := invoke(append([]string{"explore"}, strings.Fields(args)...)...); r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("explore %s: exit code %d, %q: want 2 and %q", args, r.code, r.err, want)
		}
	}
	if _, err := os.Stat("x.html"); err == nil || read(t, "mine.html") != "mine" {
		t.Error("a command that was refused has written")
	}
}
