package main

import "github.com/asp2vec/asp2vec/network"

// noted is what a note says beside its name.
func noted(x network.Note) any {
	if x.Count > 0 {
		return x.Count
	}
	return x.First
}

// tell says what was read: how much of it, what there is to know of it, and, each on a line, what may be wrong with it.
func (p *program) tell(path string, sizes []any, notes network.Notes) {
	for _, x := range notes {
		if x.Advice != "" {
			continue
		}
		sizes = append(sizes, x.Name, noted(x))
		if x.Count > 0 && x.First != "" {
			sizes = append(sizes, "first", x.First)
		}
	}
	p.log.Info("read "+path, sizes...)
	for _, x := range notes {
		if x.Advice != "" {
			p.log.Warn(x.Advice, x.Name, noted(x))
		}
	}
}

// found adds notes to a document: a list under a key, and a fact of each for people.
func (d *doc) found(key string, notes network.Notes) {
	if notes != nil {
		d.data(key, notes)
	}
	for _, x := range notes {
		d.line(title(x.Name), noted(x))
	}
}
