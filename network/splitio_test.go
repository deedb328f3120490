package network

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
)

// folder returns the content of every file under dir.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// readBack writes a split and reads it.
func readBack(t *testing.T, s *Split) *Split {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "split")
	call.OK(t, s.Write(dir, false))
	return call.Of(ReadSplit(dir, s.Directed))(t)
}

func TestSplitWriteReadsBack(t *testing.T) {
	for _, directed := range []bool{false, true} {
		s := mustSplit(t, randomConnected(t, 30, 60, directed, rng.New(1, "test-io")), "ce5", 3)
		s.Names = slices.Clone(s.Names)
		s.Names[0], s.Names[29] = "#first", "last one" // no integers any more
		s = byNames(s)
		parent := t.TempDir()
		dir := filepath.Join(parent, "new", "split")
		call.OK(t, s.Write(dir, false))
		back := call.Of(ReadSplit(dir, directed))(t)
		if back.Checksum() != s.Checksum() || back.Options != s.Options || back.Lost != s.Lost || back.Directed != directed {
			t.Errorf("directed %v: read back %+v lost %d: expected %+v lost %d", directed, back.Options, back.Lost, s.Options, s.Lost)
		}
		again := filepath.Join(parent, "again")
		call.OK(t, back.Write(again, false))
		if a, b := folder(t, dir), folder(t, again); !maps.Equal(a, b) || len(a) != len(s.lists())+1 {
			t.Errorf("directed %v: equal splits give other bytes", directed)
		}
	}
}

// byNames returns the split with its vertices numbered in the order in which ReadSplit numbers them.
func byNames(s *Split) *Split {
	ids := newInterner()
	for _, name := range s.Names {
		ids.intern([]byte(name))
	}
	names, rank := ids.ranked()
	out := &Split{Names: names, Directed: s.Directed, Lost: s.Lost, Options: s.Options}
	for i, list := range s.lists() {
		for _, l := range *list.links {
			*out.lists()[i].links = append(*out.lists()[i].links, Link{rank[l.From], rank[l.To]})
		}
	}
	return out
}

func TestSplitWriteRefusals(t *testing.T) {
	s := mustSplit(t, randomConnected(t, 30, 60, true, rng.New(1, "test-io")), "ce1", 3)
	other := mustSplit(t, randomConnected(t, 30, 60, true, rng.New(1, "test-io")), "ce1", 4)
	dir := filepath.Join(t.TempDir(), "split")
	call.OK(t, os.Mkdir(dir, 0o777))
	if err := s.Write(dir, false); err != nil {
		t.Errorf("into an empty folder: %v", err)
	}
	before := folder(t, dir)
	call.Refused(t)(other.Write(dir, false))
	stranded := *other
	stranded.Names = append(slices.Clone(other.Names), "alone")
	call.Refused(t, `vertex "alone" is in no list`)(stranded.Write(dir, true))
	leak := *other
	leak.Test = append(slices.Clone(other.Test), other.Train[0])
	call.Refused(t, "is a training link too")(leak.Write(dir, true))
	unnamed := *other
	unnamed.Names = slices.Clone(other.Names)
	unnamed.Names[3] = "a\tb"
	call.Refused(t, "cannot be written")(unnamed.Write(dir, true))
	empty := *other
	empty.TestNeg = nil
	call.Refused(t, "test_neg is empty")(empty.Write(dir, true))
	if !maps.Equal(before, folder(t, dir)) {
		t.Error("a refused write changed the old split")
	}
	if err := other.Write(dir, true); err != nil {
		t.Errorf("with force: %v", err)
	}
	if back, err := ReadSplit(dir, true); err != nil || back.Checksum() != other.Checksum() {
		t.Errorf("after force: error %v, or the old split", err)
	}
	notes := filepath.Join(dir, "notes.txt")
	call.File(t, notes, "mine")
	call.Refused(t, "notes.txt, which is not part of a split")(s.Write(dir, true))
	call.Refused(t)(s.Write(notes, true))
	if b, err := os.ReadFile(notes); err != nil || string(b) != "mine" {
		t.Errorf("the file is %q, %v", b, err)
	}
	if siblings, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(siblings) != 1 {
		t.Errorf("left over beside the split: %v, %v", siblings, err)
	}
}

// plainSplit are the files of a small directed split as another tool would write them.
func plainSplit() map[string]string {
	return map[string]string{
		"train.tsv": "a\tb\nb\tc\nc\td\n", "train_neg.tsv": "a\tc\nb\ta\nb\td\n", "test.tsv": "d\ta\n", "test_neg.tsv": "a\td\n",
		"test_neg_directed.tsv": "# reversed\nb\ta\nc\tb\nd\tc\na\td\na\td\n",
	}
}

func writeFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		call.File(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestReadSplit(t *testing.T) {
	files := plainSplit()
	s := call.Of(ReadSplit(writeFolder(t, files), false))(t)
	if !s.Directed || !slices.Equal(s.Names, []string{"a", "b", "c", "d"}) || len(s.TestNegDirected) != 5 {
		t.Errorf("directed %v, names %v, %d directed negatives: expected true, a b c d, 5", s.Directed, s.Names, len(s.TestNegDirected))
	}
	if want := []Link{{0, 2}, {1, 0}, {1, 3}}; !slices.Equal(s.TrainNeg, want) {
		t.Errorf("training negatives %v: expected %v", s.TrainNeg, want)
	}
	delete(files, "test_neg_directed.tsv")
	files["train_neg.tsv"] = "c\ta\nb\td\n"
	files["test_neg.tsv"] = "c\ta\n"
	s = call.Of(ReadSplit(writeFolder(t, files), false))(t)
	if want := []Link{{0, 3}}; s.Directed || !slices.Equal(s.Test, want) { // d a, the smaller first
		t.Errorf("undirected: directed %v, test %v: expected false, %v", s.Directed, s.Test, want)
	}
	files["test_neg.tsv.gz"] = gz.Of(files["test_neg.tsv"])
	delete(files, "test_neg.tsv")
	call.Of(ReadSplit(writeFolder(t, files), false))(t)
	// Vertices may be without a training link.
	files["train_neg.tsv"], files["test.tsv"] = "x1\ta\nx2\tx3\n", "d\ta\nx4\tb\n"
	if s, err := ReadSplit(writeFolder(t, files), false); err != nil || len(s.Names) != 8 || len(s.Stranded()) != 4 {
		t.Errorf("four stranded vertices: error %v", err)
	}
}

// Training links keep their weights through splits, files and held-out links; a split without any has the checksum that it
// always had.
func TestSplitKeepsWeights(t *testing.T) {
	for _, directed := range []bool{false, true} {
		plain := randomConnected(t, 30, 90, directed, rng.New(1, "test-io"))
		links := plain.List()
		weights := make([]float32, len(links))
		for i := range weights {
			weights[i] = float32(1 + i%4)
		}
		n := call.Of(New(plain.Names(), links, weights, directed))(t)
		check := func(what string, s *Split, train int) {
			t.Helper()
			net := call.Of(s.TrainNetwork())(t)
			for _, l := range s.Train {
				from, _ := n.Index(s.Names[l.From])
				to, _ := n.Index(s.Names[l.To])
				if got, want := net.weight(l), n.weight(Link{from, to}); got != want || want == 0 {
					t.Fatalf("%s, directed %v: %s has weight %v, expected %v", what, directed, s.show(l), got, want)
				}
			}
			if len(s.Train) != train {
				t.Errorf("%s: %d links, expected %d", what, len(s.Train), train)
			}
		}
		s, bare := mustSplit(t, n, "ce1", 3), mustSplit(t, plain, "ce1", 3)
		check("split", s, len(bare.Train))
		if s.Checksum() == bare.Checksum() {
			t.Error("weights are not part of the checksum")
		}
		if s.Weights = nil; s.Checksum() != bare.Checksum() {
			t.Error("a split without its weights is not the one without weights")
		}
		s = mustSplit(t, n, "ce1", 3)
		held := call.Of(s.HoldOut(0.1, 1))(t)
		check("held out", held, len(s.Train)-len(held.Test))
		check("whole", n.TrainOnly(), len(links))
		back := readBack(t, s)
		if check("read back", back, len(s.Train)); back.Checksum() != s.Checksum() {
			t.Error("read back with another checksum")
		}
		s.Weights[s.Train[0]] = -1
		call.Refused(t, "weight -1")(s.Check())
	}
}

func TestReadSplitErrors(t *testing.T) {
	tests := []struct {
		name, file, text string // file is replaced by text, or removed if that is "-"
		directed         bool
		want             string
	}{
		{"missing", "train_neg.tsv", "-", false, "train_neg.tsv.gz is missing: expected it, or train_neg.tsv"},
		{"both", "test.tsv.gz", "d\ta\n", false, "test.tsv.gz and "},
		{"empty", "test.tsv", "", false, "test.tsv: contains no pair: expected lines of two ids"},
		{"unknown in test", "test.tsv", "# x\nd\ta\nd\te\nf\tg\nh\ti\n", false, `test.tsv:3: vertex "e" is not in train, like most others`},
		{"columns", "train.tsv", "a\tb\t1\t2\n", false, "train.tsv:1: 4 columns separated by tabs: expected two ids, and at most 3 columns"},
		{"weight of a test link", "test.tsv", "d\ta\t1\n", false, "test.tsv:1: 3 columns separated by tabs: expected two ids"},
		{"binary", "train.tsv", "a\tb\n\x00\tb\n", false, "train.tsv:2: id"},
		{"leak", "test.tsv", "a\tb\n", false, `test link "a" "b" is a training link too`},
		{"no json", "split.json", "{", false, "split.json: "},
		{"later format", "split.json", `{"format":2}`, false, "split.json: format 2: expected 1"},
		{"undirected", "split.json", `{"format":1}`, true, "says undirected, but directed is asked for"},
		{"changed", "split.json", `{"format":1,"directed":true,"sha256":"0"}`, false, "the files have the checksum"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := plainSplit()
			if files[test.file] = test.text; test.text == "-" {
				delete(files, test.file)
			}
			_, err := ReadSplit(writeFolder(t, files), test.directed)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "network: ") {
				t.Errorf("error %v:\nwant %s", err, test.want)
			}
		})
	}
	call.Refused(t)(ReadSplit(filepath.Join(t.TempDir(), "none"), false))
	file := filepath.Join(writeFolder(t, plainSplit()), "test.tsv")
	call.Refused(t, "is a file: expected a folder")(ReadSplit(file, false))
}

// FuzzReadSplit: whatever two of its files hold, reading never panics, and a split that was read and has no stranded vertex is
// written and read again as it is.
func FuzzReadSplit(f *testing.F) {
	f.Add([]byte("a\tb\nb\tc\nc\td\n"), []byte("a\tc\n"), true)
	f.Add([]byte("1 2\n2 3\n3 4\n"), []byte("1 5\n"), false)
	f.Add([]byte("d,a\n"), []byte(gz.Of("a\td\n")), false)
	f.Add([]byte("\x1f\x8b"), []byte("#"), true)
	f.Fuzz(func(t *testing.T, train, negatives []byte, directed bool) {
		files := plainSplit()
		files["train.tsv"], files["train_neg.tsv"] = string(train), string(negatives)
		s, err := ReadSplit(writeFolder(t, files), directed)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "network: ") {
				t.Fatal(err)
			}
			return
		}
		if len(s.Stranded()) > 0 {
			return
		}
		if back := readBack(t, s); back.Checksum() != s.Checksum() {
			t.Fatalf("%+v is read back as %+v", s, back)
		}
	})
}

func TestSplitChecksum(t *testing.T) {
	make := func() *Split {
		return &Split{Names: numbered(4), Train: []Link{{0, 1}, {1, 2}, {2, 3}}, TrainNeg: []Link{{1, 3}}, Test: []Link{{3, 0}}, TestNeg: []Link{{2, 0}}}
	}
	base, s := make().Checksum(), make()
	s.Train[0], s.Train[1] = Link{2, 1}, Link{1, 0}
	s.Lost, s.Options.Seed = 3, 9
	if s.Checksum() != base {
		t.Error("the order of undirected links, or how the split was made, changes the checksum")
	}
	s = make()
	s.Test, s.TrainNeg = s.TrainNeg, s.Test
	if s.Checksum() == base {
		t.Error("exchanged lists do not change the checksum")
	}
	s = make()
	s.Directed = true
	if s.Checksum() == base {
		t.Error("the direction does not change the checksum")
	}
}
