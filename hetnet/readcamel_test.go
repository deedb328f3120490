package hetnet

import (
	"reflect"
	"strings"
	"testing"
)

// camelFiles is a folder with the names and the form of Camel's published files: papers and authors are numbers, all lists begin with
// a paper and a colon but the venues, and the candidates have a comma at their end.
var camelFiles = files{
	"paper-author-list-train.txt": "0:7,8\n1:8,9\n3:7\n",
	"paper-author-list-test.txt":  "4:5,9,8\n5:5\n6:7\n",
	"author-paper-list-train.txt": "not read",
	"venue-paper-list-train.txt":  "not read",
	"APA_walk.txt":                "not read",
	"content.dict.pkl":            "not read",
	"word_embedding.txt.zip":      "not read",
	"paper-venue.txt":             "0,2\n1,0\n2,1\n3,2\n4,0\n5,0\n6,2\n",
	"paper-citation-list.txt":     "0:1,3\n1:0,1\n4:3\n",
	"paper_author_neg_ids.txt":    "4:7,5,1,7,\n5:8,\n6:1,2,\n",
	"content.pkl":                 "((lp0\n(lI2\naI3\naa(lI3\naa(lI4\naa(lI2\naI2\naa(lI5\naa(lI3\naa(lI4\naa(lI0\naI1\naI2\naI3\naI4\naI5\naI6\nat.",
}

func TestReadCamel(t *testing.T) {
	b, report, err := readFolder(camelFiles.folder())
	if err != nil {
		t.Fatal(err)
	}
	want := &Bibliography{
		Name: "dir", Authors: []string{"7", "8", "9"}, Venues: []string{"2", "0"}, Words: []string{"2", "3", "5", "4"},
		Train: []int32{0, 1, 2}, Test: []int32{3, 4},
		Papers: []Paper{
			{Name: "0", Venue: 0, Authors: []int32{0, 1}, Cites: []int32{1, 2}, Tokens: []int32{0, 1}},
			{Name: "1", Venue: 1, Authors: []int32{1, 2}, Cites: []int32{0}, Tokens: []int32{1}},
			{Name: "3", Venue: 0, Authors: []int32{0}, Tokens: []int32{0, 0}},
			{Name: "4", Venue: 1, Authors: []int32{2, 1}, Cites: []int32{2}, Tokens: []int32{2}, Candidates: []int32{0, 0}},
			{Name: "6", Venue: 0, Authors: []int32{0}, Tokens: []int32{3}},
		},
	}
	if drawn := b.Papers[4].Candidates; len(drawn) != 2 || drawn[0] == 0 || drawn[1] == 0 {
		t.Errorf("candidates %v of a paper whose published ones are all unknown: want others than its author", drawn)
	}
	want.Papers[4].Candidates = b.Papers[4].Candidates
	if !reflect.DeepEqual(b, want) {
		t.Errorf("got  %+v\nwant %+v", b, want)
	}
	wantReport := Report{
		Layout: LayoutLists, Texts: "content.pkl", Train: 3, Test: 2, Authors: 3, Venues: 2, Words: 4, Pairs: 5, TestPairs: 3, Citations: 4,
		UnknownAuthors: 1, UnknownPapers: 1, UnknownCitations: 1, UnknownCandidates: 4, Strangers: 3, RepeatedCandidates: 1, Drawn: 1,
	}
	if report != wantReport {
		t.Errorf("got  %+v\nwant %+v", report, wantReport)
	}

	// Each of the two files alone says that candidates are called by their own numbers.
	for _, name := range []string{"paper-venue.txt", "paper-citation-list.txt"} {
		if _, r, err := readFolder(camelFiles.with(name, "").folder()); err != nil || r.UnknownCandidates != 4 {
			t.Errorf("without %s: error %v, report %+v", name, err, r)
		}
	}
	for _, c := range []struct{ file, text, want string }{
		{"paper_conf.txt", "0\t1\n", "has both paper_conf.txt and paper-venue.txt: want one of them"},
		{"paper_paper.txt", "0\t1\n", "has both paper_paper.txt and paper-citation-list.txt: want one of them"},
		{"paper-venue.txt", "0\t1\n", `paper-venue.txt:1: "0\t1" has no comma: want a paper, a comma and a venue`},
		{"paper-venue.txt", "0,1\n0,2\n", `paper-venue.txt:2: a venue of paper "0" again`},
		{"paper-citation-list.txt", "0,1\n", `paper-citation-list.txt:1: "0,1" has no colon`},
		{"paper-citation-list.txt", "0:1\n0:3\n", `paper-citation-list.txt:2: what paper "0" cites again`},
		{"paper_author_neg_ids.txt", "4:9,\n", `paper_author_neg_ids.txt:1: candidate "9" is an author of paper "4"`},
		{"paper_author_neg_ids.txt", "4\n", `paper_author_neg_ids.txt:1: "4" has no colon`},
		{"content.pkl", "x", "content.pkl"},
		{"content.pkl", "", "has no words of papers"},
		{"paper-author-list-train.txt", "0\n", `paper-author-list-train.txt:1: "0" has no colon`},
	} {
		t.Run(c.file, func(t *testing.T) {
			if _, _, err := readFolder(camelFiles.with(c.file, c.text).folder()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
		})
	}
	// Cut off anywhere it is an error with the file, or has no more than the whole.
	for name, text := range camelFiles {
		for i := 0; i < len(text) && text != "not read"; i += 2 {
			b, _, err := readFolder(camelFiles.with(name, text[:i]).folder())
			if err == nil && len(b.Papers) > 5 || err != nil && !strings.Contains(err.Error(), "dir") {
				t.Errorf("%s cut off after %d bytes: error %v", name, i, err)
			}
		}
	}
}
