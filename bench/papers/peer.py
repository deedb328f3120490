#!/usr/bin/env python3
"""Camel, asp2vec-het and their encoder of papers in PyTorch on the CPU: steps of training.

    peer.py camel --threads 2 FOLDER

What a PyTorch user would write: nn.GRU over packed padded sequences of fixed word vectors and the mean over the true length, losses
vectorised over a batch, autograd for the gradients, dense Adam from torch.optim. FOLDER has options.json and arrays: texts,
parameters and batches, which are thus the same as the other side's. Prints a JSON line with versions; then, for each line
"STEPS SECONDS" on the standard input, takes steps until there are as many or the time is over, and prints
{"steps":..,"wall":..,"cpu":..,"losses":[..]}.
"""
import argparse
import ctypes
import json
import os
import sys
import time

# As in torch_asp2vec.py: no second set of threads, waiting threads sleep, and glibc keeps freed blocks.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
try:
    libc = ctypes.CDLL("libc.so.6")
    libc.mallopt(-3, 1 << 30)
    libc.mallopt(-1, 1 << 30)
except OSError:  # not glibc
    pass

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence  # noqa: E402


class Folder:
    def __init__(self, path):
        self.path = path
        with open(os.path.join(path, "options.json"), encoding="utf-8") as f:
            self.options = json.load(f)

    def floats(self, name):
        return torch.from_numpy(np.load(os.path.join(self.path, name + ".npy")))

    def ints(self, name):
        return self.floats(name).long()

    def parameter(self, name):
        return torch.nn.Parameter(self.floats(name).clone())

    def batches(self, names, read):
        """A list of batches, each a dict of the arrays NAME-0, NAME-1 and so on."""
        found = []
        while os.path.exists(os.path.join(self.path, f"{names[0]}-{len(found)}.npy")):
            found.append({name: read(f"{name}-{len(found)}") for name in names})
        return found


class Encoder(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        words = folder.floats("words")
        self.words = torch.nn.Embedding.from_pretrained(words)  # not learnt
        self.gru = torch.nn.GRU(words.shape[1], folder.options["dim"], batch_first=True)
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            with torch.no_grad():
                getattr(self.gru, name + "_l0").copy_(folder.floats(name).view_as(getattr(self.gru, name + "_l0")))
        self.texts = folder.ints("tokens").split(folder.ints("lengths").tolist())

    def forward(self, papers):
        """The vectors (B,d) of papers (B); a paper without words has zeros."""
        texts = [self.texts[p] for p in papers.tolist()]
        lengths = torch.tensor([len(t) for t in texts])
        full = (lengths > 0).nonzero().flatten()  # nn.GRU takes no empty text
        lengths = lengths[full]
        padded = pad_sequence([texts[i] for i in full.tolist()], batch_first=True)
        packed = pack_padded_sequence(self.words(padded), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        mean = states.sum(1) / lengths[:, None]
        return mean if len(full) == len(texts) else mean.new_zeros(len(texts), mean.shape[1]).index_copy(0, full, mean)


class Encoding(torch.nn.Module):
    """The encoder alone, forward and backward, over 500 papers at a time."""

    def __init__(self, folder):
        super().__init__()
        self.encoder = Encoder(folder)
        self.batches = torch.arange(len(self.encoder.texts)).split(500)
        self.grad = torch.randn(500, folder.options["dim"])

    def forward(self, papers):
        return (self.encoder(papers) * self.grad[: len(papers)]).sum()


class Camel(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.options, self.encoder = folder.options, Encoder(folder)
        self.authors, self.b = folder.parameter("authors"), folder.parameter("b")
        self.batches = folder.batches(["direct", "indirect"], folder.ints)

    def forward(self, batch):
        direct, indirect, o = batch["direct"], batch["indirect"], self.options
        papers, place = torch.unique(torch.cat([direct[:, 0], indirect[:, 0]]), return_inverse=True)
        f = self.encoder(papers)[place]
        near, far = f[: len(direct)], f[len(direct) :]
        own, other = self.authors[direct[:, 1]], self.authors[direct[:, 2]]
        loss = F.relu((near - own).square().sum(1) - (near - other).square().sum(1) + o["margin"]).sum()
        pos = (far * self.authors[indirect[:, 1]]).sum(1) + self.b
        neg = (far * self.authors[indirect[:, 2]]).sum(1) + self.b
        loss = loss - o["indirect"] * (F.logsigmoid(pos) + F.logsigmoid(-neg)).sum()
        learnt = [p for p in self.parameters() if p.requires_grad]
        return loss + o["l2"] * sum(p.square().sum() for p in learnt)

    def terms(self, batch):  # of the sum, by which losses are reported
        return len(batch["direct"]) + len(batch["indirect"])


class Asp2vecHet(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.options, self.encoder = folder.options, Encoder(folder)
        self.P, self.Q, self.heads = folder.parameter("P"), folder.parameter("Q"), folder.parameter("heads")
        around = {}
        for kind in ("authors", "papers"):
            ints = folder.batches([f"{kind}-{x}" for x in ("center", "context", "negative")], folder.ints)
            floats = folder.batches([f"{kind}-{x}" for x in ("bag", "weight")], folder.floats)
            around[kind] = [{**i, **f} for i, f in zip(ints, floats)]
        self.batches = [{**a, **p} for a, p in zip(around["authors"], around["papers"])]

    def forward(self, batch):
        o = self.options
        free, K, d = self.Q.shape
        centre = {k: batch[f"{k}-center"] for k in ("authors", "papers")}
        context = {k: batch[f"{k}-context"] for k in centre}
        negative = {k: batch[f"{k}-negative"] for k in centre}
        everyone = torch.cat([x[k].flatten() for x in (centre, context, negative) for k in x])
        papers = torch.unique(everyone[everyone >= free])
        rows = torch.arange(free + len(self.encoder.texts))  # of a vertex, in tables of the authors and the batch's papers
        rows[papers] = free + torch.arange(len(papers))

        f = self.encoder(papers - free)  # (U,d)
        centres = torch.cat([self.P, f])
        aspects = torch.cat([self.Q, (f @ self.heads.view(K * d, d).T).view(-1, K, d)])  # (free+U,K,d)
        final = torch.cat([(self.P + self.Q.mean(1)) / 2, f])

        # Around authors: an aspect is selected, by the contexts in the bag.
        pos, neg = scores(centres, aspects, *(rows[x["authors"]] for x in (centre, context, negative)))
        logits = (batch["authors-bag"][:, :, None] * pos).sum(1, keepdim=True)  # (W,1,K)
        if o["selection"] == "gumbel":  # noise for each pair
            u = torch.rand(pos.shape).clamp_(1e-7, 1 - 1e-7)
            logits = (logits - (-u.log()).log()) / o["tau"]
        prob = torch.softmax(logits, 2)
        loss = (batch["authors-weight"][:, :, None] * prob * skipgram(pos, neg)).sum() / K
        # Around papers: one vector for each.
        pos, neg = scores(centres, final[:, None], *(rows[x["papers"]] for x in (centre, context, negative)))
        loss = loss + (batch["papers-weight"] * skipgram(pos, neg).squeeze(2)).sum()
        return loss + o["lambda"] * aspect_similarity(self.Q, o["epsilon"])


def scores(P, Q, centre, context, negative):
    """<P_i, Q_j> for contexts (W,C,K) and negatives (W,C,M,K), Q being (n,K,d)."""
    W, C, M = negative.shape
    n, K, d = Q.shape
    q = F.embedding(torch.cat([context, negative.view(W, C * M)], 1), Q.reshape(n, K * d)).view(W, (C + C * M) * K, d)
    s = torch.bmm(q, F.embedding(centre, P)[:, :, None]).view(W, C + C * M, K)
    return s[:, :C], s[:, C:].view(W, C, M, K)


def skipgram(pos, neg):
    return F.softplus(-pos) + F.softplus(neg).sum(2)


def aspect_similarity(Q, eps):
    """Sum over vertices and pairs of aspects of |cosine| where it exceeds eps; products of norms are at least 1e-8."""
    i, j = torch.triu_indices(Q.shape[1], Q.shape[1], 1)
    norm = Q.norm(dim=2)
    cosine = ((Q[:, i] * Q[:, j]).sum(2) / (norm[:, i] * norm[:, j]).clamp(min=1e-8)).abs()
    return (cosine * (cosine > eps)).sum()


MODELS = {"encoder": Encoding, "camel": Camel, "asp2vec-het": Asp2vecHet}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", choices=MODELS)
    p.add_argument("folder")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    folder = Folder(a.folder)
    model = MODELS[a.model](folder)
    learnt = [x for x in model.parameters() if x.requires_grad]
    adam = torch.optim.Adam(learnt, lr=folder.options["learning-rate"], foreach=True) if a.model != "encoder" else None
    print(json.dumps({"torch": torch.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}), flush=True)
    at = 0
    for line in sys.stdin:
        most, limit = (float(x) for x in line.split())
        losses, start, used = [], time.perf_counter(), time.process_time()
        while len(losses) < most and (not losses or time.perf_counter() - start < limit):
            batch = model.batches[at % len(model.batches)]
            loss = model(batch)
            model.zero_grad(set_to_none=True)
            loss.backward()
            if adam:
                adam.step()
            losses.append(loss.item() / (model.terms(batch) if a.model == "camel" else 1))
            at += 1
        wall, cpu = time.perf_counter() - start, time.process_time() - used
        print(json.dumps({"steps": len(losses), "wall": wall, "cpu": cpu, "losses": losses}), flush=True)


main()
