"""Training, by the program asp2vec as another process."""

import gzip
import json
import math
import numbers
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings

from ._embedding import load


class Asp2vecError(RuntimeError):
    """The program ended with an error. returncode is its exit code: 2 for bad input, 1 for a run that failed."""

    def __init__(self, message, returncode):
        super().__init__(message)
        self.returncode = returncode


def embed(graph, method="asp2vec", *, out=None, weight=None, directed=None, binary=None, progress=True, **options):
    """The Embedding of a network.

    graph      a graph of networkx, igraph or PyG; links: pairs of any values that can be keys, as a list, an array (M, 2) or an edge_index (2, M) of PyG;
               triples, whose third is a weight or a dict of attributes, as G.edges(data=True) has them; a dict of lists or of dicts;
               a table of pandas with a link in each row, in columns such as source and target, or else in its only two; or a matrix:
               of scipy, a square array from (3, 3) on, or a square table of pandas, where what is not 0 is a link, and what differs from
               1 a weight. Vertices without links have no vector. Parallel links count once.
    method     asp2vec, deepwalk, node2vec, dgi, polydw or splitter
    out        a folder to keep the run in, for the other commands of asp2vec; it must not hold anything
    weight     name of an attribute of edges (of PyG edge_weight) or of a column, or an array of numbers, which node2vec's walks go by; without it the
               attribute or column called weight, where there is one, and False for none
    directed   whether links have a direction; without it as a graph says, those of a matrix if it is not symmetric, and others not
    binary     path of the program; without it $ASP2VEC, that of the wheel, or asp2vec on the PATH
    progress   pass the program's log on to sys.stderr; without it its warnings are those of Python
    options    those of asp2vec train, as keywords: dim=20, aspects=5, seed=1, pairs_per_vertex=5000, warm_up=False, threads=2

    Vertices are the keys of the embedding, as they are. In out they have their names where all are plain (str or int, of letters,
    digits and . _ : @ / -), and their numbers in the order of the graph's vertices where one is not.

    Raises Asp2vecError where the program says that something is wrong, ValueError for a graph that cannot be written, and
    FileNotFoundError where there is no program.
    """
    with tempfile.TemporaryDirectory(prefix="asp2vec-") as folder:
        run = os.path.join(folder, "run") if out is None else os.fspath(out)
        names, nodes, _ = _train(graph, run, folder, method, weight, directed, binary, progress, options)
        return load(run).renamed(dict(zip(names, nodes)))


def _train(graph, run, folder, method, weight, directed, binary, progress, options):
    """Trains into run, by way of a file in folder: what the program calls the vertices, the vertices, and how it reads the file."""
    nodes, links, weights, is_directed = _links(graph, weight)
    program, names, network = _program(binary), _names(nodes), os.path.join(folder, "links.tsv")
    with open(network, "w", encoding="utf-8") as f:
        for i, (a, b) in enumerate(links):
            f.write("%s\t%s%s\n" % (names[a], names[b], "" if weights is None else "\t%r" % weights[i]))
    form = ["--network-format", "links", "--header=false", "--columns", "source,target" + (",weight" if weights is not None else ""),
            "--directed=" + ("true" if (is_directed if directed is None else directed) else "false")]
    gone = os.path.dirname(run) == folder  # with folder, and what it holds of a run that is stopped
    try:
        _run([program, "train", "--network", network, "--method", method, "--out", run, "--results", "none"] + form + _flags(options), progress)
    except Asp2vecError as error:
        if gone and str(error).startswith("interrupted"):
            raise Asp2vecError("stopped before its end: nothing is kept", error.returncode) from None
        raise
    return names, nodes, form


def write(graph, path, *, weight=None, directed=None):
    """Writes a network to a file that every command of asp2vec reads: JSON as networkx.node_link_data has it, with gzip where path ends in .gz.

    graph, weight and directed are as in embed. A vertex that is no str or int has the name str(vertex). The file appears whole or not
    at all.

    Raises ValueError for a graph that cannot be written, also where two vertices have the same name.
    """
    nodes, links, weights, is_directed = _links(graph, weight)
    names = [node if isinstance(node, str) else str(node) for node in nodes]
    if len(set(names)) != len(names):
        raise ValueError("two vertices of the same name, among %d: expected str(vertex) once each" % len(names))
    edges = [{"source": names[a], "target": names[b]} for a, b in links]
    if weights is not None:
        for edge, x in zip(edges, weights):
            edge["weight"] = x
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
    """The vertices, the links as pairs of places in them, their weights or None, and whether they have a direction."""
    unweighted = weight is False
    weight = _usual(graph) if weight is None else None if unweighted else weight
    nodes, directed, weights = None, False, weight
    if hasattr(graph, "edge_index"):  # PyG's Data
        if isinstance(weight, str):
            weights = getattr(graph, weight).reshape(-1).tolist()
        graph = list(zip(*graph.edge_index.tolist()))
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):  # networkx, as all others without importing it
        nodes, directed = list(graph.nodes), bool(graph.is_directed())
        pairs = list(graph.edges(data=weight) if isinstance(weight, str) else graph.edges())
        if isinstance(weight, str):
            weights = [pair[2] for pair in pairs]
            if None in weights:
                raise ValueError("link %r-%r has no attribute %r: expected one of each link" % (pairs[weights.index(None)][:2] + (weight,)))
        pairs = [pair[:2] for pair in pairs]
    elif hasattr(graph, "get_edgelist") and hasattr(graph, "vs"):  # igraph
        nodes, directed = list(graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())), bool(graph.is_directed())
        pairs = [(nodes[a], nodes[b]) for a, b in graph.get_edgelist()]
        if isinstance(weight, str):
            weights = list(graph.es[weight])
    elif hasattr(graph, "tocoo"):
        coo = graph.tocoo()
        nodes, pairs, weights, directed = _matrix(coo.shape, zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist()), weight)
    elif hasattr(graph, "columns") and hasattr(graph, "itertuples"):
        columns, rows = list(graph.columns), list(graph.itertuples(index=False, name=None))
        if len(columns) > 2 and list(graph.index) == columns:
            _, pairs, weights, directed = _matrix((len(rows), len(rows)), _cells(rows), weight)
            nodes, pairs = columns, [(columns[a], columns[b]) for a, b in pairs]
        else:
            a, b = _ends(columns)
            pairs = [(row[a], row[b]) for row in rows]
            if _KINDS.search("%s %s" % (columns[a], columns[b])) and {x for x, _ in pairs} & {y for _, y in pairs}:
                raise ValueError("columns %r and %r with values in common, such as users and films: expected other names, as of df[%r] = %r + df[%r].astype(str)"
                                 % (columns[a], columns[b], columns[a], "%s:" % columns[a], columns[a]))
            if isinstance(weight, str):
                if weight not in columns:
                    raise ValueError("no column %r among %s" % (weight, columns))
                weights = [row[columns.index(weight)] for row in rows]
    else:
        shape = tuple(getattr(graph, "shape", ()))
        if isinstance(graph, dict):  # of lists, or of dicts, as networkx has them
            graph = [(a, b) + ((of[b],) if isinstance(of, dict) else ()) for a, of in graph.items() for b in of]
        try:
            pairs = graph.tolist() if hasattr(graph, "tolist") else list(graph)
        except TypeError:
            raise ValueError("a graph of the type %s: expected links, a table, a matrix, or a graph of networkx, igraph or PyG" % type(graph).__name__) from None
        if shape == (3, 3) and pairs != [list(column) for column in zip(*pairs)] and len({(a, b) for a, b, _ in pairs if a != b}) == 3:
            raise ValueError("an array of shape (3, 3), which may be a matrix or three links with a third column: expected scipy.sparse.csr_array(graph), or graph[:, :2]")
        if len(shape) == 2 and shape[0] == shape[1] > 2:
            nodes, pairs, weights, directed = _matrix(shape, _cells(pairs), weight)
        elif len(shape) == 2 and shape[0] == 2 and shape[1] != 2:
            pairs = list(zip(*pairs))
        elif not shape and pairs and all(isinstance(pair, tuple) and len(pair) == 3 for pair in pairs):
            thirds, pairs = [pair[2] for pair in pairs], [pair[:2] for pair in pairs]
            if not unweighted and (weight is None or isinstance(weight, str)):
                weights = _thirds(thirds, weight)
    if isinstance(weights, str):
        raise ValueError("weight = %r with links that have no attributes: expected an array of numbers" % weight)
    row, places = {node: i for i, node in enumerate(nodes or ())}, []
    for i, pair in enumerate(pairs):
        try:
            a, b = pair
            missing = a is None or b is None or bool(a != a or b != b)
            places.append((row.setdefault(a, len(row)), row.setdefault(b, len(row))))
        except (TypeError, ValueError):
            raise ValueError("link %d is %.80r: expected a pair of vertices, each a value that can be a key" % (i, pair)) from None
        if missing:
            raise ValueError("link %d is %r: expected two vertices, and no missing value (dropna() of pandas leaves such rows out)" % (i, (a, b)))
    if not places:
        raise ValueError("a graph without links: expected at least one")
    return list(row), places, None if weights is None else _weights(weights, list(row), places), directed


def _usual(graph):
    """The name of the weights that a graph has without being asked, as the program reads those of a file; None where it has none."""
    if hasattr(graph, "edge_index"):
        return "edge_weight" if getattr(graph, "edge_weight", None) is not None else None
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        weights = [x for _, _, x in graph.edges(data="weight")]
        return "weight" if weights and None not in weights else None
    if hasattr(graph, "get_edgelist"):
        return "weight" if "weight" in graph.es.attributes() else None
    if hasattr(graph, "columns") and list(graph.index) != list(graph.columns):
        return next((name for name in graph.columns if str(name).lower() == "weight"), None)
    return None


def _thirds(values, weight):
    """The weights that the third values of links are, or have if they are dicts of attributes; None where they have none."""
    if not all(isinstance(x, dict) for x in values):
        return values
    found = [x.get(weight or "weight") for x in values]
    if None in found and weight is not None:
        raise ValueError("a link without the attribute %r: expected one of each link" % weight)
    return None if None in found else found


def _cells(rows):
    return ((i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row))


def _matrix(shape, cells, weight):
    """The links of a square matrix, given as (row, column, number); those of a symmetric one once."""
    if weight is not None:
        raise ValueError("weight with a matrix, whose numbers are the weights: expected weight=None")
    if shape[0] != shape[1]:
        raise ValueError("a matrix of shape %s: expected a square one, of links between its rows" % (tuple(shape),))
    links = {}
    for i, j, x in cells:
        if x:
            links[i, j] = links.get((i, j), 0) + x  # those of a matrix of scipy may repeat
    directed = any(links.get((j, i)) != x for (i, j), x in links.items())
    pairs = [(i, j) for i, j in links if directed or i <= j]
    weights = [links[pair] for pair in pairs]
    return list(range(shape[0])), pairs, weights if any(x != 1 for x in weights) else None, directed


# Names of the columns of a link's ends, as the program knows them.
_PAIRS = """source target, src dst, from to, u v, i j, node1 node2,
node_1 node_2, id_1 id_2, id1 id2, fromnodeid tonodeid, from_node_id to_node_id, source_id target_id,
sourceid targetid, from_id to_id, source_node target_node, start end, user1 user2, vertex1 vertex2,
person1 person2, node_a node_b, citing cited, head tail, subject object, :start_id :end_id, start_id end_id"""


def _ends(columns):
    """The places of the columns that have the ends of links: those with known names, or else the only two."""
    low = [str(name).lower() for name in columns]
    for pair in _PAIRS.split(","):
        a, b = pair.split()
        if a in low and b in low:
            return low.index(a), low.index(b)
    named = [i for i, name in enumerate(low) if not name.startswith("unnamed")]  # that of an index in a file has no name
    if len(named) != 2:
        raise ValueError("a table with the columns %s: expected two, or names such as source and target" % columns)
    return named


def _weights(weights, nodes, places):
    weights, known = list(weights), []
    if len(weights) != len(places):
        raise ValueError("%d weights for %d links: expected one for each, or weight=False for none" % (len(weights), len(places)))
    for i, weight in enumerate(weights):
        try:
            known.append(float(weight))
        except (TypeError, ValueError, OverflowError):
            known.append(math.nan)
        if not (known[i] > 0 and math.isfinite(known[i])):
            raise ValueError("link %d, %r-%r, has the weight %.80r: expected a finite number above 0, or weight=False for none" % (i, nodes[places[i][0]], nodes[places[i][1]], weight))
    return known


_KINDS = re.compile(r"(?i)(user|customer|reader|reviewer|listener)\S* \S*(item|movie|film|book|isbn|artist|track|song|product|business|venue|paper|tag)")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@/-]*\Z")


def _names(nodes):
    """What the program calls the vertices: their own names if all can stand in a file of links, else numbers."""
    if all(isinstance(node, (str, numbers.Integral)) and not isinstance(node, bool) for node in nodes):
        names = [str(node) for node in nodes]
        if len(set(names)) == len(names) and all(_PLAIN.match(name) for name in names):
            return names
    return [str(i) for i in range(len(nodes))]


def _program(binary):
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "asp2vec")  # in a wheel that has the program
    asked = binary or os.environ.get("ASP2VEC") or (bundled if os.path.exists(bundled) else "asp2vec")
    found = shutil.which(os.fspath(asked))
    if found is None:
        raise FileNotFoundError("no program %s: expected asp2vec on the PATH (go install ./cmd/asp2vec puts it into $(go env GOPATH)/bin), or binary=PATH" % asked)
    return found


def _flags(options):
    flags = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        flags.append("%s=%s" % (flag, str(value).lower() if isinstance(value, bool) else value))
    return flags


def _run(args, progress=False, stdout=subprocess.DEVNULL):
    """Runs the program, passes on its log, raises what it ends with, and returns what it prints to stdout=PIPE."""
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=printed if stdout == subprocess.PIPE else stdout, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
        last = ""  # is told when there is another line, or no error: the exception has an error's text
        try:
            for line in process.stderr:
                if progress:
                    sys.stderr.write(last)
                    sys.stderr.flush()
                else:
                    told = re.match(r"\d\d:\d\d:\d\d warn: (.*)", line)
                    if told:
                        warnings.warn(told.group(1), stacklevel=4)
                last = line if line.strip() else last
            code = process.wait()
        except BaseException:  # Ctrl-C, which the program has got too
            process.terminate()
            process.wait()
            raise
        finally:
            process.stderr.close()
        if code < 0:
            raise Asp2vecError("asp2vec was ended by %s%s" % ({s.value: s.name for s in signal.Signals}.get(-code, "signal %d" % -code), ", as by a system without memory" if code == -9 else ""), code)
        if code != 0:
            raise Asp2vecError(re.sub(r"^asp2vec: ", "", last.strip()) or "asp2vec ended with exit code %d" % code, code)
        if progress:
            sys.stderr.write(last)
        printed.seek(0)
        return printed.read()
