#!/bin/sh
# Networks of which one link in twenty is taken out for a test, rather than half of them: sh results/recipe/whole/whole.sh DATA
set -eu
here=$(cd "$(dirname "$0")" && pwd)
asp2vec=${ASP2VEC:-asp2vec}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for name in cora ppi ca-hepth; do
    $asp2vec split --network "$1/$name/edges.tsv.gz" --remove 0.05 --rule ce1 --seed 1 --as-published --out "$work/$name"
done
$asp2vec split --network "$1/filmtrust/edges.tsv.gz" --directed --remove 0.05 --rule ce1 --seed 1 --as-published --out "$work/filmtrust"
cp "$here/whole.yaml" "$work"
$asp2vec sweep "$work/whole.yaml" --results "$here" --threads 1
