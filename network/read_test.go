package network

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
)

func mustColumns(t *testing.T, text string) Columns {
	t.Helper()
	return call.Of(ParseColumns(text))(t)
}

// ascending returns lines of one link whose third column never falls.
func ascending(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "1 2 %d\n", i+1)
	}
	return b.String()
}

// dealt returns lines whose third column has each number once, in another order.
func dealt(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "%d %d %d\n", i%7, i%5, 1+i*7%n)
	}
	return s.String()
}

// counted returns lines whose first column counts them, and whose third never falls.
func counted(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%d 7 %d\n", i, 10+i)
	}
	return b.String()
}

// shortly writes notes as their names, with the number or the text of those whose name is not enough.
func shortly(notes Notes) string {
	var all []string
	for _, x := range notes {
		text := x.Name
		switch {
		case x.Count > 0:
			text += fmt.Sprintf(" %d", x.Count)
		case !slices.Contains([]string{"third_column", "numbers", "first_column", "two_kinds_of_vertices", "links"}, x.Name):
			text += " " + x.First
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func TestReadFrom(t *testing.T) {
	tests := []struct {
		name, text string
		options    ReadOptions
		names      string // joined by |
		links      []Link
		notes      string
	}{
		{"tabs", "b\ta\nc\tb\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, ""},
		{"spaces", "  1   2 \n 2 3\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {1, 2}}, ""},
		{"commas", "x, y\r\ny,z \r\n", ReadOptions{}, "x|y|z", []Link{{0, 1}, {1, 2}}, ""},
		{"ids with spaces and commas", "New York\tParis, Texas\n", ReadOptions{}, "New York|Paris, Texas", []Link{{0, 1}},
			""},
		{"integers", "10\t9\n-3\t100\n", ReadOptions{}, "-3|9|10|100", []Link{{0, 3}, {1, 2}}, ""},
		{"integers and text", "10\t9\nx\t100\n", ReadOptions{}, "10|100|9|x", []Link{{0, 2}, {1, 3}}, ""},
		{"large and padded integers", "007 7\n123456789012345678901234567890 -0\n-12345678901234567890 0", ReadOptions{},
			"-12345678901234567890|0|-0|7|007|123456789012345678901234567890", []Link{{0, 1}, {2, 5}, {3, 4}},
			"spellings 007 and 7"},
		{"comments, blank lines, byte order mark", "\ufeff# x\n% y\n\n \t\n1 2\n#3 4\n", ReadOptions{}, "1|2", []Link{{0, 1}},
			"comments 1"},
		{"below names # is no comment", "source,target\n#a,b\n%b,#a\n", ReadOptions{}, "#a|%b|b", []Link{{0, 1}, {0, 2}}, ""},
		{"names again, in files put together", "source,target\n1,2\nsource,target\n2,3\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {1, 2}}, "names_again 1"},
		{"an id that stands for none", "a NA\nb NA\n", ReadOptions{}, "NA|a|b", []Link{{0, 1}, {0, 2}}, "missing_values NA"},
		{"years", "a b 1992\nb c 2003\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, "third_column"},
		{"days", "a b 20191231\nb c 20030228\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, "third_column"},
		{"seconds with a fraction", "a b 1200000000.5\nb c 1100000000.25\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, "third_column"},
		{"ids that start as comments", " #a\t%b\n", ReadOptions{}, "#a|%b", []Link{{0, 1}}, ""},
		{"repeated", "1 2\n2 1\n1 2\n3 3\n3 3\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {2, 2}},
			"repeated_links_dropped 3; self_loops 1"},
		{"repeated, directed", "1 2\n2 1\n1 2\n", ReadOptions{Directed: true}, "1|2", []Link{{0, 1}, {1, 0}},
			"repeated_links_dropped 1"},
		{"conflicting weights", "1 2 .5\n2 1 .5\n1 2 3e-1\n", ReadOptions{}, "1|2", []Link{{0, 1}},
			"repeated_links_dropped 2; conflicting_links 1"},
		{"weights and times", "1 2 1 1082008561\n", ReadOptions{}, "1|2", []Link{{0, 1}}, ""},
		{"header", "Source,Target,Weight\n1,2,3\n", ReadOptions{}, "1|2", []Link{{0, 1}}, ""},
		{"no header", "u\tv\nv\tw\n", ReadOptions{}, "u|v|w", []Link{{0, 1}, {1, 2}}, ""},
		{"gzip", gz.Of("1 2\n"), ReadOptions{}, "1|2", []Link{{0, 1}}, ""},
		{"quotes", "\"New York\", \"Paris, \"\"Texas\"\"\"\n", ReadOptions{}, "New York|Paris, \"Texas\"", []Link{{0, 1}},
			""},
		{"times", "1 2 1082040961\n2 3 1082155839\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {1, 2}},
			"third_column"},
		{"times taken for weights where told", "1 2 1082040961\n2 3 1082155839\n", ReadOptions{Columns: mustColumns(t, "source,target,weight")}, "1|2|3",
			[]Link{{0, 1}, {1, 2}}, ""},
		{"names in a comment", "# FromNodeId\tToNodeId\tTime\n1\t2\t-5\n", ReadOptions{}, "1|2", []Link{{0, 1}},
			""},
		{"weights of KONECT", "% sym weighted\n" + ascending(60), ReadOptions{}, "1|2", []Link{{0, 1}},
			"repeated_links_dropped 59; conflicting_links 59"},
		{"networkx", "1 2 {'weight': 2.5}\n2 3 {}\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {1, 2}},
			""},
		{"Gephi", "Id,Source,Target,Label,Weight\n0,1,2,x,3\n", ReadOptions{}, "1|2", []Link{{0, 1}},
			"columns_not_read Id, Label"},
		{"spaces at the ends of ids", "ann\t ben\n ben \tcy \t\ncy \t1 \n1\tann\n", ReadOptions{}, "1|ann|ben|cy", []Link{{0, 1}, {0, 3}, {1, 2}, {2, 3}},
			"names_without_their_outer_spaces 2"},
		{"spaces that do not count", "lead\tx\n lead\ty\nlead \tx \n", ReadOptions{Columns: mustColumns(t, "source,target")}, "lead|x|y", []Link{{0, 1}, {0, 2}},
			"repeated_links_dropped 1; names_without_their_outer_spaces 2"},
		{"ids in brackets", "[Main]\tHelp\nHelp\t{x}\n", ReadOptions{}, "Help|[Main]|{x}", []Link{{0, 1}, {0, 2}}, ""},
		{"an id in braces at the end", "a\t{x}\n{x}\tb\n", ReadOptions{}, "a|b|{x}", []Link{{0, 2}, {1, 2}}, ""},
		{"a path of weighted links", "1 2 .5\n2 3 2\n3 4 2\n", ReadOptions{}, "1|2|3|4", []Link{{0, 1}, {1, 2}, {2, 3}},
			""},
		{"a star of equal weights", "0 9 2\n1 9 2\n2 9 2\n", ReadOptions{}, "0|1|2|9", []Link{{0, 3}, {1, 3}, {2, 3}},
			""},
		{"sources from 2 on", "2 9 1\n3 9 2\n4 9 3\n", ReadOptions{}, "2|3|4|9", []Link{{0, 3}, {1, 3}, {2, 3}},
			""},
		{"Gephi's directions", "Source,Target,Type,Id,Weight\n1,2,Directed,0,1.0\n2,1,Directed,2,5.0\n", ReadOptions{AsSaid: true}, "1|2", []Link{{0, 1}, {1, 0}},
			"columns_not_read Id"},
		{"Gephi's links both ways", "type;from;to\nUndirected;b;a\n", ReadOptions{Directed: true}, "a|b", []Link{{0, 1}, {1, 0}},
			""},
		{"directions of links by name", "who,whom,Type\nb,a,directed\n", ReadOptions{AsSaid: true, Columns: mustColumns(t, "source=who,target=whom")}, "a|b", []Link{{1, 0}},
			""},
		{"directions that do not count", "source,target,type\n1,2,Directed\n2,1,Directed\n", ReadOptions{}, "1|2", []Link{{0, 1}},
			"repeated_links_dropped 1"},
		{"a type that is no direction", "source,target,type\n1,2,friend\n2,3,Directed\n", ReadOptions{AsSaid: true}, "1|2|3", []Link{{0, 1}, {1, 2}},
			"columns_not_read type"},
		{"directed by KONECT", "% asym unweighted\n% 2 2 2\n1 2\n2 1\n", ReadOptions{AsSaid: true}, "1|2", []Link{{0, 1}, {1, 0}},
			""},
		{"undirected by KONECT", "% sym unweighted\n1 2\n2 1\n", ReadOptions{AsSaid: true}, "1|2", []Link{{0, 1}},
			"repeated_links_dropped 1"},
		{"two sides by KONECT", "% bip positive\n1\t1\t2\n1\t2\t1\n3\t1\t1\n", ReadOptions{AsSaid: true}, "left:1|left:3|right:1|right:2", []Link{{0, 2}, {0, 3}, {1, 2}},
			"two_kinds_of_vertices"},
		{"a column that may deny links, told to be none", "who,whom,label\n1,2,1\n2,3,0\n3,4,1\n1,4,0\n", ReadOptions{Columns: mustColumns(t, "source=who,target=whom")}, "1|2|3|4", []Link{{0, 1}, {0, 3}, {1, 2}, {2, 3}},
			"column_not_read 2; columns_not_read label"},
		{"numbers of links, coordinates and kinds deny none", "source,target,id,x,kind\n1,2,0,-1.5,0\n2,3,1,.25,1\n3,4,2,-3,2\n1,4,3,0,3\n", ReadOptions{}, "1|2|3|4", []Link{{0, 1}, {0, 3}, {1, 2}, {2, 3}},
			"columns_not_read id, x, kind"},
		{"unknown names", "user_a,user_b\n1,2\n2,3\n", ReadOptions{Header: HeaderYes}, "1|2|3", []Link{{0, 1}, {1, 2}},
			""},
		{"told to be a link", "user_a,user_b\n1,2\n", ReadOptions{Header: HeaderNo}, "1|2|user_a|user_b", []Link{{0, 1}, {2, 3}},
			""},
		{"columns by name", "day,who,whom\n3,a b,c\n", ReadOptions{Columns: mustColumns(t, "source=who,target=whom")}, "a b|c", []Link{{0, 1}},
			"columns_not_read day"},
		{"R's table", "\"from\" \"to\" \"weight\"\n\"1\" \"New York\" \"b\" 2\n\"2\"\t\"b\"  \"c\" .5\n", ReadOptions{}, "New York|b|c", []Link{{0, 1}, {1, 2}},
			"columns_without_their_quotes 9; first_column"},
		{"R's table of numbers", "from to\n1 1 2\n2 2 3\n", ReadOptions{Header: HeaderYes}, "1|2|3", []Link{{0, 1}, {1, 2}},
			"first_column"},
		{"R's table between tabs", "\"V1\"\t\"V2\"\n\"1\"\t\"a\"\t\"b\"\n", ReadOptions{Header: HeaderYes}, "a|b", []Link{{0, 1}},
			"columns_without_their_quotes 5; first_column"},
		{"R's table with names of rows", "a,b\nx,1,k\ny,2,l\n", ReadOptions{Header: HeaderYes}, "1|2|k|l", []Link{{0, 2}, {1, 3}},
			"first_column"},
		{"letters and spaces that look alike", "Ren\u00e9\tAnn\u00a0\nRene\u0301\tAnn\u2007\nNew\u00a0York\tNew York\n", ReadOptions{}, "Ann|New York|New\u00a0York|Rene\u0301|Ren\u00e9", []Link{{0, 3}, {0, 4}, {1, 2}},
			`names_without_their_outer_spaces 1; spellings "Rene\u0301" and "Ren\u00e9", "New\u00a0York" and "New York"`},
		{"rows and columns of nothing", "Source,Target,Weight,,\nann,bob,1,,\nbob,cy,2,,\n,,,,\n", ReadOptions{}, "ann|bob|cy", []Link{{0, 1}, {1, 2}}, ""},
		{"commas at the ends of lines", "1,2,\n2,3,\n", ReadOptions{}, "1|2|3", []Link{{0, 1}, {1, 2}}, ""},
		{"remarks of other languages", "// made\na b\nb c\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, "comments 1"},
		{"an end of old lists", "0 1\n1 2\n-1 -1\n", ReadOptions{}, "-1|0|1|2", []Link{{0, 0}, {1, 2}, {2, 3}}, "self_loops 1; missing_values -1"},
		{"lists in cells", "source,target\na,\"b;c\"\nb,c\n", ReadOptions{}, "a|b|b;c|c", []Link{{0, 2}, {1, 3}}, "lists b;c"},
		{"destinations", "timestamp,source,destination,weight\n1,a,b,2\n2,b,c,3\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, ""},
		{"ids of two spellings", "01,2.0\n1,2\n", ReadOptions{}, "01|1|2|2.0", []Link{{0, 3}, {1, 2}},
			"spellings 01 and 1, 2.0 and 2"},
		{"quotes within ids", "\"the\" end\tb\n\"a \"\"b\"\"\"\t\"\n", ReadOptions{}, "\"|\"the\" end|a \"b\"|b", []Link{{0, 2}, {1, 3}},
			`columns_without_their_quotes 1; open_quotes 2; first_line "the" end, b`},
		{"quotes of a file of ours", "# undirected, 2 vertices, 1 links\n\"a\"\t\"b\"\n", ReadOptions{}, "\"a\"|\"b\"", []Link{{0, 1}},
			""},
		{"spaces in quotes", "\" a\",b\nb,c\n", ReadOptions{}, "a|b|c", []Link{{0, 1}, {1, 2}}, "names_without_their_outer_spaces 1"},
		{"a first line of sizes", "4 3\n1 2\n2 3\n3 4\n", ReadOptions{Header: HeaderYes}, "1|2|3|4", []Link{{0, 1}, {1, 2}, {2, 3}},
			""},
		{"no line of sizes", "4 3\n1 2\n2 3\n", ReadOptions{}, "1|2|3|4", []Link{{0, 1}, {1, 2}, {2, 3}},
			""},
		{"MovieLens' ratings", "1::1193::5::978300760\n1::1::3::978302109\n", ReadOptions{}, "1|1193", []Link{{0, 0}, {0, 1}},
			"self_loops 1"},
		{"users and films by number", "1\t1\n1\t2\n1\t3\n2\t3\n", ReadOptions{}, "1|2|3", []Link{{0, 0}, {0, 1}, {0, 2}, {1, 2}},
			"self_loops 1; numbers"},
		{"users and films by name", "userId,movieId\n1,7\n7,2\n", ReadOptions{Header: HeaderYes}, "1|2|7", []Link{{0, 2}, {1, 2}},
			"numbers"},
		{"columns by place", "9 a b\n9 b c\n", ReadOptions{Columns: mustColumns(t, "-,source,target")}, "a|b|c", []Link{{0, 1}, {1, 2}},
			""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, notes, err := ReadFrom(strings.NewReader(test.text), "input", test.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(n.Names(), "|"); got != test.names {
				t.Errorf("vertices %s: expected %s", got, test.names)
			}
			if got := n.List(); !slices.Equal(got, test.links) {
				t.Errorf("links %v: expected %v", got, test.links)
			}
			if got := shortly(notes); got != test.notes {
				t.Errorf("notes  %s\n  want %s", got, test.notes)
			}
			if v, ok := n.Index(n.Name(1)); v != 1 || !ok {
				t.Errorf("Index of vertex 1 is %d, %v", v, ok)
			}
		})
	}
}

func TestReadFromErrors(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	tests := []struct{ name, text, want string }{
		{"empty", "", "input: no link in the file: expected lines of two vertex ids"},
		{"only a header", "source,target\n", "input: no link in the file"},
		{"one column", "1\n", `input:1: "1" is one column: expected two ids separated by a tab, a space, a comma or a semicolon`},
		{"one column later", "# x\n1 2\n3\n", `input:3: "3" has no space: expected two ids separated by a space, as on line 2`},
		{"another separator", "1\t2\n3 4\n", `input:2: "3 4" has no tab: expected two ids separated by a tab, as on line 1`},
		{"columns change", "1 2\n3 4 5\n", "input:2: 3 columns: expected 2, as on line 1"},
		{"five columns", "1 2 3 4 5\n", "input:1: 5 columns separated by spaces: expected --columns, a first line with names such as source and target, or at most two ids, a weight and a time"},
		{"empty id", "1\t2\n\t3\n", `input:2: "\t3" has an empty id`},
		{"NaN weight", "1 2 nan\n", `input:1: weight "nan": expected a finite number > 0 in column 3`},
		{"large weight", "a b 1e39\n", `input:1: weight "1e39": expected a number from 1e-45 to 3.4e38, which a float32 can hold, in column 3`},
		{"small weight", "a b 1e-46\n", `weight "1e-46": expected a number from 1e-45`},
		{"infinite weight", "a b inf\n", `weight "inf": expected a finite number > 0`},
		{"larger than a float64", "a b 1e400\n", `weight "1e400": expected a finite number > 0 in column 3; if that is no weight`},
		{"text weight", "a b c\n", `input:1: weight "c"`},
		{"header that is a vertex", "from,to,weight\nfrom,b,1\n", `input:1: weight "weight"`},
		{"time", "1 2 3 x\n", `input:1: time "x": expected a number in the fourth column`},
		{"NUL", "1 2\n\x00\x01 3\n", `input:2: id "\x00\x01" has a control character; is the file binary, or UTF-16?`},
		{"not UTF-8", "a\xff b\n", `input:1: id "a\xff" is not UTF-8`},
		{"UTF-16", "\xff\xfe1\x00\t\x002\x00\n\x003\x00\t\x004\x00", "is the file binary, or UTF-16?: expected UTF-8 text"},
		{"byte order mark inside", "a \ufeffb\n", "byte order mark inside"},
		{"long line", "1 2\n" + long + " 2\n", "input:2: the line is longer than 65536 bytes"},
		{"long id", long[:5000] + " 2\n", "is longer than 4096 bytes"},
		{"commas and spaces", "Doe,J 12\n", `input:1: "Doe,J 12" has commas and spaces, either could separate the columns: expected tabs`},
		{"spaces in quotes and without", "\" a\",b\na,c\n", "input:2: id \"a\" is in the file with spaces at its ends and without: expected it one way, or --columns"},
		{"a weight without a name", "from to\na b 2\n", "input:2: 3 columns: expected 2, as on line 1; if that has the names"},
		{"a column without a name, or R's table", "source,target\n1,2,friend\n2,3,friend\n", "input:2: 3 columns: expected 2, as on line 1; if that has the names"},
		{"a weight without a name, or R's table", "from to\n1 5 2\n2 6 2\n", "input:2: 3 columns: expected 2, as on line 1; if that has the names"},
		{"names of rows that do not count", "from to\n1 a b\n1 b c\n", `input:3: "1" comes first: expected 2, as the lines before begin with their numbers`},
		{"R's table with unknown names", "\"V1\" \"V2\"\n\"1\" \"a\" \"b\"\n", "input:2: 3 columns: expected 2, as on line 1; if that has the names of the columns, and here the name of a line comes first, as R writes tables: --header"},
		{"quote that is not closed", "a,b\nc,\"d\n", "input:2: \"\\\"d\" has no closing quote"},
		{"numbers below two words", "user_a,user_b\n1,2\n2,3\n", `input:1: "user_a" and "user_b" could be the names of columns, or a link: expected --header, or --header=false`},
		{"numbers that never fall", ascending(100), "input: the third column could be times, as its numbers never fall"},
		{"a pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:1f0e\nsize 45211\n", "is a pointer of git-lfs"},
		{"zero as weight or time", "1 2 0\n", "input:1: weight \"0\": expected a finite number > 0 in column 3; if it says that there is no link: leave these lines out: awk '$3 > 0' FILE; if it says nothing of the link: --columns source,target,-"},
		{"pairs that are no links", "source,target,label\n1,2,1\n2,3,0\n3,4,1\n1,4,0\n", "column label has 0, less or no on 2 of 4 lines, so these may be no links: expected --columns source=source,target=target, by which all lines are links; or leave these lines out: awk -F, 'NR <= 1 || $3 > 0' FILE"},
		{"signs", "# FromNodeId\tToNodeId\tSign\n1\t2\t1\n2\t3\t-1\n3\t4\t1\n1\t4\t-1\n", "column Sign has 0, less or no on 2 of 4 lines, so these may be no links: expected --columns source,target,-, by which all lines are links; or leave these lines out: awk -F'\\t' '$3 > 0' FILE"},
		{"words beside a weight", "source;target;weight;exists\na;b;2;true\nb;c;1;false\nc;d;3;true\na;d;1;FALSE\n", "column exists has 0, less or no on 2 of 4 lines, so these may be no links: expected --columns source=source,target=target,weight=weight, by which all lines are links; or leave these lines out"},
		{"METIS without its ending", "3 3\n2 3\n1 3\n1 2\n", `input:1: "3" and "3" could be numbers of vertices and of what follows, or a link: expected --header, which leaves the line out, or --header=false; lists of neighbours`},
		{"numbers of vertices and links", "# x\n4 3\n1 2\n2 3\n3 4\n", `input:2: "4" and "3" could be numbers of vertices and of what follows`},
		{"rows, columns and entries", "4,5,3\n1,2,.5\n2,5,1\n4,1,1\n", `input:1: "4" and "5" could be numbers`},
		{"a matrix", ",a,b\na,0,1\nb,1,0\n", "or names such as source and target; a matrix becomes links"},
		{"neighbours", "a b\nb c d\n", "input:2: 3 columns: expected 2, as on line 1; lists of neighbours are converted by a line of docs/formats.md"},
		{"dict on some lines", "a 1\nb {}\n", `input:2: "b {}" ends in a dict, and line 1 does not: expected one on each line or on none; an adjacency list of several lines`},
		{"dict missing", "1 2 {}\n2 3\n", `input:2: "2 3" does not end in a dict such as {}: expected one, as on line 1`},
		{"dict with a bad weight", "1 2 {'weight': 0}\n", `input:1: weight "0": expected a finite number > 0 in the dict`},
		{"weight that only Go reads", "1 2 1_0\n", `weight "1_0": expected a finite number`},
		{"weight that only Go reads", "1 2 0x1p4\n", `weight "0x1p4": expected a finite number`},
		{"cut gzip", gz.Of(strings.Repeat("1 2\n", 100))[:25], "the gzip data stop in the middle: expected the whole file"},
		{"damaged gzip", "\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff", "the gzip data are damaged"},
		{"an index", "0,28,30\n1,17,48\n2,30,28\n", "input: the first column counts the lines and could be an index: expected --columns -,source,target, by which the first line is a link of \"28\" and \"30\", or --columns source,target,weight: \"0\" and \"28\", of weight 30"},
		{"an index from 1, and weights", "1\t5\t7\t.5\n2\t7\t8\t.25\n3\t8\t5\t1\n", "input: the first column counts the lines and could be an index"},
		{"times before the ends", "31 1 2\n31 2 3\n32 3 4\n33 4 5\n33 5 1\n34 1 3\n", "input: the second and the third column have 5 values in common, and the first has few of them: expected --columns -,source,target"},
		{"layers before the ends, some of which have their numbers", "1 1 2\n2 2 3\n1 3 4\n2 4 5\n1 5 6\n2 6 7\n1 7 8\n1 8 9\n1 9 10\n2 10 1\n", "input: the second and the third column have 10 values in common, and the first has few of them: expected --columns -,source,target"},
		{"weights before the ends, and a vertex 0", ".5 1 2\n.25 2 3\n.75 3 4\n.1 4 0\n.2 0 1\n.3 1 3\n", "input: the second and the third column have"},
		{"kinds before the ends", "is a b\nhas b c\nis c d\nhas d e\nis e a\nis a c\nis c e\n", "expected --columns -,source,target, by which the first line is a link of \"a\" and \"b\""},
		{"numbers of links", dealt(60), "input: the third column could be numbers of links, as no two are the same: expected --columns source,target,-"},
		{"numbers of one width", "7 2 1253006\n2 3 2458982\n3 1 9000000\n", "input: the third column could be ids or times, as its numbers have 7 digits each"},
		{"lines that end as on old Macs", "1 2\r2 3\r", "input:1: \"1 2\\r2 3\" has a carriage return"},
		{"numbers of links before the ends", "31 1 2\n42 2 3\n53 3 4\n64 4 5\n75 5 1\n", "expected --columns -,source,target, by which the first line is a link of \"1\" and \"2\""},
		{"kinds between the ends", "1 is 2\n2 has 3\n3 is 4\n4 is 5\n5 is 1\n", "input: the first and the third column have 5 values in common, and the second has few of them: expected --columns source,-,target"},
		{"as Python prints links", "(0, 1)\n", "input:1: \"(0, 1)\" is a link as Python prints it"},
		{"rounded by a spreadsheet", "1.29403E+18,2\n", "spreadsheet"},
		{"an index of many ascending lines", counted(60), "input: the first"},
		{"an index of names", "0,ana,ben\n", `input:1: weight "ben": expected a finite number > 0 in column 3; if that is no weight: --columns source,target,-, or as the columns come; if the line has the names of columns: --header`},
		{"an index without a name", ",user,friend\n0,10,20\n", "input:1: the first column has no name, as pandas writes its index: expected --columns source=user,target=friend"},
		{"SIF", "a pp b\nb pp c\nc pp d\nd pp e\ne pp a\n", "of \"a\" and \"b\", or"},
		{"an id with a space before it", "lead\tx\n lead\ty\n", `input:2: id "lead" is in the file with spaces at its ends and without: expected it one way, or --columns source,target`},
		{"an id with a space after it", "x\tlead \ny\tlead\n", `input:2: id "lead" is in the file with spaces`},
		{"a line with a space after it", "x\tlead\ny\tlead \t\n", `input:2: id "lead" is in the file with spaces`},
		{"another type", "source,target,type\n1,2,Directed\n2,3,x\n", `input:3: type "x": expected Directed or Undirected`},
		{"gzip of nothing", gz.Of(""), "input: no link in the file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := ReadFrom(strings.NewReader(test.text), "input", ReadOptions{})
			call.Refused(t, test.want)(err)
			if p := new(ParseError); !errors.As(err, &p) || p.File != "input" {
				t.Errorf("%v is no ParseError of the file", err)
			}
			if len(err.Error()) > 300 {
				t.Errorf("the error is %d bytes long", len(err.Error()))
			}
		})
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "links.gz") // plain, whatever its name says
	call.File(t, path, "1 2\n")
	if n, _, err := Read(path, ReadOptions{}); err != nil || n.Links() != 1 {
		t.Errorf("error %v", err)
	}
	if _, _, err := Read(filepath.Join(dir, "none"), ReadOptions{}); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "network: ") {
		t.Errorf("missing file: error %v", err)
	}
	call.Refused(t, dir)(Read(dir, ReadOptions{}))
}

// The order of lines, and with undirected links that of the ids, must not matter.
func TestReadOrderDoesNotMatter(t *testing.T) {
	a := call.First(ReadFrom(strings.NewReader("1 10\n10 2\n30 1\n"), "a", ReadOptions{}))(t)
	b := call.First(ReadFrom(strings.NewReader("1,30\n2,10\n10,1\n1,10"), "b", ReadOptions{}))(t)
	if a.Checksum() != b.Checksum() {
		t.Errorf("%v %v and %v %v: expected the same network", a.Names(), a.List(), b.Names(), b.List())
	}
}

func TestWriteReadsBack(t *testing.T) {
	names := []string{"#a", "%b", "c d", "e,f", `"g"`, "{}", "source", "target"}
	links := []Link{{0, 1}, {1, 0}, {2, 3}, {4, 5}, {6, 7}, {1, 1}}
	for _, directed := range []bool{false, true} {
		for _, weights := range [][]float32{nil, {1, 2.5, 1e-30, 3, 1.0 / 3, 3e38}} {
			n := call.Of(New(names, links, weights, directed))(t)
			dir := t.TempDir()
			for _, file := range []string{"n.tsv", "n.tsv.gz"} {
				path := filepath.Join(dir, file)
				call.OK(t, n.WriteFile(path))
				back := call.First(Read(path, ReadOptions{Directed: directed}))(t)
				if text, err := os.ReadFile(path); err != nil || bytes.HasPrefix(text, []byte("\x1f\x8b")) != strings.HasSuffix(file, ".gz") {
					t.Errorf("%s begins with %q, error %v", file, text[:2], err)
				}
				var x, y bytes.Buffer
				if err := errors.Join(n.sorted(t).Write(&x), back.Write(&y)); err != nil || !bytes.Equal(x.Bytes(), y.Bytes()) {
					t.Errorf("directed %v, weights %v: error %v\nwrote\n%s\nread\n%s", directed, weights != nil, err, x.Bytes(), y.Bytes())
				}
			}
		}
	}
}

// sorted returns the network with its vertices in the order in which Read numbers them.
func (n *Network) sorted(t *testing.T) *Network {
	t.Helper()
	ids := newInterner()
	for _, s := range n.names {
		ids.intern([]byte(s))
	}
	names, rank := ids.ranked()
	links := n.List()
	for i, l := range links {
		links[i] = Link{rank[l.From], rank[l.To]}
	}
	return call.Of(New(names, links, n.listWeights(), n.directed))(t)
}
