# Recipes; `just` lists them. Each is one line calling go or the binary.

# what CI runs, no more and no less
check:
    bash .ci/run

# all tests
test:
    go test ./...

# all tests under the race detector (needs a C compiler)
race:
    go test -race ./...

# rewrite golden files, then show what changed
golden:
    go test ./walks ./cmd/asp2vec -update && git diff --stat

# regenerate the assembly of internal/kernel
generate:
    go generate ./internal/kernel

# Go benchmarks of every stage
bench:
    go test -run xxx -bench . -benchmem ./walks ./graphs ./eval ./internal/kernel

# a binary in the current folder
build:
    go build -o asp2vec ./cmd/asp2vec

# the two methods side by side on a synthetic network
demo:
    go run ./cmd/asp2vec demo
