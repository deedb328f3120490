package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

func (p *program) mergeCommand() *cli.Command {
	return &cli.Command{
		Name:  "merge",
		Usage: "add the records that tasks and shards have left beside the store to its file",
		Description: "Tasks of a cluster and shards write files of their own, into " + filepath.Base(results.PartsFolder(storeFile)) + " beside " + storeFile + ". Every command reads them too; after merging there\n" +
			"are fewer files to read. Tasks may go on meanwhile, and what they write then is merged the next time.\n\n" + example("asp2vec results merge"),
		Action: p.merge,
	}
}

func (p *program) merge(*cli.Context) error {
	if p.results == "" {
		return badf("--results none: want the folder of the store")
	}
	parts, records, problems, err := results.Merge(p.results)
	for _, problem := range problems {
		p.log.Warn("a file is left as it is, since it holds a line that is no record: " + problem.Error())
	}
	if errors.Is(err, os.ErrExist) {
		return badf("the store is being merged: %w", err)
	} else if err != nil {
		return bad(err)
	}
	doc := struct {
		Files   int `json:"files"`
		Records int `json:"records"`
	}{parts, records}
	return p.emit(doc, func(b *bytes.Buffer) error {
		fmt.Fprintf(b, "%s files with %s records that were not there went into %s\n", count(parts), count(records), p.results)
		return nil
	})
}
