"""The vectors of the vertices of a network, and who is near whom."""

import collections
import json
import os

try:
    import numpy as np
except ImportError:  # an Asp2Vec can do without
    np = None

Aspect = collections.namedtuple("Aspect", "group neighbors")
Aspect.__doc__ = """An aspect of a vertex: its group, from 1, among the aspects of all vertices, and the neighbours to which its links lead."""


class Embedding:
    """Vectors of N vertices: one of dimension D each, and of some methods several that it has learned.

    index_to_key    the N vertices, in the order of the rows
    key_to_index    the row of each
    vectors         (N, D) float32: the final vectors
    center          (N, D) float32, or None for a method without
    learned         (N, K, D) float32, or None: also where vertices have not as many vectors as each other
    record          dict of what the run was: options, seed, scores, versions; empty where there is none
    """

    def __init__(self, keys, vectors, center=None, several=None, first=None, share=None, record=None, links=None):
        if np is None:
            raise ImportError("an Embedding without NumPy: expected numpy installed, or asp2vec.Asp2Vec")
        self.index_to_key = list(keys)
        self.key_to_index = {key: row for row, key in enumerate(self.index_to_key)}
        self.vectors = np.asarray(vectors, dtype=np.float32)
        self.center = center
        self.record = record or {}
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.index_to_key):
            raise ValueError("vectors of shape %s for %d keys: expected one row for each" % (self.vectors.shape, len(self.index_to_key)))
        if len(self.key_to_index) != len(self.index_to_key):
            raise ValueError("a key is given twice: expected each once")
        # _several (R, D) has the several vectors, those of row v in _first[v] to _first[v+1]; None for one vector each.
        self._several, self._first, self._share = several, first, share
        # _links has a dict for each vertex: the row of a neighbour to the aspect and the group of the link; None where links are not known.
        self._links, self._points = links, None
        self.learned = None
        if several is not None:
            counts = np.diff(first)
            if len(counts) and (counts == counts[0]).all():
                self.learned = several.reshape(len(counts), counts[0], several.shape[1])

    def __repr__(self):
        return "Embedding(%d vertices, dimension %d%s)" % (len(self), self.vector_size, "" if self._links is None else ", with aspects")

    def __len__(self):
        return len(self.index_to_key)

    def __contains__(self, key):
        return key in self.key_to_index

    def __iter__(self):
        return iter(self.index_to_key)

    def __getitem__(self, key):
        """The final vector of a vertex, or those of a list of vertices."""
        if isinstance(key, list):
            return self.vectors[[self._row(k) for k in key]]
        return self.vectors[self._row(key)]

    @property
    def vector_size(self):
        return self.vectors.shape[1]

    def get_vector(self, key):
        return self[key]

    def _row(self, key):
        try:
            return self.key_to_index[key]
        except (KeyError, TypeError):
            raise KeyError("no vertex %r among %d, such as %r" % (key, len(self), self.index_to_key[0])) from None

    def aspects(self, key):
        """The aspects of a vertex, as a list of Aspect: groups of its links, the one of most links first."""
        if self._links is None:
            raise ValueError("an embedding without links, whose groups aspects are: expected the folder that asp2vec train --out wrote")
        found = {}
        for u, (k, group) in self._links[self._row(key)].items():
            found.setdefault(k, Aspect(group, [])).neighbors.append(self.index_to_key[u])
        return [found[k] for k in sorted(found)]

    def learned_vectors(self, key):
        """The several vectors (K, D) of a vertex that the model has learned: aspects, facets or personas."""
        if self._several is None:
            raise ValueError("an embedding with one vector for each vertex: expected one of a method with several, such as asp2vec")
        row = self._row(key)
        return self._several[self._first[row]:self._first[row + 1]]

    def shares(self, key):
        """The weights of a vertex's several vectors, or None for a method without."""
        row = self._row(key)
        return None if self._share is None else self._share[self._first[row]:self._first[row + 1]]

    def similarity(self, a, b):
        """The cosine of the final vectors of two vertices."""
        return float(_cosines(self.vectors[self._row(b)][None], self[a])[0])

    def distance(self, a, b):
        """1 less their cosine."""
        return 1 - self.similarity(a, b)

    def similar_by_vector(self, vector, topn=10):
        """The topn vertices whose final vectors are nearest to a vector."""
        return self.most_similar(np.asarray(vector), topn=topn)

    def save_word2vec_format(self, path):
        """Writes the final vectors as word2vec text, which gensim reads. Names are those of asp2vec export: white space in them is escaped."""
        names = [_escaped(str(key)) for key in self.index_to_key]
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as f:
            f.write("%d %d\n" % self.vectors.shape)
            f.writelines("%s %s\n" % (name, " ".join(str(x) for x in row)) for name, row in zip(names, self.vectors))

    def most_similar(self, positive=None, negative=None, topn=10, aspect=None, learned=False):
        """The topn vertices nearest to one, or to a vector, as a list of (vertex, cosine); the nearest first. With lists as positive and
        negative, as in gensim, those that are nearest to the sum of the vectors of length 1, those of negative taken off.

        With aspect, from 1, those that are near in that aspect of the vertex, as asp2vec nearest --aspect lists them. With learned too,
        those that are near the aspect of that number which the model has learned: for asp2vec those whose centres are near its vector,
        for PolyDW those whose facets of the same number are, for Splitter those with a persona near it.
        """
        if topn < 1:
            raise ValueError("topn = %d: expected at least 1" % topn)
        if aspect is None and learned:
            raise ValueError("learned without an aspect: expected its number")
        if negative is not None and not isinstance(negative, list):
            raise ValueError("negative = %r: expected a list of vertices; topn=%r is how many there should be" % (negative, negative))
        if aspect is not None:
            return self._near_learned(positive, topn, aspect) if learned else self._near_aspect(positive, topn, aspect)
        asked = (positive if isinstance(positive, list) else [] if positive is None else [positive]), negative or []
        if not asked[0] and not asked[1]:
            raise ValueError("no vertex given: expected one, or lists as positive and negative")
        known, query = [], np.zeros(self.vector_size)
        for sign, keys in zip((1, -1), asked):
            for key in keys:
                if not isinstance(key, np.ndarray):
                    known.append(self._row(key))
                    key = self.vectors[known[-1]]
                query = query + sign * _unit(np.asarray(key, dtype=np.float64)) if key.shape == query.shape else key
        return self._top(_cosines(self.vectors, query), np.arange(len(self)), known, topn)

    def _near_aspect(self, key, topn, aspect):
        row, count = self._row(key), len(self.aspects(key))
        if not 1 <= aspect <= count:
            raise ValueError("aspect = %d: vertex %r has %d: expected 1 to %d" % (aspect, key, count, count))
        points, near = self._directions(), self._links[row]
        middle, members = np.zeros(points.shape[1]), [u for u in near if near[u][0] == aspect]
        for u in members:  # a link is where its other end is, and where the neighbours are that both ends share
            middle += _unit(points[u] + points[[w for w in near if w in self._links[u]]].sum(axis=0)) / len(members)
        return self._top(_cosines(points, middle), np.arange(len(self)), [row], topn)

    def _directions(self):
        """The final vectors (N, D), centred, without what they say of degrees, at length 1."""
        if self._points is None:
            degree = np.log1p([len(near) for near in self._links])
            degree -= degree.mean()
            x = self.vectors.astype(np.float64)
            x -= x.mean(axis=0)
            if degree.any():
                x -= np.outer(degree, degree @ x / (degree @ degree))
            self._points = _unit(x)
        return self._points

    def _near_learned(self, key, topn, aspect):
        row, own = self._row(key), self.learned_vectors(key)
        if not 1 <= aspect <= len(own):
            raise ValueError("aspect = %d: vertex %r has %d: expected 1 to %d" % (aspect, key, len(own), len(own)))
        query = own[aspect - 1]
        if self.center is not None and self.center.shape[1] == len(query):
            return self._top(_cosines(self.center, query), np.arange(len(self)), [row], topn)
        if self.learned is not None:
            return self._top(_cosines(self.learned[:, aspect - 1], query), np.arange(len(self)), [row], topn)
        owner = np.repeat(np.arange(len(self)), np.diff(self._first))
        return self._top(_cosines(self._several, query), owner, [row], topn)

    def _top(self, cosines, owner, without, topn):
        out, seen = [], set(without)
        for i in np.argsort(-cosines, kind="stable"):
            v = int(owner[i])
            if v not in seen:
                seen.add(v)
                out.append((self.index_to_key[v], float(cosines[i])))
                if len(out) == topn:
                    break
        return out

    def renamed(self, names):
        """The same vectors, with the keys names[key]."""
        return Embedding([names[key] for key in self.index_to_key], self.vectors, self.center, self._several, self._first, self._share, self.record, self._links)


def _unit(x):
    """Vectors at length 1; 0 stays."""
    lengths = np.linalg.norm(x, axis=-1, keepdims=True)
    return np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)


def _cosines(table, query):
    table, query = np.asarray(table, dtype=np.float64), np.asarray(query, dtype=np.float64)
    if query.ndim != 1 or table.shape[1] != len(query):
        raise ValueError("a vector of shape %s among vectors of dimension %d: expected the same" % (query.shape, table.shape[1]))
    lengths = np.linalg.norm(table, axis=1) * np.linalg.norm(query)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lengths > 0, table @ query / lengths, 0.0)


def load(path):
    """The embedding that a folder holds which asp2vec train --out wrote, a .npz file of asp2vec export, or word2vec text (.vec)."""
    path = os.fspath(path)
    if np is None:
        raise ImportError("load without NumPy: expected numpy installed, or asp2vec.Asp2Vec.load")
    if os.path.isdir(path):
        return _folder(path)
    if path.lower().endswith(".npz"):
        with np.load(path) as z:
            return _arrays([str(s) for s in z["names"]], z["final"], {k: z[k] for k in z.files}, None)
    if not os.path.exists(path):
        raise FileNotFoundError("%s: expected the folder of a run of asp2vec, a .npz file or word2vec text" % path)
    keys, vectors = _word2vec(path)
    return Embedding(keys, vectors)


def _arrays(names, final, arrays, record, links=None):
    several, first, share = arrays.get("aspects"), arrays.get("first"), arrays.get("shares")
    if several is not None:
        n, k, d = several.shape
        several, first = several.reshape(n * k, d), np.arange(n + 1) * k
    elif "personas" in arrays:
        several = arrays["personas"]
    if record and record.get("method") in ("deepwalk", "node2vec"):
        several = first = share = None  # what they leave beside their vectors are contexts
    return Embedding(names, final, arrays.get("center"), several, first, None if share is None else share.reshape(-1), record, links)


def _folder(path):
    vec, packed = os.path.join(path, "embedding.vec"), os.path.join(path, "embedding.npz")
    if not os.path.exists(vec) and os.path.exists(packed):  # of a sweep
        return load(packed)
    if not os.path.exists(vec):
        raise FileNotFoundError("%s holds no embedding.vec: expected the folder that asp2vec train --out wrote" % path)
    names, final = _word2vec(vec)
    arrays = {}
    for name in ("center", "aspects", "share", "personas"):
        file = os.path.join(path, name + ".npy")
        if os.path.exists(file):
            arrays["shares" if name == "share" else name] = np.load(file)
    with open(os.path.join(path, "vertices.txt"), encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        if f.read().split("\n")[:-1] != names:
            raise ValueError("%s: vertices.txt and embedding.vec do not have the same vertices in one order: expected them as they were written" % path)
    if "personas" in arrays:
        row = {name: i for i, name in enumerate(names)}
        with open(os.path.join(path, "personas.txt"), encoding="utf-8", errors="surrogateescape", newline="\n") as f:
            owner = np.array([row[name] for name in f.read().split("\n")[:-1]])
        order = np.argsort(owner, kind="stable")
        arrays["personas"] = arrays["personas"][order]
        if "shares" in arrays:
            arrays["shares"] = arrays["shares"][order]
        arrays["first"] = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(names)))])
    record = None
    if os.path.exists(os.path.join(path, "record.json")):
        with open(os.path.join(path, "record.json"), encoding="utf-8") as f:
            record = json.load(f)
    return _arrays(names, final, arrays, record, _links(os.path.join(path, "aspects.tsv"), names))


def _links(path, names):
    """For each vertex a dict: the row of a neighbour to the aspect and the group of the link; None where there is no such file."""
    if not os.path.exists(path):
        return None
    row, links = {name: i for i, name in enumerate(names)}, [{} for _ in names]
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        next(f, None)  # the names of the columns
        for n, line in enumerate(f, 2):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 4 or not all(_unescaped(x) in row for x in fields[:2]) or not all(x.isdigit() for x in fields[2:]):
                raise ValueError("%s:%d: expected two vertices of the embedding and two numbers" % (path, n))
            links[row[_unescaped(fields[0])]][row[_unescaped(fields[1])]] = int(fields[2]), int(fields[3])
    return links


def _word2vec(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        head = f.readline().split()
        if len(head) != 2 or not all(x.isdigit() for x in head):
            raise ValueError("%s:1: expected the numbers of vectors and dimensions" % path)
        n, d = int(head[0]), int(head[1])
        keys, vectors = [], []
        for line in f:
            fields = line.rstrip("\n").rsplit(" ", d)
            if len(fields) != d + 1 or len(keys) == n:
                raise ValueError("%s:%d: expected %d lines of a name and %d numbers" % (path, len(keys) + 2, n, d))
            vectors.append([float(x) for x in fields[1:]])
            keys.append(_unescaped(fields[0]))
    if len(keys) != n:
        raise ValueError("%s: %d vectors: expected %d, as its first line says" % (path, len(keys), n))
    return keys, vectors if np is None else np.array(vectors, dtype=np.float32).reshape(n, d)


_ESCAPES = {"\\": "\\", "s": " ", "t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f"}


_ESCAPED = {char: "\\" + letter for letter, char in _ESCAPES.items()}


def _escaped(name):
    """A name as word2vec text has it; see _unescaped."""
    return "".join(_ESCAPED.get(char, char) for char in name) or "\\e"


def _unescaped(name):
    """A name as it was, of what word2vec text has in its place: there white space is \\s, \\t and so on, and nothing is \\e."""
    if "\\" not in name:
        return name
    if name == "\\e":
        return ""
    out, i = [], 0
    while i < len(name):
        if name[i] == "\\" and name[i + 1:i + 2] in _ESCAPES and i + 1 < len(name):
            out.append(_ESCAPES[name[i + 1]])
            i += 2
        else:
            out.append(name[i])
            i += 1
    return "".join(out)
