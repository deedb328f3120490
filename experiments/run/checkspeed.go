package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
)

// standIns are entries of about the cost of the defaults, to compare an edit with where the default itself has been edited. There is none
// for readouts, which differ too much.
var standIns = map[string]string{"pair-loss": "infonce", "selection": "random", "regularizer": "cosine2"}

// CheckSpeed says how many pairs the model of these options trains in a second of one processor, on a synthetic network, beside one whose
// losses and layers have not been edited. It takes one or two seconds. It returns an error for options that Train refuses, and where ctx is done.
func CheckSpeed(ctx context.Context, o graphs.Options) (guard.Finding, error) {
	const duration = 400 * time.Millisecond
	f := guard.Finding{Check: "speed", Status: guard.Note}
	if o.Method.Typed || o.Method.Embed != nil {
		f.Status, f.Detail = guard.Skipped, "measured only for methods that train on links"
		return f, nil
	}
	net, err := BenchNetwork()
	if err != nil {
		return f, err
	}
	speed := func(o graphs.Options) (string, error) {
		r, err := Bench(ctx, net, o, 1, duration)
		if err != nil {
			return "", err
		}
		seconds := r.processor.Seconds()
		if seconds == 0 {
			seconds = r.Seconds
		}
		return perSecond(float64(r.Pairs) / seconds), nil
	}
	own, err := speed(o)
	if err != nil {
		return f, err
	}
	f.Detail = fmt.Sprintf("%s %s a second of one processor", own, o.Method.Unit())
	other, how := unedited(o, EditedUnits())
	if other != nil {
		beside, err := speed(*other)
		if err != nil {
			return f, err
		}
		how = beside + " with " + how
	}
	if how != "" {
		f.Detail += "; " + how
	}
	return f, nil
}

// unedited returns options that differ from o in losses and layers that are edited, or not the default, with what differs: the defaults
// or, of those that have been edited, their stand-ins. Where there are none, it returns nil and the reason; "" where o is the default
// itself.
func unedited(o graphs.Options, units []string) (*graphs.Options, string) {
	usual := graphs.OptionsOf(o.Method, graphs.Standard)
	edited := func(r registry, entry any) bool { return slices.Contains(units, fmt.Sprint(r.name, " ", entry)) }
	var differs []string
	for _, r := range registries {
		option := r.options[0]
		value, known := o.Get(option)
		if !known || !o.Method.Reads(option) {
			continue
		}
		want, _ := usual.Get(option)
		why := ""
		if edited(r, want) {
			if standIns[option] == "" || edited(r, standIns[option]) {
				return nil, fmt.Sprintf("no unedited %s to compare with: an edit may be an entry of its own", option)
			}
			why = fmt.Sprintf(" (%s has been edited)", want)
			want = standIns[option]
		}
		if want == value {
			continue
		}
		if err := o.Set(option, want); err != nil {
			return nil, err.Error()
		}
		differs = append(differs, fmt.Sprint(option, " ", want, why))
	}
	switch shared := slices.Contains(units, unitCommon) || slices.Contains(units, unitMethod+o.Method.Name); {
	case len(differs) > 0 && shared:
		return withoutUnread(o), strings.Join(differs, ", ") + ", in a program that has been edited elsewhere too"
	case len(differs) > 0:
		return withoutUnread(o), strings.Join(differs, ", ")
	case shared:
		return nil, "no unedited model in this program to compare with"
	}
	return nil, ""
}

func withoutUnread(o graphs.Options) *graphs.Options {
	o = o.Complete()
	return &o
}

// perSecond writes a number of pairs, to two digits.
func perSecond(n float64) string {
	switch {
	case n >= 1e7:
		return fmt.Sprintf("%.0f M", n/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1f M", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.2f M", n/1e6)
	}
	return fmt.Sprintf("%.2g", n)
}
