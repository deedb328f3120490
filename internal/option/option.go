// Package option declares options: key, default, range and help stand in one place, and flags, sweeps, records and checks of all of them are made
// from there. Entries of registries declare their hyperparameters as Params; a struct type declares its fields as options in their tags.
//
//	Dim int `json:"dim" default:"20" range:"[1,65536]" group:"Model" help:"dimensions of a vector"`
//
// Tags are json, the key; default, which may be missing for a zero value; range, an interval of numbers, or of, the words there
// are, with commas; zero, what 0 or no word stands for, where it is no value itself; commas:"yes" for words that may have some in them;
// written:"given" for what records have only where it is not zero; part, with commas, what a method has that reads it; undoes, with
// commas, what becomes 0 where it is given; group and help. Fields of embedded structs are fields of the struct; those whose key is "-"
// are no options.
package option

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Param declares an option: a field of a struct of options, or a hyperparameter of an entry of a registry. Entries that declare one of the same
// key share the option, and declare it alike.
type Param struct {
	Key     string   // as in flags, sweeps and records; of an entry's: that of the registry and a word, as in pair-loss-margin
	Group   string   // heading in help
	Help    string   // of one line
	Default any      // an int, uint64, float64, bool or string, of which kind all values are; nil for the number 0
	Words   []string // the values of a word; nil where any may be one, or another package knows
	Zero    string   // what 0 or "" stands for; "" where it is a value like others
	Parts   []string // of methods that read it; nil where all do
	Undoes  []string // options that become 0 where this one is given by itself
	Commas  bool     // a word may have commas in it: a list, or the name of a file
	Given   bool     // records have it only where it is not zero

	Option  string   // of what entries of a registry declare: the option that names one of them; "" for other options
	Readers []string // and the entries that declare it, sorted

	Min, Max         float64 // ±Inf for none
	OpenMin, OpenMax bool    // the bound itself is out of range

	index []int
}

// Kind is that of the values: of a number where there is no default.
func (p Param) Kind() reflect.Kind {
	if p.Default == nil {
		return reflect.Float64
	}
	return reflect.TypeOf(p.Default).Kind()
}

// Learned is a table of numbers that an entry of a registry has training learn: a row for each vertex as a centre, or one for all.
type Learned struct {
	Key    string  // begins with the option that chooses the entry, as in selection-heat
	Width  int     // numbers of a row; 0 for the dimension of the vectors, PerAspect for one for each aspect
	Shared bool    // one row for all
	Init   float64 // what each number begins with,
	Spread float64 // and the standard deviation of normal numbers that are added
}

// PerAspect is the Width of a row with a number for each aspect.
const PerAspect = -1

// Values are numbers by the keys of their declarations.
type Values map[string]float64

// Of returns a value. Of a key that was not declared it is NaN, which no function and no check takes: a bug does not train.
func (v Values) Of(key string) float64 {
	if x, ok := v[key]; ok {
		return x
	}
	return math.NaN()
}

// Numbers returns declarations of numbers whose defaults are float64, however they are written. What is no number Declared refuses.
func Numbers(ps []Param) []Param {
	numbers := slices.Clone(ps)
	for i, p := range ps {
		switch x := p.Default.(type) {
		case nil:
			numbers[i].Default = 0.
		case int:
			numbers[i].Default = float64(x)
		}
	}
	return numbers
}

// Usual returns the values of declared numbers where none were given.
func Usual(ps []Param) Values {
	v := Values{}
	for _, p := range Numbers(ps) {
		v[p.Key] = p.Default.(float64)
	}
	return v
}

// Entries is a registry of structs, whatever they are: what an entry declares stands in its field Parameters, and what it learns in its field Learned, if it has one.
type Entries interface {
	Names() []string
	Has(name string) bool
	File(name string) string
	Err() error
	Entry(name string) any
}

// Declares returns what an entry declares, none for one that there is not.
func Declares(r Entries, name string) []Param { return Numbers(listed[Param](r, name, "Parameters")) }

// Learns returns what an entry learns.
func Learns(r Entries, name string) []Learned { return listed[Learned](r, name, "Learned") }

func listed[T any](r Entries, name, field string) []T {
	f := reflect.ValueOf(r.Entry(name)).FieldByName(field)
	if !f.IsValid() {
		return nil
	}
	return f.Interface().([]T)
}

// Declared returns the options that the entries of a registry declare, each once, sorted by key; option names one of the entries. It returns an error where two
// entries have one name, or declare a key with another default or range, of which the first counts, and for a default that is no number: which of them was meant would
// be left to chance.
func Declared(option string, r Entries) (all []Param, err error) {
	for _, name := range r.Names() {
		for _, p := range Declares(r, name) {
			at := slices.IndexFunc(all, func(was Param) bool { return was.Key == p.Key })
			if at < 0 {
				p.Option, p.Group = option, "Model"
				at, all = len(all), append(all, p)
			}
			was := all[at]
			if p.Kind() != reflect.Float64 {
				err = fmt.Errorf("%s %s (%s) declares %s with default %v: expected a number", option, name, r.File(name), p.Key, p.Default)
			} else if was.Default != p.Default || was.Min != p.Min || was.Max != p.Max || was.OpenMin != p.OpenMin || was.OpenMax != p.OpenMax {
				err = fmt.Errorf("%s %s (%s) declares %s with default %v, %s, and %s (%s) with default %v, %s: expected the same, or another key",
					option, was.Readers[0], r.File(was.Readers[0]), p.Key, was.Default, was.Range(), name, r.File(name), p.Default, p.Range())
			}
			all[at].Readers = append(was.Readers, name)
		}
	}
	slices.SortFunc(all, func(a, b Param) int { return strings.Compare(a.Key, b.Key) })
	return all, cmp.Or(r.Err(), err)
}

// Usage says what the option is; of what entries of a registry declare, also where it is read, and its range.
func (p Param) Usage() string {
	if p.Readers == nil {
		return p.Help
	}
	return fmt.Sprintf("%s: %s, %s", strings.Join(p.Readers, ", "), p.Help, p.Range())
}

var (
	declared sync.Map // from reflect.Type to []Param
	indices  sync.Map // from reflect.Type to the indices of its fields, by key
)

// Get returns the value of the option of a key in a struct, and whether it has one.
func Get(s reflect.Value, key string) (value any, ok bool) {
	known, _ := indices.Load(s.Type())
	if known == nil {
		all := map[string][]int{}
		for _, p := range Of(s.Type()) {
			all[p.Key] = p.index
		}
		known, _ = indices.LoadOrStore(s.Type(), all)
	}
	index, ok := known.(map[string][]int)[key]
	if !ok {
		return nil, false
	}
	return s.FieldByIndex(index).Interface(), true
}

// Of returns the options of a struct type, in the order of its fields. It panics for a tag that it cannot read, which is a bug
// of the program.
func Of(t reflect.Type) []Param {
	if known, ok := declared.Load(t); ok {
		return known.([]Param)
	}
	var all []Param
	for _, f := range reflect.VisibleFields(t) {
		key := f.Tag.Get("json")
		if f.Anonymous || !f.IsExported() || key == "" || key == "-" {
			continue
		}
		p := Param{Key: key, Group: f.Tag.Get("group"), Help: f.Tag.Get("help"), Zero: f.Tag.Get("zero"), index: f.Index}
		p.Commas, p.Given = f.Tag.Get("commas") == "yes", f.Tag.Get("written") == "given"
		p.Words, p.Parts, p.Undoes = words(f.Tag.Get("of")), words(f.Tag.Get("part")), words(f.Tag.Get("undoes"))
		if err := p.setRange(f.Tag.Get("range")); err != nil {
			panic(fmt.Sprintf("option %s of %v: %v", key, t, err))
		}
		p.Default = reflect.Zero(f.Type).Interface()
		if text, ok := f.Tag.Lookup("default"); ok {
			value, err := p.Parse(text)
			if err != nil {
				panic(fmt.Sprintf("%v: default: %v", t, err))
			}
			p.Default = value
		}
		all = append(all, p)
	}
	declared.Store(t, all)
	return all
}

// words are those of a tag; nil for none.
func words(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// Find returns the option of a key in a list, and whether there is one.
func Find(list []Param, key string) (Param, bool) {
	for i := range list { // without a copy of each
		if list[i].Key == key {
			return list[i], true
		}
	}
	return Param{}, false
}

var interval = regexp.MustCompile(`^([\[(])([-+.e\d]*),([-+.e\d]*)([\])])$`)

// setRange reads an interval such as [1,65536], (0,1] or [0,), which ends at infinity; "" is every number.
func (p *Param) setRange(text string) error {
	p.Min, p.Max = math.Inf(-1), math.Inf(1)
	m := interval.FindStringSubmatch(text)
	if m == nil {
		if text == "" {
			return nil
		}
		return fmt.Errorf("range %q: expected one such as [1,10], (0,1) or [0,)", text)
	}
	p.OpenMin, p.OpenMax = m[1] == "(", m[4] == ")"
	for bound, word := range map[*float64]string{&p.Min: m[2], &p.Max: m[3]} {
		if x, err := strconv.ParseFloat(word, 64); err == nil {
			*bound = x
		} else if word != "" {
			return err
		}
	}
	return nil
}

// bounded says whether not every number is in range.
func (p Param) bounded() bool { return !math.IsInf(p.Min, -1) || !math.IsInf(p.Max, 1) }

func (p Param) contains(x float64) bool { // NaN is in no range
	return (x > p.Min || x == p.Min && !p.OpenMin) && (x < p.Max || x == p.Max && !p.OpenMax) && !math.IsInf(x, 0)
}

// bounds say which numbers are in range.
func (p Param) bounds() string {
	number := func(x float64) string { // as JSON has it; an infinity is not shown
		text, _ := json.Marshal(x)
		return string(text)
	}
	low, high := "at least "+number(p.Min), "at most "+number(p.Max)
	if p.OpenMin {
		low = "above " + number(p.Min)
	}
	if p.OpenMax {
		high = "below " + number(p.Max)
	}
	switch {
	case math.IsInf(p.Max, 1):
		return low
	case math.IsInf(p.Min, -1):
		return high
	case !p.OpenMin && !p.OpenMax:
		return number(p.Min) + " to " + number(p.Max)
	}
	return low + " and " + high
}

// Range says in words which values there are, such as "a number, at least 0"; "" where the option says nothing of it.
func (p Param) Range() string {
	var words string
	switch {
	case len(p.Words) > 0:
		words = "one of " + strings.Join(p.Words, ", ")
	case !p.bounded():
		return ""
	case p.Kind() != reflect.Float64:
		words = p.bounds()
	case math.IsInf(p.Max, 1) && !p.OpenMin:
		words = "a number, " + p.bounds()
	case !math.IsInf(p.Max, 1) && !p.OpenMin && !p.OpenMax:
		words = "a number from " + p.bounds()
	default:
		words = "a number " + p.bounds()
	}
	if p.Zero != "" && p.Kind() != reflect.String {
		words += ", or 0: " + p.Zero
	}
	return words
}

// Check returns an error for a value out of range, which no NaN is in, and for a word that is none of Words.
func (p Param) Check(value any) error {
	v := reflect.ValueOf(value)
	ok := p.Zero != "" && v.IsZero()
	switch {
	case ok:
	case v.Kind() == reflect.String:
		ok = len(p.Words) == 0
		for _, w := range p.Words {
			ok = ok || w == v.String()
		}
		value = strconv.Quote(v.String())
	case v.CanInt():
		ok = !p.bounded() || p.contains(float64(v.Int()))
	case v.CanFloat():
		ok = !p.bounded() || p.contains(v.Float())
	default:
		ok = true
	}
	if !ok {
		return fmt.Errorf("%s = %v: expected %s", p.Key, value, p.Range())
	}
	return nil
}

// KindName says what the values of the option are.
func (p Param) KindName() string {
	switch p.Kind() {
	case reflect.Int, reflect.Uint64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	}
	return "a word"
}

// Parse reads a value of the option's kind, as it is written in YAML: .5, 1e-3, 1_000, true. The text of a word is taken as it is, quotes included. It
// returns an error that names the option, what was given and what is wanted; NaN and infinities are no values.
func (p Param) Parse(text string) (value any, err error) {
	switch p.Kind() {
	case reflect.String:
		return text, nil
	case reflect.Bool:
		value, err = strconv.ParseBool(strings.ToLower(text))
		if len(text) == 1 {
			err = strconv.ErrSyntax // 1 and t are no truth values
		}
	case reflect.Int:
		var n int64
		n, err = strconv.ParseInt(text, 0, strconv.IntSize)
		value = int(n)
	case reflect.Uint64:
		value, err = strconv.ParseUint(text, 10, 64)
	default:
		var x float64
		if x, err = strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); math.IsNaN(x) || math.IsInf(x, 0) {
			err = strconv.ErrRange
		}
		value = x
	}
	if err != nil {
		return nil, p.Not(text)
	}
	return value, nil
}

// Not is the error for a text that is no value of the option.
func (p Param) Not(text string) error {
	return fmt.Errorf("option %s: %.60q: expected %s", p.Key, text, p.KindName())
}

// Get returns the option's value in a struct of the type that declares it.
func (p Param) Get(s reflect.Value) any { return s.FieldByIndex(p.index).Interface() }

// Set sets the option in a struct that can be set, to a value of its kind.
func (p Param) Set(s reflect.Value, value any) { s.FieldByIndex(p.index).Set(reflect.ValueOf(value)) }

// Defaults returns a struct with every option at its default.
func Defaults[T any]() (s T) {
	v := reflect.ValueOf(&s).Elem()
	for _, p := range Of(v.Type()) {
		p.Set(v, p.Default)
	}
	return s
}
