package main

import (
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// usualKeep is how many bytes of vectors are kept in a store.
const usualKeep = "4GB"

// keepFlag says how many bytes of vectors runs leave in the store.
func keepFlag(category string) cli.Flag {
	return newFlag("keep", usualKeep, "keep vectors in the folders of runs, up to `SIZE` such as 500MB or 4GB, so that evaluate adds scores without training; 0 keeps none", category)
}

// sizeOf reads a size in bytes, which may be 0, from a flag.
func sizeOf(c *cli.Context, flag string) (int64, error) {
	text := c.String(flag)
	if strings.TrimSpace(text) == "0" {
		return 0, nil
	}
	bytes, ok := parseBytes(text)
	if !ok {
		return 0, badf("--%s %.40q: expected a size such as 4GiB, 500MB, or 0", flag, text)
	}
	return int64(bytes), nil
}

// cleanCommand takes away kept vectors.
func (p *program) cleanCommand() *cli.Command {
	return &cli.Command{
		Name: "clean", Usage: "remove the vectors of runs that sweep and reproduce keep, the oldest first; records stay",
		Description: example("asp2vec results clean", "asp2vec results clean --keep 1GB"),
		Flags:       []cli.Flag{newFlag("keep", "0", "leave up to `SIZE` of the newest, such as 500MB")},
		Action: func(c *cli.Context) error {
			if p.results == "" {
				return badf("--results none: expected the folder of a store")
			}
			limit, err := sizeOf(c, "keep")
			if err != nil {
				return err
			}
			files, bytes, err := store.Trim(p.results, limit)
			if err != nil {
				return bad(err)
			}
			d := p.answer()
			d.data("folder", p.results, "runs", files, "bytes", bytes)
			d.say("removed the vectors of %s, %s, from %s", many(files, "run"), size(bytes), p.results)
			return p.show(d)
		},
	}
}

// packCommand moves records into one file.
func (p *program) packCommand() *cli.Command {
	return &cli.Command{
		Name: "pack", Usage: "move the records of finished runs into one file, " + results.PackedFile + ", and remove their folders",
		Description: "Runs with vectors or checkpoints stay folders: asp2vec results clean removes vectors.\n\n" + example("asp2vec results pack"),
		Action: func(*cli.Context) error {
			if p.results == "" {
				return badf("--results none: expected the folder of a store")
			}
			packed, left, err := store.Pack(p.results)
			if err != nil {
				return bad(err)
			}
			file := filepath.Join(p.results, results.PackedFile)
			d := p.answer()
			d.data("file", file, "packed", packed, "left", left)
			d.say("moved the records of %s into %s", many(packed, "run"), file)
			if left > 0 {
				d.say("%s stayed in folders, with vectors, a checkpoint, or a process at work; results clean removes kept vectors", many(left, "run"))
			}
			return p.show(d)
		},
	}
}
