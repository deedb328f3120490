package yamlfile

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/unknown"
)

type sample struct {
	Name  string       `yaml:"name"`
	Count Whole        `yaml:"count"`
	Share float64      `yaml:"share"`
	Tags  List[string] `yaml:"tags"`
	More  Map[Scalar]  `yaml:"more"`
	Inner At[struct {
		A int `yaml:"a"`
	}] `yaml:"inner"`
}

func read(text string) (s sample, err error) {
	err = Read([]byte(text), &s)
	return s, err
}

func TestRead(t *testing.T) {
	s, err := read("# a file\nname: a\ncount: 3\nshare: 1e-3\ntags: [b, c]\nmore: {z: 1_0, a: '2', n: }\ninner:\n  a: 4\n")
	if err != nil || s.Name != "a" || s.Count != 3 || s.Share != .001 || !slices.Equal(s.Tags.Values(), []string{"b", "c"}) || s.Inner.Value.A != 4 || s.Inner.Line != 8 {
		t.Fatalf("%+v, %v", s, err)
	}
	if m := s.More; len(m) != 3 || m[0].Name != "z" || m[0].Value != (Scalar{"1_0", false}) || m[1].Value != (Scalar{"2", true}) || m[1].Line != 6 || m[2].Value != (Scalar{}) {
		t.Errorf("%+v", m)
	}
	if s, err := read("\ufefftags: alone\n"); err != nil || len(s.Tags) != 1 || s.Tags[0] != (At[string]{"alone", 1}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// Whatever is wrong is said with its line, and nothing takes long or ends the program.
func TestErrors(t *testing.T) {
	began := time.Now()
	for text, want := range map[string]string{
		"name: a\nnam: b\n":                        `2: key "nam": expected one of count, inner, more, name, share, tags`,
		"inner:\n  b: 1\n":                         `2: key "b": expected one of a`,
		"name: a\ncount: x\n":                      "2: x: expected a whole number",
		"name: a\ncount: 1.5\n":                    "2: 1.5: expected a whole number",
		"name: a\nshare: x\n":                      "2: x: expected a number",
		"name: a\nname: b\n":                       `2: mapping key "name" already defined`,
		"- a\n":                                    "1: sequence was used where mapping is expected",
		"name: [a\n":                               "1: ",
		"tags: []\n":                               "1: an empty list",
		"tags:\n- a\n- {b: c}\n":                   "3: ",
		"tags:\n- a\n-\n":                          "3: no value",
		"more: [a]\n":                              "1: [: expected NAME: VALUE",
		"more: {a: [b]}\n":                         "1: [: expected a single value",
		"name: &a b\ntags: *a\n":                   "1: an anchor or alias",
		"name: a\n---\nname: b\n":                  "3: more than one document",
		strings.Repeat("x", MaxSize+1):             "1: 1048577 bytes: expected at most 1048576",
		strings.Repeat("[", MaxSize):               "1: more than 500 lists and mappings",
		strings.Repeat("- ", MaxSize/2):            "1: more than 500 lists and mappings",
		strings.Repeat("? ", MaxSize/2):            "1: more than 500 lists and mappings",
		strings.Repeat("{a: ", MaxSize/5) + "\x00": "1: more than 500 lists and mappings",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: error %v, expected %q", text, err, want)
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
	t.Log(time.Since(began))
}
