"""Golden values of ProNE and NetMF on small networks, by numpy and scipy: python3 factor.py > factor.json

Both end with a singular value decomposition, whose vectors have a free sign: what is compared is E Eᵀ. The functions follow the authors'
programs (github.com/THUDM/ProNE, proNE.py; github.com/xptree/NetMF, netmf.py) with a dense decomposition in place of a random one.
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


def netmf(a, dim, window, negatives):
    degrees = a.sum(1)
    inverse = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    p, power, total = np.diag(inverse) @ a, np.eye(len(a)), np.zeros_like(a)
    for _ in range(window):
        power = power @ p
        total += power
    m = a.sum() / (negatives * window) * total @ np.diag(inverse)
    return root_svd(np.log(np.maximum(m, 1)), dim)


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
        for window, negatives in [(10, 1), (2, 3)]:
            x = netmf(a, 3, window, negatives)
            cases.append(dict(method="netmf", network=name, options={"dim": 3, "window": window, "negatives": negatives}, products=(x @ x.T).tolist()))
    bessel = [dict(n=n, x=x, value=iv(n, x)) for n in [0, 1, 2, 9] for x in [0.0, 0.5, 3.0, 60.0]]
    print(json.dumps(dict(vertices=VERTICES, networks=networks, cases=cases, bessel=bessel), indent=1))


main()
