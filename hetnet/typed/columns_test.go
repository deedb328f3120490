package typed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/gz"
)

// likes is a schema of one type of links, whose file has more keys.
func likes(file, more string) string {
	return "vertices: {user: , song: }\nlinks:\n  likes: {from: user, to: song, file: " + file + more + "}\nmeta-paths: [user-song-user]\n"
}

// readLikes reads the links of a file as names.
func readLikes(t *testing.T, file, text, more string) (string, error) {
	t.Helper()
	n, _, err := Read(folder(t, map[string]string{SchemaFile: likes(file, more), file: text}))
	if err != nil {
		return "", err
	}
	var links []string
	for i, from := range n.Links[0].From {
		link := n.Names[0][from] + ">" + n.Names[1][n.Links[0].To[i]]
		if w := n.Links[0].Weight; w != nil {
			link += fmt.Sprint("*", w[i])
		}
		if at := n.Links[0].Time; at != nil {
			link += fmt.Sprint("@", at[i])
		}
		links = append(links, link)
	}
	return strings.Join(links, " "), nil
}

// A table of links is read as the file of a network is: names of columns, quotes, separators, weights.
func TestLinksAreReadAsThoseOfANetwork(t *testing.T) {
	for name, c := range map[string]struct{ text, more, want string }{
		"header":                    {"source,target\nann,blue\nbob,red\n", "", "ann>blue bob>red"},
		"header that is a vertex":   {"source,target\nann,blue\nsource,red\n", "", "source>target ann>blue source>red"},
		"header of other columns":   {"when,target,source\n5,blue,ann\n", ", columns: [source=source, target=target]", "ann>blue"},
		"header that is told":       {"listener\tsong\nann\tblue\n", ", header: true, columns: [source, target]", "ann>blue"},
		"no header, told":           {"user\titem\n1\t2\n", ", header: false", "user>item 1>2"},
		"quotes":                    {"\"Doe, Ann\",\"Blue \"\"Moon\"\"\"\nbob,red\n", "", `Doe, Ann>Blue "Moon" bob>red`},
		"semicolons":                {"ann;blue\nbob;red\n", "", "ann>blue bob>red"},
		"spaces":                    {"ann  blue\n% a comment\nbob red\n", "", "ann>blue bob>red"},
		"weights":                   {"ann blue 2\nbob red 0.5\n", "", "ann>blue*2 bob>red*0.5"},
		"times":                     {"ann blue 7\nbob red 5\n", ", columns: [source, target, time]", "ann>blue@7 bob>red@5"},
		"no METIS file":             {"1 1\n2 1\n", ", columns: [source, target]", "1>1 2>1"},
		"a name in two types":       {"7 7\n7 8\n", "", "7>7 7>8"},
		"named times and weights":   {"source,target,weight,time\nann,blue,3,1\n", "", "ann>blue*3@1"},
		"header, its link is first": {"source target weight time\nann blue 2 4\n", "", "ann>blue*2@4"},
	} {
		if got, err := readLikes(t, "likes.txt", c.text, c.more); err != nil || got != c.want {
			t.Errorf("%s: %q, %v: expected %q", name, got, err, c.want)
		}
	}
}

// rising are links whose third column never falls.
func rising() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "u%d s%d %d\n", i, i, i+1)
	}
	return b.String()
}

// What a network's file may not hold is refused here too, in words of the schema: no name is dropped in silence.
func TestLinksAreRefusedAsThoseOfANetwork(t *testing.T) {
	for name, c := range map[string]struct{ text, more, want string }{
		"three targets":        {"ann,blue,red,green\nbob,blue,red,pink\n", "", `likes.txt:1: weight "red": expected a finite number > 0 in column 3`},
		"five columns":         {"ann,blue,red,green,pink\n", "", "likes.txt:1: 5 columns separated by commas: expected columns:, a first line with names such as source and target, or at most two ids, a weight and a time"},
		"lists of neighbours":  {"ann blue\nbob blue red\n", "", "likes.txt:2: 3 columns: expected 2, as on line 1"},
		"words of a header":    {"user\titem\n1\t2\n", "", "expected header: true, or header: false"},
		"a name over two":      {"Ann Doe,blue\n", "", "has commas and spaces, either could separate the columns"},
		"an open quote":        {"ann,\"blue\n", "", "has no closing quote"},
		"weights or times":     {rising(), "", "expected columns: [source,target,-], which leaves them out, or columns: [source,target,weight]"},
		"one column":           {"ann\n", "", "is one column: expected two ids"},
		"an unknown key":       {"ann blue\n", ", headers: true", `key "headers"`},
		"a weight that is not": {"ann blue x\n", ", columns: [source, target, weight]", `weight "x": expected a finite number > 0 in column 3`},
	} {
		if got, err := readLikes(t, "likes.txt", c.text, c.more); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, error %v, expected one with %q", name, got, err, c.want)
		}
	}
}

// Texts have the same quotes and separators; a separator after the first column is a blank.
func TestTextsAreReadByColumns(t *testing.T) {
	for name, text := range map[string]string{
		"tabs": "blue\tdeep sea\nred\tsun\n", "spaces": "blue deep  sea\nred sun\n", "commas": "blue,deep sea\nred,sun\n", "quotes": "\"blue\",\"deep sea\"\nred,sun\n",
		"rows": "blue\tdeep\tsea\nred\tsun\t\n",
	} {
		dir := folder(t, map[string]string{SchemaFile: strings.Replace(likes("likes.txt", ""), "song: }", "song: {content: text, file: words.txt}}", 1),
			"likes.txt": "ann blue\nann red\n", "words.txt": text})
		n, _, err := Read(dir)
		if err != nil || fmt.Sprint(n.Words, n.Contents[1].Texts) != "[deep sea sun] [[0 1] [2]]" {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}

// A table may be compressed.
func TestLinksCompressed(t *testing.T) {
	dir := folder(t, map[string]string{SchemaFile: likes("likes.gz", ""), "likes.gz": gz.Of("ann blue\n")})
	if n, _, err := Read(dir); err != nil || n.Names[1][0] != "blue" {
		t.Errorf("%+v, %v", n, err)
	}
}
