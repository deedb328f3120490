package data

import (
	"errors"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"
)

func (p program) fetchCommand() *cli.Command {
	return &cli.Command{
		Name: "fetch", Usage: "download data sets as their authors published them, and check their hashes", ArgsUsage: "NAME...|all", Action: p.dataFetch,
		Description: "Files come from fixed commits, and go to " + fetch.Folder + " in the folder of data sets (--data). Interrupted downloads are\n" +
			"resumed. Data sets are made from the files: links, the published split, labels, papers. Proxies are taken from the environment\n" +
			"(HTTPS_PROXY).\n\n" +
			shell.Example("asp2vec data fetch filmtrust ppi", "asp2vec data fetch all --mirror https://mirror.example.org/github"),
		Flags: []cli.Flag{
			shell.NewFlag("mirror", "", "`URL` of a server with the files under OWNER/NAME/COMMIT/PATH", "", fetch.Mirror),
			shell.NewFlag("offline", false, "download nothing: make data sets from published files that are on this machine"),
			shell.NewFlag("force", false, "make data sets again that exist already"),
		},
	}
}

func (p program) dataFetch(c *cli.Context) error {
	chosen, err := fetchable(c.Args().Slice())
	if err != nil {
		return err
	}
	if p.Data == "" {
		return shell.Badf("no folder for data sets: expected --data DIR")
	}
	if c.IsSet("mirror") && c.String("mirror") == "" {
		return shell.Badf("--mirror \"\": expected a URL")
	}
	var rows [][]any
	var failed error
	var names []string // of those that failed
	unsplit := false
	for _, set := range chosen {
		r, err := p.fetchOne(c, set)
		if c.Context.Err() != nil {
			return fmt.Errorf("interrupted in %s: the same command continues", set.Name)
		}
		what, text := "fetched", ""
		switch {
		case err != nil && len(chosen) == 1:
			return err
		case err != nil:
			p.Log.Error(shell.Message(err))
			what, text, names = "FAILED", shell.Message(err), append(names, set.Name)
			if failed == nil || shell.ExitCode(err) == 1 { // what the network did counts for more than what was asked
				failed = err
			}
		case r.Here:
			what = "here already"
		}
		unsplit = unsplit || !r.Split
		rows = append(rows, []any{set.Name, what, shell.Size(r.Bytes), r.Split, r.Folder, r.Files, text})
	}
	d := p.Answer()
	d.Table("datasets", rows, "name", "state", "bytes", "split", "folder", "files", "error")
	if unsplit {
		d.Say("If no split is published, commands make one by the paper's rule with their seed; asp2vec split writes one to a folder.")
	}
	if err := p.Show(d); err != nil || failed == nil {
		return err
	}
	err = fmt.Errorf("%d of %d data sets could not be fetched: %s", len(names), len(chosen), strings.Join(names, ", "))
	if shell.ExitCode(failed) == 2 {
		return shell.Bad(err)
	}
	return err
}

// fetchOne fetches a data set.
func (p program) fetchOne(c *cli.Context, d network.Dataset) (fetch.Result, error) {
	defer p.ClearBar()
	r, err := fetch.Fetcher{
		Dir: p.Data, Mirror: c.String("mirror"), Offline: c.Bool("offline"), Force: c.Bool("force"), Papers: convertPapers,
		Progress: shell.ShowSteps[int64](p.Program, d.Name, progressbar.OptionShowBytes(true)),
	}.Fetch(c.Context, d)
	switch {
	case errors.Is(err, fetch.ErrPart):
		err = shell.Badf("%w: --force replaces it", err)
	case errors.Is(err, fetch.ErrOffline), errors.Is(err, fetch.ErrMirror):
		err = shell.Bad(err)
	case fetch.Unreachable(err):
		err = fmt.Errorf("%w: without a network there are asp2vec demo, asp2vec data generate, and your own files; --mirror URL names another server, and --offline takes published files that are here", err)
	}
	return r, err
}

// fetchable returns the data sets of the names, of which each has published files.
func fetchable(names []string) (chosen []network.Dataset, err error) {
	switch {
	case len(names) == 0:
		return nil, shell.Badf("no data set given: expected names, or all; asp2vec data list shows them")
	case len(names) == 1 && strings.EqualFold(names[0], "all"):
		return seq.Filter(network.Datasets(), func(d network.Dataset) bool { return len(fetch.Files(d)) > 0 }), nil
	}
	for _, name := range names {
		d, err := network.Lookup(name)
		if err != nil {
			return nil, shell.Bad(err)
		}
		if len(fetch.Files(d)) == 0 {
			return nil, shell.Badf("data set %s: %w, and data without a known hash is not downloaded: it comes from %s", d.Name, fetch.ErrUnknown, d.URL)
		}
		chosen = append(chosen, d)
	}
	return chosen, nil
}

// convertPapers makes a data set of papers of TaPEm's published files.
func convertPapers(d network.Dataset, from, to string) error {
	words := map[string]string{"DBLP": papers.TaPEmTitles, "DBLP-abstracts": papers.TaPEmAbstracts}[d.Name]
	table, err := papers.ReadTaPEm(from, words)
	if err != nil {
		return err
	}
	return table.Write(to)
}
