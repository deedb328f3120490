"""Writes entries.json: values of the losses, selections, readouts and regularizers that asp2vec.json does not have, on its
example, in float64. What the program computes exactly or by hand is computed here in another way: thresholds of entmax by
bisection, its gradients by differences, all others by PyTorch's automatic differentiation.

    python3 internal/test/golden/entries.py        # PyTorch 1.13, numpy 1.24
"""
import json
import os

import torch

here = os.path.dirname(os.path.abspath(__file__))
g = json.load(open(os.path.join(here, "asp2vec.json")))
double = lambda x: torch.tensor(x, dtype=torch.float64)
P, Q = double(g["P"]), double(g["Q"])  # (N,D), (K,N,D)
K, N, D = Q.shape
pairs, negatives = g["pairs"], g["negatives"]
bags = [sorted(set(g["windows"][w]["context"])) for w in g["pair_window"]]
out = {"origin": "internal/test/golden/entries.py", "cases": {}, "pairs": {}, "readouts": {}, "regularizers": {}}


def scores(P, Q):
    pos = torch.stack([torch.stack([P[i] @ Q[k, j] for k in range(K)]) for i, j in pairs])
    neg = torch.stack([torch.stack([torch.stack([P[i] @ Q[k, u] for k in range(K)]) for u in negatives[b]]) for b, (i, _) in enumerate(pairs)])
    return pos, neg  # (B,K), (B,M,K)


def skipgram(pos, neg):
    return -torch.log(torch.sigmoid(pos)) - torch.log(torch.sigmoid(-neg)).sum(1)


def readout(Q, how):
    return torch.stack([how(Q[:, bag]) for bag in bags])  # (B,K,D)


def logits(P, Q):
    r = readout(Q, lambda x: x.mean(1))
    return torch.stack([r[b] @ P[i] for b, (i, _) in enumerate(pairs)])


def entmax15(z):
    """Each row max(0, z/2 - t)^2, with t by bisection."""
    z = z / 2
    low, high = z.max(1, True).values - 1, z.max(1, True).values
    for _ in range(200):
        t = (low + high) / 2
        above = (torch.clamp(z - t, min=0) ** 2).sum(1, True) > 1
        low, high = torch.where(above, t, low), torch.where(above, high, t)
    return torch.clamp(z - (low + high) / 2, min=0) ** 2


def straight_through(z):
    soft = torch.softmax(z, 1)
    hard = torch.nn.functional.one_hot(soft.argmax(1), K).double()
    return hard - soft.detach() + soft


def case(select, differences=False):
    def loss(P, Q):
        return (select(logits(P, Q)) * skipgram(*scores(P, Q))).mean()

    grads = []
    if differences:
        step = 1e-5
        for x in (P, Q):
            d = torch.zeros_like(x)
            for i in range(x.numel()):
                at = x.view(-1)[i].item()
                x.view(-1)[i] = at + step
                up = loss(P, Q)
                x.view(-1)[i] = at - step
                down = loss(P, Q)
                x.view(-1)[i] = at
                d.view(-1)[i] = (up - down) / (2 * step)
            grads.append(d)
    else:
        p, q = P.clone().requires_grad_(), Q.clone().requires_grad_()
        grads = torch.autograd.grad(loss(p, q), (p, q))
    total = loss(P, Q).item()
    return {"logits": logits(P, Q).tolist(), "aspect_prob": select(logits(P, Q)).tolist(), "ell_pos_plus_neg": skipgram(*scores(P, Q)).tolist(),
            "sg_loss": total, "total_loss": total, "grad_P": grads[0].tolist(), "grad_Q": grads[1].tolist()}


out["cases"]["straight_through"] = case(straight_through)
out["cases"]["entmax15"] = case(entmax15, differences=True)
noise, tau = double(g["gumbel_noise_per_pair"]), g["tau"]
out["cases"]["random"] = case(lambda z: torch.softmax(noise / tau, 1))
# The logits of the example are near to one another: these have zeros.
far = double([[3.0, -1.0, 2.5, 2.0], [0.1, 0.2, 0.15, -4.0], [10.0, 1.0, 9.5, 9.9], [0.0, 0.0, 0.0, 0.0]])
out["entmax15"] = {"logits": far.tolist(), "prob": entmax15(far).tolist()}

pos, neg = scores(P, Q)
margin, temperature = 0.05, 0.7
for name, loss in {
    "margin": lambda pos, neg: torch.nn.functional.margin_ranking_loss(
        pos.unsqueeze(1).expand_as(neg), neg, torch.ones_like(neg), margin=margin, reduction="none").sum(1),
    "infonce": lambda pos, neg: torch.stack([torch.nn.functional.cross_entropy(
        torch.cat([pos[:, None, k], neg[:, :, k]], 1) / temperature, torch.zeros(len(pos), dtype=torch.long), reduction="none") for k in range(pos.shape[1])], 1),
    "bpr": lambda pos, neg: torch.nn.functional.binary_cross_entropy_with_logits(
        pos.unsqueeze(1) - neg, torch.ones_like(neg), reduction="none").sum(1),
}.items():
    out["pairs"][name] = {"value": {"margin": margin, "infonce": temperature}.get(name, 0), "two": loss(pos, neg).tolist(), "one": loss(pos[:, :1], neg[:, :, :1]).flatten().tolist()}

out["readouts"]["sum"] = readout(Q, lambda x: x.sum(1)).tolist()
out["readouts"]["max"] = readout(Q, lambda x: x.max(1).values).tolist()

R = double(g["regularizer"]["Q"]).requires_grad_()  # (K,N,D)
k = len(R)
cosines = torch.stack([torch.cosine_similarity(R[i], R[j], dim=1) for i in range(k) for j in range(i + 1, k)])
penalty = (cosines**2).mean(0).sum()
out["regularizers"]["cosine2"] = {"value": penalty.item(), "grad_Q": torch.autograd.grad(penalty, R)[0].tolist()}
prob = double(g["cases"]["gumbel_pair"]["aspect_prob"]).requires_grad_()
entropy = torch.distributions.Categorical(probs=prob, validate_args=False).entropy().mean()
plain = torch.special.entr(prob).sum(1).mean()  # of which the gradient does not know that rows sum to 1
assert abs(entropy.item() - plain.item()) < 1e-8
out["regularizers"]["entropy"] = {"value": plain.item(), "grad_prob": torch.autograd.grad(plain, prob)[0].tolist()}

rounded = json.loads(json.dumps(out), parse_float=lambda s: float(f"{float(s):.12g}"))
json.dump(rounded, open(os.path.join(here, "entries.json"), "w"))
