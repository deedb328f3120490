#!/bin/sh
# DeepWalk's optimizers, pairs and pilots, and asp2vec with both starts of its aspects, on published splits, on networks with one link in twenty taken out, and on planted networks:
# sh results/recipe/optimizers/optimizers.sh DATA
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
asp2vec=${ASP2VEC:-asp2vec}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
for name in cora ppi ca-hepth; do
    $asp2vec split --network "$data/$name/edges.tsv.gz" --remove 0.05 --rule ce1 --seed 1 --as-published --out "$name"
done
$asp2vec data generate planted --vertices 500 --communities 25 --memberships 2 --mean-degree 16 --out small.tsv
$asp2vec data generate planted --vertices 3000 --communities 60 --memberships 3 --mean-degree 20 --out large.tsv
for network in small large; do
    $asp2vec split --network "$network.tsv" --remove 0.3 --rule ce1 --seed 1 --out "planted-$network"
done
cp "$here"/*.yaml .
for sweep in optimizers asp2vec pairs aspects; do
    $asp2vec sweep $sweep.yaml --data "$data" --results "$here" --threads 1
done
