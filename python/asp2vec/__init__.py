"""Several vectors for each vertex of a network, by the program asp2vec.

    import asp2vec
    e = asp2vec.embed(graph)             # a networkx graph, or an array of links
    e.most_similar("17")                 # as gensim's KeyedVectors
    e.most_similar("17", aspect=2)       # who is near in its second aspect
    e = asp2vec.load("runs/mine")        # what asp2vec train --out wrote
    model = asp2vec.Asp2Vec(dim=20).fit(graph)    # the same as an estimator
    asp2vec.write(graph, "mine.json")    # a file that every command of asp2vec reads
"""

from importlib import metadata

from ._embedding import Embedding, load
from ._estimator import Asp2Vec
from ._program import Asp2vecError, embed, write

try:
    __version__ = metadata.version("asp2vec")
except metadata.PackageNotFoundError:  # of a folder of the source
    __version__ = "0.1.0"

__all__ = ["Asp2Vec", "Asp2vecError", "Embedding", "embed", "load", "write"]
