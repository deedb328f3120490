#!/usr/bin/env python3
"""asp2vec's and DeepWalk's training step in PyTorch on the CPU: a peer of the Go trainer.

    torch_asp2vec.py --method asp2vec --dim 20 --aspects 5 --limit 300 --save FILE WALKS
    torch_asp2vec.py --check GOLDEN.json

What a good PyTorch user would write: everything vectorised over a batch of windows, autograd for the gradients, dense
Adam from torch.optim. Like the Go trainer it gathers rows once per window, not once per pair, takes the aspect logits
from the scores of the contexts (the mean of <P,Q_b> is <P, mean Q_b>), and draws negatives and noise anew in each batch.
It trains until --limit seconds of processor time, writes the embedding, and prints a line of JSON: pairs per second are those of the whole loop
(windows, negatives, noise, step) of the stage that it ended in, without the reading.
"""
import argparse
import ctypes
import json
import os
import resource
import sys

# Three settings that an experienced user makes, before the libraries load. OpenBLAS threads would compete with those of
# PyTorch for batches of tiny products; waiting threads should sleep; and glibc must keep freed blocks, since returning
# and faulting in 60 MB for every intermediate costs up to half of the time (measured; see README.md).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
try:
    libc = ctypes.CDLL("libc.so.6")
    libc.mallopt(-3, 1 << 30)  # M_MMAP_THRESHOLD
    libc.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
except OSError:  # not glibc
    pass

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def read_walks(path):
    """Returns (walks, width) padded with -1 and the vertices' names. Numbers are ranked, names taken as they appear."""
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    lines = [line for line in lines if line]
    if not lines:
        raise SystemExit(f"torch_asp2vec: {path}: want one walk per line")
    lengths = np.array([len(line) for line in lines])
    tokens = [name for line in lines for name in line]
    try:
        names, ids = np.unique(np.array(tokens, dtype=np.int64), return_inverse=True)
    except ValueError:
        index = {}
        ids = np.array([index.setdefault(name, len(index)) for name in tokens])
        names = list(index)
    walks = np.full((len(lines), lengths.max()), -1, dtype=np.int64)
    walks[np.arange(walks.shape[1])[None, :] < lengths[:, None]] = ids
    return walks, names


class Windows:
    """Batches of whole windows in random order, with at most `size` pairs; each epoch is a new permutation."""

    def __init__(self, walks, vertices, window, negatives, size, generator):
        padded = np.pad(walks, ((0, 0), (window, window)), constant_values=-1)
        self.flat = torch.from_numpy(padded.reshape(-1))
        self.offsets = torch.tensor([k for k in range(-window, window + 1) if k != 0])
        pairs = sum(np.roll(padded, -k, 1) >= 0 for k in self.offsets.tolist()) * (padded >= 0)
        pairs = torch.from_numpy(pairs.reshape(-1).astype(np.int8))
        self.places = pairs.nonzero().flatten().to(torch.int32)
        self.pairs = pairs[self.places.long()]
        self.vertices, self.negatives, self.size, self.generator = vertices, negatives, size, generator

    def epoch(self):
        order = torch.randperm(len(self.places), generator=self.generator)
        places, ends = self.places[order], self.pairs[order].cumsum(0, dtype=torch.int64)
        done = start = 0
        while start < len(places):
            stop = max(int(torch.searchsorted(ends, done + self.size, right=True)), start + 1)
            yield self.batch(places[start:stop].long())
            done, start = int(ends[stop - 1]), stop

    def batch(self, places):
        """centre (B), context (B,L) with -1 where the walk ended, negatives (B,L,M) outside of the window"""
        centre, context = self.flat[places], self.flat[places[:, None] + self.offsets]
        negative = torch.randint(self.vertices, (*context.shape, self.negatives), generator=self.generator)
        inside = (negative[..., None] == context[:, None, None, :]).any(-1)
        while inside.any():
            negative[inside] = torch.randint(self.vertices, (int(inside.sum()),), generator=self.generator)
            inside = (negative[..., None] == context[:, None, None, :]).any(-1)
        return centre, context, negative


def bag_weights(context):
    """(B,L): 1/|B| at the first occurrence of each distinct context, else 0."""
    same = context[:, :, None] == context[:, None, :]
    first = (context >= 0) & ~same.tril(-1).any(2)
    return first / first.sum(1, keepdim=True)


def scores(P, Q, centre, context, negative):
    """<P_i, Q_j> for contexts (B,L,K) and negatives (B,L,M,K), Q being (n,K,d)."""
    B, L, M = negative.shape
    n, K, d = Q.shape
    rows = torch.cat([context.clamp(min=0), negative.reshape(B, L * M)], 1)
    q = F.embedding(rows, Q.view(n, K * d)).view(B, (L + L * M) * K, d)
    s = torch.bmm(q, F.embedding(centre, P)[:, :, None]).view(B, L + L * M, K)
    return s[:, :L], s[:, L:].view(B, L, M, K)


def skipgram(pos, neg):
    return F.softplus(-pos) + F.softplus(neg).sum(2)


def asp2vec_loss(P, Q, batch, noise, tau, lam, eps, selection="gumbel"):
    """noise is (B,1,K) per window or (B,L,K) per pair. Mean over pairs x K, plus lam times the sum over vertices."""
    centre, context, negative = batch
    pos, neg = scores(P, Q, centre, context, negative)
    loss = skipgram(pos, neg)  # (B,L,K)
    logits = (bag_weights(context).to(pos)[:, :, None] * pos).sum(1, keepdim=True)  # (B,1,K)
    if selection == "none":
        prob = torch.full_like(logits, 1 / Q.shape[1])
    elif selection == "softmax":
        prob = torch.softmax(logits, 2)
    else:
        prob = torch.softmax((logits + noise) / tau, 2)
        if selection == "hard":  # straight through
            prob = F.one_hot(prob.argmax(2), Q.shape[1]).to(prob) + prob - prob.detach()
    mask = context >= 0
    total = (prob * loss * mask[:, :, None]).sum() / (mask.sum() * Q.shape[1])
    return total + lam * aspect_similarity(Q, eps) if lam > 0 else total


def aspect_similarity(Q, eps):
    """Sum over vertices and pairs of aspects of |cosine| where it exceeds eps; products of norms are at least 1e-8."""
    i, j = torch.triu_indices(Q.shape[1], Q.shape[1], 1)
    norm = Q.norm(dim=2)
    cosine = ((Q[:, i] * Q[:, j]).sum(2) / (norm[:, i] * norm[:, j]).clamp(min=1e-8)).abs()
    return (cosine * (cosine > eps)).sum()


def deepwalk_loss(P, C, batch):
    """Mean over pairs; C is (n,1,d)."""
    centre, context, negative = batch
    mask = context >= 0
    return (skipgram(*scores(P, C, centre, context, negative)).squeeze(2) * mask).sum() / mask.sum()


def gumbel(shape, generator):
    u = torch.rand(shape, generator=generator).clamp_(1e-7, 1 - 1e-7)
    return -(-u.log()).log()


def train_step(opt, method, P, Q, adam, batch, generator):
    """Trains one batch and returns its loss."""
    if method == "asp2vec":
        per = 1 if opt.noise == "window" else batch[1].shape[1]
        noise = gumbel((len(batch[0]), per, Q.shape[1]), generator)
        loss = asp2vec_loss(P, Q, batch, noise, opt.tau, opt.lam, opt.epsilon)
    else:
        loss = deepwalk_loss(P, Q, batch)
    adam.zero_grad(set_to_none=True)
    loss.backward()
    adam.step()
    return loss.item()


def cap_norms(*tables):
    """DeepWalk's rows longer than 1 are scaled to 1 after each epoch."""
    with torch.no_grad():
        for table in tables:
            table /= table.norm(dim=-1, keepdim=True).clamp(min=1)


def processor():
    """Seconds of processor time of this process so far, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def train(opt):
    """Trains until the limit, and writes the embedding and a line of JSON."""
    torch.set_num_threads(opt.threads)
    generator = torch.Generator().manual_seed(opt.seed)
    walks, names = read_walks(opt.walks)
    n = len(names)
    data = Windows(walks, n, opt.window, opt.negatives, opt.batch, generator)
    pairs = seconds = 0  # of the stage

    def stage(method, P, Q, epochs):
        """Trains so many epochs, or, for None, without an end. Returns whether that was before the limit."""
        nonlocal pairs, seconds
        adam = torch.optim.Adam([P, Q], lr=opt.learning_rate, foreach=True)
        begun, pairs, epoch = processor(), 0, 0
        while epochs is None or epoch < epochs:
            for batch in data.epoch():
                train_step(opt, method, P, Q, adam, batch, generator)
                pairs += int((batch[1] >= 0).sum())
                seconds = processor() - begun
                if processor() > opt.limit:
                    return False
            if method == "deepwalk":
                cap_norms(P, Q)
            epoch += 1
        return True

    P = (0.01 * torch.randn(n, opt.dim, generator=generator)).requires_grad_()
    Q = (0.01 * torch.randn(n, 1, opt.dim, generator=generator)).requires_grad_()
    if opt.method == "deepwalk":
        stage("deepwalk", P, Q, None)
    elif stage("deepwalk", P, Q, opt.warm_up_epochs):
        with torch.no_grad():  # centres and all aspects start from the warm-up's embedding
            P.copy_((P + Q[:, 0]) / 2)
            Q = P[:, None, :].repeat(1, opt.aspects, 1)
        stage("asp2vec", P, Q.requires_grad_(), None)
    used = processor()
    with open(opt.save, "w", encoding="utf-8") as f:
        f.write(f"{n} {opt.dim}\n")
        for name, row in zip(names, ((P + Q.mean(1)) / 2).detach().numpy()):
            f.write(f"{name} {' '.join(map(repr, row.tolist()))}\n")
    print(json.dumps({"cpu_seconds": used, "pairs_per_second": pairs / seconds, "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


def check(path):
    """Losses, gradients and two Adam steps of the golden file, in float64; exit status 1 where they differ."""
    with open(path, encoding="utf-8") as f:
        golden = json.load(f)
    t = lambda x: torch.tensor(x, dtype=torch.float64)
    worst, cases, failed = 0.0, 0, []

    def compare(name, got, want):
        nonlocal worst
        off = float((got.detach() - t(want)).abs().max())
        worst = max(worst, off)
        if not off <= 2e-8:  # the file has nine digits
            failed.append(name)

    def tables():  # the file keeps Q as (K,n,d)
        return t(golden["P"]).requires_grad_(), t(golden["Q"]).transpose(0, 1).contiguous().requires_grad_()

    def batch(windows):
        """Windows as rows of a batch; also the noise per pair and per window, and the same padding."""
        owner, L = golden["pair_window"], max(len(w["context"]) for w in golden["windows"])
        context = torch.full((len(windows), L), -1)
        negative = torch.zeros(len(windows), L, 2, dtype=torch.int64)
        pair = torch.zeros(len(windows), L, golden["K"], dtype=torch.float64)
        for row, w in enumerate(windows):
            own = [i for i, o in enumerate(owner) if o == w]
            context[row, :len(own)] = torch.tensor([golden["pairs"][i][1] for i in own])
            negative[row, :len(own)] = torch.tensor([golden["negatives"][i] for i in own])
            pair[row, :len(own)] = t([golden["gumbel_noise_per_pair"][i] for i in own])
        window = t([golden["gumbel_noise_per_window"][w] for w in windows])[:, None, :]
        return (torch.tensor([golden["windows"][w]["center"] for w in windows]), context, negative), pair, window

    everything, pair, window = batch([0, 1])
    for name, want in golden["cases"].items():
        P, Q = tables()
        selection = {"gumbel_hard": "hard", "softmax": "softmax", "none": "none"}.get(name, "gumbel")
        lam = golden["lambda"] if name.endswith("plus_reg") else 0
        loss = asp2vec_loss(P, Q, everything, window if name == "gumbel_window" else pair, golden["tau"], lam, golden["epsilon"], selection)
        loss.backward()
        compare(name + " loss", loss, want["total_loss"])
        compare(name + " grad_P", P.grad, want["grad_P"])
        compare(name + " grad_Q", Q.grad.transpose(0, 1), want["grad_Q"])
        cases += 1
    P, Q = tables()
    C = Q[:, :1].detach().clone().requires_grad_()
    loss, want = deepwalk_loss(P, C, everything), golden["deepwalk_warmup"]
    loss.backward()
    compare("deepwalk loss", loss, want["loss"])
    compare("deepwalk grad_P", P.grad, want["grad_P"])
    compare("deepwalk grad_C", C.grad[:, 0], want["grad_C"])
    P, Q = tables()
    adam = torch.optim.Adam([P, Q], lr=golden["adam_two_steps"]["lr"], foreach=True)
    for number, want in enumerate(golden["adam_two_steps"]["steps"]):  # step 1 is window 0, step 2 is window 1
        some, pair, _ = batch([number])
        loss = asp2vec_loss(P, Q, some, pair, golden["tau"], golden["lambda"], golden["epsilon"])
        adam.zero_grad()
        loss.backward()
        adam.step()
        compare(f"adam {number} loss", loss, want["loss"])
        compare(f"adam {number} P", P, want["P_after"])
        compare(f"adam {number} Q", Q.transpose(0, 1), want["Q_after"])
    for want in golden["regularizer"]["cases"]:
        if want["comparison"] == ">":
            value = aspect_similarity(t(golden["regularizer"]["Q"]).transpose(0, 1), want["epsilon"])
            compare(f"regularizer {want['epsilon']}", value, want["value"])
            cases += 1
    print(json.dumps({"check": path, "cases": cases + 3, "worst_difference": worst, "failures": failed}))
    return 1 if failed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("walks", nargs="?", help="one walk per line, vertices separated by spaces")
    p.add_argument("--check", metavar="GOLDEN", help="verify the model against the golden file, then exit")
    p.add_argument("--method", choices=["asp2vec", "deepwalk"], default="asp2vec")
    p.add_argument("--noise", choices=["pair", "window"], default="window", help="granularity of the Gumbel noise")
    p.add_argument("--save", metavar="FILE", help="where the embedding is written, as word2vec text")
    p.add_argument("--limit", type=float, default=60, help="seconds of processor time, default 60")
    p.add_argument("--warm-up-epochs", type=int, default=1, help="epochs of DeepWalk before asp2vec, default 1")
    for name, kind, value in [("dim", int, 20), ("aspects", int, 5), ("window", int, 3), ("negatives", int, 2), ("batch", int, 50000),
                              ("threads", int, 1), ("seed", int, 1), ("tau", float, 0.5),
                              ("epsilon", float, 0.5), ("learning-rate", float, 0.003)]:
        p.add_argument("--" + name, type=kind, default=value, help=f"default {value}")
    p.add_argument("--lambda", dest="lam", type=float, default=0.01, help="weight of the regularizer, default 0.01")
    opt = p.parse_args()
    if opt.check:
        sys.exit(check(opt.check))
    if not opt.walks or not opt.save:
        p.error("want a file of walks and --save, or --check")
    train(opt)


if __name__ == "__main__":
    main()
