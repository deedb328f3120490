#!/usr/bin/env python3
"""A GRU over texts and the mean of its states, forward and backward, in PyTorch on the CPU.

    peer.py --dim 40 --width 128 --threads 2 TEXTS

What a PyTorch user would write: an embedding table that is not learnt, pack_padded_sequence over texts sorted by length, nn.GRU, and
the mean over the true length. TEXTS has a text a line, of numbers of words. Prints {"wall_ns":..,"cpu_ns":..}, of a token.
"""
import argparse
import ctypes
import json
import os
import time

# As in torch_asp2vec.py: no second set of threads, waiting threads sleep, and glibc keeps freed blocks.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
try:
    libc = ctypes.CDLL("libc.so.6")
    libc.mallopt(-3, 1 << 30)
    libc.mallopt(-1, 1 << 30)
except OSError:  # not glibc
    pass

import torch  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=40)
    p.add_argument("--width", type=int, default=128)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("texts")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)

    with open(a.texts, encoding="utf-8") as f:
        texts = [[int(t) for t in line.split()] for line in f]
    texts = sorted((t for t in texts if t), key=len, reverse=True)  # nn.GRU takes no empty text
    lengths = torch.tensor([len(t) for t in texts])
    padded = torch.zeros(len(texts), int(lengths[0]), dtype=torch.long)
    for i, t in enumerate(texts):
        padded[i, : len(t)] = torch.tensor(t)
    words = torch.randn(int(padded.max()) + 1, a.width) / 10
    gru = torch.nn.GRU(a.width, a.dim, batch_first=True)
    grad = torch.randn(len(texts), a.dim)

    def run():
        gru.zero_grad()
        packed = pack_padded_sequence(words[padded], lengths, batch_first=True)
        states, _ = pad_packed_sequence(gru(packed)[0], batch_first=True)
        mean = states.sum(1) / lengths[:, None]
        (mean * grad).sum().backward()

    run()
    passes, start, used = 0, time.perf_counter(), time.process_time()
    while passes < 3 or time.perf_counter() - start < 1:
        run()
        passes += 1
    n = passes * int(lengths.sum())
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    print(json.dumps({"wall_ns": wall / n * 1e9, "cpu_ns": cpu / n * 1e9}))


main()
