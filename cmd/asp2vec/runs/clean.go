package runs

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// sizeOf reads a size in bytes, which may be 0, from a flag.
func sizeOf(c *cli.Context, flag string) (int64, error) {
	text := c.String(flag)
	if strings.TrimSpace(text) == "0" {
		return 0, nil
	}
	bytes, ok := shell.ParseBytes(text)
	if !ok {
		return 0, shell.Badf("--%s %.40q: expected a size such as 4GiB, 500MB, or 0", flag, text)
	}
	return int64(bytes), nil
}

// cleanCommand takes away kept vectors.
func (p program) cleanCommand() *cli.Command {
	return &cli.Command{
		Name: "clean", Usage: "remove the vectors of runs that sweep and reproduce keep, the oldest first; records stay",
		Description: shell.Example("asp2vec results clean", "asp2vec results clean --keep 1GB"),
		Flags:       []cli.Flag{shell.NewFlag("keep", "0", "leave up to `SIZE` of the newest, such as 500MB")},
		Action: func(c *cli.Context) error {
			if p.Results == "" {
				return shell.Badf("--results none: expected the folder of a store")
			}
			limit, err := sizeOf(c, "keep")
			if err != nil {
				return err
			}
			files, bytes, err := store.Trim(p.Results, limit)
			if err != nil {
				return shell.Bad(err)
			}
			d := p.Answer()
			d.Data("folder", p.Results, "runs", files, "bytes", bytes)
			d.Say("removed the vectors of %s, %s, from %s", shell.Many(files, "run"), shell.Size(bytes), p.Results)
			return p.Show(d)
		},
	}
}

// packCommand moves records into one file.
func (p program) packCommand() *cli.Command {
	return &cli.Command{
		Name: "pack", Usage: "move the records of finished runs into one file, " + results.PackedFile + ", and remove their folders",
		Description: "Runs with vectors or checkpoints stay folders: asp2vec results clean removes vectors.\n\n" + shell.Example("asp2vec results pack"),
		Action: func(*cli.Context) error {
			if p.Results == "" {
				return shell.Badf("--results none: expected the folder of a store")
			}
			packed, left, err := store.Pack(p.Results)
			if err != nil {
				return shell.Bad(err)
			}
			file := filepath.Join(p.Results, results.PackedFile)
			d := p.Answer()
			d.Data("file", file, "packed", packed, "left", len(left))
			d.Say("moved the records of %s into %s", shell.Many(packed, "run"), file)
			if len(left) > 0 {
				slices.Sort(left)
				d.Say("%s stayed in folders: %s", shell.Many(len(left), "run"), strings.Join(slices.Compact(left), "; "))
			}
			return p.Show(d)
		},
	}
}
