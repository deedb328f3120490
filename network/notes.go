package network

import (
	"cmp"
	"slices"
)

// Note is something that a reader found in a file or did with it, and that a user may not expect.
type Note struct {
	Name   string `json:"name"`             // such as self_loops
	Count  int    `json:"count,omitempty"`  // how often; 0 where that is no number
	First  string `json:"first,omitempty"`  // the first of these or where it stands, or else what there is to say
	Advice string `json:"advice,omitempty"` // a sentence on what may be wrong and what helps; "" where nothing may be
}

// Notes are what readers have to say, in the order in which they came to say it.
type Notes []Note

// Add adds n to the count of a name, which gets a note where it has none. It does nothing where n is 0 and first "".
func (notes *Notes) Add(name string, n int, first string) { notes.Warn(name, n, first, "") }

// Warn is Add for what may not be meant, with advice.
func (notes *Notes) Warn(name string, n int, first, advice string) {
	if n == 0 && first == "" {
		return
	}
	i := slices.IndexFunc(*notes, func(x Note) bool { return x.Name == name })
	if i < 0 {
		i = len(*notes)
		*notes = append(*notes, Note{Name: name, Advice: advice})
	}
	x := &(*notes)[i]
	x.Count, x.First = x.Count+n, cmp.Or(x.First, first)
}

// Of returns the note of a name; the zero value where there is none.
func (notes Notes) Of(name string) (found Note) {
	for _, x := range notes {
		if x.Name == name {
			return x
		}
	}
	return found
}
