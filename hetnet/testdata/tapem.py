# Writes tapem.json: the loss of TaPEm on a small batch, term by term from its definition, with numpy in float64, and
# its gradient by some of the inputs by central differences. Run with numpy 1.24: python3 tapem.py > tapem.json
import json
import numpy as np

D, H = 2, 3
rng = np.random.default_rng(7)
shapes = [
    ("pairWeight1", (H, 4 * D)), ("pairBias1", (H,)), ("pairGain1", (H,)), ("pairShift1", (H,)),
    ("pairWeight2", (H, H)), ("pairBias2", (H,)), ("pairGain2", (H,)), ("pairShift2", (H,)),
    ("validWeight1", (H, H)), ("validBias1", (H,)), ("validWeight2", (1, H)), ("validBias2", (1,)),
    ("forwardIH", (3 * H, D)), ("forwardHH", (3 * H, H)), ("forwardBiasIH", (3 * H,)), ("forwardBiasHH", (3 * H,)),
    ("backwardIH", (3 * H, D)), ("backwardHH", (3 * H, H)), ("backwardBiasIH", (3 * H,)), ("backwardBiasHH", (3 * H,)),
    ("projectWeight", (H, 2 * H)), ("projectBias", (H,)), ("attendKey", (1, H)), ("attendOffset", (1,)),
    ("attendMatrix", (H, H)),
]
w = {name: rng.normal(size=shape).round(3) for name, shape in shapes}
papers, authors = rng.normal(size=(3, D)).round(3), rng.normal(size=(4, D)).round(3)
triples = [(0, 1, 2), (1, 0, 3)]  # paper, own author, other author
paths = [([0, 0, 1, 2], [3, 1, 2, 0])]  # author, paper, author, paper: the path and another one
keep = rng.integers(0, 2, size=(5, 4 * D)) / 0.5, rng.integers(0, 2, size=(5, H)) / 0.5
margin = 0.1

sigmoid = lambda x: 1 / (1 + np.exp(-x))
nll = lambda x: np.log1p(np.exp(-x))  # -log sigmoid


def norm(x, gain, shift):
    return gain * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + shift


def pair(a, f, row):
    x = np.concatenate([a, f, a * f, a - f]) * keep[0][row]
    x = np.maximum(norm(w["pairWeight1"] @ x + w["pairBias1"], w["pairGain1"], w["pairShift1"]), 0) * keep[1][row]
    return norm(w["pairWeight2"] @ x + w["pairBias2"], w["pairGain2"], w["pairShift2"])


def valid(z):
    return (w["validWeight2"] @ np.maximum(w["validWeight1"] @ z + w["validBias1"], 0) + w["validBias2"])[0]


def gru(xs, side):
    h, states = np.zeros(H), []
    for x in xs:
        i, r = w[side + "IH"] @ x + w[side + "BiasIH"], w[side + "HH"] @ h + w[side + "BiasHH"]
        reset, update = sigmoid(i[:H] + r[:H]), sigmoid(i[H:2 * H] + r[H:2 * H])
        n = np.tanh(i[2 * H:] + reset * r[2 * H:])
        h = (1 - update) * n + update * h
        states.append(h)
    return states


def context(path):
    xs = [papers[v] if t % 2 else authors[v] for t, v in enumerate(path)]
    both = [np.concatenate(s) for s in zip(gru(xs, "forward"), gru(xs[::-1], "backward")[::-1])]
    q = [w["projectWeight"] @ s + w["projectBias"] for s in both]
    e = np.exp([(w["attendKey"] @ x + w["attendOffset"])[0] for x in q])
    return sum(a * (x @ w["attendMatrix"]) for a, x in zip(e / e.sum(), q))


def loss():
    total, b = 0, len(triples)
    for i, (p, own, other) in enumerate(triples):
        f = papers[p]
        total += max(0, ((f - authors[own]) ** 2).sum() - ((f - authors[other]) ** 2).sum() + margin)
        total += nll(valid(pair(authors[own], f, i))) + nll(-valid(pair(authors[other], f, b + i)))
    for i, (path, other) in enumerate(paths):
        z = pair(authors[path[0]], papers[path[-1]], 2 * b + i)
        total += nll(z @ context(path)) + nll(-z @ context(other))
    return total


def gradient(x):
    g = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        at, step = x[i], 1e-6
        x[i] = at + step
        high = loss()
        x[i] = at - step
        low = loss()
        x[i] = at
        g[i] = (high - low) / (2 * step)
    return g.round(7).tolist()


print(json.dumps({
    "tables": {k: v.ravel().tolist() for k, v in w.items()}, "papers": papers.ravel().tolist(), "authors": authors.ravel().tolist(),
    "mask1": keep[0].ravel().tolist(), "mask2": keep[1].ravel().tolist(), "loss": loss(),
    "gradPapers": np.ravel(gradient(papers)).tolist(), "gradAuthors": np.ravel(gradient(authors)).tolist(),
}, indent=1))
