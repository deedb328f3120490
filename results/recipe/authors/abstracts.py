"""Writes a stand-in for TapEM/data with abstracts: the layout, names and size of the published files, with random texts.

The abstracts of DBLP (content_top_2013.pkl) and their word vectors (word_embedding_top_2013.txt) are published at pcy1302/TapEM, but are not part
of this project's data. This program makes files like them, so that reading, memory and time can be tried at full size. Authors, venues,
references, candidates and titles are those of the data set dblp, and their lists are the published ones byte for byte. The words of abstracts are
drawn at random and independently of everything else, and the word vectors are noise: what a method scores on them means nothing.

    python3 abstracts.py DATA/dblp TapEM/data

Assumed, since the real files were not seen: content_top_2013.pkl is pickled as title_top_2013.pkl is (protocol 3, a pair of lists: the word ids
of each paper, and the papers), has word ids from 2 to the largest of the titles, and frequencies of Zipf. The lengths are those of the abstracts
of test papers, the only ones that were counted: 5, 50 and 95 % of them have 87, 161 and 253 words.
"""

import argparse
import gzip
import itertools
import pathlib
import pickle
import random

DIM = 128
VERSION = "_top_2013"


def rows(path):
    """Returns the lines of a compressed table as lists of columns, without comments."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def write(out, name, lines):
    """Writes a published list."""
    (out / f"{name}{VERSION}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def dump(out, name, words, papers):
    """Writes a published pickle of words."""
    (out / f"{name}{VERSION}.pkl").write_bytes(pickle.dumps((words, papers), protocol=3))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dblp", type=pathlib.Path, help="folder of the data set dblp")
    parser.add_argument("out", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)

    papers = rows(args.dblp / "papers.tsv.gz")  # number, split, venue, authors, references, words of the title
    train = [p for p in papers if p[1] == "train"]
    venues = sorted({p[2] for p in train})
    for split in ("train", "test"):
        write(args.out, f"paper-author-list-{split}", [f"{p[0]}:{p[3]}" for p in papers if p[1] == split])
    write(args.out, "paper_conf", [f"{p[0]}\t{venues.index(p[2])}" for p in train])
    write(args.out, "paper_paper", [f"{p[0]}\t{cited}" for p in papers for cited in p[4].split(",") if cited])
    write(args.out, "id_conf", [f"{i}\tv{venue}" for i, venue in enumerate(venues)])
    authors = list(dict.fromkeys(a for p in train for a in p[3].split(",")))
    write(args.out, "id_author", [f"{a}\taAuthor{a}" for a in authors])  # the names are not in dblp
    place = {a: i for i, a in enumerate(authors)}
    write(args.out, "paper_author_neg_ids",
          [f"{paper}:" + "".join(f"{place[a]}," for a in listed.split(",")) for paper, listed in rows(args.dblp / "candidates.tsv.gz")])

    numbers = [int(p[0]) for p in papers]
    titles = [[int(w) for w in p[5].split()] for p in papers]
    dump(args.out, "title", titles, numbers)
    vocabulary = range(2, max(map(max, filter(None, titles))) + 1)
    zipf = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))
    dump(args.out, "content", [draw.choices(vocabulary, cum_weights=zipf, k=max(20, round(draw.gauss(165, 50)))) for _ in papers], numbers)
    write(args.out, "word_embedding", itertools.chain(
        [f"{len(vocabulary)} {DIM}"], (f"{w} " + " ".join(f"{draw.gauss(0, .3):.6f}" for _ in range(DIM)) for w in vocabulary)))


if __name__ == "__main__":
    main()
