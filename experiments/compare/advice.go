package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// nothing says what there is where there are no pairs.
func (c *Comparison) nothing(a, b Side, setA, setB []*comparand) error {
	errs := []error{errors.New("compare: nothing to compare")}
	for _, s := range []struct {
		name string
		side Side
		set  []*comparand
	}{{"A", a, setA}, {"B", b, setB}} {
		text := fmt.Sprintf("%s (%s) is %d of %d runs", s.name, s.side.Filter, len(s.set), len(s.side.Records))
		if unmet := s.side.Filter.Unmet(s.side.Records); len(unmet) > 0 {
			text += fmt.Sprintf(": none has the %s of --%s", strings.Join(unmet, ", "), strings.ToLower(s.name))
		}
		errs = append(errs, errors.New(text))
	}
	if len(c.Unpaired) > 0 && len(setA) > 0 && len(setB) > 0 {
		u := c.Unpaired[max(0, slices.IndexFunc(c.Unpaired, func(u Unpaired) bool { return u.Why != noMetrics }))]
		errs = append(errs, fmt.Errorf("%s of %s, seed %d: %s: expected --ignore for what may differ, or filters that name it", u.Set, u.Dataset, u.Seeds[0], u.Why))
	}
	return errors.Join(errs...)
}

// ambiguous is the error of a run with several partners.
func ambiguous(e *comparand, partners []*comparand) error {
	other := "A"
	if e.set == "A" {
		other = "B"
	}
	var names []string
	for _, p := range partners[:2] {
		j, err := store.JobOf(p.record)
		if err != nil {
			return err
		}
		names = append(names, j.String())
	}
	return fmt.Errorf("compare: %d runs of %s could be paired with one of %s, such as %s: expected a filter --%s that leaves one of them",
		len(partners), other, e.set, strings.Join(names, " and "), strings.ToLower(other))
}
