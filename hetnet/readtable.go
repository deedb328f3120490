package hetnet

import "strings"

// tableColumns are those of papers.tsv, which Write writes as a comment.
const tableColumns = "paper\tsplit\tvenue\tauthors\treferences\ttokens"

// readTable reads the first layout of Read.
func (f folder) readTable(papers string) (*listing, error) {
	l := newListing()
	err := f.each(papers, true, "a paper", func(t *text, line string) error {
		c := strings.Split(line, "\t")
		if len(c) != 6 {
			return t.errorf("%d columns: want 6, separated by tabs: paper, split, venue, authors, references, words", len(c))
		}
		r := record{}
		switch c[1] {
		case "train":
		case "test":
			r.test = true
		case "split":
			return t.errorf("a line of column names: want # at its start, or a paper")
		default:
			return t.errorf("split %.60q: want train or test", c[1])
		}
		var err error
		if r.name, err = t.name(c[0], "paper"); err != nil {
			return err
		}
		if strings.TrimSpace(c[2]) != "" {
			if r.venue, err = t.name(c[2], "venue"); err != nil {
				return err
			}
		}
		if r.authors, err = t.names(c[3], ",", "author"); err != nil {
			return err
		}
		if r.cites, err = t.names(c[4], ",", "reference"); err != nil {
			return err
		}
		if r.tokens, err = t.tokens(c[5]); err != nil {
			return err
		}
		return l.add(t, r)
	})
	if err != nil {
		return nil, err
	}
	candidates, err := f.find("candidates.tsv", "candidates.tsv.gz")
	if err != nil || candidates == "" {
		return l, err
	}
	return l, f.each(candidates, true, "a paper and authors", func(t *text, line string) error {
		paper, authors, ok := strings.Cut(line, "\t")
		if !ok || strings.Contains(authors, "\t") {
			return t.errorf("%d columns: want 2, separated by a tab: a test paper, and authors", 1+strings.Count(line, "\t"))
		}
		return l.addCandidates(t, paper, authors)
	})
}
