package main

import "testing"

// What TestBadInput asks for, of methods on papers and authors.
func TestBadBibliography(t *testing.T) {
	karate(t)
	write(t, "file", "I am in the way\n")
	write(t, "unknown.vec", "2 2\na 1 2\nb 3 4\n")
	write(t, "data/cora/edges.tsv", read(t, "karate.tsv"))
	must(t, "data", "generate", "bibliography", "--authors", "30", "--papers", "60", "--topics", "3", "--vocabulary", "40", "--references", "0", "--out", "papers")
	write(t, "few/papers.tsv", "a\ttrain\t\tX,Y\t\tw v\nb\ttest\t\tX\t\tw\n")
	write(t, "many/dblp/papers.tsv", "a\ttrain\t\tX,Y\t\tw v\nb\ttest\t\tX\t\tw\n")
	papers := func(dir string, args ...string) []string {
		return append([]string{"train", "--method", "camel", "--bibliography", dir}, args...)
	}
	on := func(args ...string) []string { return append([]string{"train", "--network", "karate.tsv"}, args...) }
	for _, c := range []struct {
		name string
		args []string
		want []string // all of them in the message
	}{
		{"method of links on papers", []string{"train", "--bibliography", "papers", "--method", "asp2vec"}, []string{"papers has papers and authors", "--method asp2vec learns", "want --method m2v++, camel, tapem, asp2vec-het, prototype"}},
		{"method of papers on links", on("--method", "camel"), []string{"--method camel learns from heterogeneous networks", "want --schema DIR, or --dataset dblp or --bibliography DIR"}},
		{"method of papers on a data set of links", []string{"train", "--dataset", "cora", "--data", "data", "--method", "asp2vec-het"}, []string{"--method asp2vec-het", "want --schema DIR, or --dataset dblp"}},
		{"no such bibliography", papers("nowhere"), []string{"nowhere", "no such file"}},
		{"bibliography is a file", papers("file"), []string{"file", "file is a file: want a folder"}},
		{"empty bibliography", papers(""), []string{`--bibliography ""`}},
		{"two data with papers", papers("papers", "--network", "karate.tsv"), []string{"--network and --bibliography", "want one"}},
		{"meta-path of unknown types", papers("papers", "--meta-paths", "AXA"), []string{`"AXA": no type with the initial "X"`, "author-paper and back, paper-venue and back, paper-paper"}},
		{"meta-path that is open", papers("papers", "--meta-paths", "APP"), []string{`"APP"`, "its links cites go one way"}},
		{"meta-path without an end", papers("papers", "--meta-paths", "APA,"), []string{`meta-paths = "APA,"`, "want such as APA"}},
		{"meta-path that nothing follows", papers("papers", "--meta-paths", "APPA"), []string{"APPA"}},
		{"aspect context", []string{"train", "--bibliography", "papers", "--method", "asp2vec-het", "--aspect-context", "town"}, []string{`aspect-context = "town": no type "town"`, "both, or types of papers"}},
		{"aspect context off the path", []string{"train", "--bibliography", "papers", "--method", "asp2vec-het", "--word-dim", "4", "--aspect-context", "venue"}, []string{`aspect-context = "venue": venue is on no meta-path`}},
		{"aspect context of Camel", papers("papers", "--aspect-context", "paper"), []string{"--aspect-context", "camel", "asp2vec-het"}},
		{"no such word vectors", papers("papers", "--word-vectors", "nowhere.vec"), []string{"nowhere.vec", "no such file"}},
		{"word vectors of other words", papers("papers", "--word-vectors", "unknown.vec"), []string{"unknown.vec has none of the"}},
		{"too few test papers", papers("few", "--word-dim", "4"), []string{"1 papers whose authors are to be identified", "at least 3"}},
		{"split: typed data set", []string{"split", "--dataset", "dblp", "--out", "s"}, []string{"unknown flag --dataset"}},
		{"walk: typed data set", []string{"walk", "--dataset", "dblp", "--data", "many"}, []string{"DBLP", "papers and authors", "one type"}},
		{"check: meta-paths", []string{"check", "--method", "camel", "--meta-paths", "apa"}, []string{`meta-paths = "apa"`}},
	} {
		refused(t, c.name, c.args, c.want...)
	}
}
