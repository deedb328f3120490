package typed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// Files of a planted network besides SchemaFile.
const (
	LikesFile   = "likes.tsv"
	FriendsFile = "friends.tsv"
	TastesFile  = "tastes.tsv" // a user and its tastes a line: the truth
	TagsFile    = "tags.tsv"   // an item and its words a line
)

// PlantedOptions describe a synthetic network of users, the items that they like, and friends. Each item is of one genre; the aspects of
// a user are tastes, which are genres.
type PlantedOptions struct {
	Users   int     `json:"users"`   // 2 to 2^24
	Items   int     `json:"items"`   // 2 to 2^24
	Genres  int     `json:"genres"`  // 1 to Items
	Tastes  int     `json:"tastes"`  // a user has 1 to this many, at most Genres
	Likes   int     `json:"likes"`   // of a user, at most half of the items
	Friends int     `json:"friends"` // that a user names, 0 to Users-1; most share a taste
	Tags    int     `json:"tags"`    // words of an item, 0 for none; most are its genre's
	Mixing  float64 `json:"mixing"`  // share of what is drawn without regard to tastes and genres, in [0,1]
	Seed    uint64  `json:"seed"`
}

// DefaultPlanted returns options for a small network whose tastes are plain to see.
func DefaultPlanted() PlantedOptions {
	return PlantedOptions{Users: 500, Items: 1000, Genres: 20, Tastes: 3, Likes: 15, Friends: 4, Mixing: 0.1, Seed: 1}
}

// Validate returns all that is wrong with the options. It returns nil, or an error that joins them.
func (o PlantedOptions) Validate() error {
	var errs []error
	between := func(name string, x, least, most int) {
		if x < least || x > most {
			errs = append(errs, fmt.Errorf("typed: planted: %s = %d: expected %d to %d", name, x, least, most))
		}
	}
	const most = 1 << 24
	between("users", o.Users, 2, most)
	between("items", o.Items, 2, most)
	between("genres", o.Genres, 1, max(1, o.Items))
	between("tastes", o.Tastes, 1, max(1, o.Genres))
	between("likes", o.Likes, 1, max(1, o.Items/2))
	between("friends", o.Friends, 0, max(0, o.Users-1))
	between("tags", o.Tags, 0, 1<<10)
	if !(o.Mixing >= 0 && o.Mixing <= 1) {
		errs = append(errs, fmt.Errorf("typed: planted: mixing = %v: expected a share from 0 to 1", o.Mixing))
	}
	return errors.Join(errs...)
}

// Planted is a synthetic network with the truth that it was made from.
type Planted struct {
	Likes, Friends [][2]int32 // user and item, user and user
	Tastes         [][]int32  // of each user, sorted
	Genre          []int32    // of each item
	Tags           [][]string // of each item
	o              PlantedOptions
}

// Generate draws a network. The same options give the same network. It returns an error for options that Validate refuses.
func (o PlantedOptions) Generate() (*Planted, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p := &Planted{o: o, Genre: make([]int32, o.Items)}
	s := rng.New(o.Seed, "planted typed")
	ofGenre := make([][]int32, o.Genres)
	for i := range p.Genre {
		g := int32(i % o.Genres)
		p.Genre[i] = g
		ofGenre[g] = append(ofGenre[g], int32(i))
		var tags []string
		for range o.Tags {
			if s.Float64() < o.Mixing {
				g = int32(s.Intn(o.Genres))
			} else {
				g = p.Genre[i]
			}
			tags = append(tags, fmt.Sprintf("tag%d_%d", g, s.Intn(10)))
		}
		p.Tags = append(p.Tags, tags)
	}
	with := make([][]int32, o.Genres) // users of each taste
	for u := range int32(o.Users) {
		tastes := make([]int32, 0, o.Tastes)
		for _, g := range s.Perm(o.Genres)[:1+s.Intn(o.Tastes)] {
			tastes = append(tastes, int32(g))
			with[g] = append(with[g], u)
		}
		slices.Sort(tastes)
		p.Tastes = append(p.Tastes, tastes)
	}
	for u := range int32(o.Users) {
		pick := func(among [][]int32, all int) int32 {
			if s.Float64() < o.Mixing {
				return int32(s.Intn(all))
			}
			list := among[p.Tastes[u][s.Intn(len(p.Tastes[u]))]]
			return list[s.Intn(len(list))]
		}
		p.Likes = appendDistinct(p.Likes, u, o.Likes, -1, func() int32 { return pick(ofGenre, o.Items) })
		p.Friends = appendDistinct(p.Friends, u, o.Friends, u, func() int32 { return pick(with, o.Users) })
	}
	return p, nil
}

// appendDistinct appends pairs of u with what draw gives, up to n different ones other than not; fewer where it takes too long.
func appendDistinct(pairs [][2]int32, u int32, n int, not int32, draw func() int32) [][2]int32 {
	seen := map[int32]bool{not: true}
	for range 20 * n {
		if len(seen) > n {
			break
		}
		if v := draw(); !seen[v] {
			seen[v] = true
			pairs = append(pairs, [2]int32{u, v})
		}
	}
	return pairs
}

// Schema returns the text of SchemaFile: a fifth of each user's likes is to be ranked.
func (p *Planted) Schema() string {
	item := "  item:\n"
	if p.o.Tags > 0 {
		item = "  item: {content: text, file: " + TagsFile + "}\n"
	}
	return "vertices:\n  user:\n" + item + "links:\n  likes: {from: user, to: item, file: " + LikesFile + "}\n" +
		"  friends: {from: user, to: user, file: " + FriendsFile + "}\nmeta-paths: [user-item-user]\n" +
		"rank: {link: likes, split: share, share: 0.2}\n"
}

// Write writes the network into a folder that is there, each file whole or not at all. It returns an error where a file cannot be
// written.
func (p *Planted) Write(dir string) error {
	var likes, friends, tastes, tags strings.Builder
	for _, l := range p.Likes {
		fmt.Fprintf(&likes, "u%d\ti%d\n", l[0], l[1])
	}
	for _, l := range p.Friends {
		fmt.Fprintf(&friends, "u%d\tu%d\n", l[0], l[1])
	}
	for u, list := range p.Tastes {
		fmt.Fprintf(&tastes, "u%d", u)
		for _, t := range list {
			fmt.Fprintf(&tastes, "\t%d", t)
		}
		fmt.Fprintln(&tastes)
	}
	for i, list := range p.Tags {
		fmt.Fprintf(&tags, "i%d\t%s\n", i, strings.Join(list, " "))
	}
	files := []struct{ name, text string }{{LikesFile, likes.String()}, {FriendsFile, friends.String()}, {TastesFile, tastes.String()}}
	if p.o.Tags > 0 {
		files = append(files, struct{ name, text string }{TagsFile, tags.String()})
	}
	for _, file := range append(files, struct{ name, text string }{SchemaFile, p.Schema()}) { // the schema last: where it is, its files are
		err := atomicfile.Write(filepath.Join(dir, file.name), func(w io.Writer) error {
			_, err := io.WriteString(w, file.text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// PlantedFiles are the names of all files that Write may write.
func PlantedFiles() []string {
	return []string{SchemaFile, LikesFile, FriendsFile, TastesFile, TagsFile}
}

// Network returns the network and its task, read back from files in a folder that is removed again. It returns an error where the files
// cannot be written or read.
func (p *Planted) Network() (*Network, *Task, error) {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return nil, nil, fmt.Errorf("typed: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := p.Write(dir); err != nil {
		return nil, nil, err
	}
	n, t, _, err := Read(dir, p.o.Seed)
	return n, t, err
}
