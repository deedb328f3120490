package hetnet

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/option"
)

// validPaths returns an error unless meta-paths are names or initials of types, as far as can be told without a schema; see CheckPaths.
func validPaths(o graphs.Options) error {
	if own := Own(o); own.Encoder == EncoderMean && own.Cell != CellResetAfter {
		return fmt.Errorf("hetnet: cell = %q, which encoder = %q does not read: expected encoder = %q", own.Cell, own.Encoder, EncoderGRU)
	}
	if own := Own(o); own.Authors == AuthorsPapers && own.Encoder != EncoderMean {
		return fmt.Errorf("hetnet: authors = %q with encoder = %q, which would read all papers of all authors in each step: expected encoder = %q", own.Authors, own.Encoder, EncoderMean)
	}
	for path := range strings.SplitSeq(Own(o).MetaPaths, ",") {
		initials := path != AllMetaPaths && !strings.Contains(path, "-")
		if strings.Trim(path, " -") == "" || initials && path != strings.ToUpper(path) {
			return fmt.Errorf("hetnet: meta-paths = %q: expected such as APA, with commas between several, or %s", Own(o).MetaPaths, AllMetaPaths)
		}
	}
	for name := range strings.SplitSeq(Own(o).Context, ",") {
		if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf("hetnet: aspect-context = %q: expected %s, %s, %s, or types with commas", Own(o).Context, ContextPaper, ContextAuthor, ContextBoth)
		}
	}
	return nil
}

// CheckPaths returns an error unless all meta-paths and types of links of the options are a schema's, and it has what their method needs.
func CheckPaths(s *typed.Schema, o graphs.Options) error {
	if o.Method != nil && ofTexts(o.Method) {
		if err := s.CheckAuthorship(); err != nil {
			return fmt.Errorf("hetnet: %s matches texts with vertices, but %w", o.Method.Name, err)
		}
	}
	_, err := pathsOf(s, o)
	return err
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
		if p.MetaPaths == option.Defaults[PaperOptions]().MetaPaths || p.MetaPaths == papers.Paths {
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
