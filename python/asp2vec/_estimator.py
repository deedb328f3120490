"""An estimator, after the conventions of scikit-learn, karateclub and gensim."""

import json
import os
import shutil
import subprocess
import tempfile
import weakref

from . import _embedding
from ._program import _program, _run, _train


class Asp2Vec:
    """Several vectors for each vertex of a network.

        model = Asp2Vec(dim=20, aspects=5, random_state=1).fit(graph)
        model.get_embedding()            # (N, dim), rows in the order of model.nodes_: an array, or lists where there is no NumPy
        model.most_similar(17)           # [(vertex, cosine), ...]
        model.predict_links(top=10)      # [(vertex, vertex, score), ...]: links that are likely and not there
        model.save("model"); Asp2Vec.load("model")

    asp2vec.embed says what graph, method, weight, directed and binary are; options are those of asp2vec train. Parameters that are None
    have the program's defaults. random_state is the seed: None is that of the program, so that all runs can be repeated. verbose
    passes the program's log on to sys.stderr.

    After fit, nodes_ has the vertices that have links, in the order of the graph, and wv is the Embedding, which needs NumPy.
    """

    def __init__(self, dim=None, aspects=None, method="asp2vec", random_state=None, weight=None, directed=None, binary=None, verbose=False, **options):
        self._names = ["dim", "aspects", "method", "random_state", "weight", "directed", "binary", "verbose"]
        self.set_params(dim=dim, aspects=aspects, method=method, random_state=random_state, weight=weight, directed=directed, binary=binary, verbose=verbose, **options)

    def __repr__(self):
        return "Asp2Vec(%s)" % ", ".join("%s=%r" % (name, value) for name, value in self.get_params().items() if value not in (None, False))

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in self._names}

    def set_params(self, **params):
        for name, value in params.items():
            if name not in self._names:
                if hasattr(self, name):
                    raise ValueError("no parameter %s: expected those of Asp2Vec or of asp2vec train" % name)
                self._names.append(name)
            setattr(self, name, value)
        return self

    def fit(self, graph, y=None):
        """Trains on a network. Raises what asp2vec.embed raises."""
        options = {"seed" if name == "random_state" else name: value for name, value in self.get_params().items()
                   if name not in ("method", "weight", "directed", "binary", "verbose") and value is not None}
        folder = self._folder()
        run = os.path.join(folder, "run")
        names, nodes, form = _train(graph, run, folder, self.method, self.weight, self.directed, self.binary, self.verbose, options)
        shutil.move(os.path.join(folder, "links.tsv"), run)
        self._read(run, names, nodes, form)
        return self

    def _read(self, run, names, nodes, form):
        keys, vectors = _embedding._word2vec(os.path.join(run, "embedding.vec"))
        row, self._node = {key: i for i, key in enumerate(keys)}, dict(zip(names, nodes))
        there = [name for name in names if name in row]
        self._run, self._form, self._wv = run, form, None
        self._name = {self._node[name]: name for name in there}
        self.nodes_, order = list(self._name), [row[name] for name in there]
        self._vectors = [vectors[i] for i in order] if isinstance(vectors, list) else vectors[order]

    def _fitted(self):
        if not hasattr(self, "_run"):
            raise RuntimeError("an Asp2Vec that has seen no network: expected fit first")

    def __getstate__(self):
        """The parameters and, of a model that was fitted, all files of its run, so that a copy does not need this one's folder."""
        state = dict(self.__dict__)
        if "_run" in state:
            state["_run"], state["_wv"] = {}, None
            for name in sorted(os.listdir(self._run)):
                with open(os.path.join(self._run, name), "rb") as f:
                    state["_run"][name] = f.read()
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if "_run" in state:
            self._run = os.path.join(self._folder(), "run")
            os.mkdir(self._run)
            for name, data in state["_run"].items():
                with open(os.path.join(self._run, name), "wb") as f:
                    f.write(data)

    def _folder(self):
        """A new temporary folder, which goes with the model."""
        folder = tempfile.mkdtemp(prefix="asp2vec-")
        weakref.finalize(self, shutil.rmtree, folder, True)
        return folder

    def get_embedding(self):
        self._fitted()
        return self._vectors

    def fit_transform(self, graph, y=None):
        return self.fit(graph).get_embedding()

    @property
    def wv(self):
        self._fitted()
        if self._wv is None:
            self._wv = _embedding.load(self._run).renamed(self._node)
        return self._wv

    def most_similar(self, node, topn=10, aspect=None):
        """The vertices nearest to one, or near in one of its aspects, counted from 1, as a list of (vertex, cosine)."""
        self._fitted()
        if _embedding.np is not None:
            return self.wv.most_similar(node, topn=topn, aspect=aspect)
        said = self._ask("nearest", self._key(node), "--top", str(topn), *([] if aspect is None else ["--aspect", str(aspect)]))
        return [(self._node[x["vertex"]], x["cosine"]) for x in said["nearest"]]

    def predict_links(self, pairs=None, top=10, score="best"):
        """The scores of pairs of vertices, or the top likeliest links that are not there, as a list of (vertex, vertex, score). score names
        how links are scored, as asp2vec predict does; best measures which score finds the most links that are held out."""
        self._fitted()
        if pairs is None:
            said = self._ask("predict", "--score", score, "--top", str(top))
        else:
            with tempfile.TemporaryDirectory(prefix="asp2vec-") as folder:
                file = os.path.join(folder, "pairs.tsv")
                with open(file, "w", encoding="utf-8") as f:
                    f.writelines("%s\t%s\n" % (self._key(a), self._key(b)) for a, b in pairs)
                said = self._ask("predict", "--score", score, "--pairs", file)
        return [(self._node[x["from"]], self._node[x["to"]], x["score"]) for x in said.get("links", [])]  # there are none where all pairs are links

    def _key(self, node):
        try:
            return self._name[node]
        except (KeyError, TypeError):
            raise KeyError("no vertex %r among %d, such as %r" % (node, len(self._name), self.nodes_[0])) from None

    def _ask(self, command, *args):
        network = ["--network", os.path.join(self._run, "links.tsv")] + self._form
        return json.loads(_run([_program(self.binary), command] + list(args) + ["--model", self._run, "--json"] + network, self.verbose, subprocess.PIPE))

    def save(self, path):
        """Saves the model to a folder, which must not be there: what asp2vec train --out writes, and links.tsv. Vertices must be str or int."""
        self._fitted()
        if not all(type(node) in (str, int) for node in self._node.values()):
            raise ValueError("vertices that are no str and no int: expected these to save a model")
        shutil.copytree(self._run, os.fspath(path))
        params = {name: value for name, value in self.get_params().items() if isinstance(value, (str, int, float, type(None)))}
        with open(os.path.join(path, "asp2vec.json"), "w", encoding="utf-8") as f:
            json.dump({"params": params, "form": self._form, "names": list(self._node), "nodes": list(self._node.values())}, f)

    @classmethod
    def load(cls, path):
        """The model that save wrote."""
        with open(os.path.join(path, "asp2vec.json"), encoding="utf-8") as f:
            saved = json.load(f)
        model = cls(**saved["params"])
        model._read(os.fspath(path), saved["names"], saved["nodes"], saved["form"])
        return model
