package papers

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/network"
)

// Layouts of folders.
const (
	LayoutTable = "papers.tsv"
	LayoutLists = "paper-author-list"
)

// Read reads a bibliography from a folder, in one of two layouts, which the names of its files tell. All files are UTF-8
// text, plain or compressed.
//
// The first layout has papers.tsv.gz (or papers.tsv) and candidates.tsv.gz (or .tsv), without which candidates are drawn. A
// line of papers is six columns, separated by tabs: the paper's name; train or test; its venue, which may be empty; its
// authors and its references, both separated by commas; its words, separated by spaces. A line of candidates is a test paper
// and, separated by commas, the authors to tell its own from. Blank lines do not count, nor do lines that start with # or %, nor a first
// line with the names of the columns.
//
// The second is that of the published data of TaPEm: NAME.txt or NAME_VERSION.txt (also compressed) for these names:
//
//	paper-author-list-train, paper-author-list-test   lines PAPER:AUTHOR,AUTHOR,...
//	paper_conf, paper_paper  lines PAPER, a tab, and its venue, or a paper that it cites; may be missing
//	id_author, id_conf       lines NUMBER, a tab, and the name of an author or of a venue; may be missing
//	paper_author_neg_ids     lines PAPER:NUMBER,NUMBER,..., authors by the order of their first appearance, from 0; may be missing
//
// paper_author says nothing that is not in the lists. The words are
// read from content.pkl as it is published, or else from title.pkl, a pickle of two lists: the words of each paper, and the
// papers; no code in it is run. The note words_from says which of these it was.
//
// What becomes of the table, Table.Bibliography says. Errors give file and line: a paper given twice, a line with other columns, a
// split that is neither train nor test, a candidate who is an author of the paper or of no training paper. A folder without a training
// paper is an error too.
func Read(dir string) (*Bibliography, network.Notes, error) {
	t, err := ReadTable(dir)
	if err != nil {
		return nil, nil, err
	}
	b, notes, err := t.Bibliography(filepath.Base(dir))
	if err != nil {
		return nil, nil, fmt.Errorf("%w (in %s)", err, dir)
	}
	return b, notes, nil
}

// ReadTable is Read for the papers as they stand there.
func ReadTable(dir string) (*Table, error) {
	if fi, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("papers: %s is a file: expected a folder with %s, which docs/typed.md makes of BibTeX and OpenAlex, or with %s-train.txt", dir, PapersFile, LayoutLists)
	}
	table, lists, err := layouts(dir)
	switch {
	case err != nil:
		return nil, err
	case table != "" && lists != "":
		return nil, fmt.Errorf("papers: %s has both %s and %s: expected one of them", dir, table, lists)
	case table != "":
		return readTable(dir, table)
	case lists != "":
		return refusedCamel(dir)
	}
	return nil, fmt.Errorf("papers: %s has no papers: expected a file %s, or %s-train.txt", dir, PapersFile, LayoutLists)
}

// refusedCamel is ReadLists but for the lists of Camel's code, whose venues and references are in other files.
func refusedCamel(dir string) (*Table, error) {
	for _, stem := range []string{"paper-venue", "paper-citation-list"} {
		if file, err := findVersion(dir, stem, ".txt"); err != nil || file != "" {
			return nil, fmt.Errorf("papers: %s is of Camel's lists, which are not read: expected %s, made of them as docs/typed.md shows, or TaPEm's lists", filepath.Join(dir, file), PapersFile)
		}
	}
	return ReadLists(dir)
}

// Is says whether a folder has the file of papers of one of Read's layouts.
func Is(dir string) bool {
	table, lists, err := layouts(dir)
	return err == nil && (table != "" || lists != "")
}

// layouts returns the file of papers of each layout, "" for one that is not there.
func layouts(dir string) (table, lists string, err error) {
	if table, err = findTable(dir, PapersFile); err == nil {
		lists, err = findVersion(dir, LayoutLists+"-train", ".txt")
	}
	return table, lists, err
}
