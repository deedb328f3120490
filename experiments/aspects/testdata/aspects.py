"""Writes aspects.json: how the links of small networks are parted at first, and a mixture of communities, by the formulas of Find.

Made independently of the package: sets of neighbours, all pairs for the silhouette, a principal direction to the end of the power method,
shares of every link in every community, and everything anew after each community that is dropped. Only points are rounded to single precision, as there.
"""

import itertools
import json
import math
import random
import struct


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def dot(x, y):
    return math.fsum(a * b for a, b in zip(x, y))


def unit(x):
    length = math.sqrt(dot(x, x))
    return [a / length for a in x] if length > 0 else x


def mean(rows):
    return [math.fsum(column) / len(rows) for column in zip(*rows)]


def points(near, final):
    """f_v = unit(F_v - mean F - beta (log(1+k_v) - mean log(1+k))), a zero where no more is left than rounding."""
    k = [math.log(1 + len(s)) for s in near]
    middle = math.fsum(k) / len(k)
    k = [x - middle for x in k]
    center, square = mean(final), dot(k, k)
    beta = [dot(k, column) / square if square > 0 else 0.0 for column in zip(*final)]
    out = []
    for v, row in enumerate(final):
        left = [x - c - b * k[v] for x, c, b in zip(row, center, beta)]
        if dot(left, left) < 1e-24:
            left = [0.0] * len(left)
        out.append([single(x) for x in unit(left)])
    return out


def principal(rows):
    middle = mean(rows)
    apart = [[a - b for a, b in zip(row, middle)] for row in rows]
    covariance = [[math.fsum(row[i] * row[j] for row in apart) for j in range(len(middle))] for i in range(len(middle))]
    axis = [1 / (1 + i) for i in range(len(middle))]
    for _ in range(1000):
        axis = unit([dot(row, axis) for row in covariance])
    return middle, axis


def distance(x, y):
    return dot(x, x) - 2 * dot(x, y) + dot(y, y)


def lloyd(x, groups):
    for _ in range(50):
        if not all(groups):
            return None
        centers = [mean([x[i] for i in g]) for g in groups]
        new = [[] for _ in groups]
        for i, row in enumerate(x):
            new[min(range(len(groups)), key=lambda g: distance(row, centers[g]))].append(i)
        if new == groups:
            return groups
        groups = new
    return groups if all(groups) else None


def silhouette(x, groups):
    def far(i, group):
        return math.fsum(1 - dot(x[i], x[j]) for j in group if j != i)

    terms = []
    for own, i in ((g, i) for g in groups for i in g):
        if len(own) > 1:
            a = far(i, own) / (len(own) - 1)
            b = min(far(i, g) / len(g) for g in groups if g is not own)
            terms.append((b - a) / max(a, b))
    return math.fsum(terms) / len(x)


def begin(x):
    """Up to three groups, and whether two or three have a silhouette above .35, or 1.5 over the root of the number of links if that is less."""
    groups, plain = [list(range(len(x)))], False
    while len(groups) < min(3, len(x) - 1):
        widest = max(groups, key=lambda g: math.fsum(distance(x[i], mean([x[j] for j in g])) for i in g))
        middle, axis = principal([x[i] for i in widest])
        ahead = [i for i in widest if dot(axis, x[i]) > dot(axis, middle)]
        tried = lloyd(x, [[i for i in g if i not in ahead] for g in groups] + [ahead])
        if tried is None:
            break
        groups = tried
        plain = plain or silhouette(x, groups) > min(0.35, 1.5 / math.sqrt(len(x)))
    return sorted(groups, key=lambda g: (-len(g), g[0])), plain


def mixture(near, community, size):
    """Shares q of each end of a link in each community after 20 rounds; less than a thousandth of a vertex's links is none."""
    q = {(i, j): [((community[i, j] == c) + (community[j, i] == c)) / 2 for c in range(size)] for i, j in community}
    theta = {}
    for again in range(21):
        for i in range(len(near)):
            theta[i] = [math.fsum(q[i, j][c] for j in near[i]) for c in range(size)]
            theta[i] = [t if t >= 0.001 else 0.0 for t in theta[i]]
        total = [math.fsum(t[c] for t in theta.values()) for c in range(size)]
        for i, j in q:
            weight = [theta[i][c] * theta[j][c] / total[c] if total[c] > 0 else 0.0 for c in range(size)]
            q[i, j] = [w / math.fsum(weight) for w in weight] if again < 20 else q[i, j]
    return theta, total


def keep(i, near, theta, total, plain, most=5):
    """The community of each link; one at a time goes, the one whose other links say least of its links."""
    links = sum(len(s) for s in near)
    left = [c for c in range(len(total)) if theta[i][c] > 0]
    of = {j: max([c for c in left if theta[j][c] > 0], key=lambda c: theta[i][c] * theta[j][c] / total[c]) for j in near[i]}
    gain = {}

    def add(j):
        c, among = of[j], [theta[i][c] * theta[j][c] / total[c] for c in left]
        q = theta[i][c] * theta[j][c] / total[c] / math.fsum(among)
        odds = max(0, theta[i][c] - q) * max(0, theta[j][c] - q) / total[c] * links / len(near[i]) / len(near[j])
        gain[c] = gain.get(c, 0) + math.log(0.5 + 0.5 * odds)

    for j in sorted(of):
        add(j)
    while len(gain) > 1:
        worst = min(sorted(gain), key=lambda c: gain[c])
        if len(gain) <= most and (plain or gain[worst] >= math.log(2)):
            break
        left.remove(worst)
        del gain[worst]
        for j in sorted(j for j in of if of[j] == worst):
            shared = [c for c in left if theta[j][c] > 0]
            of[j] = max(shared, key=lambda c: theta[i][c] * theta[j][c] / total[c]) if shared else -1
            if shared:
                add(j)
    return of


def case(name, n, links, final, directed=False, weights=None):
    near = [set() for _ in range(n)]
    for u, v in links:
        if u != v:
            near[u].add(v)
            near[v].add(u)
    f = points(near, final)
    first, community, plain, kept = [], {}, [], []
    for i in range(n):
        to = sorted(near[i])
        x = [unit([math.fsum(c) for c in zip(f[j], *(f[u] for u in near[i] & near[j]))]) for j in to]
        told = [at for at, j in enumerate(to) if len(near[j]) > 1]  # a neighbour without other links says nothing
        groups, clear = begin([x[at] for at in told]) if told else ([[]], False)
        plain.append(clear)
        groups = [[told[k] for k in g] for g in groups]
        centers = [mean([x[at] for at in g]) for g in groups] if told else [[0.0] * len(f[0])]
        for at in set(range(len(to))) - set(told):
            groups[min(range(len(groups)), key=lambda g: distance(x[at], centers[g]))].append(at)
        for k, group in enumerate(sorted((sorted(g) for g in groups if g), key=lambda g: (-len(g), g[0]))):
            for at in group:
                first.append([i, to[at], k])
                community[i, to[at]] = (i + k) % 4
    theta, total = mixture(near, community, 4)
    for i in range(n):
        kept += [[i, j, c] for j, c in sorted(keep(i, near, theta, total, plain[i]).items())]
    return {
        "name": name, "n": n, "directed": directed, "links": links, "weights": weights, "final": final, "first": sorted(first), "plain": plain,
        "shares": [[round(t, 9) for t in theta[i]] for i in range(n)], "kept": kept,
    }


def normal(draw, d, at=None, spread=1.0):
    return [single(round((at[j] if at else 0) + draw.gauss(0, spread), 3)) for j in range(d)]


def planted(draw):
    """Twenty-eight vertices of four communities, of which the last eight are in two."""
    in_ = [{v % 4} for v in range(20)] + [{v % 4, (v + 1 + v // 24) % 4} for v in range(20, 28)]
    links = [(u, v) for u, v in itertools.combinations(range(28), 2) if draw.random() < (0.75 if in_[u] & in_[v] else 0.02)]
    corner = [[2.0 if i == c else 0.0 for i in range(5)] for c in range(4)]
    return 28, links, [normal(draw, 5, mean([corner[c] for c in sorted(s)]), 0.4) for s in in_]


def erdos(draw, n, d, p):
    return n, [(u, v) for u, v in itertools.combinations(range(n), 2) if draw.random() < p], [normal(draw, d) for _ in range(n)]


def directed(draw):
    """The planted network with some arcs either way, some one way, self-loops and weights."""
    n, links, final = planted(draw)
    arcs = sorted({a for u, v in links for a in draw.choice([[(u, v)], [(v, u)], [(u, v), (v, u)]])} | {(3, 3), (21, 21)})
    return n, arcs, final, True, [draw.randint(1, 9) for _ in arcs]


def star(draw):
    """A hub with twelve neighbours, eight of which have another one."""
    return 21, [(0, v) for v in range(1, 13)] + [(v, v + 12) for v in range(1, 9)], [normal(draw, 3) for _ in range(21)]


cases = [
    case("planted", *planted(random.Random(1))),
    case("random", *erdos(random.Random(2), 24, 4, 0.3)),
    case("directed and weighted", *directed(random.Random(3))),
    case("star", *star(random.Random(5))),
]
if __name__ == "__main__":
    with open("aspects.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
