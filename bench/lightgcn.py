"""LightGCN (He et al., SIGIR 2020) in PyTorch, to stand beside `asp2vec train --dataset lastfm`.

    python3 bench/lightgcn.py DIR [--dim 64] [--layers 3] [--epochs 1000]

DIR holds train.tsv.gz and test.tsv.gz. With --layers 0 it is matrix factorisation by BPR. The options are those that the authors' README
gives for this data: Adam at .001, batches of 2048 triples, decay 1e-4, 64 dimensions, 3 layers, 1000 epochs; the last epoch is measured.
Written from the paper's equations; the model's E^(k+1) = D^-1/2 A D^-1/2 E^(k), E = mean over layers, scores <E_u, E_i>.
"""
import argparse
import gzip
import json
import time

import numpy as np
import torch


def pairs(path):
    with gzip.open(path, "rt") as lines:
        return np.array([[int(x) for x in line.split("\t")[:2]] for line in lines if line[:1].isdigit()])


def evaluate(scores, known, test, n=20):
    """Mean Recall@n and NDCG@n over users with test pairs; ties count against."""
    recall, ndcg = [], []
    for u in range(len(scores)):
        own = test[u]
        if not own:
            continue
        s = scores[u].copy()
        s[list(known[u])] = -np.inf
        order = np.lexsort((np.isin(np.arange(len(s)), list(own)), -s))[:n]
        hits = np.isin(order, list(own))
        recall.append(hits.sum() / len(own))
        ndcg.append((hits / np.log2(np.arange(n) + 2)).sum() / (1 / np.log2(np.arange(min(n, len(own))) + 2)).sum())
    return float(np.mean(recall)), float(np.mean(ndcg))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("--dim", type=int, default=64)
    p.add_argument("--layers", type=int, default=3)
    p.add_argument("--epochs", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--every", type=int, default=100, help="epochs between measurements that are printed")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    draw = np.random.RandomState(a.seed)
    train, held = pairs(a.dir + "/train.tsv.gz"), pairs(a.dir + "/test.tsv.gz")
    users, items = 1 + np.maximum(train.max(0), held.max(0))
    known, test = [set() for _ in range(users)], [set() for _ in range(users)]
    for u, i in train:
        known[u].add(i)
    for u, i in held:
        test[u].add(i)
    lists = [np.array(sorted(k)) for k in known]

    rows = np.concatenate([train[:, 0], train[:, 1] + users])
    columns = np.concatenate([train[:, 1] + users, train[:, 0]])
    degree = np.bincount(rows, minlength=users + items).astype(float)
    weight = torch.tensor(1 / np.sqrt(degree[rows] * degree[columns]), dtype=torch.float32)
    adjacency = torch.sparse_coo_tensor(np.stack([rows, columns]), weight, (users + items, users + items)).coalesce()
    table = torch.nn.Parameter(torch.randn(users + items, a.dim) * 0.1)
    adam = torch.optim.Adam([table], lr=0.001)

    def embedding():
        layer = total = table
        for _ in range(a.layers):
            layer = torch.sparse.mm(adjacency, layer)
            total = total + layer
        return total / (a.layers + 1)

    start = time.process_time()
    for epoch in range(1, a.epochs + 1):
        us = np.array([u for u in draw.randint(0, users, len(train)) if len(lists[u])])
        own = np.array([lists[u][draw.randint(len(lists[u]))] for u in us])
        other = draw.randint(0, items, len(us))
        for k, u in enumerate(us):
            while other[k] in known[u]:
                other[k] = draw.randint(0, items)
        for at in range(0, len(us), 2048):
            u, i, j = us[at:at + 2048], own[at:at + 2048] + users, other[at:at + 2048] + users
            e = embedding()
            loss = torch.nn.functional.softplus((e[u] * (e[j] - e[i])).sum(1)).mean()
            loss = loss + 1e-4 * 0.5 * (table[u].square().sum() + table[i].square().sum() + table[j].square().sum()) / len(u)
            adam.zero_grad()
            loss.backward()
            adam.step()
        if epoch % a.every == 0 or epoch == a.epochs:
            with torch.no_grad():
                e = embedding().numpy()
            recall, ndcg = evaluate(e[:users] @ e[users:].T, known, test)
            print(json.dumps({"epoch": epoch, "recall@20": recall, "ndcg@20": ndcg, "cpu_seconds": round(time.process_time() - start, 1),
                              "dim": a.dim, "layers": a.layers, "seed": a.seed}), flush=True)


if __name__ == "__main__":
    main()
