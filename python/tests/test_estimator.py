"""Asp2Vec and what it takes as a network: needs neither NumPy nor anything else, and tries the real libraries where they are."""

import copy
import gc
import importlib
import io
import os
import pickle
import tempfile
import threading
import unittest
from contextlib import redirect_stderr

import asp2vec
from asp2vec._program import _links

QUICK = dict(dim=4, aspects=2, pairs_per_vertex=50)
RING = [(i, (i + 1) % 12) for i in range(12)] + [(0, 6), (3, 9)]


class Fake:
    """What has the attributes that a library documents, and no more."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


def array(rows):
    return Fake(shape=(len(rows), len(rows[0])), tolist=lambda: [list(row) for row in rows])


def sparse(rows):
    cells = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x]
    row, col, data = (Fake(tolist=lambda k=k: [cell[k] for cell in cells]) for k in range(3))
    return Fake(tocoo=lambda: Fake(shape=(len(rows), len(rows[0])), row=row, col=col, data=data))


def frame(columns, rows, index=None):
    return Fake(columns=columns, index=index or list(range(len(rows))), itertuples=lambda index, name: iter([tuple(row) for row in rows]))


def there(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


SQUARE = [[0, 1, 0], [1, 0, 2.5], [0, 2.5, 0]]
ARCS = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


class TestInputs(unittest.TestCase):
    def test_kinds(self):
        two = ([0, 1, 2], [(0, 1), (1, 2)])
        cases = [
            (array([(0, 1), (1, 2)]), None, two + (None, False)),
            (array([(0, 1, 0), (1, 2, 1)]), None, ([0, 1, 2], [(0, 1), (1, 2), (0, 1)], None, False)),  # PyG
            (Fake(edge_index=array([(0, 1, 0), (1, 2, 1)])), None, ([0, 1, 2], [(0, 1), (1, 2), (0, 1)], None, False)),
            (Fake(edge_index=array([(0, 1), (2, 3)])), None, ([0, 2, 1, 3], [(0, 1), (2, 3)], None, False)),
            (array(SQUARE), None, two + ([1.0, 2.5], False)),
            (array(ARCS), None, two + (None, True)),
            (sparse(SQUARE), None, two + ([1.0, 2.5], False)),
            (sparse(ARCS), None, two + (None, True)),
            (frame(["Unnamed: 0", "a", "b"], [(0, "x", "y"), (1, "y", "z")]), None, (["x", "y", "z"], [(0, 1), (1, 2)], None, False)),
            (frame(["year", "citing", "cited"], [(1999, "x", "y"), (1998, "y", "z")]), None, (["x", "y", "z"], [(0, 1), (1, 2)], None, False)),
            (frame(["weight", "Target", "Source"], [(2, "y", "x")]), "weight", (["x", "y"], [(0, 1)], [2.0], False)),
            (frame(["x", "y", "z"], SQUARE, ["x", "y", "z"]), None, (["x", "y", "z"], [(0, 1), (1, 2)], [1.0, 2.5], False)),
            ([("x", "y"), ("y", 3)], [1, 2], (["x", "y", 3], [(0, 1), (1, 2)], [1.0, 2.0], False)),
        ]
        np, sp, pd, nx = there("numpy"), there("scipy.sparse"), there("pandas"), there("networkx")
        if np:
            cases += [(np.array(RING[:2]), None, two + (None, False)), (np.array(SQUARE), None, cases[4][2])]
        if sp:
            cases += [(kind(SQUARE), None, cases[4][2]) for kind in (sp.csr_matrix, sp.coo_matrix, sp.lil_matrix)]
        if pd:
            cases += [(pd.DataFrame({"Target": ["y"], "Source": ["x"], "weight": [2]}), "weight", cases[10][2]),
                      (pd.DataFrame(SQUARE, list("xyz"), list("xyz")), None, cases[11][2])]
        if nx:
            graph = nx.DiGraph()
            graph.add_weighted_edges_from([("x", "y", 2)])
            cases += [(graph, "weight", (["x", "y"], [(0, 1)], [2.0], True))]
        for graph, weight, want in cases:
            self.assertEqual(_links(graph, weight), want)

    def test_repeated_entries(self):
        twice = Fake(shape=(2, 2), **{name: Fake(tolist=lambda of=of: of) for name, of in (("row", [0, 0, 1]), ("col", [1, 1, 0]), ("data", [2, 3, 5]))})
        twice.tocoo = lambda: twice
        self.assertEqual(_links(twice, None), ([0, 1], [(0, 1)], [5.0], False))

    def test_errors(self):
        self.assertEqual(_links(frame(["source", "target", "Weight"], [(1, 2, 3)]), None)[2], [3.0])
        self.assertEqual(_links(frame(["source", "target", "Weight"], [(1, 2, 3)]), False)[2], None)
        for missing in (None, float("nan")):
            with self.assertRaisesRegex(ValueError, "no missing value"):
                _links([(1, 2), (missing, 1)], None)
        for graph, weight, text in (
            (sparse([[0, 1]]), None, "square"), (array(SQUARE), "weight", "weights"), (frame(["a"], [(1,)]), None, "source and target"),
            (frame(["a", "b"], [(1, 2)]), "w", "no column 'w'"), (frame(["year", "a", "b"], [(1999, 2, 3)]), None, "names such as source and target"),
            (frame(["user", "item"], [(1, 1)]), None, "values in common"), (array([[0] * 3] * 3), None, "without links"), (array([[0, -1, 0], [-1, 0, 0], [0, 0, 0]]), None, "above 0"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                _links(graph, weight)


class TestAsp2Vec(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = asp2vec.Asp2Vec(random_state=3, **QUICK).fit(RING)

    def test_embedding(self):
        m = self.model
        self.assertEqual(m.nodes_, list(range(12)))
        self.assertEqual((len(m.get_embedding()), len(m.get_embedding()[0])), (12, 4))
        again = asp2vec.Asp2Vec(random_state=3, **QUICK).fit_transform(RING)
        other = asp2vec.Asp2Vec(random_state=4, **QUICK).fit_transform(RING)
        lists = [[list(row) for row in rows] for rows in (m.get_embedding(), again, other)]
        self.assertEqual(lists[0], lists[1])
        self.assertNotEqual(lists[0], lists[2])

    def test_near_and_likely(self):
        near = self.model.most_similar(0, topn=3)
        self.assertEqual(len(near), 3)
        self.assertNotIn(0, [node for node, _ in near])
        self.assertEqual(len(self.model.most_similar(0, topn=2, aspect=1)), 2)
        likely = self.model.predict_links(top=4)
        known = {frozenset(link) for link in RING}
        self.assertEqual(len(likely), 4)
        self.assertFalse([link for link in likely if frozenset(link[:2]) in known])
        self.assertEqual([x[:2] for x in self.model.predict_links([(0, 5), (1, 2)], score="cosine")], [(0, 5), (1, 2)])

    def test_pickle(self):
        data = pickle.dumps(asp2vec.Asp2Vec(random_state=3, **QUICK).fit(RING))
        gc.collect()  # the folder of the first has gone
        for copied in (pickle.loads(data), copy.deepcopy(self.model), pickle.loads(pickle.dumps(asp2vec.Asp2Vec(dim=3)))):
            if copied.dim != 3:
                self.assertEqual(copied.most_similar(0, topn=2), self.model.most_similar(0, topn=2))
                self.assertEqual(len(copied.predict_links(top=2)), 2)

    def test_nothing_to_predict(self):
        model = asp2vec.Asp2Vec(**QUICK).fit([(a, b) for a in range(6) for b in range(a)])
        self.assertEqual(model.predict_links(top=3), [])
        with self.assertRaisesRegex(KeyError, "no vertex 99 among 6"):
            model.predict_links([(0, 99)])

    def test_save(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            self.model.save(path)
            m = asp2vec.Asp2Vec.load(path)
            self.assertEqual(m.get_params(), self.model.get_params())
            self.assertEqual([list(row) for row in m.get_embedding()], [list(row) for row in self.model.get_embedding()])
            self.assertEqual(m.most_similar(0), self.model.most_similar(0))
            with self.assertRaises(FileExistsError):
                m.save(path)

    def test_params(self):
        m = asp2vec.Asp2Vec(dim=8, tau=.5)
        self.assertEqual(repr(m), "Asp2Vec(dim=8, method='asp2vec', tau=0.5)")
        self.assertEqual(type(m)(**m.get_params()).get_params(), m.get_params())
        self.assertEqual(m.set_params(dim=4, epochs=2).get_params()["epochs"], 2)
        with self.assertRaisesRegex(RuntimeError, "fit"):
            m.get_embedding()
        with self.assertRaisesRegex(ValueError, "parameter fit"):
            m.set_params(fit=1)
        clone = there("sklearn.base")
        if clone:
            self.assertEqual(clone.clone(m).get_params(), m.get_params())

    def test_errors_are_told_once(self):
        err = io.StringIO()
        with redirect_stderr(err), self.assertRaisesRegex(asp2vec.Asp2vecError, "aspects"):
            asp2vec.Asp2Vec(aspects=0, verbose=True).fit(RING)
        self.assertNotIn("aspects", err.getvalue())


class Broken(unittest.TestCase):
    """What goes wrong is said in a sentence, names nothing that has gone, and leaves no file."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        was, tempfile.tempdir = tempfile.tempdir, self.folder.name
        self.addCleanup(setattr, tempfile, "tempdir", was)

    def program(self, text):
        path = os.path.join(self.folder.name, "program")
        with open(path, "w") as f:
            f.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def test_bad_input(self):
        for graph, weight, text in (
            (None, None, "NoneType"), (7, None, "int"),
            ([(0, 1), (1, 2)], [1, float("nan")], "link 1, 1-2, has the weight nan"),
            ([(0, 1), (1, 2)], [10 ** 400, 1], "link 0, 0-1, has the weight 1000"),
            ([(0, 1), (1, 2)], [1, "x"], "has the weight 'x'"), ([(0, 1), (1, 2)], [1], "1 weights for 2 links"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                asp2vec.embed(graph, weight=weight, **QUICK)

    @unittest.skipIf(os.name == "nt", "a script and signals of Unix")
    def test_programs_that_end(self):
        for text, want in (("echo '04:46:15 warm-up begins parameters=7' >&2; kill -9 $$", "ended by SIGKILL"), ("kill -15 $$", "ended by SIGTERM"),
                           ("echo 'asp2vec: interrupted: the same command continues from the checkpoint in /gone' >&2; exit 1", "stopped before its end: nothing is kept")):
            model = asp2vec.Asp2Vec(binary=self.program(text), **QUICK)
            for train in (lambda: model.fit(RING), lambda: asp2vec.embed(RING, binary=model.binary, progress=False, **QUICK)):
                with self.assertRaisesRegex(asp2vec.Asp2vecError, want) as said:
                    train()
                self.assertNotIn("/gone", str(said.exception))
            with self.assertRaisesRegex(asp2vec.Asp2vecError, "ended by|/gone"):  # which is there
                asp2vec.embed(RING, binary=model.binary, out=os.path.join(self.folder.name, "run"), progress=False, **QUICK)
        del model
        gc.collect()
        self.assertEqual(os.listdir(self.folder.name), ["program"])

    def test_threads(self):
        alone = asp2vec.Asp2Vec(**QUICK).fit(RING)
        models = [asp2vec.Asp2Vec(**QUICK) for _ in range(2)]
        threads = [threading.Thread(target=model.fit, args=(RING,)) for model in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for model in models:
            self.assertEqual([list(row) for row in model.get_embedding()], [list(row) for row in alone.get_embedding()])

    @unittest.skipIf(os.name == "nt", "limits of Unix")
    def test_full_folder(self):
        import resource
        was = resource.getrlimit(resource.RLIMIT_FSIZE)
        for limit, error in ((40, OSError), (1000, asp2vec.Asp2vecError)):  # too little for the links, and for the model
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, was[1]))
            try:
                with self.assertRaises(error):
                    asp2vec.embed(RING, progress=False, **QUICK)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, was)
            self.assertEqual(os.listdir(self.folder.name), [])


if __name__ == "__main__":
    unittest.main()
