"""Writes classify.json: F1 of one-vs-rest logistic regression, and principal components, computed with numpy alone.

    python3 classify.py > classify.json
"""
import json
import numpy as np

rng = np.random.default_rng(5)
n, d, labels = 60, 4, 5
x = rng.normal(size=(n, d)).astype(np.float32)
logit = x @ rng.normal(size=(d, labels)) * 1.5 + rng.normal(size=(n, labels)) - .8
has = logit > 0
has[np.arange(n), logit.argmax(1)] = True  # at least one each
has[:, labels - 1] = False  # a label of a single vertex, which is tested on
has[50, labels - 1] = True
train, test = np.arange(40), np.arange(40, n)


def fit(x, y, c):
    """Newton's method on ½|w|² + c Σ log(1 + exp(-y(w·x + b))), b without penalty."""
    a = np.hstack([x.astype(float), np.ones((len(x), 1))])
    ridge = np.diag([1.] * x.shape[1] + [0.])
    w = np.zeros(a.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-a @ w))
        w -= np.linalg.solve(ridge + c * a.T * (p * (1 - p)) @ a, ridge @ w + c * a.T @ (p - y))
    return w


def f1(c):
    scores = np.full((len(test), labels), -np.inf)
    for l in range(labels):
        if has[train, l].any():
            w = fit(x[train], has[train, l].astype(float), c)
            scores[:, l] = x[test].astype(float) @ w[:d] + w[d]
    predicted = np.zeros((len(test), labels), bool)
    for i, v in enumerate(test):
        predicted[i, np.argsort(-scores[i], kind="stable")[:has[v].sum()]] = True
    truth = has[test]
    hit, extra, missed = (truth & predicted).sum(0), (~truth & predicted).sum(0), (truth & ~predicted).sum(0)
    one = np.where(hit > 0, 2 * hit / np.maximum(1, 2 * hit + extra + missed), 0)
    return {"micro": 2 * hit.sum() / (2 * hit.sum() + extra.sum() + missed.sum()), "macro": one.mean()}


wide = x.astype(float) - x.astype(float).mean(0)
u, s, vt = np.linalg.svd(wide, full_matrices=False)
sign = np.sign(vt[np.arange(d), np.abs(vt).argmax(1)])
print(json.dumps({
    "x": [float(v) for v in x.ravel()], "n": n, "d": d, "count": labels,
    "labels": [[int(l) for l in np.flatnonzero(row)] for row in has],
    "train": 40,
    "f1": {c: f1(float(c)) for c in ("1", "0.05")},
    "components": [float(v) for v in ((u * s) * sign)[:, :2].ravel()],
    "variance": [float(v) for v in (s ** 2 / (s ** 2).sum())[:2]],
}))
