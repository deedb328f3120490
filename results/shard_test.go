package results

import (
	"path/filepath"
	"testing"
)

// numbered returns a record that no other number has.
func numbered(n int) Record {
	r := sample()
	r.Seed = uint64(n)
	return r
}

// Records of the file and of shards are one store, also where a folder is read, and where there are shards alone.
func TestShardFiles(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "runs.jsonl")
	check := func(want ...uint64) {
		t.Helper()
		for _, path := range []string{store, dir} {
			records, problems, err := ReadStore(path)
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			seeds := map[uint64]int{}
			for _, r := range records {
				seeds[r.Seed]++
			}
			for _, seed := range want {
				if seeds[seed] != 1 {
					t.Errorf("%s: seed %d is there %d times", path, seed, seeds[seed])
				}
			}
			if len(records) != len(want) {
				t.Errorf("%s: %d records, expected %d", path, len(records), len(want))
			}
		}
	}
	add := func(path string, number int) {
		t.Helper()
		if err := numbered(number).Append(path); err != nil {
			t.Fatal(err)
		}
	}
	one, two := ShardFile(store, "shard-1-2"), ShardFile(store, "shard-2-2")
	add(one, 1)
	check(1)
	add(two, 2)
	add(one, 3)
	add(store, 4)
	check(1, 2, 3, 4)
}
