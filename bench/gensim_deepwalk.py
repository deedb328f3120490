#!/usr/bin/env python3
"""gensim's Word2Vec over the same walks: the peer of the Go trainer's DeepWalk.

    gensim_deepwalk.py --dim 100 --epochs 2 --learning-rate 0.01 --save FILE WALKS

Skip-gram, 2 uniform negatives, window 3 on each side without shrinking, every vertex kept, nothing subsampled: the pairs
of DeepWalk here, counted exactly, fed by gensim's own C++ reader. It writes the vectors as word2vec text, and prints a line of
JSON: the processor time of the whole process up to then, and the pairs per second of train() alone. The rate falls linearly to --final-learning-rate.
"""
import argparse
import json
import os
import resource
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # gensim's workers are its threads; dot products need none

import gensim  # noqa: E402
import numpy as np  # noqa: E402
from gensim.models import word2vec  # noqa: E402


def count_pairs(lengths, window):
    """Contexts of all windows: for each distance k up to window, a walk of n vertices has n-k pairs, in both directions."""
    return int(sum(2 * np.maximum(lengths - k, 0).sum() for k in range(1, window + 1)))


def processor():
    """Seconds of processor time of this process so far, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("walks", help="one walk per line, vertices separated by spaces")
    for name, value in [("dim", 100), ("threads", 1), ("epochs", 1), ("window", 3), ("negatives", 2), ("seed", 1)]:
        p.add_argument("--" + name, type=int, default=value, help=f"default {value}")
    p.add_argument("--learning-rate", type=float, default=0.025, help="at first, default 0.025")
    p.add_argument("--final-learning-rate", type=float, default=0.0001, help="at last, default 0.0001")
    p.add_argument("--save", metavar="FILE", required=True, help="write the vectors there")
    opt = p.parse_args()

    with open(opt.walks, encoding="utf-8") as f:
        lengths = np.array([n for n in (len(line.split()) for line in f) if n])
    if not len(lengths) or lengths.max() > word2vec.MAX_WORDS_IN_BATCH:
        p.error(f"{opt.walks}: want walks of 1 to {word2vec.MAX_WORDS_IN_BATCH} vertices")  # longer ones would be cut
    pairs = count_pairs(lengths, opt.window) * opt.epochs

    model = word2vec.Word2Vec(
        sg=1, hs=0, negative=opt.negatives, ns_exponent=0, window=opt.window, shrink_windows=False, min_count=0, sample=0,
        vector_size=opt.dim, workers=opt.threads, epochs=opt.epochs, seed=opt.seed, alpha=opt.learning_rate,
        min_alpha=opt.final_learning_rate)
    model.build_vocab(corpus_file=opt.walks)
    begun = processor()
    model.train(corpus_file=opt.walks, total_examples=len(lengths), total_words=int(lengths.sum()), epochs=opt.epochs)
    used = processor()
    if not np.isfinite(model.wv.vectors).all():
        sys.exit("gensim_deepwalk: vectors are not finite")
    model.wv.save_word2vec_format(opt.save)
    print(json.dumps({"cpu_seconds": used, "pairs_per_second": pairs / (used - begun), "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


if __name__ == "__main__":
    main()
