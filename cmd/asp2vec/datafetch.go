package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
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
			&cli.StringFlag{Name: "mirror", DefaultText: fetch.Mirror, Usage: "`URL` of a server with the files under OWNER/NAME/COMMIT/PATH"},
			&cli.BoolFlag{Name: "offline", Usage: "download nothing: make data sets from published files that are on this machine"},
			&cli.BoolFlag{Name: "force", Usage: "make data sets again that exist already"},
		},
	}
}

// fetched is what came of one data set.
type fetched struct {
	fetch.Result
	Error string `json:"error,omitempty"`
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
	var all []fetched
	var failed error
	for _, d := range chosen {
		r, err := p.fetchOne(c, d)
		if c.Context.Err() != nil {
			return fmt.Errorf("interrupted in %s: the same command continues", d.Name)
		}
		f := fetched{Result: r}
		if err != nil {
			if len(chosen) == 1 {
				return err
			}
			p.log.Error(message(err))
			f.Error = message(err)
			if failed == nil || exitCode(err) == 1 { // what the network did counts for more than what was asked
				failed = err
			}
		}
		all = append(all, f)
	}
	if err := p.emit(all, func(b *printout) { fetchedTable(b, all) }); err != nil || failed == nil {
		return err
	}
	names := seq.Map(seq.Filter(all, func(f fetched) bool { return f.Error != "" }), func(f fetched) string { return f.Name })
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
		err = bad(fmt.Errorf("%w: --force replaces it", err))
	case errors.Is(err, fetch.ErrOffline), errors.Is(err, fetch.ErrMirror):
		err = bad(err)
	case errors.As(err, new(*net.DNSError)), errors.As(err, new(*net.OpError)):
		err = fmt.Errorf("%w: without a network there are asp2vec demo, asp2vec data generate, and your own files; --mirror URL names another server, and --offline takes published files that are here", err)
	}
	return r, err
}

// fetchable returns the data sets of the names, of which each has published files.
func fetchable(names []string) (chosen []network.Dataset, err error) {
	if len(names) == 0 {
		return nil, badf("no data set given: expected names, or all; asp2vec data list shows them")
	}
	if len(names) == 1 && strings.EqualFold(names[0], "all") {
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

func fetchedTable(b *printout, all []fetched) {
	var rows [][]string
	for _, f := range all {
		what := "fetched " + size(f.Bytes).String()
		switch {
		case f.Error != "":
			what = "FAILED"
		case f.Here:
			what = "here already"
		}
		rows = append(rows, []string{f.Name, what, yesNo(f.Split), f.Folder})
	}
	b.table(4, []string{"data set", "", "published split", "in"}, rows)
	if slices.ContainsFunc(all, func(f fetched) bool { return !f.Split }) {
		b.printf("\nIf no split is published, commands make one by the paper's rule with their seed; asp2vec split writes one to a folder.\n")
	}
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
