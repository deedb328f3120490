#!/bin/sh
# Pilots on published splits, on Cora with one link in twenty taken out, and on planted networks: sh results/recipe/pilot/pilot.sh DATA
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
asp2vec=${ASP2VEC:-asp2vec}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
$asp2vec split --network "$data/cora/edges.tsv.gz" --remove 0.05 --rule ce1 --seed 1 --out cora
$asp2vec data generate planted --vertices 500 --communities 25 --memberships 2 --mean-degree 16 --out small.tsv
$asp2vec data generate planted --vertices 3000 --communities 60 --memberships 3 --mean-degree 20 --out large.tsv
for network in small large; do
    $asp2vec split --network "$network.tsv" --remove 0.3 --rule ce1 --seed 1 --out "planted-$network"
done
cp "$here/pilot.yaml" .
$asp2vec sweep pilot.yaml --data "$data" --results "$here" --threads 1
