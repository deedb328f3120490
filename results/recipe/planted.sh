#!/bin/sh
# The runs of the study on networks with planted communities, which are no data sets: sh results/recipe/planted.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
trap 'rm -r "$work"' EXIT
asp2vec=${ASP2VEC:-asp2vec}
$asp2vec data generate planted --vertices 500 --communities 25 --memberships 2 --mean-degree 16 --out small.tsv
$asp2vec data generate planted --vertices 3000 --communities 60 --memberships 3 --mean-degree 20 --out large.tsv
for network in small large; do
    $asp2vec split --network "$network.tsv" --remove 0.3 --rule ce1 --seed 1 --out "planted-$network"
    for seed in 1 2 3; do
        for sum in 0.9 1.3 2; do
            for pairs in 1000 5000; do
                $asp2vec train --split "planted-$network" --method deepwalk --optimizer adam --hold-out 0.1 --seed $seed --spread-power 1.5 --rate-sum $sum \
                    --pairs-per-vertex $pairs --steps $((750 + pairs / 4)) --embedding-scale 0.3 --results "$here" --threads 1
            done
        done
        for sum in 0.35; do
            $asp2vec train --split "planted-$network" --method deepwalk --optimizer adam --hold-out 0.1 --seed $seed --spread-power 0 --degree-power 0.5 --rate-sum $sum \
                --pairs-per-vertex 1000 --steps 1000 --embedding-scale 0.3 --results "$here" --threads 1
        done
        for sum in 5 10; do
            $asp2vec train --split "planted-$network" --method asp2vec --hold-out 0.1 --seed $seed --rate-sum $sum --embedding-scale 0.3 --results "$here" --threads 1
        done
        $asp2vec train --split "planted-$network" --method asp2vec --hold-out 0.1 --seed $seed --results "$here" --threads 1
    done
done
