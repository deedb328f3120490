// Package registry holds what options choose by name, such as losses and scores, and knows which file has added each.
package registry

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/asp2vec/asp2vec/internal/unknown"
)

// Of is a registry of entries of a type.
type Of[T any] struct {
	what    string
	entries map[string]placed[T]
	errs    []error
}

type placed[T any] struct {
	entry T
	file  string
}

// New returns a registry without entries. What says of what they are, for errors: "losses: loss".
func New[T any](what string) *Of[T] { return &Of[T]{what: what, entries: map[string]placed[T]{}} }

// Add adds an entry, from the init function of the file that it is written in. Of two entries of a name the first one stays, and Err says so.
func (r *Of[T]) Add(name string, entry T) {
	file := caller(2)
	if old, there := r.entries[name]; there {
		r.errs = append(r.errs, fmt.Errorf("%s %q is added by %s and by %s: expected another name, or one entry", r.what, name, old.file, file))
		return
	}
	r.entries[name] = placed[T]{entry, file}
	changes.Add(1)
}

// Remove takes an entry out.
func (r *Of[T]) Remove(name string) {
	delete(r.entries, name)
	changes.Add(1)
}

var changes atomic.Int64

// Changes counts what was added and taken out of all registries.
func Changes() int64 { return changes.Load() }

// Err returns an error where two entries of one name were added: which one was meant would be left to chance.
func (r *Of[T]) Err() error { return errors.Join(r.errs...) }

// Get returns the entry of a name; the zero value where there is none.
func (r *Of[T]) Get(name string) T { return r.entries[name].entry }

// Entry is Get for those who do not know the type.
func (r *Of[T]) Entry(name string) any { return r.Get(name) }

// Has says whether there is an entry of a name.
func (r *Of[T]) Has(name string) bool { _, has := r.entries[name]; return has }

// Find returns the entry of a name; its error lists the names that there are.
func (r *Of[T]) Find(name string) (T, error) {
	if !r.Has(name) {
		return r.Get(name), unknown.Name{What: r.what, Name: name, Known: r.Names()}
	}
	return r.Get(name), nil
}

// Names returns the names of all entries, sorted.
func (r *Of[T]) Names() []string { return slices.Sorted(maps.Keys(r.entries)) }

// All are the entries, in the order of their names.
func (r *Of[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range r.Names() {
			if !yield(name, r.Get(name)) {
				return
			}
		}
	}
}

// File returns the file that has added an entry: by its folder in this module, as in losses/skipgram.go, or by that of another module; "" where there is no such
// entry.
func (r *Of[T]) File(name string) string { return r.entries[name].file }

const module = "github.com/asp2vec/asp2vec/"

// caller returns the file of a function that has called, some calls up, by the folder of its package.
func caller(up int) string {
	pc, file, _, _ := runtime.Caller(up)
	return Place(runtime.FuncForPC(pc).Name(), file)
}

// Place returns a file by the folder of its package, given the whole name of a function in it, as in github.com/asp2vec/asp2vec/losses.init.0.
func Place(function, file string) string {
	dir, name := path.Split(function)
	name, _, _ = strings.Cut(name, ".")
	return strings.TrimPrefix(path.Join(dir, name, path.Base(file)), module)
}
