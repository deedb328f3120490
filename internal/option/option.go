// Package option reads what a struct type declares of its fields as options: key, default, range and help stand at the field,
// in its tag, and flags, sweeps, records and checks of all of them are made from there.
//
//	Dim int `json:"dim" default:"20" range:"[1,65536]" group:"Model" help:"dimensions of a vector"`
//
// Tags are json, the key; default, which may be missing for a zero value; range, an interval of numbers, or of, the words there
// are, with commas; zero, what 0 or no word stands for, where it is no value itself; file:"yes" for the name of a file; list:"yes" for words with commas between them; written:"given" for what records have only where it is not zero; graph:"apart" for
// what never changes which pieces a computation graph is made of; group and help. Fields of embedded structs
// are fields of the struct; those whose key is "-" are no options.
package option

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Option is what a field declares.
type Option struct {
	Key     string       // as in flags, sweeps and records
	Kind    reflect.Kind // Int, Uint64, Float64, Bool or String
	Default any          // of that kind
	Words   []string     // the values of a String; nil where any word may be one, or another package knows
	Zero    string       // what 0 or "" stands for; "" where it is a value like others
	File    bool         // a String that names a file
	List    bool         // a String of words with commas between them
	Apart   bool         // no value of it adds a piece to a computation graph, or takes one away

	Unwritten bool // in records where it is zero
	Group     string
	Help      string

	span  interval
	index []int
}

// interval is a range of numbers.
type interval struct {
	there            bool
	from, to         float64 // ±Inf for none
	openFrom, openTo bool    // the bound itself is out of range
}

var declared sync.Map // from reflect.Type to []Option

// Of returns the options of a struct type, in the order of its fields. It panics for a tag that it cannot read, which is a bug
// of the program.
func Of(t reflect.Type) []Option {
	if known, ok := declared.Load(t); ok {
		return known.([]Option)
	}
	var all []Option
	for _, f := range reflect.VisibleFields(t) {
		key := f.Tag.Get("json")
		if f.Anonymous || !f.IsExported() || key == "" || key == "-" {
			continue
		}
		o := Option{Key: key, Kind: f.Type.Kind(), Zero: f.Tag.Get("zero"), File: f.Tag.Get("file") == "yes", List: f.Tag.Get("list") == "yes", Apart: f.Tag.Get("graph") == "apart", Unwritten: f.Tag.Get("written") == "given", Group: f.Tag.Get("group"), Help: f.Tag.Get("help"), index: f.Index}
		if words := f.Tag.Get("of"); words != "" {
			o.Words = strings.Split(words, ",")
		}
		var err error
		if o.span, err = parseInterval(f.Tag.Get("range")); err != nil {
			panic(fmt.Sprintf("option %s of %v: %v", key, t, err))
		}
		o.Default = reflect.Zero(f.Type).Interface()
		if text, ok := f.Tag.Lookup("default"); ok {
			if o.Default, err = o.Parse(text); err != nil {
				panic(fmt.Sprintf("option %s of %v: default %q: %v", key, t, text, err))
			}
		}
		all = append(all, o)
	}
	declared.Store(t, all)
	return all
}

// Find returns the option of a key in a list, and whether there is one.
func Find(list []Option, key string) (Option, bool) {
	for _, o := range list {
		if o.Key == key {
			return o, true
		}
	}
	return Option{}, false
}

// parseInterval reads an interval such as [1,65536], (0,1] or [0,), which ends at infinity.
func parseInterval(text string) (r interval, err error) {
	r.from, r.to = math.Inf(-1), math.Inf(1)
	if text == "" {
		return r, nil
	}
	bad := fmt.Errorf("range %q: want one such as [1,10], (0,1) or [0,)", text)
	from, to, two := strings.Cut(text[1:len(text)-1], ",")
	if !two || !strings.ContainsAny(text[:1], "[(") || !strings.ContainsAny(text[len(text)-1:], "])") {
		return r, bad
	}
	r.there, r.openFrom, r.openTo = true, text[0] == '(', text[len(text)-1] == ')'
	for bound, word := range map[*float64]string{&r.from: from, &r.to: to} {
		if word == "" {
			continue
		}
		if *bound, err = strconv.ParseFloat(word, 64); err != nil {
			return r, bad
		}
	}
	return r, nil
}

func (r interval) contains(x float64) bool { // NaN is in no range
	return (x > r.from || x == r.from && !r.openFrom) && (x < r.to || x == r.to && !r.openTo) && !math.IsInf(x, 0)
}

// words say of an interval what is in it.
func (r interval) words() string {
	number := func(x float64) string {
		if x == math.Trunc(x) && math.Abs(x) < 1e15 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	low, high := "at least "+number(r.from), "at most "+number(r.to)
	if r.openFrom {
		low = "above " + number(r.from)
	}
	if r.openTo {
		high = "below " + number(r.to)
	}
	switch {
	case math.IsInf(r.to, 1):
		return low
	case math.IsInf(r.from, -1):
		return high
	case !r.openFrom && !r.openTo:
		return number(r.from) + " to " + number(r.to)
	}
	return low + " and " + high
}

// Range says in words which values there are, such as "a number, at least 0"; "" where the option says nothing of it.
func (o Option) Range() string {
	var words string
	switch {
	case len(o.Words) > 0:
		words = "one of " + strings.Join(o.Words, ", ")
	case !o.span.there:
		return ""
	case o.Kind != reflect.Float64:
		words = o.span.words()
	case math.IsInf(o.span.to, 1) && !o.span.openFrom:
		words = "a number, " + o.span.words()
	case !math.IsInf(o.span.to, 1) && !o.span.openFrom && !o.span.openTo:
		words = "a number from " + o.span.words()
	default:
		words = "a number " + o.span.words()
	}
	if o.Zero != "" && o.Kind != reflect.String {
		words += ", or 0: " + o.Zero
	}
	return words
}

// Check returns an error for a value out of range, which no NaN is in, and for a word that is none of Words.
func (o Option) Check(value any) error {
	v := reflect.ValueOf(value)
	ok := o.Zero != "" && v.IsZero()
	switch {
	case ok:
	case v.Kind() == reflect.String:
		ok = len(o.Words) == 0
		for _, w := range o.Words {
			ok = ok || w == v.String()
		}
		value = strconv.Quote(v.String())
	case v.CanInt():
		ok = !o.span.there || o.span.contains(float64(v.Int()))
	case v.CanFloat():
		ok = !o.span.there || o.span.contains(v.Float())
	default:
		ok = true
	}
	if !ok {
		return fmt.Errorf("%s = %v: want %s", o.Key, value, o.Range())
	}
	return nil
}

// KindName says what the values of the option are.
func (o Option) KindName() string {
	switch o.Kind {
	case reflect.Int, reflect.Uint64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	}
	return "a word"
}

// Parse reads a value of the option's kind. It returns an error that says what is wanted.
func (o Option) Parse(text string) (any, error) {
	var v any
	var err error
	switch o.Kind {
	case reflect.Int:
		v, err = strconv.Atoi(text)
	case reflect.Uint64:
		v, err = strconv.ParseUint(text, 10, 64)
	case reflect.Float64:
		v, err = strconv.ParseFloat(text, 64)
	case reflect.Bool:
		v, err = strconv.ParseBool(text)
	case reflect.String:
		v = text
	default:
		return nil, fmt.Errorf("no option is a %v", o.Kind)
	}
	if err != nil {
		return nil, errors.New("want " + o.KindName())
	}
	return v, nil
}

// Get returns the option's value in a struct of the type that declares it.
func (o Option) Get(s reflect.Value) any { return s.FieldByIndex(o.index).Interface() }

// Set sets the option in a struct that can be set, to a value of its kind.
func (o Option) Set(s reflect.Value, value any) { s.FieldByIndex(o.index).Set(reflect.ValueOf(value)) }

// SetDefaults sets every option of a struct, given as a pointer to it, to its default.
func SetDefaults(s any) {
	v := reflect.ValueOf(s).Elem()
	for _, o := range Of(v.Type()) {
		o.Set(v, o.Default)
	}
}

// Defaults returns a struct with every option at its default.
func Defaults[T any]() (s T) {
	SetDefaults(&s)
	return s
}
