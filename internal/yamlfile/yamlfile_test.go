package yamlfile

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/unknown"
)

type sample struct {
	Name  string  `yaml:"name"`
	Count int     `yaml:"count"`
	Share float64 `yaml:"share"`
	Tags  Texts   `yaml:"tags"`
	More  Node    `yaml:"more"`
}

func read(text string) (s sample, err error) {
	doc, err := Parse([]byte(text))
	if err == nil {
		err = Fields(doc.Part, "key", &s)
	}
	return s, err
}

func TestRead(t *testing.T) {
	s, err := read("# a file\nname: a\ncount: 3\nshare: 1e-3\ntags: [b, c]\nmore: {z: 1, a: 2}\n")
	if err != nil || s.Name != "a" || s.Count != 3 || s.Share != .001 || !slices.Equal(s.Tags, Texts{"b", "c"}) {
		t.Fatalf("%+v, %v", s, err)
	}
	entries, err := Entries(s.More.Part, "key")
	if err != nil || len(entries) != 2 || entries[0].Name != "z" || entries[1].Name != "a" || Line(entries[1].Key) != 6 {
		t.Errorf("%+v, %v", entries, err)
	}
	if s, err := read("tags: alone\n"); err != nil || !slices.Equal(s.Tags, Texts{"alone"}) || s.More.Part != nil {
		t.Errorf("%+v, %v", s, err)
	}
}

// Whatever is wrong is said with its line, and nothing takes long or ends the program.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"name: a\nnam: b\n":                    `2: key "nam": want one of count, more, name, share, tags`,
		"name: a\ncount: x\n":                  "2: x: want a number",
		"name: a\nname: b\n":                   `2: mapping key "name" already defined`,
		"- a\n":                                "1: [...]: want KEY: VALUE",
		"name: [a\n":                           "1: ",
		"tags: []\n":                           "1: an empty list of texts",
		"tags:\n- a\n- {b: c}\n":               "3: {...}: want a word",
		"name: &a b\ntags: *a\n":               "1: an anchor or alias",
		"name: a\n---\nname: b\n":              "3: more than one document",
		strings.Repeat("[", 1<<20):             "1: more than 500 lists and mappings",
		strings.Repeat("- ", 1<<20):            "1: more than 500 lists and mappings",
		strings.Repeat("{a: ", 1<<18) + "\x00": "1: more than 500 lists and mappings",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "\n\n"} {
		if _, err := read(text); !errors.Is(err, io.EOF) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var stranger unknown.Name
	if _, err := read("nam: b\n"); !errors.As(err, &stranger) || stranger.Name != "nam" {
		t.Errorf("%+v", stranger)
	}
}
