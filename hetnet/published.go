package hetnet

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// TaPEmFiles are the published files of TaPEm that ReadTaPEm reads, beside one with words: TaPEmTitles or TaPEmAbstracts.
var TaPEmFiles = []string{
	"paper-author-list-train_top_2013.txt", "paper-author-list-test_top_2013.txt", "paper_author_neg_ids_top_2013.txt",
	"paper_conf_top_2013.txt", "paper_paper_top_2013.txt", "id_conf_top_2013.txt",
}

// Published files with the words of TaPEm's papers.
const (
	TaPEmTitles    = "title_top_2013.pkl"
	TaPEmAbstracts = "content_top_2013.pkl"
)

// ReadTaPEm reads TaPEm's published files from a folder as the data set DBLP: papers in the order of their numbers, authors
// called by theirs, since several have one name, and venues without the v before their names. words is the file with the words
// of papers; no other file than it and TaPEmFiles is looked at. Test papers have no venues: these are in a pickled table of
// pandas alone, and no method sees them. Errors are those of Read.
func ReadTaPEm(dir, words string) (*Bibliography, Report, error) {
	b, report, err := readFolder(folder{only{os.DirFS(dir), append([]string{words}, TaPEmFiles...)}, dir})
	if err != nil {
		return nil, report, err
	}
	for i, name := range b.Venues {
		b.Venues[i] = strings.TrimPrefix(name, "v")
	}
	numbers := make([]int, len(b.Papers))
	order := make([]int32, len(b.Papers))
	for i, p := range b.Papers {
		order[i] = int32(i)
		if numbers[i], err = strconv.Atoi(p.Name); err != nil {
			return nil, report, fmt.Errorf("hetnet: %s: paper %.60q: want a number", dir, p.Name)
		}
	}
	slices.SortFunc(order, func(p, q int32) int { return cmp.Compare(numbers[p], numbers[q]) })
	place := make([]int32, len(order)) // of a paper in the new order
	papers := make([]Paper, len(order))
	for i, p := range order {
		place[p], papers[i] = int32(i), b.Papers[p]
	}
	b.Papers = papers
	for _, list := range [][]int32{b.Train, b.Test} {
		renumber(list, place)
		slices.Sort(list)
	}
	for i := range b.Papers {
		renumber(b.Papers[i].Cites, place)
	}
	return b, report, nil
}

func renumber(list, place []int32) {
	for i, p := range list {
		list[i] = place[p]
	}
}

// only is a folder in which no other files than these can be opened.
type only struct {
	fs.FS
	names []string
}

// Open opens a file.
func (o only) Open(name string) (fs.File, error) {
	if name != "." && !slices.Contains(o.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.FS.Open(name)
}
