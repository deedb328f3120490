package hetnet

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/asp2vec/asp2vec/internal/pickle"
	"github.com/asp2vec/asp2vec/network"
	"golang.org/x/text/encoding/charmap"
)

// readLists reads the second layout of Read; train is the list of training papers.
func (f folder) readLists(train string) (*listing, error) {
	l := newListing()
	l.candidatesAre = calledByPlace
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
	if err := f.readWords(l); err != nil {
		return nil, err
	}
	if err := f.readVenues(l); err != nil {
		return nil, err
	}
	if err := f.readReferences(l); err != nil {
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

// findEither returns which of a file of TaPEm and its counterpart of Camel is there, or "". The latter makes candidates those of Camel.
func (f folder) findEither(l *listing, tapem, camel string) (name string, isCamel bool, err error) {
	name, err = f.findVersion(tapem)
	if err != nil {
		return "", false, err
	}
	other, err := f.findVersion(camel)
	if err != nil || other == "" {
		return name, false, err
	}
	if name != "" {
		return "", false, fmt.Errorf("hetnet: %s has both %s and %s: want one of them", f.dir, name, other)
	}
	l.candidatesAre = calledByAnyName
	return other, true, nil
}

// readVenues reads the venues of papers, if there are any.
func (f folder) readVenues(l *listing) error {
	name, camel, err := f.findEither(l, "paper_conf", "paper-venue")
	if err != nil || name == "" {
		return err
	}
	separator := "\t"
	if camel {
		separator = ","
	}
	return f.pairs(l, name, separator, "a venue", func(t *text, r *record, venue string) (err error) {
		if r.venue != "" {
			return t.errorf("a venue of paper %q again: want one", r.name)
		}
		r.venue, err = t.name(venue, "venue")
		return err
	})
}

// readReferences reads which papers papers cite, if they do.
func (f folder) readReferences(l *listing) error {
	name, camel, err := f.findEither(l, "paper_paper", "paper-citation-list")
	if err != nil || name == "" {
		return err
	}
	if camel {
		return f.pairs(l, name, ":", "papers that it cites", func(t *text, r *record, cited string) (err error) {
			if r.cites != nil {
				return t.errorf("what paper %q cites again: want it once", r.name)
			}
			r.cites, err = t.names(cited, ",", "reference")
			return err
		})
	}
	return f.pairs(l, name, "\t", "a paper that it cites", func(t *text, r *record, cited string) error {
		cited, err := t.name(cited, "reference")
		r.cites = append(r.cites, cited)
		return err
	})
}

// readWords reads the words of papers from the first of these that is there: text, abstracts as they are published, titles as
// they are published.
func (f folder) readWords(l *listing) error {
	content, err := f.findVersion("content")
	if err != nil {
		return err
	}
	if content == "" {
		for _, stem := range []string{"content", "title"} {
			switch l.texts, err = f.findEnding(stem, ".pkl"); {
			case err != nil:
				return err
			case l.texts != "":
				return f.pickledWords(l, l.texts)
			}
		}
		return fmt.Errorf("hetnet: %s has no words of papers: want a file content.pkl or title.pkl as published, or content.txt", f.dir)
	}
	l.texts = content
	known := map[*record]bool{} // whose words have been read
	return f.pairs(l, content, "\t", "words", func(t *text, r *record, words string) (err error) {
		if known[r] {
			return t.errorf("the words of paper %q again: want them once", r.name)
		}
		known[r] = true
		r.tokens, err = t.tokens(words)
		return err
	})
}

// pickledWords reads a pickle of two lists: the words of each paper, which are a list, and the papers.
func (f folder) pickledWords(l *listing, name string) error {
	path := filepath.Join(f.dir, name)
	file, err := f.Open(name)
	if err != nil {
		return fmt.Errorf("hetnet: %w", err)
	}
	defer file.Close()
	v, err := pickle.Read(file, path)
	if err != nil {
		return fmt.Errorf("hetnet: %w", err)
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("hetnet: %s: %w", path, fmt.Errorf(format, args...))
	}
	both, ok := pickle.Items(v)
	if !ok || len(both) != 2 {
		return bad("contains %s: want two lists, the words of each paper and the papers", pickle.Kind(v))
	}
	texts, ok := pickle.Items(both[0])
	papers, ok2 := pickle.Items(both[1])
	if !ok || !ok2 || len(texts) != len(papers) {
		return bad("contains %s and %s: want two lists of the same length, the words of each paper and the papers", pickle.Kind(both[0]), pickle.Kind(both[1]))
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("hetnet: %w", err)
	}
	most, total := 1<<16+info.Size(), int64(0) // a list may be in a pickle many times: a few bytes could stand for any number of words
	known := make(map[int]bool, len(papers))   // whose words have been read
	for i, paper := range papers {
		id, ok := pickle.Text(paper)
		if !ok {
			return bad("paper %d of the list is %s: want a number or a name", i, pickle.Kind(paper))
		}
		words, ok := pickle.Items(texts[i])
		if !ok {
			return bad("the words of paper %.60q are %s: want a list", id, pickle.Kind(texts[i]))
		}
		if total += int64(len(words)); total > most {
			return bad("has more words than a file of %d bytes should", info.Size())
		}
		place, ok := l.place[strings.Trim(id, " ")]
		switch {
		case !ok:
			l.strangers++
			continue
		case known[place]:
			return bad("the words of paper %.60q again: want them once", id)
		}
		known[place] = true
		tokens := make([]string, len(words))
		for j, w := range words {
			word, ok := pickle.Text(w)
			if !ok {
				return bad("a word of paper %.60q is %s: want a number or a string", id, pickle.Kind(w))
			}
			if err := network.CheckID([]byte(word)); err != nil || len(strings.Fields(word)) != 1 || strings.TrimSpace(word) != word {
				return bad("the word %.60q of paper %.60q: want text without blanks", word, id)
			}
			tokens[j] = word
		}
		l.papers[place].tokens = tokens
	}
	return nil
}

// pairs calls do with each line of a file, which is a paper, a separator, and something about it.
func (f folder) pairs(l *listing, name, separator, what string, do func(t *text, r *record, rest string) error) error {
	word := map[string]string{"\t": "tab", ",": "comma", ":": "colon"}[separator]
	return f.each(name, false, "a paper and "+what, func(t *text, line string) error {
		paper, rest, ok := strings.Cut(line, separator)
		if !ok {
			return t.errorf("%.60q has no %s: want a paper, a %s and %s", line, word, word, what)
		}
		i, ok := l.place[strings.Trim(paper, " ")]
		if !ok {
			l.strangers++
			return nil
		}
		return do(t, &l.papers[i], rest)
	})
}

// rename gives numbers the names that a file has for them. Commas, which separate names in the files of Write, become spaces.
// Characters of Windows-1252 that were taken for Latin-1, as in the published names, are put right.
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
		names[i], err = t.name(strings.Join(strings.FieldsFunc(strings.Map(windows1252, name), func(r rune) bool { return r == ',' || r == ' ' }), " "), "name")
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

// windows1252 returns what a control character of Latin-1 is in Windows-1252, and any other character as it is.
func windows1252(r rune) rune {
	if r < 0x80 || r > 0x9f {
		return r
	}
	if r = charmap.Windows1252.DecodeByte(byte(r)); unicode.IsControl(r) {
		return -1 // it has no meaning there either
	}
	return r
}
