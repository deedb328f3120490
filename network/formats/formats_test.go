package formats

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
	"github.com/asp2vec/asp2vec/network"
)

// one is the same network in each format that text can hold: a-b, b-c and c-d of weights 1, 2 and .5, without a direction.
var one = map[string]string{
	Links:        "a\tb\t1\nb\tc\t2\nc\td\t.5\n",
	MatrixMarket: "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n4 4 3\n2 1 1\n3 2 2\n\n4 3 .5\n",
	GraphML: `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>1</default></key><key id="d1" for="node" attr.name="weight"/>
<graph edgedefault="undirected"><node id="a"><data key="d1">7</data></node><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="c"><data key="d0">2</data></edge><edge source="c" target="d"><data key="d0"> .5 </data></edge>
<node id="d"/></graph></graphml>`,
	GML: "Creator \"me\"\ngraph [ comment \"[\" directed 0\n node [ id 1 label \"a\" graphics [ x 1.0 ] ] node [ id 2 label \"b\" ]\n" +
		"node [id 3 label \"c\"] node [id 4 label \"d\"]\nedge [ source 1 target 2 ] edge [ source 2 target 3 weight 2 value 9 ]\nedge [ source 3 target 4 value 0.5 ] ]\n",
	GEXF: `<gexf xmlns="http://gexf.net/1.3"><meta><creator>me</creator></meta><graph><nodes><node id="a" label="A"/><node id="b"/><node id="c"/><node id="d"/></nodes>
<attributes class="edge"><attribute id="7" title="Weight"/></attributes><edges><edge source="a" target="b"/><edge source="b" target="c" weight="2" type="mutual"/><edge source="c" target="d"><attvalues><attvalue for="7" value="0.5"/></attvalues></edge></edges></graph></gexf>`,
	NodeLink: `{"directed": false, "multigraph": false, "graph": {"nodes": [1]}, "nodes": [{"id": "a"}, {"id": "b", "x": [1]}, {"id": "c"}, {"id": "d"}], "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c", "weight": 2, "key": 0}, {"source": "c", "target": "d", "weight": 0.5}]}`,
}

// canonical is one, as package network writes it.
func canonical(t testing.TB, names string, weighted bool) string {
	t.Helper()
	weights := []float32{1, 2, .5}
	if !weighted {
		weights = nil
	}
	n := call.Of(network.New(strings.Fields(names), []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}}, weights, false))(t)
	return n.Checksum()
}

func TestFormats(t *testing.T) {
	if len(one) != len(Names())-1 {
		t.Fatalf("%d examples: expected one for each of %v but %s", len(one), Names(), NPZ)
	}
	for format, text := range one {
		want := canonical(t, "a b c d", true)
		if format == MatrixMarket {
			want = canonical(t, "1 2 3 4", true)
		}
		n, r, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if format != Links && r.Of("format").First != format || n.Links() != 3 || n.Directed() {
			t.Errorf("%s: read as %+v, directed %v", format, r, n.Directed())
		}
		if n.Checksum() != want {
			t.Errorf("%s: %v %v: expected the network of the others", format, n.Names(), n.List())
		}
		again, _, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{Format: format, Direction: Directed})
		if err != nil {
			t.Error(err)
			continue
		}
		arcs := 3 // of formats that do not say
		if format != Links {
			arcs = 6
		}
		if !again.Directed() || again.Arcs() != arcs {
			t.Errorf("%s: directed %v, %d arcs: expected %d", format, again.Directed(), again.Arcs(), arcs)
		}
		// Cut off anywhere a file may be whole by chance, but is never read as something larger.
		for i := range len(text) {
			if n, _, err := ReadFrom(t.Context(), strings.NewReader(text[:i]), "input", Options{}); err == nil && n.Links() > 3 {
				t.Errorf("%s: %d links of the first %d bytes", format, n.Links(), i)
			}
		}
	}
}

func TestDirections(t *testing.T) {
	for _, test := range []struct {
		text     string
		options  Options
		directed bool
		arcs     int
	}{
		{"graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]", Options{}, true, 1},
		{`{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "value": 3}]}`, Options{}, false, 2},
		{`{"directed": true, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}`, Options{}, true, 1},
		{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", Options{}, false, 2},
		{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", Options{Direction: Directed}, true, 1},
		{network.DirectedComment + "2 vertices, 1 links\n1\t2\n", Options{}, true, 1},
		{"Source,Target,Type\n1,2,Directed\n", Options{}, true, 1},
		{"Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", Options{Direction: Directed}, true, 3},
		{"Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", Options{Direction: Undirected}, false, 4},
		{"% asym unweighted\n1 2\n", Options{}, true, 1},
		{"% asym unweighted\n1 2\n", Options{Direction: Undirected}, false, 2},
		{"% sym unweighted\n1 2\n", Options{Direction: Directed}, true, 1},
		{"# undirected, 2 vertices, 1 links\n1\t2\n", Options{}, false, 2},
		{"# undirected, 3 vertices, 2 links\ngrAph{node\t1\ngrAph{node\t[0]\n", Options{}, false, 4}, // found by FuzzRead
		{"# Directed graph (each unordered pair of nodes is saved once): CA-AstroPh.txt\n1\t2\n", Options{}, false, 2},
	} {
		n, _, err := ReadFrom(t.Context(), strings.NewReader(test.text), "input", test.options)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if n.Directed() != test.directed || n.Arcs() != test.arcs {
			t.Errorf("%s: directed %v with %d arcs: expected %v, %d", test.text, n.Directed(), n.Arcs(), test.directed, test.arcs)
		}
	}
}

// What begins with a bracket is JSON unless the bracket is of an id.
func TestJSON(t *testing.T) {
	for _, json := range []string{"{", "[", "{}\n", "[]", "[\t{\"id\": 1}]", "{\n\t\"nodes\": [", "{\"id\": 1}\n{\"id\": 2}", "{\"id\": 1} {\"id\": 2}", "[1, [2]]", "[{\"id\": [1]}, 2", "{nodes: []}", "[null, -1"} {
		if !isJSON([]byte(json)) {
			t.Errorf("%q: not taken for JSON", json)
		}
	}
	for _, links := range []string{"[Main]\tHelp\n", "[Main],Help\n", "[1] [2]\n", "[a b]c;d", "{x}\ty\n", "{\"x\"}\ty\n", "[open\tb", "{:a\tb\n", "a\t[b]"} {
		if isJSON([]byte(links)) {
			t.Errorf("%q: taken for JSON", links)
		}
	}
}

// Names with blanks, quotes and other scripts come as they are.
func TestNames(t *testing.T) {
	want := []string{`Ana "the" Ñandú`, "a b"}
	for _, text := range []string{
		"source,target\n\"Ana \"\"the\"\" Ñandú\",a b\n",
		"Ana \"the\" Ñandú\ta b\n",
		`<graphml><graph edgedefault="directed"><node id="a b"/><node id="Ana &quot;the&quot; &#209;andú"/><edge source="a b" target="Ana &quot;the&quot; Ñandú"/></graph></graphml>`,
		`graph [ node [ id 1 label "a b" ] node [ id 2 label "Ana &quot;the&quot; Ñand&#250;" ] edge [ source 1 target 2 ] ]`,
		`<graphml><key id="d0" for="node" attr.name="name"/><graph edgedefault="directed"><node id="n0"><data key="d0">a b</data></node>` +
			`<node id="n1"><data key="d0">Ana "the" Ñandú</data></node><edge source="n0" target="n1"/></graph></graphml>`,
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph edgedefault=\"directed\"><edge source=\"a b\" target=\"Ana &quot;the&quot; \xd1and\xfa\"/></graph></graphml>",
		`{"nodes": [{"id": "a b"}, {"id": "Ana \"the\" Ñand\u00fa"}], "links": [{"source": "a b", "target": "Ana \"the\" Ñandú"}]}`,
	} {
		n, _, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !slices.Equal(n.Names(), want) {
			t.Errorf("%s: names %q: expected %q", text, n.Names(), want)
		}
	}
}

// Vertices with ids 1 and 2 are named by their labels where all have one of their own, and the report says which; spaces at the ends do not count.
func TestLabels(t *testing.T) {
	for kind, file := range map[string]string{
		"label": `graph [ node [ id 1 A ] node [ id 2 B ] edge [ source 1 target 2 ] ]`,
		"gexf":  `<gexf><graph><nodes><node id="1" A/><node id="2" B/></nodes><edges><edge source="1" target="2"/></edges></graph></gexf>`,
		"name": `<graphml><key id="d0" for="node" attr.name="name"/><graph edgedefault="directed"><node id="1">A</node><node id="2">B</node>` +
			`<edge source="1" target="2"/></graph></graphml>`,
	} {
		const ids = "id, as not every vertex has a "
		of := map[string]string{"label": `label "%s"`, "gexf": `label="%s"`, "name": "<data key=\"d0\">\n%s</data>"}[kind]
		kind = strings.Replace(kind, "gexf", "label", 1)
		for _, test := range []struct {
			a, b, want, by string
			padded         int
		}{
			{"Ana", "Ben", "Ana|Ben", kind, 0}, {"x", "x", "1|2", ids + kind + " of its own", 0}, {"x", "", "1|2", ids + kind + " of its own", 0}, {"", "", "1|2", "", 0},
			{"1", "2", "1|2", "", 0}, {"2", "1", "1|2", kind, 0}, {" Ana", "Ben", "Ana|Ben", kind, 1},
		} {
			text := file
			for place, label := range map[string]string{"A": test.a, "B": test.b} {
				if label != "" {
					label = strings.Replace(of, "%s", label, 1)
				}
				text = regexp.MustCompile(`\b`+place+`\b`).ReplaceAllLiteralString(text, label)
			}
			n, r, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{})
			if err != nil || strings.Join(n.Names(), "|") != test.want || r.Of(namedBy).First != test.by {
				t.Errorf("%s: error %v, %+v", text, err, r)
			} else if kind != "name" && r.Of("names_without_their_outer_spaces").Count != test.padded {
				t.Errorf("%s: %d with spaces: expected %d", text, r.Of("names_without_their_outer_spaces").Count, test.padded)
			}
		}
	}
	for _, test := range []struct{ text, by string }{
		{`{"nodes": [{"name": "Ana"}, {"name": "Ben"}], "links": [{"source": 1, "target": 0}]}`, "name"}, // D3
		{`<graphml><key id="l" for="node" attr.name="label"/><graph edgedefault="directed"><node id="1"><data key="l">Ana</data></node><node id="2"><data key="l">Ben</data></node><edge source="1" target="2"/></graph></graphml>`, "label"},
		{`<graphml xmlns:y="y"><key id="d" for="node"/><graph edgedefault="directed"><node id="n0"><data key="d"><y:ShapeNode><y:NodeLabel>Ana<y:x/></y:NodeLabel></y:ShapeNode></data></node>` +
			`<node id="n1"><data key="d"><y:ImageNode><y:NodeLabel>Ben</y:NodeLabel></y:ImageNode></data></node><edge source="n0" target="n1"/></graph></graphml>`, "label of a shape"},
	} {
		n, r, err := ReadFrom(t.Context(), strings.NewReader(test.text), "input", Options{})
		if err != nil || strings.Join(n.Names(), "|") != "Ana|Ben" || r.Of(namedBy).First != test.by {
			t.Errorf("%s: error %v, %+v", test.text, err, r)
		}
	}
}

// Attributes of vertices are taken if asked for, in any case, by the names that vertices have in the end.
func TestAttributes(t *testing.T) {
	for name, text := range map[string]string{
		"gml":  `graph [ node [ id 1 label "a" Club "x" age 3 graphics [ club 1 ] ] node [ id 2 label "b" ] node [ id 3 label "c" club "y" ] edge [ source 1 target 2 ] ]`,
		"gexf": `<gexf><graph><attributes class="edge"><attribute id="0" title="no"/></attributes><attributes class="node"><attribute id="0" title="Club"/><attribute id="1" title="age"/></attributes><nodes><node id="1" label="a"><attvalues><attvalue for="0" value="x"/><attvalue id="1" value="3"/></attvalues></node><node id="2" label="b"/><node id="3" label="c"><attvalues><attvalue for="0" value="y"/></attvalues></node></nodes><edges><edge source="1" target="2"><attvalues><attvalue for="0" value="z"/></attvalues></edge></edges></graph></gexf>`,
		"graphml": `<graphml><key id="n" for="node" attr.name="label"/><key id="c" for="node" attr.name="Club"><default>y</default></key><key id="a" for="all" attr.name="age"/><graph edgedefault="directed">` +
			`<node id="a"><data key="c">x</data><data key="a">3</data><data key="n">l</data></node><node id="b"><data key="c"/></node><node id="c"/><edge source="a" target="b"><data key="a">4</data></edge></graph></graphml>`,
		"json": `{"nodes": [{"id": "a", "Club": "x", "age": 3, "label": true}, {"id": "b", "Club": null, "x": {}}, {"id": "c", "Club": ["y", "y"]}], "links": [{"source": "a", "target": "b"}]}`,
	} {
		a := &Attribute{Name: "club"}
		n, _, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{Attribute: a})
		if err != nil || n.Vertices() != 2 {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		if want := map[string][]string{"a": {"x"}, "c": {"y"}}; !reflect.DeepEqual(a.Of, want) || !strings.EqualFold(strings.Join(a.Known, " "), map[bool]string{true: "age club label", false: "Club age label"}[name == "gml"]) {
			t.Errorf("%s: %v of %v: expected %v", name, a.Of, a.Known, want)
		}
	}
	call.Refused(t, "the format links has no attributes of vertices")(ReadFrom(t.Context(), strings.NewReader("1 2\n"), "input", Options{Attribute: &Attribute{Name: "club"}}))
}

func TestReadErrors(t *testing.T) {
	const mm = "%%MatrixMarket matrix coordinate "
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "is empty: expected lines of two ids"},
		{"parquet", "PAR1\x15\x04", "is a Parquet file: expected it converted, by the line of Python that docs/formats.md has for it"},
		{"arrow", "ARROW1\x00\x00", "is an Arrow file: expected it converted"},
		{"pajek", "*Vertices 2\n1 \"a\"\n", "is a Pajek file: expected it converted"},
		{"dot", "// x\nstrict digraph \"G 1\" { a -> b }", "is a DOT file: expected it converted"},
		{"x.adjlist.gz", gz.Of("a b c\n"), "is named .adjlist, as an adjacency list: expected it converted"},
		{"x.graph", "3 2\n2\n1 3\n2\n", "is named .graph, as a METIS file: expected it converted"},
		{"pickle", "\x80\x04\x95", "is a pickle of Python"},
		{"a workbook", "PK\x03\x04xx[Content_Types].xml...PK\x03\x04xl/workbook.xml", "is a workbook of Excel"},
		{"PyTorch", "PK\x03\x04xxarchive/data.pkl", "is a file of PyTorch"},
		{"RIS", "TY  - JOUR\nAU  - Lee, Ann\n", "is a bibliography"},
		{"Web of Science", "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", "is a bibliography"},
		{"AMiner", "#*On graphs\n#@Ann Lee,Bob Roe\n", "is a bibliography"},
		{"Cytoscape's JSON", `{"elements":{"nodes":[],"edges":[]}}`, "is JSON of Cytoscape"},
		{"JGF", `{"graph":{"nodes":{"A":{}},"edges":[]}}`, "is JSON of another graph format"},
		{"lines of JSON", `{"source":"a","target":"b"}` + "\n" + `{"source":"b","target":"c"}` + "\n", "is JSON with a link on each line"},
		{"Neo4j's lines", `{"type":"node","id":"0"}` + "\n" + `{"type":"node","id":"1"}` + "\n", "is JSON with a node or a relationship on each line"},
		{"zip", "PK\x03\x04xxxxlinks.txt", "is a zip archive: expected the file in it"},
		{"web page", "<!DOCTYPE html>\n<html><body>404</body></html>", "is a web page: expected the file itself"},
		{"other XML", "<svg></svg>", "is XML of <svg>: expected GraphML or GEXF"},
		{"BibTeX", "@article{x, title={y}}", "looks like BibTeX: expected a table of papers"},
		{"binary", "ab\x00\x01\x02", "is binary and starts with"},
		{"x.mtx", "3 3 2\n1 2\n2 3\n", "has no first line %%MatrixMarket"},
		{"x.json", "1 2\n", "is named .json but starts with"},

		{"mm rectangular", mm + "real general\n3 5 1\n1 2 1\n", "input:2: a matrix of 3 rows and 5 columns: expected as many of both"},
		{"mm cut", mm + "real general\n3 3 1000000000000\n1 2 1\n", "input:3: ends after 1 entries: expected 1000000000000"},
		{"mm complex", mm + "complex general\n", "input:1: entries that are complex"},
		{"mm array", "%%MatrixMarket matrix array real general\n", "input:1: matrix array: expected a matrix in coordinates"},
		{"mm outside", mm + "pattern general\n3 3 1\n1 4\n", "input:3: entry at 1, 4: expected numbers from 1 to 3"},
		{"mm zero", mm + "real general\n3 3 1\n1 2 0\n", `input:3: weight "0": expected a finite number > 0`},
		{"mm no size", mm + "real general\n", "input:1: ends before the line of rows"},

		{"graphml twice", `<graphml><graph edgedefault="directed"><node id="a"/>` + "\n" + `<node id="a"/></graph></graphml>`, `input:2: vertex "a" again`},
		{"graphml unknown vertex", `<graphml><graph edgedefault="directed">` + "\n" + `<node id="a"/><edge source="a" target="b"/></graph></graphml>`, `input:2: a link of vertex "b", which is not among the vertices`},
		{"graphml mixed", `<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/><edge directed="false" source="b" target="a"/></graph></graphml>`, "has links with a direction and without one: expected --directed"},
		{"graphml encoding", `<?xml version="1.0" encoding="Shift_JIS"?><graphml/>`, "input:1: is text in Shift_JIS: expected UTF-8 or ISO-8859-1"},
		{"gml large weight", "graph [ node [ id 1 ] edge [ source 1 target 1 weight 1e39 ] ]", `weight "1e39": expected a number from 1e-45 to 3.4e38`},
		{"gdf", "nodedef>name VARCHAR,label VARCHAR\ns1,Site 1\n", "is a GDF file: expected it as GEXF or GraphML"},
		{"graphml cut", `<graphml><graph edgedefault="directed"><node id="a"/>`, "input:1: ends in the middle"},
		{"graphml hyperedge", `<graphml><graph edgedefault="directed"><hyperedge/></graph></graphml>`, "a <hyperedge>: expected links of two vertices"},
		{"graphml no links", `<graphml><graph edgedefault="directed"><node id="a"/></graph></graphml>`, "no link between 1 vertices"},
		{"graphml entity", `<graphml><graph edgedefault="directed"><node id="&lol;"/></graph></graphml>`, "is not XML: invalid character entity"},

		{"table mixed", "Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", "has links with a direction and without one: expected --directed"},

		{"gml cut", "graph [ node [ id 1", "ends in the middle"},
		{"gml direction", "graph [ directed yes ]", "directed yes: expected 0 or 1"},
		{"gml no id", "graph [ node [ label \"x\" ] ]", `id "" is empty`},

		{"gexf weights that change", `<gexf><graph><attributes class="edge"><attribute id="0" title="weight"/></attributes><nodes><node id="1"/><node id="2"/></nodes><edges><edge source="1" target="2"><attvalues><attvalue for="0" value="2"/><attvalue for="0" value="3"/></attvalues></edge></edges></graph></gexf>`, "several weights"},
		{"gexf type", `<gexf><graph defaultedgetype="both"/></gexf>`, `edge type "both"`},

		{"json keys", `{"name": "x", "papers": []}`, "is a JSON object with name, papers: expected nodes and links"},
		{"json index", `{"nodes": [{"name": "x"}], "links": [{"source": 0, "target": 1}]}`, `a link of vertex "1", which is not among the vertices`},
		{"json name", `{"nodes": [{"name": "x"}], "links": [{"source": "x", "target": "x"}]}`, `a link of "x", and nodes without ids: expected an id for each`},
		{"json some ids", `{"nodes": [{"name": "x"}, {"id": 1}], "links": []}`, "nodes with an id and without"},
		{"json other ids", `{"nodes": [{"id": 1}, {"name": "x"}], "links": []}`, "nodes: id is not there"},
		{"json surrogate", "{\"nodes\": [\n{\"id\": \"a\\ud800\"}]", `input:2: nodes: id is "a\ud800", which is no text: half of a surrogate pair`},
		{"json bytes", "{\"nodes\": [{\"id\": \"a\xff\"}]", "which is no text"},
		{"graphml spaces", `<graphml><graph edgedefault="directed"><node id=" a"/>` + "\n" + `<node id="a"/></graph></graphml>`, `input:2: id "a" is in the file with spaces at its ends and without`},
		{"json late", `{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1}], "directed": true}`, "directed comes after the links"},
		{"json cut", `{"nodes": [{"id": 1}`, "ends in the middle"},
		{"json wrong", "{\"nodes\": [}", "is not JSON"},
		{"json weight", `{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": null}]}`, `weight "null"`},

		{"gzip cut", gz.Of(one[GML])[:40], "the gzip data stop in the middle"},
		{"twice compressed", gz.Of(gz.Of("1 2\n")), "is compressed twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := "input"
			if filepath.Ext(test.name) != "" {
				name = test.name
			}
			_, _, err := ReadFrom(t.Context(), strings.NewReader(test.text), name, Options{})
			call.Refused(t, test.want)(err)
			if p := new(network.ParseError); !errors.As(err, &p) || p.File != name {
				t.Errorf("%v is no ParseError of the file", err)
			}
			if len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %d bytes long, or more than a line: %v", len(err.Error()), err)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	columns := call.Of(network.ParseColumns("source,target"))(t)
	call.Refused(t, "columns and header are for tables")(ReadFrom(t.Context(), strings.NewReader(one[GML]), "input", Options{Columns: columns}))
	call.Refused(t, `format "cbor": expected one of gexf, gml, graphml, links,`)(ReadFrom(t.Context(), strings.NewReader(one[GML]), "input", Options{Format: "cbor"}))
	for _, text := range []string{"source", "source,source", "who,whom", "source=a,target", "source=,target=b", "-=x,source,target"} {
		if _, err := network.ParseColumns(text); err == nil || !strings.HasPrefix(err.Error(), "network: columns ") {
			t.Errorf("columns %q: error %v", text, err)
		}
	}
}

// Who stops a command does not wait for the end of a file.
func TestStop(t *testing.T) {
	ctx := call.Stopped(t)
	for format, text := range one {
		if _, _, err := ReadFrom(ctx, strings.NewReader(text), "input", Options{Format: format}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", format, err)
		}
	}
	if _, _, err := ReadFrom(ctx, bytes.NewReader(npzExample(t)), "input", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("npz: error %v", err)
	}
}

// FuzzRead: whatever the input and the format, no panic; an error is a ParseError; and what was read is read again as it is.
func FuzzRead(f *testing.F) {
	names := Names()
	for format, text := range one {
		f.Add([]byte(text), uint8(0), uint8(0))
		f.Add([]byte(text), uint8(1+slices.Index(names, format)), uint8(1))
	}
	for _, text := range []string{"1 2\n", "a,b,0.5\n", "source\ttarget\n1\t2\n", "# x\n\n1\t2\t3\t4\r\n", "\ufeff%\n", "007 7\n-1 -0", " #a\tb", "1 2\n1 2 3",
		"a\x00b c", "\xff\xfe", gz.Of("1 2\n")[:20], "u v\nv u", "x y 1e-46", "x y 0x1p-2\n",
		"\"from\" \"to\"\n\"1\" \"a b\" \"c\"\n", "\"a\"\t\"b\n\" c\"\td\n", "1::2::3\n", "4 3\n1 2\n2 3\n3 4\n", ",1,2\n1,0,1\n"} {
		f.Add([]byte(text), uint8(0), uint8(0))
		f.Add([]byte(text), uint8(0), uint8(1))
	}
	f.Add(npzExample(f), uint8(0), uint8(2))
	f.Add([]byte(gz.Of(one[GML])), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, text []byte, format, direction uint8) {
		o := Options{Direction: Direction(direction % 3)}
		if i := int(format) % (len(names) + 1); i > 0 {
			o.Format = names[i-1]
		}
		n, r, err := ReadFrom(t.Context(), bytes.NewReader(text), "input", o)
		if err != nil {
			if p := new(network.ParseError); !errors.As(err, &p) {
				t.Fatalf("%v is no ParseError", err)
			}
			return
		}
		if n.Links() == 0 || n.Vertices() == 0 || o.Direction == Directed && !n.Directed() || o.Direction == Undirected && n.Directed() {
			t.Fatalf("%d links, directed %v, notes %+v", n.Links(), n.Directed(), r)
		}
		var b bytes.Buffer
		call.OK(t, n.Write(&b))
		back := call.First(ReadFrom(t.Context(), &b, "written", Options{}))(t)
		if n.Checksum() != back.Checksum() {
			t.Fatalf("%q %v is read back as %q %v", n.Names(), n.List(), back.Names(), back.List())
		}
	})
}
