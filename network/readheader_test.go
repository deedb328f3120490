package network

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A first line whose two ids are in another line too is a link; without such a line the file is refused.
func TestFirstLineAgain(t *testing.T) {
	const lines = 10
	for _, repeat := range []string{"", "person_a person_b\n", "person_b person_a\n", "person_a 1\n"} {
		for name, many := range map[string]func(i int) string{
			"repeated":  func(i int) string { return fmt.Sprintf("%d %d\n", i%7, i%5+7) },
			"different": func(i int) string { return fmt.Sprintf("%d %d\n", i, i+1) },
		} {
			var text strings.Builder
			text.WriteString("person_a person_b\n1 2\n" + repeat)
			for i := range lines {
				text.WriteString(many(i))
			}
			n, _, err := ReadFrom(strings.NewReader(text.String()), "input", ReadOptions{})
			where := fmt.Sprintf("%d lines that are %s, then %q", lines, name, repeat)
			if repeat == "" {
				call.Refused(t, "could be the names of columns, or a link")(err)
			} else if err != nil {
				t.Errorf("%s: %v", where, err)
			} else if _, there := n.Index("person_a"); !there {
				t.Errorf("%s: the first line was taken for names", where)
			}
		}
	}
}

// Two texts that no other line has may be names that are not known: they are a link, and a note says what is doubtful.
func TestDoubtfulFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"papa,mama\nann,ben\nben,cat\n":       "papa, mama",
		"papa,mama\nann,papa\nben,cat\n":      "",
		"Protein A,Protein B\nP1,P2\nP2,P3\n": "Protein A, Protein B",
		"A,B\nx,y\ny,z\nz,x\n":                "A, B",
		"0,1\n10,11\n11,12\n":                 "0, 1", // as pandas names columns
		"0 1 2\n10 11 .5\n11 12 3\n":          "0, 1",
		"0,1\n1,2\n":                          "",
		"5,6\n10,11\n11,12\n":                 "", // no names of columns
		"A,1\nx,2\n2,3\n":                     "",
		"papa,mama\n":                         "", // the only link
		"source,target\nann,ben\nben,cat\n":   "",
		"n1,n2\nn3,n4\n":                      "n1, n2",
	} {
		_, notes, err := ReadFrom(strings.NewReader(text), "input", ReadOptions{CSV: true})
		if err != nil || notes.Of("first_line").First != want {
			t.Errorf("%q: doubtful %q, %v: expected %q", text, notes.Of("first_line").First, err, want)
		}
	}
}
