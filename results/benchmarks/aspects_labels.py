"""Does the aspect of a link predict the label of its origin better than the vertex does, and have vertices as many aspects as origins? Prints the last two
tables of aspects.md.

    python3 results/benchmarks/aspects_labels.py PROGRAM DATA

Labels are communities of planted networks, and subjects of Cora's papers, of which 30 % are merged in pairs. A classifier has the mean vector of
each label, over the vertices with one label alone, and takes the nearest by cosine. The vectors are those that aspects are found by: centred, without
degrees, at length 1. It is asked for the label of each link of the others.
"""

import gzip
import math
import os
import statistics
import sys
import tempfile

import aspects


def rows(path, skip=0):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as f:
        return [line.rstrip("\n").split("\t") for line in f][skip:]


def unit(x):
    length = math.sqrt(sum(y * y for y in x))
    return [y / length for y in x] if length else x


def total(vectors):
    return [sum(column) for column in zip(*vectors)]


def points(model, links):
    with open(os.path.join(model, "embedding.vec"), encoding="utf-8") as f:
        next(f)
        vectors = {line.split(" ")[0]: [float(x) for x in line.split(" ")[1:]] for line in f}
    n = len(vectors)
    middle = [x / n for x in total(vectors.values())]
    degree = {v: math.log1p(len(links[v])) for v in vectors}
    mean = sum(degree.values()) / n
    square = sum((k - mean) ** 2 for k in degree.values())
    slope = [x / square for x in total([[(degree[v] - mean) * y for y in vectors[v]] for v in vectors])]
    return {v: unit([y - m - (degree[v] - mean) * s for y, m, s in zip(x, middle, slope)]) for v, x in vectors.items()}


def accuracy(folder, labels, of):
    """The shares of right labels of links: by the vertex, its aspect, the other end. labels has those of each vertex, of the label of an origin."""
    model = os.path.join(folder, "model")
    links = {}
    for v, u, k, _ in rows(os.path.join(model, "aspects.tsv"), 1):
        links.setdefault(v, {})[u] = k
    f = points(model, links)
    members = {}
    for v, x in f.items():
        if len(labels.get(v, ())) == 1:
            members.setdefault(labels[v][0], []).append(x)
    centers = {label: unit(total(x)) for label, x in members.items()}

    def guess(x):
        return max(sorted(centers), key=lambda label: sum(a * b for a, b in zip(x, centers[label])))

    right, asked, by_vertex, by_aspect = [0, 0, 0], 0, {}, {}
    for v, u, origin in rows(os.path.join(folder, "links.origins.tsv")):
        if v not in f or len(labels.get(v, ())) < 2 or u not in links[v]:
            continue
        if v not in by_vertex:
            by_vertex[v] = guess(f[v])
            for k in set(links[v].values()):
                each = [unit(total([f[j]] + [f[w] for w in links[v] if w in links[j]])) for j in links[v] if links[v][j] == k]
                by_aspect[v, k] = guess(total(each))
        asked += 1
        for i, label in enumerate((by_vertex[v], by_aspect[v, links[v][u]], guess(f[u]))):
            right[i] += label == of(origin)
    return [x / asked for x in right]


def numbers(folder, found):
    """Adds to found, for each number of origins of a vertex's links, how many vertices have one aspect, two, ..."""
    aspect, origin = {}, {}
    for v, _, k, _ in rows(os.path.join(folder, "model", "aspects.tsv"), 1):
        aspect[v] = max(aspect.get(v, 0), int(k))
    for v, _, of in rows(os.path.join(folder, "links.origins.tsv")):
        origin.setdefault(v, set()).add(of)
    for v, each in origin.items():
        found.setdefault(len(each), [0] * 5)[aspect[v] - 1] += 1


def main():
    counted = ["| asp2vec | origins | vertices | 1 aspect | 2 | 3 | 4 | 5 |", "|:--|--:|--:|--:|--:|--:|--:|--:|"]
    lines = ["| share of links whose label is right | by the vertex | by its aspect | by the other end |", "|:--|--:|--:|--:|"]
    for network in [*aspects.PLANTED, "cora, merged"]:
        for method in ("asp2vec", "deepwalk"):
            found, count = [], {}
            for seed in range(1, aspects.SEEDS + 1):
                with tempfile.TemporaryDirectory() as folder:
                    if network in aspects.PLANTED:
                        links = aspects.make(folder, network, seed)
                        labels, of = {v: c for v, *c in rows(os.path.join(folder, "links.memberships.tsv"))}, lambda origin: origin
                    else:
                        links = aspects.make(folder, "cora-features", seed)
                        subject = {v: label for v, label in rows(os.path.join(sys.argv[2], "cora-features", "labels.tsv.gz"))}
                        both = {}
                        for v, _, origin in rows(os.path.join(folder, "links.origins.tsv")):
                            both.setdefault(v, set()).add(origin)
                        # A pair of one subject is no question; a vertex that was not merged has its own.
                        labels = {v: [subject[v]] for v in subject if v not in both}
                        labels.update({v: sorted({subject[o] for o in each}) for v, each in both.items()})
                        labels = {v: each if len(each) == 2 or v not in both else [] for v, each in labels.items()}
                        of = subject.get
                    aspects.train(folder, ["--network", links], method, seed)
                    found.append(accuracy(folder, labels, of))
                    numbers(folder, count)
            lines.append("| %s, %s | " % (network, aspects.TITLES[method]) + " | ".join(aspects.cell([x[i] for x in found]) for i in range(3)) + " |")
            print(lines[-1], file=sys.stderr)
            if method == "asp2vec":
                for origins, of in sorted(count.items()):
                    counted.append("| %s | %d | %d | " % (network, origins, sum(of)) + " | ".join("%.0f %%" % (100 * x / sum(of)) for x in of) + " |")
    print("\n".join(lines + [""] + counted))


if __name__ == "__main__":
    main()
