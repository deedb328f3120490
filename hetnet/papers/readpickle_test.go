package papers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// sharedData returns the folder of data sets for development, or skips the test.
func sharedData(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("ASP2VEC_DATA"), "../../../shared/data"} {
		if fi, err := os.Stat(filepath.Join(dir, "published")); dir != "" && err == nil && fi.IsDir() {
			return dir
		}
	}
	t.Skip("no folder of published files: ASP2VEC_DATA is not set, or has none")
	return ""
}

// The words of the lists' papers as Python pickles them, of protocol 0.
const pickledWords = "((lp0\n(lI2\naI3\naI2\naa(lS'4'\naa(la(lI3\naa(lI10\naI20\naI12\naS'11'\nat."

// Words are those of abstracts or else of titles.
func TestReadPickledWords(t *testing.T) {
	want, _, err := publishedLists.read(t)
	if err != nil {
		t.Fatal(err)
	}
	const content, title = "content_top_2013.pkl", "title_top_2013.pkl"
	got, notes, err := publishedLists.with(title, "not read").read(t)
	if err != nil || got.Checksum() != want.Checksum() || notes.Of("words_from").First != content {
		t.Errorf("error %v, or another bibliography: %+v", err, notes)
	}
	if got, notes, err = publishedLists.with(content, "").with(title, pickledWords).read(t); err != nil || got.Checksum() != want.Checksum() || notes.Of("words_from").First != title {
		t.Errorf("error %v, or another bibliography: %+v", err, notes)
	}
	for _, c := range []struct{ pickle, want string }{
		{"", "is no pickle"},
		{pickledWords[:40], "was it cut off?"},
		{"cos\nsystem\n(S'echo'\ntR.", `names "os.system", which is not known here`},
		{"I1\n.", "contains a whole number: expected two lists"},
		{"((lI1\nat.", "contains a tuple of 1: expected two lists"},
		{"((l(lI1\nat.", "contains a list of 0 and a list of 1: expected two lists of the same length"},
		{"((lI1\na(lI10\nat.", `the words of paper "10" are a whole number: expected a list`},
		{"((l(la(lF1.5\nat.", "paper 0 of the list is a float"},
		{"((l(la(la(lI10\naI10\nat.", `the words of paper "10" again`},
		{"((l(lF1.5\naa(lI10\nat.", `a word of paper "10" is a float`},
		{"((l(lS'a b'\naa(lI10\nat.", `the word "a b" of paper "10": expected text without blanks`},
		{"((l(lS''\naa(lI10\nat.", `the word "" of paper "10"`},
	} {
		_, _, err := publishedLists.with(content, c.pickle).read(t)
		if c.pickle == "" {
			f := publishedLists.with(title, "")
			f[content] = ""
			_, _, err = f.read(t)
		}
		if err == nil || !prefixed(err) || !strings.Contains(err.Error(), content) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v: expected one with %s", err, c.want)
		}
	}
}

// A list that is in a pickle many times stands for more words than any paper has: it is not spelt out.
func TestReadPickledWordsAgainAndAgain(t *testing.T) {
	var b strings.Builder
	b.WriteString("((l(lp0\n" + strings.Repeat("I7\na", 20_000) + "a")
	b.WriteString(strings.Repeat("g0\na", 20_000) + "(l")
	for range 20_001 {
		b.WriteString("I99\na")
	}
	call.Refused(t, "has more words than a file of")(publishedLists.with("content_top_2013.pkl", b.String()+"t.").read(t))
}

// TaPEm's folder is read as it is published, and holds what another program made of it.
func TestReadTaPEm(t *testing.T) {
	data := sharedData(t)
	published := filepath.Join(data, "published/pcy1302-TapEM/data")
	b, notes, err := Read(published)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := Read(filepath.Join(data, "dblp"))
	if err != nil {
		t.Fatal(err)
	}
	if notes.Of("words_from").First != "title_top_2013.pkl" || fmt.Sprint(b.Sizes()) != fmt.Sprint(want.Sizes()) {
		t.Errorf("got %+v, expected %+v", notes, want.Sizes())
	}
	// The other program sorted papers, left authors their numbers, and had the venues of test papers from a pickled table, which is
	// not read here: no method sees them.
	for i := range want.Test {
		want.Test[i].Venue = -1
	}
	table := call.Of(ReadTaPEm(published, TaPEmTitles))(t)
	out := t.TempDir()
	call.OK(t, table.Write(out))
	if got, _, err := Read(out); err != nil || got.Checksum() != want.Checksum() {
		t.Errorf("error %v, or another bibliography", err)
	}
	call.Refused(t, TaPEmAbstracts)(ReadTaPEm(published, TaPEmAbstracts))
}

// FuzzPickledWords looks for panics.
func FuzzPickledWords(f *testing.F) {
	f.Add(pickledWords)
	if data, err := os.ReadFile("../../../shared/data/published/pcy1302-TapEM/data/title_top_2013.pkl"); err == nil {
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, pickled string) {
		b, _, err := publishedLists.with("content_top_2013.pkl", pickled).read(t)
		if err == nil {
			sound(t, b)
		} else if !prefixed(err) {
			t.Error(err)
		}
	})
}
