"""Training, by the program asp2vec as another process."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from ._embedding import load


class Asp2vecError(RuntimeError):
    """The program ended with an error. returncode is its exit code: 2 for bad input, 1 for a run that failed."""

    def __init__(self, message, returncode):
        super().__init__(message)
        self.returncode = returncode


def embed(graph, method="asp2vec", *, out=None, weight=None, directed=None, binary=None, progress=True, **options):
    """The Embedding of a network.

    graph      a networkx graph, or links: an array or a list of pairs, of any values that can be keys. Vertices without links
               have no vector. Parallel links count once.
    method     asp2vec, deepwalk, node2vec, dgi, polydw or splitter
    out        a folder to keep the run in, for the other commands of asp2vec; it must not hold anything
    weight     name of a networkx edge attribute, or an array of numbers, which node2vec's walks go by
    directed   whether links have a direction; without it as the graph says, and not for an array
    binary     path of the program; without it $ASP2VEC, or asp2vec on the PATH
    progress   pass the program's log on to sys.stderr
    options    those of asp2vec train, as keywords: dim=20, aspects=5, seed=1, pairs_per_vertex=5000, warm_up=False, threads=2

    Vertices are the keys of the embedding, as they are. In out they have their names where all are plain (str or int, of letters,
    digits and . _ : @ / -), and their numbers in the order of the graph's vertices where one is not.

    Raises Asp2vecError where the program says that something is wrong, ValueError for a graph that cannot be written, and
    FileNotFoundError where there is no program.
    """
    nodes, links, weights, is_directed = _links(graph, weight)
    if directed is None:
        directed = is_directed
    program = _program(binary)
    names = _names(nodes)
    with tempfile.TemporaryDirectory(prefix="asp2vec-") as folder:
        network = os.path.join(folder, "links.tsv")
        _write(network, names, links, weights)
        run = os.path.join(folder, "run") if out is None else os.fspath(out)
        args = [program, "train", "--network", network, "--network-format", "links", "--header=false", "--columns", "source,target" + (",weight" if weights is not None else ""),
                "--method", method, "--out", run, "--results", "none", "--directed" if directed else "--directed=false"]
        _run(args + _flags(options), progress)
        keys = dict(zip(names, nodes))
        return load(run).renamed(keys)


def write(graph, path, *, weight=None, directed=None):
    """Writes a network to a file that every command of asp2vec reads: JSON as networkx.node_link_data has it, with gzip where path ends in .gz.

    graph, weight and directed are as in embed. A vertex that is no str or int has the name str(vertex). The file appears whole or not
    at all.

    Raises ValueError for a graph that cannot be written, also where two vertices have the same name.
    """
    nodes, links, weights, is_directed = _links(graph, weight)
    names = [node if isinstance(node, str) else str(node) for node in nodes]
    if len(set(names)) != len(names):
        raise ValueError("two vertices of the same name, among %d: want str(vertex) once each" % len(names))
    edges = [{"source": names[a], "target": names[b]} for a, b in links]
    if weights is not None:
        for edge, x in zip(edges, weights):
            edge["weight"] = float(x)
    document = {"directed": is_directed if directed is None else bool(directed), "nodes": [{"id": name} for name in names], "links": edges}
    text = json.dumps(document, ensure_ascii=False).encode("utf-8")
    path = os.fspath(path)
    part = path + ".part"
    try:
        with open(part, "wb") as f:
            f.write(gzip.compress(text) if path.endswith(".gz") else text)
            f.flush()
            os.fsync(f.fileno())
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)


def _links(graph, weight):
    """The vertices, the links as an array (M, 2) of places in them, their weights or None, and whether they have a direction."""
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):  # networkx, without importing it
        nodes = list(graph.nodes)
        row = {node: i for i, node in enumerate(nodes)}
        if isinstance(weight, str):
            edges = list(graph.edges(data=weight))
            missing = next((e for e in edges if e[2] is None), None)
            if missing is not None:
                raise ValueError("link %r-%r has no attribute %r: want one of each link" % (missing[0], missing[1], weight))
            weights = _weights([e[2] for e in edges], len(edges))
        else:
            edges = list(graph.edges())
            weights = None if weight is None else _weights(weight, len(edges))
        pairs = np.array([[row[e[0]], row[e[1]]] for e in edges], dtype=np.int64).reshape(-1, 2)
        directed = bool(graph.is_directed())
    else:
        values = graph.tolist() if isinstance(graph, np.ndarray) else list(graph)
        row, pairs = {}, []
        for i, pair in enumerate(values):
            try:
                a, b = pair
                pairs.append([row.setdefault(a, len(row)), row.setdefault(b, len(row))])
            except (TypeError, ValueError):
                raise ValueError("link %d is %.80r: want a pair of vertices, each a value that can be a key" % (i, pair)) from None
        nodes, pairs, directed = list(row), np.array(pairs, dtype=np.int64).reshape(-1, 2), False
        if isinstance(weight, str):
            raise ValueError("weight = %r with links that have no attributes: want an array of numbers" % weight)
        weights = None if weight is None else _weights(weight, len(pairs))
    if len(pairs) == 0:
        raise ValueError("a graph without links: want at least one")
    return nodes, pairs, weights, directed


def _weights(weights, n):
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n,) or not (np.isfinite(weights) & (weights > 0)).all():
        raise ValueError("weights of shape %s for %d links: want a finite number above 0 for each" % (weights.shape, n))
    return weights


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@/-]*\Z")


def _names(nodes):
    """What the program calls the vertices: their own names if all can stand in a file of links, else numbers."""
    if all(isinstance(node, (str, int, np.integer)) and not isinstance(node, bool) for node in nodes):
        names = [str(node) for node in nodes]
        if len(set(names)) == len(names) and all(_PLAIN.match(name) for name in names):
            return names
    return [str(i) for i in range(len(nodes))]


def _write(path, names, links, weights):
    with open(path, "w", encoding="utf-8") as f:
        for i, (a, b) in enumerate(links):
            f.write("%s\t%s%s\n" % (names[a], names[b], "" if weights is None else "\t%r" % float(weights[i])))


def _program(binary):
    asked = binary or os.environ.get("ASP2VEC") or "asp2vec"
    found = shutil.which(os.fspath(asked))
    if found is None:
        raise FileNotFoundError("no program %s: want asp2vec on the PATH (go install ./cmd/asp2vec puts it into $(go env GOPATH)/bin), or binary=PATH" % asked)
    return found


def _flags(options):
    flags = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        flags.append("%s=%s" % (flag, str(value).lower() if isinstance(value, bool) else value))
    return flags


def _run(args, progress):
    """Runs the program, passes on what it says, and raises what it ends with."""
    env = dict(os.environ)
    process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, text=True, encoding="utf-8", errors="replace")
    last = ""
    try:
        for line in process.stderr:
            last = line.strip() or last
            if progress:
                sys.stderr.write(line)
                sys.stderr.flush()
        code = process.wait()
    except BaseException:  # Ctrl-C, which the program has got too
        process.terminate()
        process.wait()
        raise
    finally:
        process.stderr.close()
    if code != 0:
        raise Asp2vecError(re.sub(r"^asp2vec: ", "", last) or "asp2vec ended with exit code %d" % code, code)
