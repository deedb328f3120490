// Package music makes synthetic networks of users, the items that they like, and friends, for tests.
package music

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Files of a network besides typed.SchemaFile.
const (
	LikesFile   = "likes.tsv"
	FriendsFile = "friends.tsv"
	TagsFile    = "tags.tsv" // an item and its words a line
)

// Options describe a network. Each item is of one genre; the aspects of a user are tastes, which are genres.
type Options struct {
	Users, Items, Genres   int
	Tastes, Likes, Friends int     // of a user
	Tags                   int     // words of an item, 0 for none; most are its genre's
	Mixing                 float64 // share of what is drawn without regard to tastes and genres
}

// Write writes a network into a new folder. The same options give the same network.
func Write(t testing.TB, dir string, o Options) {
	t.Helper()
	call.OK(t, os.MkdirAll(dir, 0o777))
	var likes, friends, tags strings.Builder
	s := rng.New(1, "planted typed")
	genre := func(own int) int {
		if s.Float64() < o.Mixing {
			return s.Intn(o.Genres)
		}
		return own
	}
	for i := range o.Items {
		fmt.Fprintf(&tags, "i%d", i)
		for range o.Tags {
			fmt.Fprintf(&tags, "\ttag%d_%d", genre(i%o.Genres), s.Intn(10))
		}
		tags.WriteByte('\n')
	}
	for u := range o.Users {
		taste := func() int { return genre((u + s.Intn(o.Tastes)) % o.Genres) }
		for range o.Likes {
			fmt.Fprintf(&likes, "u%d\ti%d\n", u, taste()+o.Genres*s.Intn(o.Items/o.Genres))
		}
		for range o.Friends {
			fmt.Fprintf(&friends, "u%d\tu%d\n", u, (taste()+o.Genres*s.Intn(o.Users/o.Genres))%o.Users)
		}
	}
	item := ""
	if o.Tags > 0 {
		item = "{content: text, file: " + TagsFile + "}"
	}
	for name, text := range map[string]string{LikesFile: likes.String(), FriendsFile: friends.String(), TagsFile: tags.String(), typed.SchemaFile: "vertices:\n" +
		"  user:\n  item: " + item + "\nlinks:\n  likes: {from: user, to: item, file: " + LikesFile + "}\n" +
		"  friends: {from: user, to: user, file: " + FriendsFile + "}\nmeta-paths: [user-item-user]\nrank: likes\n"} {
		call.File(t, filepath.Join(dir, name), text)
	}
}

// Network returns the network of some options.
func Network(t testing.TB, o Options) *typed.Network {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, o)
	return call.First(typed.Read(dir))(t)
}
