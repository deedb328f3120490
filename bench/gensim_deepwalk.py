#!/usr/bin/env python3
"""gensim's Word2Vec over the same walks: the peer of the Go trainer's DeepWalk.

    gensim_deepwalk.py --dim 100 --threads 2 --epochs 1 WALKS
    gensim_deepwalk.py --epochs 2 --learning-rate 0.01 --save vectors.txt WALKS

Skip-gram, 2 uniform negatives, window 3 on each side without shrinking, every vertex kept, nothing subsampled: the pairs
of DeepWalk here, counted exactly. Only train() is timed, not the vocabulary. Both ways of feeding are tried, corpus_file
(gensim's own C++ reader, fastest with several workers) and lists in memory, and the faster one is reported.

--save trains once, writes the vectors as word2vec text, and tells the processor time up to then: that of the whole process,
of the start and the reading of walks too, and that of train() alone. The rate falls linearly to --final-learning-rate.
"""
import argparse
import json
import os
import resource
import sys
import time

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
    p.add_argument("--feed", choices=["file", "memory", "both"], help="default both; file with --save")
    p.add_argument("--learning-rate", type=float, default=0.025, help="at first, default 0.025")
    p.add_argument("--final-learning-rate", type=float, default=0.0001, help="at last, default 0.0001")
    p.add_argument("--save", metavar="FILE", help="write the vectors there")
    opt = p.parse_args()
    if opt.save and opt.feed == "both":
        p.error("--save with --feed both: want one of file and memory")
    opt.feed = opt.feed or ("file" if opt.save else "both")

    with open(opt.walks, encoding="utf-8") as f:
        if opt.feed == "file":
            lengths = np.array([n for n in (len(line.split()) for line in f) if n])
        else:
            walks = [walk for walk in (line.split() for line in f) if walk]
            lengths = np.array([len(walk) for walk in walks])
    if not len(lengths) or lengths.max() > word2vec.MAX_WORDS_IN_BATCH:
        p.error(f"{opt.walks}: want walks of 1 to {word2vec.MAX_WORDS_IN_BATCH} vertices")  # longer ones would be cut
    pairs = count_pairs(lengths, opt.window) * opt.epochs

    feeds = {}
    for feed in ["file", "memory"] if opt.feed == "both" else [opt.feed]:
        source = {"corpus_file": opt.walks} if feed == "file" else {"corpus_iterable": walks}
        model = word2vec.Word2Vec(
            sg=1, hs=0, negative=opt.negatives, ns_exponent=0, window=opt.window, shrink_windows=False, min_count=0, sample=0,
            vector_size=opt.dim, workers=opt.threads, epochs=opt.epochs, seed=opt.seed, alpha=opt.learning_rate,
            min_alpha=opt.final_learning_rate)
        model.build_vocab(**source)
        start, used = time.perf_counter(), processor()
        model.train(total_examples=len(lengths), total_words=int(lengths.sum()), epochs=opt.epochs, **source)
        feeds[feed], train = time.perf_counter() - start, processor() - used
        vertices = len(model.wv)
        if not np.isfinite(model.wv.vectors).all():
            sys.exit("gensim_deepwalk: vectors are not finite")
    best = min(feeds, key=feeds.get)
    points = []
    if opt.save:
        points = [{"cpu_seconds": processor(), "train_cpu_seconds": train, "pairs": pairs, "file": opt.save}]
        model.wv.save_word2vec_format(opt.save)
    print(json.dumps({
        "contestant": "gensim", "engine": best, "method": "deepwalk", "d": opt.dim, "k": 1, "threads": opt.threads,
        "pairs_per_second": pairs / feeds[best], "pairs": pairs, "seconds": feeds[best],
        "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "vertices": vertices,
        "pairs_per_second_of_feed": {feed: pairs / s for feed, s in feeds.items()},
        "gensim": gensim.__version__, "compiled": word2vec.FAST_VERSION >= 0, "numpy": np.__version__,
        "python": sys.version.split()[0], "points": points}))


if __name__ == "__main__":
    main()
