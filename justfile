# Recipes; `just` lists them. Each is one line calling go or the binary.

# what CI runs, no more and no less
check:
    bash .ci/run

# all tests
test:
    go test ./...

# that no number has moved: vectors of every method, protocol and choice with each variant of the kernels, the published tables, goldens of walks, ops, losses and layers
numbers:
    go test -tags paper -run 'SameVectors|Golden|Machine|Ops|Uniform|Pairs|Published|Definition|RecordsAre|PicturesAre|OneLineEdits' ./cmd/asp2vec ./experiments/tables ./experiments/figures ./experiments/run ./walks ./layers ./losses ./graphs ./layers/op ./internal/gru ./internal/kernel ./internal/plan ./internal/rng

# the packages that compute on several threads, under the race detector (needs a C compiler; a quarter of an hour on an idle machine)
race:
    go test -race -short -timeout 90m ./internal/par ./internal/gru ./layers/op ./walks ./eval ./graphs ./hetnet ./experiments/run ./experiments/runner

# do the runs that the tables lack, those that matter most first, and add them to results/measured; say what is left
fill *args:
    bash .ci/fill {{args}}

# rewrite golden files and the README's tables, then show what changed
golden:
    go test ./walks ./experiments/tables ./experiments/figures ./results/render ./cmd/asp2vec -update && git diff --stat

# regenerate the assembly of internal/kernel
generate:
    go generate ./internal/kernel

# a binary in the current folder
build:
    go build -o asp2vec ./cmd/asp2vec

# a Python wheel with the program in it, in dist/, for this machine's system; needs pip, setuptools and wheel
wheel python="python3":
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o python/asp2vec/bin/asp2vec ./cmd/asp2vec
    {{python}} -m pip wheel --no-deps --no-build-isolation --wheel-dir dist --config-settings=--build-option=--plat-name="$({{python}} -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))')" ./python
    rm -rf python/asp2vec/bin python/build python/asp2vec.egg-info

# the two methods side by side on a synthetic network
demo:
    go run ./cmd/asp2vec demo

# PyTorch and gensim beside this program, taking turns (see bench/README.md); splits between commas
bench-peers splits rounds="3":
    go run ./bench --splits {{splits}} --python /usr/bin/python3 --rounds {{rounds}} > results/benchmarks/peers.md

# kill runs of every method and sweeps, so many times each, and go on from where they stood; all combinations of what can be resumed
faults kills="20":
    ASP2VEC_FAULTS={{kills}} go test -count=1 -timeout 60m ./experiments/run ./cmd/asp2vec -run 'Resume|Killed|Signals|Faults'

# fuzz every reader for so long each, or those whose package and target match a pattern, and say how many inputs it took
fuzz time="60s" pattern=".":
    .ci/fuzz {{time}} '{{pattern}}'

# what a release consists of, in dist/: archives for Linux, macOS and Windows, and checksums (goreleaser.com)
release:
    goreleaser release --clean --snapshot
