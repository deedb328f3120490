package shell

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/results/render"
)

// NewFlag returns a flag of the kind of a value, which it has where nothing is said. more are its heading in help, and what help says of the value.
func NewFlag(name string, value any, usage string, more ...string) cli.Flag {
	more = append(more, "", "")
	category, text := more[0], more[1]
	switch v := value.(type) {
	case int:
		return &cli.IntFlag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	case uint64:
		return &cli.Uint64Flag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	case float64:
		return &cli.Float64Flag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	case bool:
		return &cli.BoolFlag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	case time.Duration:
		return &cli.DurationFlag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	case []string:
		return &cli.StringSliceFlag{Name: name, Category: category, Usage: usage, DefaultText: text}
	case string:
		return &cli.StringFlag{Name: name, Category: category, Usage: usage, Value: v, DefaultText: text}
	}
	panic(fmt.Sprintf("flag %s: no kind of flag for %T", name, value))
}

// A flag says itself what values it takes. They are checked before its command begins.

// OneOf is a flag that takes one of a few words.
func OneOf(flag cli.Flag, words ...string) cli.Flag {
	f := flag.(*cli.StringFlag)
	f.Action = func(_ *cli.Context, word string) error {
		if slices.Contains(words, word) {
			return nil
		}
		return Badf("--%s %q: %s", f.Name, word, DidYouMean(word, words))
	}
	return f
}

// Between is a flag that takes numbers from least to most, whole ones where the flag does.
func Between(flag cli.Flag, least, most float64) cli.Flag {
	check := func(name string, v any) error {
		p := option.Param{Default: v, Min: least, Max: most}
		if p.Check(v) == nil {
			return nil
		}
		return Badf("--%s %v: expected %s", name, v, p.Range())
	}
	switch f := flag.(type) {
	case *cli.IntFlag:
		f.Action = func(_ *cli.Context, n int) error { return check(f.Name, n) }
	case *cli.Float64Flag:
		f.Action = func(_ *cli.Context, x float64) error { return check(f.Name, x) }
	}
	return flag
}

// CountFlag is a flag that takes whole numbers from 1 on.
func CountFlag(name string, value int, usage string, more ...string) cli.Flag {
	return Between(NewFlag(name, value, usage, more...), 1, math.Inf(1))
}

// FormatFlag chooses how tables are printed.
func FormatFlag(usage string) cli.Flag {
	return OneOf(NewFlag("format", "terminal", usage+strings.Join(render.Formats(), ", ")), render.Formats()...)
}

// List returns the words of a ListFlag; nil for one that is not given.
func List(c *cli.Context, flag string) []string {
	return append([]string(nil), strings.Fields(strings.ReplaceAll(c.String(flag), ",", " "))...)
}

// ListFlag is a flag that takes several words with commas or spaces between them: of the known ones, if there are any.
func ListFlag(flag cli.Flag, known ...string) cli.Flag {
	f := flag.(*cli.StringFlag)
	f.Action = func(c *cli.Context, text string) error {
		for part := range strings.SplitSeq(text, ",") {
			if strings.TrimSpace(part) == "" {
				return Badf("--%s %q: expected names separated by commas", f.Name, text)
			}
		}
		for _, word := range List(c, f.Name) {
			if known != nil && !slices.Contains(known, word) {
				return Badf("--%s %q: expected %s", f.Name, word, strings.Join(known, ", "))
			}
		}
		return nil
	}
	return f
}

// RefuseFlags returns an error for flags that do not go with something.
func RefuseFlags(c *cli.Context, with string, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) {
			return Badf("--%s with %s: expected one of them", name, with)
		}
	}
	return nil
}
