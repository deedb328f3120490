package main

import (
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// A network of any format becomes what the other commands read.
func TestImportFiles(t *testing.T) {
	enter(t)
	write(t, "n.gml", `graph [ directed 1 node [ id 1 label "a b" ] node [ id 2 label "c" ] node [ id 3 label "d" ] edge [ source 1 target 2 weight 2 ] edge [ source 2 target 3 ] ]`)
	doc := answer[struct {
		File               string
		Directed, Weighted bool
		Vertices           int
		Notes              network.Notes
	}](t, "data", "import", "n.gml", "--out", "net")
	if !doc.Directed || !doc.Weighted || doc.Vertices != 3 || doc.Notes.Of("format").First != "gml" {
		t.Errorf("%+v", doc)
	}
	// What was written says its direction itself.
	says(t, must(t, "train", "--network", doc.File, "--method", "deepwalk", "--dim", "2", "--epochs", "1", "--out", "run", "--results", "none").err, "directed=true")
}

// How the columns of a table are to be taken is kept with a run, for the commands that look up its links.
func TestColumnsOfARun(t *testing.T) {
	enter(t)
	write(t, "t.csv", "day,who,whom\n1,a,b\n1,b,c\n2,c,d\n2,d,a\n3,a,c\n")
	must(t, "train", "--network", "t.csv", "--columns", "source=who,target=whom", "--method", "deepwalk", "--dim", "2", "--epochs", "1", "--out", "run", "--results", "none")
	says(t, must(t, "predict", "--model", "run").err, "links of t.csv, which the model was trained on")
	invoke("train", "--dataset", "cora", "--columns", "source,target").exits(t, 2, "--columns, --header and --network-format apply to the file of --network")
	invoke("train", "--network", "t.csv").exits(t, 2, "t.csv:1: weight \"whom\"")
}
