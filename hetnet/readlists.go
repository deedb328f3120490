package hetnet

import (
	"fmt"
	"strings"
)

// readLists reads the second layout of Read; train is the list of training papers.
func (f folder) readLists(train string) (*listing, error) {
	l := newListing()
	l.numbered = true
	test, err := f.findVersion(LayoutLists + "-test")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{train, test} {
		if name == "" { // no test papers
			continue
		}
		err := f.each(name, false, "a paper and authors", func(t *text, line string) error {
			paper, authors, ok := strings.Cut(line, ":")
			if !ok {
				return t.errorf("%.60q has no colon: want PAPER:AUTHOR,AUTHOR,...", line)
			}
			r := record{test: name == test}
			var err error
			if r.name, err = t.name(paper, "paper"); err != nil {
				return err
			}
			if r.authors, err = t.names(authors, ",", "author"); err != nil {
				return err
			}
			return l.add(t, r)
		})
		if err != nil {
			return nil, err
		}
	}
	content, err := f.findVersion("content")
	if err == nil && content == "" {
		err = fmt.Errorf("hetnet: %s has no words of papers: want a file content.txt; the documentation of Read says how to make it from content.pkl", f.dir)
	}
	if err != nil {
		return nil, err
	}
	known := map[*record]bool{} // whose words have been read
	err = f.pairs(l, content, "words", func(t *text, r *record, words string) (err error) {
		if known[r] {
			return t.errorf("the words of paper %q again: want them once", r.name)
		}
		known[r] = true
		r.tokens, err = t.tokens(words)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := f.pairsIfThere(l, "paper_conf", "a venue", func(t *text, r *record, venue string) (err error) {
		if r.venue != "" {
			return t.errorf("a venue of paper %q again: want one", r.name)
		}
		r.venue, err = t.name(venue, "venue")
		return err
	}); err != nil {
		return nil, err
	}
	if err := f.pairsIfThere(l, "paper_paper", "a paper that it cites", func(t *text, r *record, cited string) error {
		cited, err := t.name(cited, "reference")
		r.cites = append(r.cites, cited)
		return err
	}); err != nil {
		return nil, err
	}
	negatives, err := f.findVersion("paper_author_neg_ids")
	if err != nil || negatives == "" {
		return l, err
	}
	return l, f.each(negatives, false, "a paper and numbers of authors", func(t *text, line string) error {
		paper, numbers, ok := strings.Cut(line, ":")
		if !ok {
			return t.errorf("%.60q has no colon: want PAPER:NUMBER,NUMBER,...", line)
		}
		return l.addCandidates(t, paper, strings.TrimSuffix(strings.TrimRight(numbers, " "), ","))
	})
}

// pairs calls do with each line of a file, which is a paper, a tab, and something about it.
func (f folder) pairs(l *listing, name, what string, do func(t *text, r *record, rest string) error) error {
	return f.each(name, false, "a paper and "+what, func(t *text, line string) error {
		paper, rest, ok := strings.Cut(line, "\t")
		if !ok {
			return t.errorf("%.60q has no tab: want a paper, a tab and %s", line, what)
		}
		i, ok := l.place[strings.Trim(paper, " ")]
		if !ok {
			l.strangers++
			return nil
		}
		return do(t, &l.papers[i], rest)
	})
}

// pairsIfThere is pairs for a file of several versions that may be missing.
func (f folder) pairsIfThere(l *listing, stem, what string, do func(t *text, r *record, rest string) error) error {
	name, err := f.findVersion(stem)
	if err != nil || name == "" {
		return err
	}
	return f.pairs(l, name, what, do)
}

// rename gives numbers the names that a file has for them. Commas, which separate names in the files of Write, become spaces.
// A name that two numbers have, and one that is itself a number in the list, has its number after it in brackets.
func (f folder) rename(list []string, stem string) error {
	file, err := f.findVersion(stem)
	if err != nil || file == "" {
		return err
	}
	place, used := make(map[string]int, len(list)), make(map[string]int, len(list))
	for i, s := range list {
		place[s] = i
	}
	names := make([]string, len(list))
	err = f.each(file, false, "a number and a name", func(t *text, line string) error {
		number, name, ok := strings.Cut(line, "\t")
		if !ok {
			return t.errorf("%.60q has no tab: want a number, a tab and a name", line)
		}
		i, ok := place[strings.Trim(number, " ")]
		if !ok {
			return nil // of an author who is in no training paper
		}
		if names[i] != "" {
			return t.errorf("%.60q has a name already: want one", number)
		}
		names[i], err = t.name(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r == ' ' }), " "), "name")
		used[names[i]]++
		return err
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		if _, number := place[name]; used[name] > 1 || number {
			name += " (" + list[i] + ")"
		}
		if name != "" {
			names[i] = name
		} else {
			names[i] = list[i]
		}
	}
	copy(list, names)
	return nil
}
