package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/results"
)

func (p *program) mergeCommand() *cli.Command {
	return &cli.Command{
		Name:  "merge",
		Usage: "merge the records that tasks and shards wrote beside the store into its file",
		Description: "Tasks of a cluster and shards write their own files, in " + filepath.Base(results.PartsFolder(storeFile)) + " beside " + storeFile + ". Every command reads these too; merging\n" +
			"leaves fewer files to read. Tasks may keep running; their new records are merged the next time.\n\n" + example("asp2vec results merge"),
		Action: p.merge,
	}
}

func (p *program) merge(*cli.Context) error {
	if p.results == "" {
		return badf("--results none: want the folder of the store")
	}
	parts, records, problems, err := results.Merge(p.results)
	for _, problem := range problems {
		p.log.Warn("a file is left as it is, because one of its lines is not a record: " + problem.Error())
	}
	if errors.Is(err, os.ErrExist) {
		return badf("the store is being merged: %w", err)
	} else if err != nil {
		return bad(err)
	}
	return p.emit(fields{"files", parts, "records", records}, func(b *printout) {
		b.printf("%s files with %s new records were merged into %s\n", count(parts), count(records), p.results)
	})
}
