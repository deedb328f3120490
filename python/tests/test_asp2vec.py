import io
import json
import os
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr

import networkx
import numpy as np

import asp2vec

QUICK = dict(dim=4, pairs_per_vertex=50, progress=False)


class TestEmbed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = networkx.karate_club_graph()
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = os.path.join(cls.folder.name, "run")
        cls.e = asp2vec.embed(cls.graph, aspects=2, out=cls.out, **QUICK)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_keys_are_the_nodes(self):
        e = self.e
        self.assertEqual(set(e.index_to_key), set(self.graph.nodes))
        self.assertEqual((e.vectors.shape, e.center.shape, e.learned.shape), ((34, 4), (34, 4), (34, 2, 4)))
        self.assertIn(33, e)
        self.assertNotIn("33", e)
        self.assertEqual(e[[0, 33]].shape, (2, 4))
        self.assertEqual(e.record["method"], "asp2vec")

    def test_most_similar(self):
        e = self.e
        near = e.most_similar(0, topn=33)
        self.assertEqual(len(near), 33)
        self.assertNotIn(0, [v for v, _ in near])
        self.assertEqual([c for _, c in near], sorted((c for _, c in near), reverse=True))
        self.assertAlmostEqual(near[0][1], e.similarity(0, near[0][0]))
        self.assertEqual(e.most_similar(e[5], topn=1)[0][0], 5)
        k = e.most_similar(0, topn=3, aspect=2, learned=True)
        cosine = float(e.learned[e.key_to_index[0], 1] @ e.center[e.key_to_index[k[0][0]]])
        cosine /= np.linalg.norm(e.learned[e.key_to_index[0], 1]) * np.linalg.norm(e.center[e.key_to_index[k[0][0]]])
        self.assertAlmostEqual(k[0][1], cosine, places=5)

    def test_as_in_gensim(self):
        e = self.e
        self.assertAlmostEqual(e.distance(0, 5), 1 - e.similarity(0, 5))
        self.assertEqual(e.similar_by_vector(e[5], topn=1)[0][0], 5)
        near = e.most_similar(positive=[0, 33], negative=[5], topn=40)
        self.assertEqual(len(near), 31)
        query = sum(sign * e[v] / np.linalg.norm(e[v]) for v, sign in ((0, 1), (33, 1), (5, -1)))
        self.assertAlmostEqual(near[0][1], float(e[near[0][0]] @ query / np.linalg.norm(e[near[0][0]]) / np.linalg.norm(query)), places=5)
        for bad in (dict(), dict(positive=0, negative=5), dict(positive=[0, 99])):
            with self.assertRaises((ValueError, KeyError)):
                e.most_similar(**bad)
        path = os.path.join(self.folder.name, "words.vec")
        odd = asp2vec.Embedding(["a b", "", "c\\\n"], e.vectors[:3])
        odd.save_word2vec_format(path)
        back = asp2vec.load(path)
        self.assertEqual(back.index_to_key, odd.index_to_key)
        self.assertTrue((back.vectors == odd.vectors).all())
        self.assertRegex(asp2vec.__version__, r"^[0-9]+\.[0-9]")

    def test_graphs_of_other_packages(self):
        links = asp2vec._program._links

        class Igraph:  # as much of it as is read
            vs, es = type("Vs", (dict,), {"attributes": dict.keys})(name=["a", "b", "c"]), {"weight": [2.0, 3.0]}
            get_edgelist, is_directed = lambda self: [(0, 1), (1, 2)], lambda self: True

        self.assertEqual(links(Igraph(), "weight"), (["a", "b", "c"], [(0, 1), (1, 2)], [2.0, 3.0], True))

        class Pyg:
            edge_index, edge_weight = np.array([[0, 1], [1, 2]]), np.array([[2.0], [3.0]])

        self.assertEqual(links(Pyg(), "edge_weight"), ([0, 1, 2], [(0, 1), (1, 2)], [2.0, 3.0], False))
        self.assertEqual(links(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), None)[1], [(0, 1), (1, 2)])
        with self.assertRaisesRegex(ValueError, "third column"):
            links(np.array([[0, 1, 5], [1, 2, 5], [2, 3, 5]]), None)

    def test_aspects(self):
        e, network = self.e, os.path.join(self.folder.name, "karate.json")
        asp2vec.write(self.graph, network)
        for v in (0, 16):
            found = e.aspects(v)
            self.assertEqual(sorted(u for a in found for u in a.neighbors), sorted(self.graph[v]))
            self.assertEqual([len(a.neighbors) for a in found], sorted((len(a.neighbors) for a in found), reverse=True))
            out = subprocess.run([asp2vec._program._program(None), "nearest", str(v), "--model", self.out, "--network", network, "--aspect", "1", "--top", "5", "--json"],
                                 stdout=subprocess.PIPE, check=True)
            near = json.loads(out.stdout)["nearest"]
            mine = {str(u): cosine for u, cosine in e.most_similar(v, topn=33, aspect=1)}
            for (u, cosine), want in zip(e.most_similar(v, topn=5, aspect=1), near):  # equal ones may change places
                self.assertAlmostEqual(cosine, want["cosine"], places=4)
                self.assertAlmostEqual(mine[want["vertex"]], want["cosine"], places=4)

    def test_load(self):
        e = asp2vec.load(self.out)
        self.assertEqual(e.index_to_key, [str(v) for v in self.e.index_to_key])
        for a, b in ((e.vectors, self.e.vectors), (e.center, self.e.center), (e.learned, self.e.learned)):
            np.testing.assert_array_equal(a, b)
        vec = asp2vec.load(os.path.join(self.out, "embedding.vec"))
        np.testing.assert_array_equal(vec.vectors, e.vectors)
        with self.assertRaises(ValueError):
            vec.learned_vectors("0")
        with self.assertRaises(ValueError):
            vec.aspects("0")
        self.assertEqual([a.group for a in e.aspects("0")], [a.group for a in self.e.aspects(0)])

    def test_same_bytes(self):
        again = asp2vec.embed(self.graph, aspects=2, threads=1, **QUICK)
        np.testing.assert_array_equal(again.vectors, self.e.vectors)

    def test_arrays_and_odd_nodes(self):
        ring = [(i, (i + 1) % 8) for i in range(8)] + [(0, 4)]
        plain = asp2vec.embed(np.array(ring), method="deepwalk", **QUICK)
        self.assertEqual(sorted(plain.index_to_key), list(range(8)))
        self.assertIsNone(plain.learned)
        odd = [("# %d" % a, ("tab\t", b)) for a, b in ring]
        e = asp2vec.embed(odd, method="splitter", weight=np.ones(len(odd)), **QUICK)
        self.assertIn("# 0", e)
        self.assertIn(("tab\t", 4), e)
        self.assertEqual(e.learned_vectors("# 0").shape[1], 4)
        self.assertEqual(len(e.most_similar("# 0", topn=2, aspect=1)), 2)
        self.assertEqual(len(e.most_similar("# 0", topn=2, aspect=1, learned=True)), 2)

    def test_triples_and_dicts(self):
        links = [(i, (i + 1) % 9) for i in range(9)]
        plain = asp2vec.embed(links, method="node2vec", **QUICK).vectors
        weighted = asp2vec.embed(links, method="node2vec", weight=np.full(9, 7.0), **QUICK).vectors
        for graph, want in (([(a, b, {}) for a, b in links], plain), ({a: [b] for a, b in links}, plain), ({a: {b: {}} for a, b in links}, plain),
                            ([(a, b, {"weight": 7, "kind": "x"}) for a, b in links], weighted), ([(a, b, 7.0) for a, b in links], weighted)):
            self.assertTrue(np.array_equal(asp2vec.embed(graph, method="node2vec", **QUICK).vectors, want), graph)
        heavy = [(a, b, {"w": 1 + a}) for a, b in links]
        self.assertFalse(np.array_equal(asp2vec.embed(heavy, method="node2vec", weight="w", **QUICK).vectors, plain))
        self.assertTrue(np.array_equal(asp2vec.embed([(a, b, d["w"]) for a, b, d in heavy], method="node2vec", weight=False, **QUICK).vectors, plain))

    def test_warnings_are_heard(self):
        links = [(i, (i + 1) % 9, 1) for i in range(9)] + [(0, 1, 5)]
        with self.assertWarnsRegex(UserWarning, "links repeated with another weight"):
            asp2vec.embed(links, method="node2vec", **QUICK)

    def test_write(self):
        graph = networkx.DiGraph()
        graph.add_weighted_edges_from([("# a", "b\\ \"c\"", 2), ("b\\ \"c\"", 7, 1), (7, "# a", 0.5)])
        for name in ("network.json", "network.json.gz"):
            path = os.path.join(self.folder.name, name)
            asp2vec.write(graph, path, weight="weight")
            run = os.path.join(self.folder.name, name + ".run")
            asp2vec._program._run([asp2vec._program._program(None), "train", "--network", path, "--method", "deepwalk", "--dim", "2",
                                   "--epochs", "1", "--out", run, "--results", "none"], False)
            e = asp2vec.load(run)
            self.assertEqual(set(e.index_to_key), {"# a", "b\\ \"c\"", "7"})
        with self.assertRaises(ValueError):
            asp2vec.write([(1, "1")], path)

    def test_progress(self):
        err = io.StringIO()
        with redirect_stderr(err):
            asp2vec.embed(self.graph, method="deepwalk", dim=4, pairs_per_vertex=5)
        self.assertIn("training", err.getvalue())

    def test_errors(self):
        for options, error, text in (
            (dict(method="word2vec"), asp2vec.Asp2vecError, "word2vec"),
            (dict(aspects=0), asp2vec.Asp2vecError, "aspects"),
            (dict(nonsense=1), asp2vec.Asp2vecError, "nonsense"),
            (dict(out=self.out), asp2vec.Asp2vecError, "holds a run of"),
            (dict(binary="/nowhere/asp2vec"), FileNotFoundError, "/nowhere/asp2vec"),
            (dict(weight="nothing"), ValueError, "nothing"),
        ):
            with self.assertRaisesRegex(error, text):
                asp2vec.embed(self.graph, **{**QUICK, **options})
        for links in ([], [1, 2], [(1, 2, 3, 4)], [(1, 2, -3)], [([], 1)]):
            with self.assertRaises(ValueError):
                asp2vec.embed(links, **QUICK)
        for path in ("/nowhere", self.folder.name):
            with self.assertRaises(FileNotFoundError):
                asp2vec.load(path)
        with self.assertRaisesRegex(KeyError, "no vertex 99 among 34"):
            self.e[99]
        with self.assertRaises(ValueError):
            self.e.most_similar(0, aspect=6)


if __name__ == "__main__":
    unittest.main()
