"""Writes scores.json: scores of links by a classifier, by cosines and by both sides, with AUC and average precision. Targets are the vectors in
reverse order.

Made independently of the package, in Python's own arithmetic: Newton's method with Gaussian elimination for the logistic regression of scikit-learn's
objective, areas by comparing every link with every negative, average precision by counting at every threshold.
"""

import json
import math
import random

draw = random.Random(5)
N, D = 14, 4
U = [[draw.randrange(-64, 65) / 32 for _ in range(D)] for _ in range(N)]
U[3] = U[4]  # ties
pairs = [(i, j) for i in range(N) for j in range(N) if i != j]
draw.shuffle(pairs)
train, train_neg, test, test_neg = pairs[:30], pairs[30:60], pairs[60:80] + [(3, 7), (4, 7)], pairs[80:105] + [(4, 7), (3, 9)]

operators = {"lr": lambda x, y: x * y}


def solve(a, b):
    n = len(b)
    m = [row[:] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        for r in range(n):
            if r != i:
                f = m[r][i] / m[i][i]
                m[r] = [u - f * v for u, v in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def logistic(x, y, c):
    """Minimizes half the squared weights plus c times the log loss; the intercept, last, is free."""
    x = [row + [1.0] for row in x]
    w = [0.0] * len(x[0])
    for _ in range(60):
        p = [1 / (1 + math.exp(-math.fsum(a * b for a, b in zip(w, r)))) for r in x]
        g = [c * math.fsum((p[i] - y[i]) * x[i][j] for i in range(len(x))) for j in range(len(w))]
        h = [[c * math.fsum(p[i] * (1 - p[i]) * x[i][j] * x[i][k] for i in range(len(x))) for k in range(len(w))] for j in range(len(w))]
        for j in range(len(w) - 1):
            g[j] += w[j]
            h[j][j] += 1
        w = [a - b for a, b in zip(w, solve(h, g))]
    return w


def auc(pos, neg):
    return math.fsum(1.0 if p > q else 0.5 if p == q else 0.0 for p in pos for q in neg) / (len(pos) * len(neg))


def average_precision(pos, neg):
    total, recall = [], 0.0
    for t in sorted(set(pos), reverse=True):
        found, others = sum(p >= t for p in pos), sum(q >= t for q in neg)
        now = found / len(pos)
        total.append((now - recall) * found / (found + others))
        recall = now
    return math.fsum(total)


def score_of(name, c=1.0):
    if name in operators:
        f = lambda i, j: [operators[name](a, b) for a, b in zip(U[i], U[j])]
        w = logistic([f(i, j) for i, j in train + train_neg], [1] * len(train) + [0] * len(train_neg), c)
        return lambda i, j: math.fsum(a * b for a, b in zip(w, f(i, j) + [1.0]))
    dot = lambda a, b: math.fsum(x * y for x, y in zip(a, b))
    if name == "two-sided":
        return lambda i, j: (dot(U[i], U[N - 1 - j]) + dot(U[j], U[N - 1 - i])) / 2
    if name == "dot":
        return lambda i, j: dot(U[i], U[j])
    return lambda i, j: dot(U[i], U[j]) / math.sqrt(dot(U[i], U[i]) * dot(U[j], U[j]))


cases = []
for name, c in [(n, 1.0) for n in ("lr", "dot", "cosine", "two-sided")]:
    score = score_of(name, c)
    pos, neg = [round(score(i, j), 9) for i, j in test], [round(score(i, j), 9) for i, j in test_neg]
    cases.append({"score": name, "c": c, "test": pos, "auc": auc(pos, neg), "ap": average_precision(pos, neg)})
json.dump({"vectors": U, "train": train, "train_neg": train_neg, "test": test, "test_neg": test_neg, "cases": cases}, open("scores.json", "w"))
