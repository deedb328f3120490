package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/report"
	"github.com/urfave/cli/v2"
)

// invokeReport runs the command by itself.
func invokeReport(args ...string) ran {
	var out, errs bytes.Buffer
	p := program{in: strings.NewReader(""), out: &out, err: &errs}
	app := &cli.App{Writer: &out, ErrWriter: &errs, Flags: globalFlags(), Commands: []*cli.Command{p.reportCommand()},
		ExitErrHandler: func(*cli.Context, error) {}, Before: p.applyGlobalFlags}
	if err := app.RunContext(context.Background(), append([]string{"asp2vec"}, args...)); err != nil {
		return ran{exitCode(err), out.String(), errs.String() + message(err)}
	}
	return ran{0, out.String(), errs.String()}
}

// The committed records make a page; figures beside the store are in it.
func TestReport(t *testing.T) {
	text, err := os.ReadFile("../../results/measured/runs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	enter(t)
	write(t, "store/runs.jsonl", string(text)+"{torn\n")
	write(t, "store/figures/figure4.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	for _, store := range []string{"store", "store/runs.jsonl"} {
		r := invokeReport("report", "--store", store, "--out", "page")
		if r.code != 0 || !strings.Contains(r.out, "1 figures") || !strings.Contains(r.out, "asp2vec-over-deepwalk") {
			t.Fatalf("exit code %d\n%s%s", r.code, r.out, r.err)
		}
		if !strings.Contains(r.err, "runs.jsonl:") {
			t.Errorf("nothing is said of the line that is no record: %q", r.err)
		}
		page, err := os.ReadFile(filepath.Join("page", reportFile))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Filmtrust", "Figure 4: ", "<span>Table 3: ", "0.7431"} { // asp2vec on Filmtrust under the paper's protocol
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("the page lacks %q", want)
			}
		}
	}
}

func TestReportBadInput(t *testing.T) {
	enter(t)
	write(t, "store/runs.jsonl", "")
	if r := invokeReport("report", "--out", "page", "--store", "store"); r.code != 0 {
		t.Errorf("an empty store: exit code %d, %s", r.code, r.err)
	}
	write(t, "site/index.html", "<title>my page</title>")
	if r := invokeReport("report", "--out", "site", "--store", "store"); r.code != 2 || !strings.Contains(r.err, "site/index.html exists") || read(t, "site/index.html") != "<title>my page</title>" {
		t.Errorf("another page: exit code %d, %s", r.code, r.err)
	}
	if r := invokeReport("report", "--out", "site", "--store", "store", "--force"); r.code != 0 || !strings.Contains(read(t, "site/index.html"), report.Title) {
		t.Errorf("another page with --force: exit code %d, %s", r.code, r.err)
	}
}
