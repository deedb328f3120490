//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// python returns what runs a Python program of the package in python/, with this test as the program asp2vec.
func python(t *testing.T) func(dir string, args ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs Python")
	}
	interpreter := ""
	for _, each := range []string{"python3", "/usr/bin/python3"} { // that of an environment, or the system's
		if exec.Command(each, "-c", "import numpy, networkx, scipy, pandas, sklearn").Run() == nil {
			interpreter = each
			break
		}
	}
	switch {
	case interpreter == "" && os.Getenv("CI") != "":
		t.Fatal("no python3 with numpy, networkx, scipy, pandas and sklearn, which .ci/run installs")
	case interpreter == "":
		t.Skip("no python3 with numpy, networkx, scipy, pandas and sklearn")
	}
	exe := call.Of(os.Executable())(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "asp2vec")
	script := "#!/bin/sh\nexport " + beProgram + "=1\nexec '" + strings.ReplaceAll(exe, "'", `'\''`) + "' \"$@\"\n"
	call.OK(t, os.WriteFile(program, []byte(script), 0o777))
	root := call.Of(filepath.Abs("../../python"))(t)
	return func(work string, args ...string) string {
		c := exec.Command(interpreter, args...)
		c.Dir = work
		c.Env = append(os.Environ(), "PYTHONPATH="+root, "PYTHONDONTWRITEBYTECODE=1", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "ASP2VEC=")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("python3 %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

// The package's own tests, its notebook, and what docs/python.md shows, all run.
func TestPython(t *testing.T) {
	run := python(t)
	here := call.Of(filepath.Abs("../../python"))(t)
	page := call.Of(os.ReadFile("../../docs/python.md"))(t)
	for _, args := range [][]string{{"test_asp2vec.py"}, {"test_estimator.py"}, {"-S", "test_estimator.py"}} { // -S: without NumPy and all else
		args[len(args)-1] = filepath.Join(here, "tests", args[len(args)-1])
		says(t, run(t.TempDir(), args...), "\nOK")
	}
	says(t, run(t.TempDir(), filepath.Join(here, "tests", "run_notebook.py"), filepath.Join(here, "example.ipynb")), "12 cells")
	const shown = "<!-- run -->\n```python\n"
	blocks := strings.Split(string(page), shown)[1:]
	if len(blocks) == 0 {
		t.Fatalf("no block of docs/python.md begins with %q", shown)
	}
	var code strings.Builder
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "\n```")
		code.WriteString(block + "\n")
	}
	run(t.TempDir(), "-c", code.String())
}
