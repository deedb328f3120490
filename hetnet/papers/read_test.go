package papers

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// table is a folder of the first layout with something of everything.
var table = files{
	"papers.tsv": `#paper	split	venue	authors	references	tokens
10	train	VLDB	Ann Lee,Bob	11,12,11,10,20,99	fast joins of fast streams
11	train	KDD	Bob, Cyd	10	graphs
12	train			10,10	
13	train	VLDB	Ann Lee,Ann Lee		joins

20	test	ICML	Dan,Cyd,Bob,Cyd	10,20,21	fast graphs streams
21	test	ICML	Dan,Eve	10	unheard of
22	test	KDD	Ann Lee		
`,
	"candidates.tsv": "# of test papers\n22\tBob,Cyd,Bob\n21\tBob\n",
}

func TestReadTable(t *testing.T) {
	b, notes, err := table.read(t)
	if err != nil {
		t.Fatal(err)
	}
	want := flat{
		Name: "dir", Authors: []string{"Ann Lee", "Bob", "Cyd"}, Venues: []string{"VLDB", "KDD", "ICML"},
		Words: []string{"fast", "joins", "of", "streams", "graphs"},
		Train: []int32{0, 1, 2, 3}, Test: []int32{4, 5},
		Papers: []Paper{
			{Question: typed.Question{Name: "10", Text: []int32{0, 1, 2, 0, 3}, Own: []int32{0, 1}}, Venue: 0, Cites: []int32{1, 2}},
			{Question: typed.Question{Name: "11", Text: []int32{4}, Own: []int32{1, 2}}, Venue: 1, Cites: []int32{0}},
			{Question: typed.Question{Name: "12"}, Venue: -1, Cites: []int32{0}},
			{Question: typed.Question{Name: "13", Text: []int32{1}, Own: []int32{0}}, Venue: 0},
			{Question: typed.Question{Name: "20", Text: []int32{0, 4, 3}, Own: []int32{2, 1}, Among: []int32{0}}, Venue: 2, Cites: []int32{0}},
			{Question: typed.Question{Name: "22", Own: []int32{0}, Among: []int32{1, 2, 1}}, Venue: 1},
		},
	}
	if got := flatten(b); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	const wantNotes = "authors 3; authors_of_test_papers_alone 2; candidates_drawn_for 1; given_twice 4; lines_about_no_paper 1; papers 6; papers_with_candidates_given_twice 1; papers_without_authors 1; papers_without_words 2; references 5; references_left_out 5; test 2; test_pairs 3; test_papers_without_others 1; train 4; training_pairs 5; venues 3; words 5"
	if got := shortly(b, notes); got != wantNotes {
		t.Errorf("got  %s\nwant %s", got, wantNotes)
	}
	sound(t, b)
	windows := files{"papers.tsv.gz": zipped("\ufeff" + strings.ReplaceAll(table["papers.tsv"], "\n", "\r\n")), "candidates.tsv.gz": zipped(table["candidates.tsv"])}
	if again, _, err := windows.read(t); err != nil || again.Checksum() != b.Checksum() {
		t.Errorf("compressed, and with other ends of lines: error %v, or another bibliography", err)
	}
}

// publishedLists is a folder of the second layout, with the names of the published files.
var publishedLists = files{
	"paper-author-list-train_top_2013.txt": "10:7,8\n11:8,9\n12:\n",
	"paper-author-list-test_top_2013.txt":  "20:5,9,8\n21:5\n22:7\n",
	"paper_author_top_2013.txt":            "not read",
	"paper_author_neg_ids_top_2013.txt":    "20:0,0,\n22:1,2\n21:1,\n",
	"paper_conf_top_2013.txt":              "10\t0\n11\t1\n20\t0\n77\t1\n",
	"paper_paper_top_2013.txt":             "10\t11\n10\t20\n11\t10\n11\t10\n22\t10\n",
	"content_top_2013.pkl":                 pickledWords,
	"id_author_top_2013.txt":               "7\taAnnLee\n8\tBob, Jr.\n9\taAnnLee\n5\tDan\n",
	"id_conf_top_2013.txt":                 "0\tVLDB\n",
}

func TestReadLists(t *testing.T) {
	b, notes, err := publishedLists.read(t)
	if err != nil {
		t.Fatal(err)
	}
	want := flat{
		Name: "dir", Authors: []string{"aAnnLee (7)", "Bob Jr.", "aAnnLee (9)"}, Venues: []string{"VLDB", "1"}, Words: []string{"2", "3", "4"},
		Train: []int32{0, 1, 2}, Test: []int32{3, 4},
		Papers: []Paper{
			{Question: typed.Question{Name: "10", Text: []int32{0, 1, 0}, Own: []int32{0, 1}}, Venue: 0, Cites: []int32{1}},
			{Question: typed.Question{Name: "11", Text: []int32{1}, Own: []int32{1, 2}}, Venue: 1, Cites: []int32{0}},
			{Question: typed.Question{Name: "12"}, Venue: -1},
			{Question: typed.Question{Name: "20", Text: []int32{2}, Own: []int32{2, 1}, Among: []int32{0, 0}}, Venue: 0},
			{Question: typed.Question{Name: "22", Own: []int32{0}, Among: []int32{1, 2}}, Venue: -1, Cites: []int32{0}},
		},
	}
	if got := flatten(b); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	const wantNotes = "authors 3; authors_of_test_papers_alone 1; given_twice 1; lines_about_no_paper 2; papers 5; papers_with_candidates_given_twice 1; papers_without_authors 1; papers_without_words 2; references 3; references_left_out 1; test 2; test_pairs 3; test_papers_without_others 1; train 3; training_pairs 4; venues 2; words 3; words_from 0content_top_2013.pkl"
	if got := shortly(b, notes); got != wantNotes {
		t.Errorf("got  %s\nwant %s", got, wantNotes)
	}
	// What may be missing, and names without a version.
	few := files{"paper-author-list-train.txt": "10:7,8\n11:9", "content.pkl": "((l(lS'x'\naa(lI10\nat."}
	if b, notes, err = few.read(t); err != nil || b.Vertices(Author) != 3 || len(b.Test) != 0 || notes.Of("papers_without_words").Count != 1 {
		t.Errorf("training papers alone: %+v, %+v, error %v", b, notes, err)
	}
	few["paper-author-list-test.txt"] = "20:9"
	if b, notes, err = few.read(t); err != nil || notes.Of("candidates_drawn_for").Count != 1 || len(b.Test[0].Among) != 2 {
		t.Errorf("no candidates: %+v, error %v: expected the two others", notes, err)
	}
}

// Each of these is an error that says where it is and what is wanted.
func TestReadErrors(t *testing.T) {
	const papers, candidates = "papers.tsv", "candidates.tsv"
	const train, test = "paper-author-list-train_top_2013.txt", "paper-author-list-test_top_2013.txt"
	const negatives, conf, content = "paper_author_neg_ids_top_2013.txt", "paper_conf_top_2013.txt", "content_top_2013.pkl"
	row := "1\ttrain\tv\ta,b\t\tw\n"
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "%d%s", i, row[1:])
	}
	cut := zipped(many.String())
	damaged := []byte(cut)
	damaged[len(damaged)-6] ^= 1 // in the checksum
	for _, c := range []struct {
		files files
		want  string
	}{
		{files{}, "dir has no papers: expected a file papers.tsv.gz"},
		{table.with("papers.tsv.gz", zipped(row)), "both papers.tsv and papers.tsv.gz"},
		{table.with(train, publishedLists[train]), "both papers.tsv and paper-author-list-train_top_2013.txt: expected one"},
		{table.with(papers, "1\ttest\tv\ta\t\tw\n"), "no training paper among 1 papers"},
		{table.with(papers, "1\ttrain\tv\ta\t\n"), "dir/papers.tsv:1: 5 columns: expected 6, separated by tabs"},
		{table.with(papers, "#\n"+row+"\n"+row), `papers.tsv:4: paper "1" again, after line 2`},
		{table.with(papers, "paper\tsplit\tvenue\tauthors\treferences\twords\n"), "no training paper among 0 papers"},
		{table.with(papers, row+"paper\tsplit\tvenue\tauthors\treferences\twords\n"), `papers.tsv:2: split "split": expected train or test`},
		{table.with(papers, "1\tvalid\tv\ta\t\tw\n"), `papers.tsv:1: split "valid": expected train or test`},
		{table.with(papers, "\ttrain\tv\ta\t\tw\n"), `papers.tsv:1: paper "" is empty`},
		{table.with(papers, "1\ttrain\tv\ta,,b\t\tw\n"), `papers.tsv:1: author "" is empty`},
		{table.with(papers, "1\ttrain\tv\ta\t\tw \x00\n"), `papers.tsv:1: word "\x00" has a control character`},
		{table.with(papers, "1\ttrain\tv\t\xff\t\tw\n"), "is not UTF-8"},
		{table.with(papers, "1\ttrain\tv\ta\t\t"+strings.Repeat("w ", 1<<19)), "papers.tsv:1: the line is longer than 1048576 bytes: expected a paper"},
		{table.with(papers, cut[:len(cut)-12]), "the gzip data stop in the middle"},
		{table.with(papers, string(damaged)), "the gzip data are damaged"},
		{table.with(papers, "PK\x03\x04 "), "a zip archive"},
		{table.with(papers, row+"2\ttest\tv\ta,b\t\tw\n").with(candidates, ""), `test paper "2" has all 2 authors`},
		{table.with(candidates, "20\n"), "dir/candidates.tsv:1: 1 columns: expected 2, separated by tabs"},
		{table.with(candidates, "20\t\n"), `candidates.tsv:1: paper "20" has no candidates`},
		{table.with(candidates, "22\tBob\n\n22\tBob\n"), `candidates.tsv:3: candidates of paper "22" again, after `},
		{table.with(candidates, "22\tBob,Eve\n"), `candidates.tsv:1: candidate "Eve" is in no training paper`},
		{table.with(candidates, "20\tAnn Lee,Cyd\n"), `candidates.tsv:1: candidate "Cyd" is an author of paper "20"`},
		{table.with(candidates, "22\tBob\n10\tCyd\n"), `candidates.tsv:2: candidates of the training paper "10"`},

		{publishedLists.with("paper-venue.txt", "10,KDD\n"), "dir/paper-venue.txt is of Camel's lists, which are not read: expected papers.tsv.gz, made of them as docs/typed.md shows"},
		{publishedLists.with(content, ""), "expected a file content.pkl or title.pkl as published"},
		{publishedLists.with("content.pkl", "x"), "both content.pkl and content_top_2013.pkl"},
		{publishedLists.with(train, "10 7,8\n"), `dir/paper-author-list-train_top_2013.txt:1: 1 columns: expected 2, separated by colons: PAPER and AUTHOR`},
		{publishedLists.with(test, "20:9\n10:7\n"), `paper-author-list-test_top_2013.txt:2: paper "10" again, after line 1`},
		{publishedLists.with(conf, "10 0\n"), `paper_conf_top_2013.txt:1: 1 columns: expected 2, separated by tabs: PAPER and a venue`},
		{publishedLists.with(conf, "10\t0\n10\t1\n"), `paper_conf_top_2013.txt:2: a venue of paper "10" again`},
		{publishedLists.with(negatives, "22:1,3\n"), `paper_author_neg_ids_top_2013.txt:1: candidate "3": expected a number from 0 to 2`},
		{publishedLists.with(negatives, "22:x\n"), `candidate "x": expected a number`},
		{publishedLists.with(negatives, "20:1\n"), `paper_author_neg_ids_top_2013.txt:1: candidate "Bob Jr." is an author of paper "20"`},
		{publishedLists.with("id_author_top_2013.txt", "7\tx\n7\ty\n"), `id_author_top_2013.txt:2: "7" has a name already`},
	} {
		b, _, err := c.files.read(t)
		if err == nil || !prefixed(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v: expected one with %s", err, c.want)
		}
		if err == nil && b == nil {
			t.Error("neither a bibliography nor an error")
		}
	}
	for path, want := range map[string]string{"/nowhere/at all": "nowhere", "read_test.go": "is a file: expected a folder"} {
		call.Refused(t, want)(Read(path))
	}
}

// prefixed says whether an error begins with the package that it is of.
func prefixed(err error) bool {
	return strings.HasPrefix(err.Error(), "papers: ") || strings.HasPrefix(err.Error(), "network: ")
}

// Written and read, a bibliography is the same; files are the same bytes each time.
func TestWriteAndRead(t *testing.T) {
	fromTable := call.Of(ReadTable(table.dir(t)))(t)
	fromLists := call.Of(ReadTable(publishedLists.dir(t)))(t)
	for i, table := range []*Table{fromTable, fromLists} {
		var before []byte
		b, _, err := table.Bibliography("table")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			dir := filepath.Join(t.TempDir(), "new", fmt.Sprint(i))
			call.OK(t, table.Write(dir))
			again, notes, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			if again.Checksum() != b.Checksum() || again.Name != fmt.Sprint(i) {
				t.Errorf("%d: another bibliography was read than written: %+v", i, notes)
			}
			text := call.Of(os.ReadFile(filepath.Join(dir, PapersFile)))(t)
			if before != nil && !bytes.Equal(text, before) {
				t.Errorf("%d: the same table gave two files", i)
			}
			before = text
		}
	}
}

// Names that would be read as others are refused.
func TestWriteOddNames(t *testing.T) {
	for _, r := range []Row{{Name: "#1"}, {Name: "1", Authors: []string{"a,b"}}, {Name: "1", Venue: " v"}, {Name: "1", Words: []string{"a b"}}} {
		table := NewTable()
		table.Rows = []Row{r}
		if table.Write(t.TempDir()) == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}

// Everything but the name of the bibliography is in its checksum.
func TestChecksum(t *testing.T) {
	want := small().bibliography(t).Checksum()
	if len(want) != 64 {
		t.Fatalf("checksum %q: expected 64 digits", want)
	}
	renamed := small()
	renamed.Name = "other"
	if renamed.bibliography(t).Checksum() != want {
		t.Error("the name is in the checksum")
	}
	for i, change := range []func(b *flat){
		func(b *flat) { b.Authors[0] = "x" },
		func(b *flat) { b.Words = append(b.Words, "z") },
		func(b *flat) { b.Papers[2].Name = "z" },
		func(b *flat) { b.Papers[2].Own[0] = 2 },
		func(b *flat) { b.Papers[2].Cites = nil },
		func(b *flat) { b.Papers[2].Text = []int32{0} },
		func(b *flat) { b.Papers[1].Among[0] = 1 },
		func(b *flat) { // the same numbers in the other list
			b.Papers[1].Own, b.Papers[1].Among = b.Papers[1].Among, b.Papers[1].Own
		},
	} {
		b := small()
		if change(&b); b.bibliography(t).Checksum() == want {
			t.Errorf("change %d is not in the checksum", i)
		}
	}
	uncited, other := small(), small()
	uncited.Papers[0].Cites, other.Papers[0].Cites = nil, nil
	if other.Train = other.Train[:3]; other.bibliography(t).Checksum() == uncited.bibliography(t).Checksum() {
		t.Error("it is not in the checksum which papers are test papers")
	}
}

// Whatever the files hold, there is an error or a bibliography that is sound and is the same when written and read.
func FuzzRead(f *testing.F) {
	f.Add(table["papers.tsv"], table["candidates.tsv"], "", "")
	f.Add(publishedLists["paper-author-list-train_top_2013.txt"], publishedLists["paper-author-list-test_top_2013.txt"], publishedLists["content_top_2013.pkl"],
		publishedLists["paper_author_neg_ids_top_2013.txt"])
	f.Add(zipped(table["papers.tsv"]), "", "", "7\tx\n8\t\n")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, files := range []files{
			{"papers.tsv": a, "candidates.tsv": b},
			{"paper-author-list-train.txt": a, "paper-author-list-test.txt": b, "content.pkl": c, "paper_author_neg_ids.txt": d},
			{"paper-author-list-train.txt": a, "paper_conf.txt": b, "content.pkl": c, "id_author.txt": d, "paper_paper.txt": b, "id_conf.txt": d},
		} {
			dir := files.dir(t)
			table, err := ReadTable(dir)
			var bib *Bibliography
			if err == nil {
				bib, _, err = table.Bibliography("dir")
			}
			if err != nil {
				if !prefixed(err) {
					t.Errorf("error %v: expected one that begins with the package", err)
				}
				continue
			}
			sound(t, bib)
			if table.Write(filepath.Join(dir, "new")) != nil {
				continue // a comma in a paper's name, say
			}
			again, _, err := Read(filepath.Join(dir, "new"))
			if err != nil || again.Checksum() != bib.Checksum() {
				t.Errorf("written and read: error %v, or another bibliography than %+v", err, bib)
			}
		}
	})
}
