// Package network holds the data of a run: a network in memory, the readers of network files, the split of its links for
// link prediction, the registry of the paper's data sets, and generators of synthetic networks.
//
// The way through it is Read → Network.LargestComponent → MakeSplit → Split.TrainNetwork. A vertex is an int32 from 0 to
// N-1; where it came from a file its number is the rank of its id among the sorted ids, so that it does not depend on the
// order of the file, and the id is kept as it stood for every output.
//
// Words: network, vertex, link and arc are the data. A link of an undirected network is two arcs, a self-loop is one arc.
package network
