"""Writes network.json: scores of pairs by a network alone, and the features of the score neighbourhood, with negatives' counts of ranks.

Made independently of the package: with sets of neighbours and dense matrices of fractions, from the definitions of the papers.
"""

import json
import math
import random
from fractions import Fraction as F

draw = random.Random(11)
N = 12
arcs = set()
while len(arcs) < 26:
    i, j = draw.randrange(N - 1), draw.randrange(N - 1)  # the last vertex has no link
    if i != j:
        arcs.add((i, j))
arcs = sorted(arcs) + [(3, 3)]  # a self-loop, which counts for nothing
pairs = [(i, j) for i in range(N) for j in range(N) if i != j]
draw.shuffle(pairs)
pairs = pairs[:40]


def case(directed):
    out, into, near = ([set() for _ in range(N)] for _ in range(3))
    for i, j in arcs:
        if i == j:
            continue
        out[i].add(j)
        into[j].add(i)
        near[i].add(j)
        near[j].add(i)
    k = [len(x) for x in near]
    if not directed:
        out = into = near
    step = [[F(1, k[i]) if j in near[i] else F(0) for j in range(N)] for i in range(N)]
    power = [None, step]
    for _ in range(49):
        power.append([[sum(a * float(b) if isinstance(a, float) else a * b for a, b in zip(row, col)) for col in zip(*step)] for row in power[-1]])
        if len(power) > 11:  # exact so far, and floating from here
            power[-1] = [[float(x) for x in row] for row in power[-1]]
    volume = sum(k)

    def common(u, v):
        return near[u] & near[v]

    def l3(u, v):
        return math.fsum(1 / math.sqrt(k[a] * k[b]) for a in near[u] for b in near[v] if b in near[a])

    def jaccard(u, v):
        return len(common(u, v)) / len(near[u] | near[v]) if common(u, v) else 0.0

    def walk(u, v):
        s = float(k[u] * sum(power[t][u][v] for t in range(1, 7)))
        share = lambda a, b: (a + 0.1) / (a + b + 0.2)
        if directed:
            s *= share(len(out[u]), len(into[u])) * share(len(into[v]), len(out[v]))
        return s

    def pagerank(u, v):
        one = lambda a, b: math.fsum(0.15 * 0.85**t * float(power[t][a][b]) for t in range(1, 51))
        return one(u, v) + one(v, u)

    scores = {
        "degrees": lambda u, v: len(out[u]) * len(into[v]),
        "common": lambda u, v: len(common(u, v)),
        "adamic-adar": lambda u, v: math.fsum(1 / math.log(k[w]) for w in common(u, v)),
        "allocation": lambda u, v: math.fsum(1 / k[w] for w in common(u, v)),
        "jaccard": jaccard,
        "l3": l3,
        "walk": walk,
        "pagerank": pagerank,
    }

    def features(u, v):
        log1 = math.log1p
        x = [log1(k[u] + k[v]), log1(min(k[u], k[v])), log1(k[u]) + log1(k[v])]
        x += [log1(scores[s](u, v)) for s in ("common", "adamic-adar", "allocation")] + [jaccard(u, v), l3(u, v)]
        x += [math.log(float(power[t][u][v]) / max(k[v], 1) * volume + 0.01) for t in range(2, 11)]
        if directed:
            x += [log1(len(s)) for s in (out[u], into[u], out[v], into[v])]
            x += [log1(len(a & b)) for a, b in ((out[u], into[v]), (out[u], out[v]), (into[u], into[v]), (into[u], out[v]))]
            x.append(1.0 if u in out[v] else 0.0)
        return x

    return {
        "directed": directed,
        "scores": {name: [float(f(u, v)) for u, v in pairs] for name, f in scores.items()},
        "features": [features(u, v) for u, v in pairs],
    }


with open(__file__.replace(".py", ".json"), "w") as f:
    json.dump({"n": N, "train": arcs, "pairs": pairs, "cases": [case(False), case(True)]}, f)
    f.write("\n")
