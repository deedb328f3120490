package hetnet

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/option"
)

// Types of vertices of a bibliography.
const (
	typeAuthor = iota
	typeVenue
	typePaper
)

// camelPaths are those of Camel's code.
const camelPaths = "APA,APVPA,APPA"

// BibliographySchema returns that of papers, authors and venues: papers are known by their texts.
func BibliographySchema() *typed.Schema {
	return &typed.Schema{
		Types: []typed.Type{{Name: "author"}, {Name: "venue"}, {Name: "paper", Content: typed.Text}},
		Links: []typed.LinkType{
			{Name: "writes", From: typeAuthor, To: typePaper},
			{Name: "published", From: typePaper, To: typeVenue},
			{Name: "cites", From: typePaper, To: typePaper, Directed: true},
		},
		Paths: strings.Split(camelPaths, ","),
		Rank:  "writes",
	}
}

// Network returns the training papers of a bibliography, with their authors and venues, as a heterogeneous network.
func (b *Bibliography) Network() *typed.Network {
	if b.seen != nil {
		return b.seen.network
	}
	n := &typed.Network{
		Schema: *BibliographySchema(), Words: b.Words,
		Names: [][]string{b.Authors, b.Venues, nil}, Links: make([]typed.Links, 3), Contents: make([]typed.Content, 3),
	}
	n.Name = b.Name
	at := make([]int32, len(b.Papers)) // places of training papers
	for i, p := range b.Train {
		at[p] = int32(i)
	}
	add := func(link int, from, to int32) {
		l := &n.Links[link]
		l.From, l.To = append(l.From, from), append(l.To, to)
	}
	papers := &n.Contents[typePaper]
	papers.Texts = make([][]int32, len(b.Train))
	for i, p := range b.Train {
		paper := &b.Papers[p]
		n.Names[typePaper] = append(n.Names[typePaper], paper.Name)
		papers.Texts[i] = paper.Tokens
		for _, a := range paper.Authors {
			add(0, a, int32(i))
		}
		if paper.Venue >= 0 {
			add(1, int32(i), paper.Venue)
		}
		for _, q := range paper.Cites {
			add(2, int32(i), at[q])
		}
	}
	return n
}

// NewMetaPath returns the walks of a bibliography along a meta-path, such as APVPA: from an author to one of its papers, its venue, a
// paper of that venue, an author of that paper, and on from there. Vertices are authors from 0 in the order of Bibliography.Authors,
// then venues if the path has any, then training papers in the order of Bibliography.Train. It returns an error if an option is out of
// range, if there is no such path, or if no walk can follow it.
func NewMetaPath(b *Bibliography, path string, o typed.WalkOptions) (*typed.Walks, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	n := b.Network()
	p, err := n.ParsePath(path)
	if err != nil {
		return nil, err
	}
	author, _ := b.types()
	return n.NewWalks(p, n.Layout([]typed.Path{p}, author), o)
}

// validPaths returns an error unless meta-paths are names or initials of types, as far as can be told without a schema; see CheckPaths.
func validPaths(o graphs.Options) error {
	if own := Own(o); own.Encoder == EncoderMean && own.Cell != CellResetAfter {
		return fmt.Errorf("hetnet: cell = %q, which encoder = %q does not read: want encoder = %q", own.Cell, own.Encoder, EncoderGRU)
	}
	for path := range strings.SplitSeq(Own(o).MetaPaths, ",") {
		initials := path != AllMetaPaths && !strings.Contains(path, "-")
		if strings.Trim(path, " -") == "" || initials && path != strings.ToUpper(path) {
			return fmt.Errorf("hetnet: meta-paths = %q: want such as APA, with commas between several, or %s", Own(o).MetaPaths, AllMetaPaths)
		}
	}
	for name := range strings.SplitSeq(Own(o).Context, ",") {
		if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf("hetnet: aspect-context = %q: want %s, %s, %s, or types with commas", Own(o).Context, ContextPaper, ContextAuthor, ContextBoth)
		}
	}
	return nil
}

// CheckPaths returns an error unless all meta-paths and types of links of the options are a schema's, and it has what their method needs.
func CheckPaths(s *typed.Schema, o graphs.Options) error {
	if o.Method != nil && ofTexts(o.Method) {
		if _, _, err := authorship(s, o.Method.Name); err != nil {
			return err
		}
	}
	if _, err := pathsOf(s, o); err != nil {
		return err
	}
	if err := s.CheckLinkNames(shuffledLinks(o)); err != nil {
		return fmt.Errorf("hetnet: shuffled-links = %q: %w", Own(o).ShuffledLinks, err)
	}
	return nil
}

// shuffledLinks returns the types of links that are rewired.
func shuffledLinks(o graphs.Options) (names []string) {
	if Own(o).ShuffledLinks == "" {
		return nil
	}
	for name := range strings.SplitSeq(Own(o).ShuffledLinks, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// pathsOf returns the meta-paths of the options. AllMetaPaths are those of the schema.
func pathsOf(s *typed.Schema, o graphs.Options) (paths []typed.Path, err error) {
	texts := strings.Split(Own(o).MetaPaths, ",")
	if Own(o).MetaPaths == AllMetaPaths {
		texts = s.Paths
	}
	for _, text := range texts {
		path, err := s.ParsePath(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// ForSchema returns the options for a network with a schema of its own: the defaults of papers and authors, APA or Camel's three, stand for
// the schema's meta-paths there, also where its types have these initials.
func ForSchema(o graphs.Options) graphs.Options {
	graphs.Edit(&o, func(p *PaperOptions) {
		if p.MetaPaths == option.Defaults[PaperOptions]().MetaPaths || p.MetaPaths == camelPaths {
			p.MetaPaths = AllMetaPaths
		}
	})
	return o
}

// metaPaths returns the walks along the meta-paths of the options, which number the same vertices: those of all types that a path
// has, and of others. Of AllMetaPaths those that no walk can follow are left out, but for the first.
func metaPaths(n *typed.Network, o graphs.Options, others ...int) (joined typed.Joined, err error) {
	paths, err := pathsOf(&n.Schema, o)
	if err != nil {
		return nil, err
	}
	options := typed.WalkOptions{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed}
	var open []typed.Path
	for i, path := range paths {
		_, err := n.NewWalks(path, n.Layout([]typed.Path{path}), options)
		switch {
		case err == nil:
			open = append(open, path)
		case Own(o).MetaPaths != AllMetaPaths || i == 0:
			return nil, err
		}
	}
	layout := n.Layout(open, others...)
	for _, path := range open {
		w, err := n.NewWalks(path, layout, options)
		if err != nil {
			return nil, err
		}
		joined = append(joined, w)
	}
	return joined, nil
}
