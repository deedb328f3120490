package typed

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// music is a schema with users, artists and tags of artists; users name friends and follow one another.
func music() *Schema {
	return &Schema{
		Name:  "music",
		Types: []Type{{Name: "user"}, {Name: "artist"}, {Name: "tag", Content: Text}},
		Links: []LinkType{
			{Name: "listens", From: 0, To: 1}, {Name: "friends", From: 0, To: 0}, {Name: "tagged", From: 1, To: 2, Directed: true},
		},
		Rank: "listens",
	}
}

func TestParsePath(t *testing.T) {
	s := music()
	steps := func(p Path) (text string) {
		for _, step := range p.Steps {
			text += fmt.Sprintf("%d%d", step.From, step.To)
			if step.Backward {
				text += "b"
			}
			if step.Both {
				text += "2"
			}
			text += " "
		}
		return strings.TrimSpace(text)
	}
	for text, want := range map[string]string{
		"user-artist-user":         "01 10b",
		"UAU":                      "01 10b",
		"user-artist":              "01 10b", // and back
		"user-user-artist":         "002 01 10b 002",
		"UUA":                      "002 01 10b 002",
		"user-friends-user-artist": "002 01 10b 002",
		"artist-user-artist":       "10b 01",
	} {
		p, err := s.ParsePath(text)
		if err != nil || steps(p) != want || p.Text != text {
			t.Errorf("%s: %s, %v: expected %s", text, steps(p), err, want)
		}
	}
	for text, want := range map[string]string{
		"":               "ends too soon",
		"user-song-user": `no type "song"`,
		"artist-artist":  "no links from artist to artist",
		"tag-artist-tag": "no links from tag to artist",
		"artist-tag":     "tagged go one way",
		"uau":            `no type with the initial "u"`,
		"XX":             "user-artist and back, user-user and back, artist-tag",
	} {
		call.Refused(t, want)(s.ParsePath(text))
	}
	s.Links = append(s.Links, LinkType{Name: "follows", From: 0, To: 0, Directed: true})
	call.Refused(t, "several types of links")(s.ParsePath("user-user"))
	if p, err := s.ParsePath("user-follows-user"); err != nil || p.Steps[0].Both {
		t.Errorf("follows: %+v, %v", p, err)
	}
	s.Types = append(s.Types, Type{Name: "album"})
	if _, err := s.ParsePath("UAU"); err == nil {
		t.Error("an initial that two types share is understood")
	}
}

func TestSchemaCheck(t *testing.T) {
	for want, change := range map[string]func(s *Schema){
		"without types of vertices":  func(s *Schema) { s.Types = nil },
		"without types of links":     func(s *Schema) { s.Links = nil },
		`both called "user"`:         func(s *Schema) { s.Links[0].Name = "user" },
		"letters, digits and _":      func(s *Schema) { s.Types[0].Name = "a-b" },
		`content "sound"`:            func(s *Schema) { s.Types[0].Content = "sound" },
		`aspect "taste" of tag`:      func(s *Schema) { s.Types[2].Aspect = "taste" },
		"user, which has no content": func(s *Schema) { s.Types[0].Aspect = AspectByContent },
		`"plays" is to be ranked`:    func(s *Schema) { s.Rank = "plays" },
	} {
		s := music()
		change(s)
		call.Refused(t, want)(s.Check())
	}
	if err := music().Check(); err != nil {
		t.Error(err)
	}
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		call.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// small are the files of a small network.
func small() map[string]string {
	return map[string]string{
		SchemaFile: `
vertices:
  user:
  song: {content: text, file: titles.tsv}
  city: {content: features, file: cities.txt}
links:
  plays: {from: user, to: song, file: plays.tsv, columns: [source, target, weight, time]}
  friends: {from: user, to: user, file: friends.csv, subtract: 100}
  lives: {from: user, to: city, file: lives.txt}
meta-paths: [user-song-user, user-city-user]
rank: plays
`,
		"plays.tsv":   "# user song count when\n1\tx\t2\t10\n1\ty\t1\t11\n2\tx\t1\t12\n2\tx\t5\t13\n\n3\tz\t3\t9\n",
		"friends.csv": "101, 102\n102,101\n103,101\n",
		"lives.txt":   "1 rome\n2 rome\n3 oslo\n",
		"titles.tsv":  "x\tblue blue moon\ny\tRed\nother\tnothing\n",
		"cities.txt":  "rome 0 1\noslo 2\n",
	}
}

func TestRead(t *testing.T) {
	n, notes, err := Read(folder(t, small()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(n.Names), "[[1 2 3] [x y z] [rome oslo]]"; got != want {
		t.Errorf("names %s, expected %s", got, want)
	}
	if got, want := fmt.Sprint(n.Links[0]), "{[0 0 1 2] [0 1 0 2] [2 1 1 3] [10 11 12 9]}"; got != want {
		t.Errorf("plays %s, expected %s", got, want)
	}
	if got, want := fmt.Sprint(n.Links[1].From, n.Links[1].To), "[0 2] [1 0]"; got != want {
		t.Errorf("friends %s, expected %s", got, want)
	}
	if got, want := fmt.Sprint(n.Words, n.Contents[1].Texts), "[blue moon red] [[0 0 1] [2] []]"; got != want {
		t.Errorf("texts %s, expected %s", got, want)
	}
	if f := n.Contents[2].Features; f == nil || f.Columns != 3 {
		t.Errorf("features %+v", f)
	}
	strange := notes.Of(strangeContents)
	if !strings.HasSuffix(strange.First, `titles.tsv:3: "other" is in no link`) {
		t.Errorf("the first text of an unknown vertex: %q", strange.First)
	}
	repeated := func(links string) int { return notes.Of("repeated_" + links + "_dropped").Count }
	if strange.Count != 1 || repeated("plays") != 1 || repeated("friends") != 1 || len(notes) != 3 {
		t.Errorf("notes %+v", notes)
	}
}

// Each mistake is told with file and line.
func TestReadErrors(t *testing.T) {
	schema := small()[SchemaFile]
	for _, c := range map[string]struct{ file, text, want string }{
		"not YAML":         {SchemaFile, "a: [", SchemaFile},
		"a list":           {SchemaFile, "- a", SchemaFile + ":1: sequence was used where mapping is expected"},
		"unknown key":      {SchemaFile, schema + "colour: red\n", SchemaFile + ":12: key \"colour\": expected one of links"},
		"key twice":        {SchemaFile, schema + "rank: plays\n", ":12: mapping key \"rank\" already defined"},
		"unknown word":     {SchemaFile, strings.Replace(schema, "subtract", "substract", 1), `:8: key "substract": expected one of columns`},
		"no such type":     {SchemaFile, strings.Replace(schema, "to: city", "to: town", 1), `:9: links lives are of "town": expected from and to of user, song, city`},
		"long path":        {SchemaFile, strings.Replace(schema, "user-city-user", strings.Repeat("user-city-", 501)+"user", 1), "more than 1000 steps"},
		"links elsewhere":  {SchemaFile, strings.Replace(schema, "plays.tsv", "../../plays.tsv", 1), `:7: file "../../plays.tsv": expected a file in the folder`},
		"texts elsewhere":  {SchemaFile, strings.Replace(schema, "titles.tsv", "/etc/passwd", 1), `:4: file "/etc/passwd": expected a file in the folder`},
		"bad path":         {SchemaFile, strings.Replace(schema, "user-city-user", "user-town-user", 1), SchemaFile + `:10: typed: meta-path "user-town-user": no type "town"`},
		"type in no link":  {SchemaFile, strings.Replace(schema, "  user:\n", "  user:\n  album:\n", 1), SchemaFile + ":4: vertices album are in no links"},
		"texts of others":  {"titles.tsv", "# titles\nw\tmoon\n", `titles.tsv has a text of none of the 3 vertices song, such as "x"; `},
		"no paths":         {SchemaFile, strings.Replace(schema, "meta-paths: [user-song-user, user-city-user]", "", 1), "no meta-paths: expected some, such as meta-paths: [user-song-user]"},
		"content, no file": {SchemaFile, strings.Replace(schema, ", file: titles.tsv", "", 1), "vertices song have content"},
		"no target":        {SchemaFile, strings.Replace(schema, "[source, target, weight, time]", "[source]", 1), "links plays: network: columns \"source\": expected a source and a target"},
		"ranks nothing":    {SchemaFile, strings.Replace(schema, "rank: plays", "rank: hears", 1), `"hears"`},
		"one column":       {"plays.tsv", "1\n", `plays.tsv:1: "1" is one column: expected two ids`},
		"weight":           {"plays.tsv", "1\tx\t-2\t10\n", `plays.tsv:1: weight "-2"`},
		"time":             {"plays.tsv", "1\tx\t2\tnow\n", `plays.tsv:1: time "now"`},
		"no links":         {"plays.tsv", "# none\n", "plays.tsv has no link"},
		"not a number":     {"friends.csv", "a,b\n", `friends.csv:1: "a": expected a whole number, from which 100`},
		"text twice":       {"titles.tsv", "x\ta\nx\tb\n", `titles.tsv:2: "x" has a text already`},
		"no features":      {"cities.txt", "paris 1\n", "cities.txt"},
	} {
		files := small()
		files[c.file] = c.text
		call.Refused(t, c.want)(Read(folder(t, files)))
	}
	for _, missing := range []string{SchemaFile, "plays.tsv", "titles.tsv", "cities.txt"} {
		files := small()
		delete(files, missing)
		call.Refused(t, missing)(Read(folder(t, files)))
	}
	if _, _, err := Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there is read")
	}
}

// Neighbours are as likely as the weights of their links, either way.
func TestWeightedWalks(t *testing.T) {
	n, _, err := Read(folder(t, small()))
	if err != nil {
		t.Fatal(err)
	}
	path := call.Of(n.ParsePath("user-song-user"))(t)
	w := call.Of(n.NewWalks(path, n.Layout([]Path{path}), WalkOptions{PerVertex: 9000, Length: 3, Seed: 1}))(t)
	first := w.Layout().First(1)
	counts := map[[2]int32]float64{}
	for i := range w.Walks() {
		walk := w.Walk(i, nil)
		counts[[2]int32{walk[0], walk[1] - first}]++
		if walk[1] == first { // song x, of users 1 and 2 with weights 2 and 1
			counts[[2]int32{-1, walk[2]}]++
		}
	}
	if got := counts[[2]int32{0, 0}] / 9000; math.Abs(got-2./3) > 0.02 {
		t.Errorf("user 1 goes to x in %v of walks, expected 2/3", got)
	}
	if got := counts[[2]int32{-1, 0}] / (counts[[2]int32{-1, 0}] + counts[[2]int32{-1, 1}]); math.Abs(got-2./3) > 0.02 {
		t.Errorf("x goes to user 1 in %v of walks, expected 2/3", got)
	}
}

func FuzzSchema(f *testing.F) {
	f.Add(small()[SchemaFile])
	f.Add("vertices: {a: , b: {content: text, file: x}}\nlinks: {l: {from: a, to: b, file: y}}\n")
	f.Add("meta-paths: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parseSchema([]byte(text), "s"); err == nil {
			s.dir = t.TempDir()
			s.read() // of files that are not there: an error, not a panic
		}
	})
}
