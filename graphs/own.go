package graphs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Equal says whether the options are the same in every option of every method.
func (o Options) Equal(p Options) bool {
	same := maps.Equal(o.Hyper, p.Hyper)
	o.Hyper, p.Hyper = nil, nil
	return same && reflect.DeepEqual(o, p)
}

// Is says whether the options are those of a method of a name.
func (o Options) Is(method string) bool { return o.Method != nil && o.Method.Name == method }

// String returns the method's name.
func (m *Method) String() string { return m.Name }

// Give takes back what stands against an option that was given by itself, as the option's declaration says.
func (o *Options) Give(key string) {
	given, _ := option.Find(o.Options(), key)
	for _, other := range given.Undoes {
		value, _ := o.Get(other)
		_ = o.Set(other, reflect.Zero(reflect.TypeOf(value)).Interface()) // which is of its kind
	}
}

// SetMethod makes the options those of a method: what it alone declares is at its defaults.
func (o *Options) SetMethod(m *Method) { o.Method, o.Own = m, m.Own }

// Own returns the options that the method of o alone declares, and zero values where it has none of that type.
func Own[T any](o Options) T {
	own, _ := o.Own.(T)
	return own
}

// Edit changes the options that the method of o alone declares; it does nothing where the method has none of that type.
func Edit[T any](o *Options, change func(own *T)) {
	if own, ok := o.Own.(T); ok {
		change(&own)
		o.Own = own
	}
}

// own are those that stand in the type of Own.
func (o Options) own() []option.Param {
	if o.Own == nil {
		return nil
	}
	return option.Of(reflect.TypeOf(o.Own))
}

// fields are the options that stand in the type Options.
func fields() []option.Param { return option.Of(reflect.TypeFor[Options]()) }

// known are lists of options, which are asked for with each of thousands of records.
var known sync.Map // from the type of Own to optionList

// optionList is a list of options, and how many changes of registries it comes after.
type optionList struct {
	changes int64
	all     []option.Param
}

// Options returns what is declared of all options there are for the method, whether it reads them or not, in the order in which records
// have them: those of the model, the method's own, the others, and what entries of registries declare that is no field of Options. The list is shared: it is to be read.
func (o Options) Options() []option.Param {
	own, changes := reflect.TypeOf(o.Own), registry.Changes()
	if list, ok := known.Load(own); ok && list.(optionList).changes == changes {
		return list.(optionList).all
	}
	all := fields()
	at := func(key string) int { return slices.IndexFunc(all, func(p option.Param) bool { return p.Key == key }) }
	first := at("walks")
	all = slices.Concat(all[:first], o.own(), all[first:])
	for _, c := range o.choices() {
		for _, key := range []string{c.option, "warm-up-" + c.option} {
			if i := at(key); i >= 0 {
				all[i].Words = c.entries.Names()
			}
		}
		declared, _ := option.Declared(c.option, c.entries) // Conflict has the error
		for _, h := range declared {
			if i := at(h.Key); i >= 0 {
				h.Parts, all[i] = all[i].Parts, h
			} else {
				all = append(all, h)
			}
		}
	}
	known.Store(own, optionList{changes, all})
	return all
}

// Hyperparameters returns what the entries of all registries declare, each once.
func Hyperparameters() []option.Param {
	return seq.Filter((Options{}).Options(), func(p option.Param) bool { return p.Option != "" })
}

// Get returns the value of an option by its key, and whether there is one: of a hyperparameter without a field the default of its declaration where none
// was given.
func (o Options) Get(key string) (any, bool) { return o.get(key) }

// get is Get of options that are not copied.
func (o *Options) get(key string) (any, bool) {
	if value, ok := option.Get(reflect.ValueOf(o).Elem(), key); ok {
		return value, true
	}
	if o.Own != nil {
		if value, ok := option.Get(reflect.ValueOf(o.Own), key); ok {
			return value, true
		}
	}
	if v, ok := o.Hyper[key]; ok {
		return v, true
	}
	h, ok := option.Find((Options{}).Options(), key)
	return h.Default, ok
}

// Set sets an option by its key to a value of its kind. It returns an error for a key that is no option of the method.
func (o *Options) Set(key string, value any) error {
	if f, ok := option.Find(fields(), key); ok {
		return set(f, reflect.ValueOf(o).Elem(), value)
	}
	if f, ok := option.Find(o.own(), key); ok {
		own := reflect.New(reflect.TypeOf(o.Own)).Elem()
		own.Set(reflect.ValueOf(o.Own))
		err := set(f, own, value)
		o.Own = own.Interface()
		return err
	}
	if x, ok := value.(float64); ok && isHyper(key) {
		given := option.Values{}
		maps.Copy(given, o.Hyper) // options that are copied share it
		if h, _ := option.Find((Options{}).Options(), key); h.Default == value {
			delete(given, key)
		} else {
			given[key] = x
		}
		o.Hyper = given
		return nil
	}
	return fmt.Errorf("option %s = %v: no option of %s", key, value, o.Method.Name)
}

func set(f option.Param, s reflect.Value, value any) error {
	if reflect.TypeOf(value) == nil || reflect.TypeOf(value).Kind() != f.Kind() {
		return fmt.Errorf("option %s = %v: expected %s", f.Key, value, f.KindName())
	}
	f.Set(s, value)
	return nil
}
