package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"
)

func (p *program) fetchCommand() *cli.Command {
	return &cli.Command{
		Name: "fetch", Usage: "download data sets as their authors published them, and check their hashes", ArgsUsage: "NAME...|all", Action: p.dataFetch,
		Description: "Files come from fixed commits, and go to " + fetch.Folder + " in the folder of data sets (--data). Interrupted downloads are\n" +
			"resumed. Data sets are made from the files: links, the published split, labels, papers. Proxies are taken from the environment\n" +
			"(HTTPS_PROXY).\n\n" +
			example("asp2vec data fetch filmtrust ppi", "asp2vec data fetch all --mirror https://mirror.example.org/github"),
		Flags: []cli.Flag{
			newFlag("mirror", "", "`URL` of a server with the files under OWNER/NAME/COMMIT/PATH", "", fetch.Mirror),
			newFlag("offline", false, "download nothing: make data sets from published files that are on this machine"),
			newFlag("force", false, "make data sets again that exist already"),
		},
	}
}

func (p *program) dataFetch(c *cli.Context) error {
	chosen, err := fetchable(c.Args().Slice())
	if err != nil {
		return err
	}
	if p.data == "" {
		return badf("no folder for data sets: expected --data DIR")
	}
	if c.IsSet("mirror") && c.String("mirror") == "" {
		return badf("--mirror \"\": expected a URL")
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
			p.log.Error(message(err))
			what, text, names = "FAILED", message(err), append(names, set.Name)
			if failed == nil || exitCode(err) == 1 { // what the network did counts for more than what was asked
				failed = err
			}
		case r.Here:
			what = "here already"
		}
		unsplit = unsplit || !r.Split
		rows = append(rows, []any{set.Name, what, size(r.Bytes), r.Split, r.Folder, r.Files, text})
	}
	d := p.answer()
	d.table("datasets", rows, "name", "state", "bytes", "split", "folder", "files", "error")
	if unsplit {
		d.say("If no split is published, commands make one by the paper's rule with their seed; asp2vec split writes one to a folder.")
	}
	if err := p.show(d); err != nil || failed == nil {
		return err
	}
	err = fmt.Errorf("%d of %d data sets could not be fetched: %s", len(names), len(chosen), strings.Join(names, ", "))
	if exitCode(failed) == 2 {
		return bad(err)
	}
	return err
}

// fetchOne fetches a data set.
func (p *program) fetchOne(c *cli.Context, d network.Dataset) (fetch.Result, error) {
	defer p.clearBar()
	r, err := fetch.Fetcher{
		Dir: p.data, Mirror: c.String("mirror"), Offline: c.Bool("offline"), Force: c.Bool("force"), Papers: convertPapers,
		Progress: showSteps[int64](p, d.Name, progressbar.OptionShowBytes(true)),
	}.Fetch(c.Context, d)
	switch {
	case errors.Is(err, fetch.ErrPart):
		err = badf("%w: --force replaces it", err)
	case errors.Is(err, fetch.ErrOffline), errors.Is(err, fetch.ErrMirror):
		err = bad(err)
	case fetch.Unreachable(err):
		err = fmt.Errorf("%w: without a network there are asp2vec demo, asp2vec data generate, and your own files; --mirror URL names another server, and --offline takes published files that are here", err)
	}
	return r, err
}

// fetchable returns the data sets of the names, of which each has published files.
func fetchable(names []string) (chosen []network.Dataset, err error) {
	switch {
	case len(names) == 0:
		return nil, badf("no data set given: expected names, or all; asp2vec data list shows them")
	case len(names) == 1 && strings.EqualFold(names[0], "all"):
		return seq.Filter(network.Datasets(), func(d network.Dataset) bool { return len(fetch.Files(d)) > 0 }), nil
	}
	for _, name := range names {
		d, err := network.Lookup(name)
		if err != nil {
			return nil, bad(err)
		}
		if len(fetch.Files(d)) == 0 {
			return nil, badf("data set %s: %w, and data without a known hash is not downloaded: it comes from %s", d.Name, fetch.ErrUnknown, d.URL)
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
