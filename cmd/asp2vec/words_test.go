package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// words are those that this project does not use, with what the field says instead (docs/glossary.md). A new one belongs here as soon as
// it has been mended.
var words = map[string]string{
	`naming (of |the )?authors`:                 "author identification",
	`names? the authors`:                        "identify the authors",
	`links (that|which) choose (the )?epochs?`:  "validation set",
	`[0-9] numbers (a|of a|an) (vertex|author)`: "dimensions",
	`AUC there`:                      "validation AUC",
	`one that there is`:              "list what there is, or say where it is listed",
	`[Ww]ithout more ado`:            "by default",
	`slip of (the hand|the program)`: "typing error, bug",
	`(do|does) not hang on`:          "depend on",
	`perhaps`:                        "maybe, optional",
	`[Ss]tranger`:                    "unknown",
	`[Hh]yper-parameters?`:           "hyperparameter",
	`[Dd]ata-sets?`:                  "data set",
	`[Bb]ase-lines?`:                 "baseline",
	`([a-z]+\.|[Rr]ead)Several`:      "eval.MultiEmbedding, vectors.MultiVectors",
	`[Ss]ettled`:                     "needs no run (any more), decided",
	`[Ss]tray(ed)?`:                  "outside, beyond",
	`tid(ied|ies)`:                   "remove, sort, shorten: what is done",
	`sheets?`:                        "table, page",
}

// Text of the project has none of the words that it does not use.
func TestWords(t *testing.T) {
	var every []string
	for word := range words {
		every = append(every, word)
	}
	unwanted := regexp.MustCompile(`\b(` + strings.Join(every, "|") + `)\b`)
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && (name == "testdata" || name == "measured" || name == "site" && filepath.Base(filepath.Dir(path)) == ".." || name == "dist" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case d.IsDir(), name == "words_test.go", !strings.Contains(" .go .md .yaml .tmpl ", " "+filepath.Ext(name)+" ") && name != "justfile":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, at := range unwanted.FindAllIndex(text, -1) {
			found := string(text[at[0]:at[1]])
			for word, instead := range words {
				if regexp.MustCompile(`^(` + word + `)$`).MatchString(found) {
					t.Errorf("%s:%d has %q: want %s", path, 1+strings.Count(string(text[:at[0]]), "\n"), found, instead)
				}
			}
		}
		return nil
	})
	if err != nil || files < 300 {
		t.Fatalf("%d files, %v", files, err)
	}
}
