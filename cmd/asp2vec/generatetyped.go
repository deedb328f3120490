package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// typedFlags are those of a generated heterogeneous network alone.
func typedFlags() []cli.Flag {
	o := typed.DefaultPlanted()
	whole := wholeFlags("For typed")
	return []cli.Flag{
		whole("users", o.Users, "`N` users"), whole("items", o.Items, "`N` items"), whole("genres", o.Genres, "genres of items and tastes of users"),
		whole("tastes", o.Tastes, "each user has 1 to this many tastes"), whole("likes", o.Likes, "items liked by each user"),
		whole("friends", o.Friends, "friends of each user"), whole("tags", o.Tags, "words per item; 0 for none"),
	}
}

func (p *program) generateTyped(c *cli.Context) error {
	out := c.String("out")
	if err := checkGenerated(c, typed.PlantedFiles()...); err != nil {
		return err
	}
	o := typed.PlantedOptions{
		Users: c.Int("users"), Items: c.Int("items"), Genres: c.Int("genres"), Tastes: c.Int("tastes"), Likes: c.Int("likes"),
		Friends: c.Int("friends"), Tags: c.Int("tags"), Mixing: c.Float64("mixing"), Seed: c.Uint64("seed"),
	}
	planted, err := o.Generate()
	if err != nil {
		return bad(err)
	}
	if err := atomicfile.Dir(out, c.Bool("force"), planted.Write); err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	likes, friends := len(planted.Likes), len(planted.Friends)
	return p.emitTable(fields{"kind", "typed", "out", out, "options", o, "likes", likes, "friends", friends}, 2, []string{"typed", out}, [][]string{
		{"users, items", count(o.Users) + ", " + count(o.Items)}, {"likes, friends", count(likes) + ", " + count(friends)},
		{"schema in", filepath.Join(out, typed.SchemaFile)}, {"tastes in", filepath.Join(out, typed.TastesFile)}})
}
