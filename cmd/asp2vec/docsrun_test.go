//go:build unix

package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// runnable marks the blocks of a page that are run here, one after the other in one folder: of a shell, or of Python with modules.
var runnable = regexp.MustCompile("(?ms)^<!-- run(?: with (\\w+))? -->\n```(sh|python)\n(.*?)^```$")

// What the README and the pages of docs tell to type works as it stands, with this program under the name asp2vec.
func TestDocs(t *testing.T) {
	exe := call.Of(os.Executable())(t)
	bin := t.TempDir()
	call.OK(t, os.Symlink(exe, filepath.Join(bin, "asp2vec")))
	picture := read(t, "../../docs/images/aspects.svg")
	ran, shown := 0, 0
	for path, text := range pages(t) {
		blocks := runnable.FindAllStringSubmatch(text, -1)
		if len(blocks) != strings.Count(text, "<!-- run") {
			t.Errorf("%s: %d blocks of %d that are marked are of sh or python", path, len(blocks), strings.Count(text, "<!-- run"))
		}
		if len(blocks) == 0 {
			continue
		}
		ran++
		t.Run(filepath.Base(path), func(t *testing.T) {
			enter(t)
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			t.Setenv(beProgram, "1")
			for _, block := range blocks {
				module, language, code := block[1], block[2], block[3]
				cmd := exec.Command("sh", "-e", "-c", code)
				if language == "python" {
					if module == "" {
						continue // of the Python package, whose tests run it
					}
					if exec.Command("/usr/bin/python3", "-c", "import "+module).Run() != nil {
						t.Logf("without %s in Python this is not run:\n%s", module, code)
						continue
					}
					cmd = exec.Command("/usr/bin/python3", "-c", code)
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s\n%v\n%s", code, err, out)
				}
			}
			shown += checkShownAUC(t, text)
			if filepath.Base(path) == "README.md" {
				checkShownPicture(t, picture)
			}
		})
	}
	if shown == 0 {
		t.Error("no page shows what its run comes to")
	}
	if ran < 6 {
		t.Errorf("commands of %d pages are run: expected more", ran)
	}
}

// shownAUC is what a page says that the run in the folder measured comes to.
var shownAUC = regexp.MustCompile(`(?m)^ test AUC +(0\.\d+)$`)

// checkShownAUC compares the AUC that a page shows, if it shows one, with that of its run, and returns how many to generate.
func checkShownAUC(t *testing.T, page string) (shown int) {
	t.Helper()
	m := shownAUC.FindStringSubmatch(page)
	if m == nil {
		return 0
	}
	want := call.Of(strconv.ParseFloat(m[1], 64))(t)
	var got results.Record
	call.OK(t, json.Unmarshal([]byte(read(t, "measured/record.json")), &got))
	if x := got.Metrics["auc"]; !(math.Abs(x-want) < 0.01) { // processors round differently
		t.Errorf("the example comes to test AUC %.4f, and the page shows %s", x, m[1])
	}
	return 1
}

// sentence is a title or a note in a picture.
var sentence = regexp.MustCompile(`>[^<>]{30,}</text>`)

// checkShownPicture compares what the README's picture says with what its command draws; processors round places differently.
func checkShownPicture(t *testing.T, shown string) {
	t.Helper()
	for _, want := range sentence.FindAllString(read(t, "aspects.svg"), -1) {
		says(t, shown, want)
	}
}

// The program of docs/go-library.md works in a module of its own, with a loss of its own.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	root := call.Of(filepath.Abs("../.."))(t)
	files := map[string]string{"go.sum": read(t, "../../go.sum")}
	for _, name := range []string{"main.go", "loss.go", "parts.go", "parts_test.go"} {
		files[name] = read(t, "testdata/library/"+name)
	}
	files["go.mod"] = strings.Replace(read(t, "../../go.mod"), "module github.com/asp2vec/asp2vec\n", "module example.org/mine\n", 1) +
		"\nrequire github.com/asp2vec/asp2vec v0.0.0\n\nreplace github.com/asp2vec/asp2vec => " + root + "\n"
	enter(t)
	for name, text := range files {
		write(t, name, text)
	}
	must(t, "data", "generate", "planted", "--vertices", "200", "--communities", "8", "--out", "links.tsv")
	command := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if out := command("run", "-ldflags=-s -w", "."); strings.Count(out, " is near ") != 5 || !strings.Contains(out, "test AUC 0.") {
		t.Errorf("go run:\n%s", out)
	}
	command("test", "-vet=off", "-ldflags=-s -w", ".")
}
