package bibfile

import (
	"reflect"
	"strings"
	"testing"
)

func people(names ...string) (out []Person) {
	for _, n := range names {
		out = append(out, Person{Name: n})
	}
	return out
}

var examples = []struct {
	name, text, format string
	want               []Work
}{
	{"BibTeX", `% a comment
@string{kdd = "Proc. of " # {KDD}}
@comment{ @article{no, title={No}} }
@preamble{"\newcommand{\x}{}"}
@inproceedings{park2020,
  title     = {Unsupervised {D}ifferentiable Multi-aspect   Network
               Embedding},
  author    = {Park, Chanyoung and Yang, Carl and {\"O}z, Jr., Ali and {The {IEEE} and Others} and others},
  booktitle = kdd, year = 2020, abstract = "A {\em note} on $k$ \& {\'e}t\'{e}",
}
text between
@Article(x, author={Garc{\'\i}a M{\'a}rquez, Jos\'e}, title="T", journal={J}, date={2019-03-01}, references={park2020, y})
`, BibTeX, []Work{
		{ID: "park2020", Title: "Unsupervised Differentiable Multi-aspect Network Embedding", Abstract: "A note on k & été", Venue: "Proc. of KDD", Year: 2020,
			Authors: people("Chanyoung Park", "Carl Yang", "Ali Öz Jr.", "The IEEE and Others"), Line: 5},
		{ID: "x", Title: "T", Venue: "J", Year: 2019, Authors: people("José García Márquez"), Cites: []string{"park2020", "y"}, Line: 12},
	}},
	{"crossref", `@inproceedings{a, title={A}, author={Ann Lee}, crossref={K20}}
@incollection{b, title={B}, date={2019}, crossref=k20}
@inproceedings{c, title={C}, author={C}, crossref={nobody}}
@proceedings{k20, title={Proc. K}, year=2020, editor={Ed Ito}}
`, BibTeX, []Work{
		{ID: "a", Title: "A", Venue: "Proc. K", Year: 2020, Authors: people("Ann Lee"), Line: 1},
		{ID: "b", Title: "B", Venue: "Proc. K", Year: 2019, Authors: people("Ed Ito"), Line: 2},
		{ID: "c", Title: "C", Authors: people("C"), Line: 3},
		{ID: "k20", Title: "Proc. K", Year: 2020, Authors: people("Ed Ito"), Line: 4},
	}},
	{"OpenAlex", `{"id": "https://openalex.org/W1", "display_name": "T", "publication_year": 2020, "abstract_inverted_index": {"again": [2], "say": [0], "it": [1]},
"authorships": [{"author": {"id": "https://openalex.org/A5", "display_name": "Ann B."}}], "primary_location": {"source": {"display_name": "KDD"}}, "referenced_works": ["https://openalex.org/W2"]}
{"id": "https://openalex.org/W2", "title": null, "authorships": [], "primary_location": null, "abstract_inverted_index": null}
`, JSON, []Work{
		{ID: "W1", Title: "T", Abstract: "say it again", Venue: "KDD", Year: 2020, Authors: []Person{{ID: "A5", Name: "Ann B."}}, Cites: []string{"W2"}, Line: 1}, {ID: "W2", Line: 3},
	}},
	{"answer of OpenAlex", `{"meta": {"count": 1}, "results": [{"id": "https://openalex.org/W1", "title": "T", "authorships": []}]}`, JSON, []Work{{ID: "W1", Title: "T", Line: 1}}},
	{"Semantic Scholar", `{"paperId": "ab", "title": "T", "abstract": null, "venue": "KDD", "year": 2020, "authors": [{"authorId": "5", "name": "Ann"}], "references": [{"paperId": "cd"}, {"paperId": null}]}
{"corpusid": 12, "title": "U", "year": 2019, "authors": []}`, JSON, []Work{
		{ID: "ab", Title: "T", Venue: "KDD", Year: 2020, Authors: []Person{{ID: "5", Name: "Ann"}}, Cites: []string{"cd"}, Line: 1}, {ID: "12", Title: "U", Year: 2019, Line: 2},
	}},
	{"table", "\ufeffAuthors,Title,Year,Source title,DOI,References\r\n\"Park, C.; Yang, C.\",\"On \"\"x\"\",\ny\",2020,KDD,10.1/x,10.1/y; 10.1/z\r\na; b,T,,,10.1/y,\r\n", Table, []Work{
		{ID: "10.1/x", Title: "On \"x\",\ny", Venue: "KDD", Year: 2020, Authors: people("C. Park", "C. Yang"), Cites: []string{"10.1/y", "10.1/z"}, Line: 2},
		{ID: "10.1/y", Title: "T", Authors: people("a", "b"), Line: 4},
	}},
	{"tabs", "title\tauthor\nT\tAnn B., Carl D.\nU\tBerg, Ann\nV\tAnn B and Carl D\n", Table, []Work{
		{ID: "p1", Title: "T", Authors: people("Ann B.", "Carl D."), Line: 2}, {ID: "p2", Title: "U", Authors: people("Ann Berg"), Line: 3},
		{ID: "p3", Title: "V", Authors: people("Ann B", "Carl D"), Line: 4},
	}},
}

func TestRead(t *testing.T) {
	for _, c := range examples {
		works, kind, err := read([]byte(strings.TrimPrefix(c.text, "\ufeff")), "input")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if kind != c.format || !reflect.DeepEqual(works, c.want) {
			t.Errorf("%s: %s\n got %+v\nwant %+v", c.name, kind, works, c.want)
		}
		if _, papers := format([]byte(c.text)); !papers {
			t.Errorf("%s: not recognised as papers", c.name)
		}
	}
	for _, text := range []string{"1 2\n", "source,target\n1,2\n", `{"nodes": [], "links": []}`, "a@b.c d@e.f\n", "%%MatrixMarket matrix\n", "graph { a -- b }", "[Main]\tHelp\n", "{x},y\n"} {
		if _, papers := format([]byte(text)); papers {
			t.Errorf("%q: recognised as papers", text)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cut BibTeX", "\n@article{x, title = {y", "input:2: ends in the middle of the entry that starts on line 2"},
		{"no value", "@article{x,\n title, year = 2}", `input:2: entry "x": "title" without a value`},
		{"brace too many", "@article{x, title = \"a}\"}", "a } too many"},
		{"year", "@article{x, year = {20}}", `entry "x": year "20": expected four digits`},
		{"no entry", "@comment{x}\n", "no paper: expected BibTeX"},
		{"cut JSON", `[{"id": 1`, "input:1: ends in the middle"},
		{"other JSON", "{\"id\": \"x\", \"authorships\": []}\n{\"a\": 1}\n", "input:2: paper 2: an object with a: expected papers of OpenAlex or Semantic Scholar"},
		{"links", `[{"source": "a", "target": "b"}]`, "paper 1: an object with source and target: expected links as a table, or as JSON with nodes and links"},
		{"wrong type", `{"paperId": "x", "year": "y"}`, "paper 1: year contains a JSON string"},
		{"claimed place", `{"id": "x", "authorships": [], "abstract_inverted_index": {"a": [1000000000]}}`, "at place 1000000000: expected places"},
		{"array of numbers", "[1]", "contains a JSON number"},
		{"no names", "1\n2\n", `the first line is "1": expected names of columns`},
		{"no authors", "title,year\nx,1\n", "columns title, year: expected names such as"},
		{"ragged", "title,authors\na,b,c\n", "input:2: wrong number of fields: expected a table"},
		{"open quote", "title,authors\n\"a,b\n", "expected a table"},
	} {
		if _, _, err := read([]byte(strings.TrimPrefix(c.text, "\ufeff")), "input"); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v\nwant  %s", c.name, err, c.want)
		}
	}
}

func TestFromTeX(t *testing.T) {
	for text, want := range map[string]string{
		`Erd{\H{o}}s`: "Erdős", `\v{S}i\'{c}`: "Šić", `G\"odel`: "Gödel", `\O stergaard`: "Østergaard", `\aa`: "å", `{\ss}`: "ß", `a~b`: "a b", `\`: "", `\'`: "",
		`\textbf{x} y`: "x y", `50\% \& more`: "50% & more", `na{\"\i}ve`: "naïve", `\c{c}`: "ç",
	} {
		if got := fromTeX(text); got != want {
			t.Errorf("%s: %q: expected %q", text, got, want)
		}
	}
}

// FuzzRead: whatever the input, no panic, and an error names the file.
func FuzzRead(f *testing.F) {
	for _, c := range examples {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		works, _, err := read(data, "input")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "bibfile: input") {
				t.Fatalf("error %v", err)
			}
			return
		}
		table, _, err := Rows("input", works, Options{Title: true, Abstract: true})
		if err == nil {
			err = table.Write(t.TempDir())
		}
		if err != nil && !strings.HasPrefix(err.Error(), "bibfile: input") {
			t.Fatal(err)
		}
	})
}
