package fetch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// No package but this one imports what opens sockets: no other command reaches for a network, whatever it is given.
func TestOnlyFetchOpensSockets(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && name != "."):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		seen++
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			opens := path == "net" || strings.HasPrefix(path, "net/") && path != "net/url" || path == "crypto/tls" || strings.HasPrefix(path, "golang.org/x/net")
			if opens && filepath.ToSlash(filepath.Dir(name)) != "network/fetch" {
				t.Errorf("%s imports %s: expected all that goes over a network in network/fetch", name, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Errorf("%d files read: expected all of the module", seen)
	}
}
