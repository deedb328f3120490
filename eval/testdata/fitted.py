"""Writes fitted.json: features of pairs, and log odds of regressions on them, as score fitted defines them. Needs numpy, scipy and scikit-learn.

Made independently of the package: PageRank by powers of a dense matrix, features by numpy, polynomial features and the regression by scikit-learn, with
features that are standardised before and after the products of two.
"""

import json

import numpy as np
from scipy.linalg import sqrtm
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

draw = np.random.default_rng(3)
N, D = 30, 4
cases = []
for directed, kind in [(False, "one"), (True, "sides"), (False, "sides"), (False, "several"), (True, "several")]:
    links = set()
    while len(links) < 80:
        u, v = (int(x) for x in draw.integers(0, N - 1, 2))  # the last vertex has no link
        if u != v and (u, v) not in links and (directed or (v, u) not in links):
            links.add((u, v))
    links = sorted(links)
    vectors = lambda n: (draw.integers(-64, 65, (n, D)) / 32).tolist()
    final, source = vectors(N), vectors(N)
    final[7] = [0.0] * D
    counts = draw.integers(0, 4, N) if kind == "several" else np.ones(N, int)
    first = [0] + np.cumsum(counts).tolist()
    target = vectors(first[-1])
    sides = {"final": [[x] for x in final]}
    several = {"target": [target[first[v] : first[v + 1]] for v in range(N)]}
    if kind == "sides":
        sides.update({"source": [[x] for x in source]}, **several)
    if kind == "several":
        sides["vector"] = several["target"]

    A = np.zeros((N, N))
    for u, v in links:
        A[u, v] = 1
        if not directed:
            A[v, u] = 1
    U = np.maximum(A, A.T)
    k = U.sum(1)
    rank = np.ones(N)
    for _ in range(20):
        rank = 0.15 + 0.85 * (A / np.maximum(A.sum(1), 1)[:, None]).T @ rank
    network = [np.log1p(k)] if not directed else [np.log1p(A.sum(1)), np.log1p(A.sum(0))]
    network += [np.log(rank + 1e-9), np.log1p(U @ k / np.maximum(k, 1))]

    def products(a, b, u, v):
        x, y = np.array(sides[a][u]).reshape(-1, D), np.array(sides[b][v]).reshape(-1, D)
        many = any(len(z) != 1 for s in (a, b) for z in sides[s])
        p = (x @ y.T).ravel()
        l = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)).ravel()
        c = np.divide(p, l, out=np.zeros_like(p), where=l > 0)
        if not many:
            return [p[0], c[0]]
        return [p.max(), np.log(np.exp(p).sum()), p.mean(), c.max(), c.mean()] if len(p) else [0.0] * 5

    def mean(name):
        return np.array([np.mean(np.array(x).reshape(-1, D), axis=0) if len(x) else np.zeros(D) for x in sides[name]])

    def root(x):
        return sqrtm(x.T @ x / N).real

    def spread(a, b, u, v):
        x, y = mean(a)[u] @ root(mean(a)), mean(b)[v] @ root(mean(b))
        l = np.linalg.norm(x) * np.linalg.norm(y)
        return np.array([x @ y, x @ y / l if l > 0 else 0.0])

    def features(u, v):
        row, names = [], list(sides)
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                if (a == "final") != (b == "final") or not directed and i > j:
                    continue
                f = products(a, b, u, v)
                if not directed and i != j:
                    f = (np.array(f) + products(a, b, v, u)) / 2
                row += list(f)
        columns = [np.log(np.array([np.linalg.norm(x) for x in sides[a]]) + 1e-6) for a in names] + network
        for x in columns:
            row += [x[u], x[v]] if directed else [x[u] + x[v], abs(x[u] - x[v])]
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                if (a, b) in (("final", "final"), ("vector", "vector"), ("source", "target")) or directed and (a, b) == ("target", "source"):
                    f = spread(a, b, u, v)
                    row += list(f if directed or a == b else (f + spread(a, b, v, u)) / 2)
        return [float(x) for x in row]

    pairs = [(int(u), int(v)) for u, v in draw.integers(0, N, (60, 2))]
    label = [bool(x) for x in draw.integers(0, 2, 60)]
    X = np.array([features(u, v) for u, v in pairs])
    odds = []
    for products_too, c in [(False, 1.0), (True, 0.1)]:
        z = np.clip(StandardScaler().fit_transform(X), -5, 5)
        if products_too:
            z = PolynomialFeatures(2, include_bias=False).fit_transform(z)
        z = StandardScaler().fit_transform(z)
        fit = LogisticRegression(C=c, tol=1e-10, max_iter=20000).fit(z, label)
        odds.append({"products": products_too, "c": c, "odds": fit.decision_function(z).tolist()})
    cases.append({"directed": directed, "kind": kind, "links": links, "final": final, "source": source, "target": target, "first": first,
                  "pairs": pairs, "label": label, "features": X.tolist(), "fits": odds})
with open("fitted.json", "w") as f:
    json.dump({"n": N, "d": D, "cases": cases}, f)
