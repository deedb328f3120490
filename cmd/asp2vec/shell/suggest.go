package shell

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
)

// DidYouMean asks whether one of names was meant by word; where none is near it lists all of them, or of many says how many there are.
func DidYouMean(word string, names []string) string {
	const few, near = 30, .8
	likeness := func(name string) float64 { return smetrics.JaroWinkler(word, name, .7, 4) }
	best := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(likeness(a), likeness(b)) })
	switch {
	case likeness(best) >= near:
		return fmt.Sprintf("did you mean %s?", best)
	case len(names) > few:
		return fmt.Sprintf("expected one of %s, such as %s", Count(len(names)), strings.Join(names[:3], ", "))
	}
	return "expected one of " + strings.Join(names, ", ")
}

// similarCommand is nearest of commands: also of one that stands below another.
func (p *Program) similarCommand(word string, all []*cli.Command) string {
	for _, c := range p.commandsNamed([]string{completionName}) { // which are all
		if c.Command(word) != nil {
			return fmt.Sprintf("did you mean %s %s?", c.Name, word)
		}
	}
	return DidYouMean(word, seq.Map(all, func(c *cli.Command) string { return c.Name }))
}

// WithNearest makes an error of an unknown name one that says what may have been meant.
func WithNearest(err error) error {
	var unknown unknown.Name
	if !errors.As(err, &unknown) {
		return Bad(err)
	}
	known := strings.Fields(strings.ToLower(strings.Join(unknown.Known, " "))) // names of data sets can be written either way
	near := fmt.Sprintf("%s %q: %s", unknown.What, unknown.Name, DidYouMean(strings.ToLower(unknown.Name), known))
	return Badf("%s", strings.Replace(err.Error(), unknown.Error(), near, 1))
}
