"""Golden values of ProNE and of factors of PageRank on small networks, by numpy and scipy: python3 factor.py > factor.json

Both end with a singular value decomposition, whose vectors have a free sign: what is compared is E Eᵀ, and X Yᵀ of two sides. ProNE follows the
authors' program (github.com/THUDM/ProNE, proNE.py) with a dense decomposition in place of a random one; PageRank is summed as its definition says.
"""

import json

import numpy as np
from scipy.special import iv

# Two communities with a bridge, a pendant vertex and one without links.
LINKS = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6), (5, 7), (6, 7), (7, 8), (2, 5), (0, 3)]
VERTICES = 10
WEIGHTS = [1, 2, 0.5, 1, 3, 1, 1, 4, 1, 0.25, 1, 2, 1, 5]
ARCS = LINKS + [(1, 0), (6, 4), (3, 9), (9, 7)]
ARC_WEIGHTS = WEIGHTS + [7, 0.5, 1, 2]


def symmetric(links, weights):
    a = np.zeros((VERTICES, VERTICES))
    for (u, v), w in zip(links, weights):
        a[u, v] = a[v, u] = max(a[u, v], w)
    return a / a[a > 0].mean()


def root_svd(m, dim):
    u, s, _ = np.linalg.svd(m)
    return u[:, :dim] * np.sqrt(s[:dim])


def unit(x):
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)


def prone(a, dim, order=10, mu=0.2, theta=0.5, normalize=False):
    degrees = a.sum(1, keepdims=True)
    p = np.divide(a, degrees, out=np.zeros_like(a), where=degrees > 0)
    neg = p.sum(0) ** 0.75
    neg /= neg.sum()
    f = np.zeros_like(a)
    i, j = np.nonzero(a)
    f[i, j] = np.log(p[i, j]) - np.log(neg[j])
    x = unit(root_svd(f, dim))
    if order > 1:
        eye = np.eye(len(a))
        loops = eye + a
        m = eye - loops / loops.sum(1, keepdims=True) - mu * eye
        t0, t1 = x, 0.5 * m @ m @ x - x
        conv = iv(0, theta) * t0 - 2 * iv(1, theta) * t1
        for n in range(2, order):
            t0, t1 = t1, m @ m @ t1 - 2 * t1 - t0
            conv += (2 if n % 2 == 0 else -2) * iv(n, theta) * t1
        x = loops @ (x - conv)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    x = u * np.sqrt(s)
    return unit(x) if normalize else x


def ppr(a, directed, dim, restart=0.15, floor=1e-4):
    n = len(a)
    out = a.sum(1)
    p = np.divide(a, out[:, None], out=np.zeros_like(a), where=out[:, None] > 0)
    r, power = np.zeros_like(a), np.eye(n)
    for t in range(21):
        r += restart * (1 - restart) ** t * power
        power = power @ p
    mean = r.mean(0) if directed else out / out.sum()
    k = np.divide(r, mean, out=np.zeros_like(r), where=mean > 0)
    logs = np.log(np.maximum(k / floor, 1))
    u, s, vt = np.linalg.svd(logs)
    dim = dim // 2 if directed else dim
    return (u[:, :dim] * s[:dim]) @ vt[:dim]


def arcs(links, weights, directed):
    a = np.zeros((VERTICES, VERTICES))
    for (u, v), w in zip(links, weights):
        a[u, v] = max(a[u, v], w)
        if not directed:
            a[v, u] = a[u, v]
    return a


def main():
    networks = {
        "plain": dict(links=LINKS, weights=None, directed=False),
        "weighted": dict(links=LINKS, weights=WEIGHTS, directed=False),
        "directed": dict(links=ARCS, weights=ARC_WEIGHTS, directed=True),
    }
    cases = []
    for name, n in networks.items():
        a = symmetric(n["links"], n["weights"] or [1] * len(n["links"]))
        for options in [{}, {"filter-order": 1}, {"filter-order": 4, "filter-mu": 0.5, "filter-theta": 2.0}, {"normalize-rows": True}]:
            x = prone(a, 4, options.get("filter-order", 10), options.get("filter-mu", 0.2), options.get("filter-theta", 0.5), "normalize-rows" in options)
            cases.append(dict(method="prone", network=name, options={"dim": 4, **options}, products=(x @ x.T).tolist()))
        a = arcs(n["links"], n["weights"] or [1] * len(n["links"]), n["directed"])
        for options in [{}, {"ppr-restart": 0.4, "ppr-floor": 0.3}]:
            xy = ppr(a, n["directed"], 6, options.get("ppr-restart", 0.15), options.get("ppr-floor", 1e-4))
            cases.append(dict(method="ppr", network=name, options={"dim": 6, **options}, products=xy.tolist()))
    bessel = [dict(n=n, x=x, value=iv(n, x)) for n in [0, 1, 2, 9] for x in [0.0, 0.5, 3.0, 60.0]]
    print(json.dumps(dict(vertices=VERTICES, networks=networks, cases=cases, bessel=bessel), indent=1))


main()
