// Package runs has the commands that do many runs, and those on the store of their records.
package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results/render"
)

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }

// runsTable lists the runs that flags leave. A failed or interrupted one says so.
func (p program) runsTable(c *cli.Context, there *store.Store, s sweep.Scope) ([]render.Table, error) {
	filter, err := store.ParseFilter(strings.Join(c.StringSlice("where"), ","))
	if err != nil {
		return nil, shell.WithNearest(err)
	}
	most := c.Int("last")
	if !c.IsSet("last") && c.String("format") == "terminal" && !p.JSON {
		most = lastRuns
	}
	list, found, err := there.List(filter, func(r *store.Entry) bool {
		return s.Has(r.Dataset.Name, r.Method, r.Protocol) && (s.Seeds <= 0 || r.Seed <= uint64(s.Seeds))
	}, c.String("sort"), most)
	if err != nil {
		return nil, shell.WithNearest(err)
	}
	t := render.Table{
		Name: AllRuns, Title: "records in the store", Corner: "method",
		Columns: []string{"data set", "seed", "protocol", "settings", "chosen on", "score", "test AUC", "epoch", "time", "date", "commit", "run", "remark"},
		Notes:   []string{fmt.Sprintf("%s of %s records.", shell.Count(found), shell.Count(len(there.Entries)))},
	}
	for _, r := range list {
		settings, test, choice := "", "", ""
		if j, err := store.JobOf(r.Record); err == nil {
			settings = j.Settings()
		}
		if x, there := store.TestScore(r.Metrics); there {
			test = shell.AUC(x).String()
		}
		x, on := store.ChosenBy(r.Record)
		if on != "" {
			choice = shell.AUC(x).String()
		}
		t.Rows = append(t.Rows, render.Row{Label: r.Method, Values: render.Texts(r.Dataset.Name, strconv.FormatUint(r.Seed, 10), r.Protocol, settings, on, choice, test,
			strconv.Itoa(r.BestEpoch), shell.Seconds(r.Seconds()), r.Finished.UTC().Format(time.DateOnly), short(r.Code.Commit), short(r.Name()), remarkOf(r))})
	}
	if left := found - len(list); left > 0 {
		which := "last"
		if c.IsSet("sort") {
			which = "first"
		}
		t.Notes = append(t.Notes, fmt.Sprintf("The %s %s of them; --last 0 shows all.", which, shell.Count(len(list))))
	}
	return []render.Table{t}, nil
}

// remarkOf says what is not as usual with a run: of other code also which, since commits do not tell edits
// apart.
func remarkOf(r *store.Entry) string {
	switch {
	case r.Error != "":
		return "failed: " + r.Error
	case r.Interrupted:
		return "interrupted"
	case r.Key != "" && !r.Present:
		return strings.TrimSpace("of other code " + short(r.Definition))
	}
	return ""
}
