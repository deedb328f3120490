"""Parts a network into vertices that were there and vertices that came later, to measure asp2vec embed and train --init.

    python3 late.py EDGES SHARE SEED OUT

A SHARE of the vertices comes later. OUT/old.tsv has the links of the others among each other, OUT/new.tsv 70 % of those of late
ones, OUT/whole.tsv both; OUT/split has the other 30 % as test links, against as many pairs of a late vertex and any other, with
old and new links to train on.
"""

import gzip
import os
import random
import sys

edges, share, seed, out = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
rnd = random.Random(seed)
with (gzip.open if edges.endswith(".gz") else open)(edges, "rt") as f:
    links = sorted({tuple(sorted(line.split()[:2])) for line in f if line.strip() and line[0] not in "#%"})
links = [(a, b) for a, b in links if a != b]
names = sorted({v for link in links for v in link})
late = set(rnd.sample(names, int(share * len(names))))
rnd.shuffle(links)
old = [(a, b) for a, b in links if a not in late and b not in late]
new, test = [], []
for a, b in links:
    if a in late or b in late:
        (test if rnd.random() < 0.3 else new).append((a, b))
known = {v for link in old + new for v in link}
test = [(a, b) for a, b in test if a in known and b in known]
there, vertices, came = set(links), sorted(known), sorted(late & known)


def negatives(count, pick):
    pairs = []
    while len(pairs) < count:
        a, b = pick()
        if a != b and tuple(sorted((a, b))) not in there:
            pairs.append((a, b))
    return pairs


test_neg = negatives(len(test), lambda: (rnd.choice(came), rnd.choice(vertices)))
train_neg = negatives(len(old) + len(new), lambda: (rnd.choice(vertices), rnd.choice(vertices)))
os.makedirs(os.path.join(out, "split"), exist_ok=True)
for name, pairs in (("old", old), ("new", new), ("whole", old + new), ("split/train", old + new), ("split/train_neg", train_neg),
                    ("split/test", test), ("split/test_neg", test_neg)):
    with open(os.path.join(out, name + ".tsv"), "w") as f:
        f.writelines("%s\t%s\n" % pair for pair in pairs)
print("%d vertices, %d of them later; %d old links, %d new, %d to be told" % (len(names), len(came), len(old), len(new), len(test)))
