#!/bin/sh
# A network of a million vertices of five types, made of `asp2vec data generate typed`: users and the items that they like, cities of
# users, makers of items and houses of makers. Items of a maker, and makers of a house, are of one genre.
#
#     sh bench/fivetypes.sh DIR        # asp2vec on PATH; about 100 MB
set -eu
out=$1
asp2vec data generate typed --users 400000 --items 400000 --genres 200 --likes 10 --friends 2 --out "$out"
awk 'BEGIN {for (u = 0; u < 400000; u++) printf "u%d\tc%d\n", u, u % 80000}' > "$out/lives.tsv"
awk 'BEGIN {for (i = 0; i < 400000; i++) printf "i%d\tm%d\n", i, i % 100000}' > "$out/made.tsv"
awk 'BEGIN {for (m = 0; m < 100000; m++) printf "m%d\th%d\n", m, m % 20000}' > "$out/belongs.tsv"
cat > "$out/schema.yaml" <<'END'
vertices:
  user:
  item:
  city:
  maker:
  house:
links:
  likes: {from: user, to: item, file: likes.tsv}
  friends: {from: user, to: user, file: friends.tsv}
  lives: {from: user, to: city, file: lives.tsv}
  made: {from: item, to: maker, file: made.tsv}
  belongs: {from: maker, to: house, file: belongs.tsv}
meta-paths: [user-item-user, user-city-user, item-maker-house]
rank: {link: likes, split: share, share: 0.2}
END
