package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// usualKeep is how many bytes of vectors are kept beside a store.
const usualKeep = "4GB"

// keepFlag says how many bytes of vectors runs leave beside the store.
func keepFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "keep", Category: category, Value: usualKeep, Usage: "keep vectors of runs beside the store, up to `SIZE` such as 500MB or 4GB, so that evaluate adds scores without training; 0 keeps none"}
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
		Flags:       []cli.Flag{&cli.StringFlag{Name: "keep", Value: "0", Usage: "leave up to `SIZE` of the newest, such as 500MB"}},
		Action: func(c *cli.Context) error {
			if p.results == "" {
				return badf("--results none: expected the folder of a store")
			}
			limit, err := sizeOf(c, "keep")
			if err != nil {
				return err
			}
			kept := store.KeptBeside(p.results, limit)
			files, bytes, err := kept.Trim(limit)
			if err != nil {
				return bad(err)
			}
			return p.emit(fields{"folder", kept.Dir, "runs", files, "bytes", bytes}, func(b *printout) {
				b.printf("removed the vectors of %s, %s, from %s\n", many(files, "run"), size(bytes), kept.Dir)
			})
		},
	}
}
