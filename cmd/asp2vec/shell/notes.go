package shell

import "github.com/asp2vec/asp2vec/network"

// noted is what a note says beside its name.
func noted(x network.Note) any {
	if x.Count > 0 {
		return x.Count
	}
	return x.First
}

// Tell says what was read: how much of it, what there is to know of it, and, each on a line, what may be wrong with it.
func (p *Program) Tell(path string, sizes []any, notes network.Notes) {
	for _, x := range notes {
		if x.Advice != "" {
			continue
		}
		sizes = append(sizes, x.Name, noted(x))
		if x.Count > 0 && x.First != "" {
			sizes = append(sizes, "first", x.First)
		}
	}
	p.Log.Info("read "+path, sizes...)
	for _, x := range notes {
		if x.Advice != "" {
			p.Log.Warn(x.Advice, x.Name, noted(x))
		}
	}
}

// Found adds notes to a document: a list under a key, and a fact of each for people.
func (d *Doc) Found(key string, notes network.Notes) {
	if notes != nil {
		d.Data(key, notes)
	}
	for _, x := range notes {
		d.Line(title(x.Name), noted(x))
	}
}
