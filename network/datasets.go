package network

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dataset describes a network that experiments use. A size is 0 where it is not known.
type Dataset struct {
	Name        string `json:"name"`   // the paper's key
	Folder      string `json:"folder"` // where it lies in the folder of data sets
	Group       string `json:"group"`  // social, protein, word co-occurrence, academic or recommendation
	Directed    bool   `json:"directed"`
	Typed       bool   `json:"typed"`    // authors, papers and venues: for package hetnet, not for Read
	InPaper     bool   `json:"in_paper"` // one of the thirteen of the paper
	Description string `json:"description"`

	PaperVertices int `json:"paper_vertices"` // as printed in Table 2 of the paper
	PaperLinks    int `json:"paper_links"`    // as printed in Table 2, whatever it counts; see Notes

	Vertices  int `json:"vertices"` // of the largest component, which all results are on
	Links     int `json:"links"`    // of the largest component; undirected links once
	SelfLoops int `json:"self_loops"`

	Words float64 `json:"words,omitempty"` // of a paper's text, in the mean

	Train           int `json:"train"`            // links of the published split
	Test            int `json:"test"`             //
	TestNeg         int `json:"test_neg"`         // test negatives that scores use: reversed links included if directed
	TrainComponents int `json:"train_components"` // components of the published training links, vertices without any included

	Schema string         `json:"schema,omitempty"` // of a heterogeneous network, as package typed reads it; "" for others
	Sizes  map[string]int `json:"sizes,omitempty"`  // of such a network: vertices or links of each type
	SHA256 string         `json:"sha256,omitempty"` // of such a network: of its links and test pairs, as records have it

	URL   string `json:"url"` // where the paper says it comes from, or where a stand-in does
	Notes string `json:"notes,omitempty"`
}

// Datasets returns the data sets that are known: the paper's thirteen in its order, then others.
//
// Sources: names, Table 2 and URLs from the paper; sizes of largest components and splits counted in the authors' published
// files and in a fork of them.
func Datasets() []Dataset {
	const (
		librec = "https://www.librec.net/datasets.html#filmtrust"
		snap   = "https://snap.stanford.edu/data/index.html"
		n2v    = "https://snap.stanford.edu/node2vec/"
		lost   = "The published split removed its last links without a connectivity test: "
	)
	return []Dataset{
		{Name: "Filmtrust", Folder: "filmtrust", Group: "social", Directed: true, InPaper: true, Description: "who trusts whose film ratings",
			PaperVertices: 1642, PaperLinks: 1853, Vertices: 610, Links: 1604, Train: 1055, Test: 546, TestNeg: 1179, TrainComponents: 2,
			URL: librec, Notes: lost + "3 of them, which leave one vertex without a training link."},
		{Name: "Wiki-vote", Folder: "wiki-vote", Group: "social", Directed: true, InPaper: true, Description: "who voted on whom as a Wikipedia administrator",
			PaperVertices: 7066, PaperLinks: 103689, Vertices: 7066, Links: 103663, Train: 51832, Test: 51831, TestNeg: 149640, TrainComponents: 1, URL: snap},
		{Name: "CiaoDVD", Folder: "ciaodvd", Group: "social", Directed: true, InPaper: true, Description: "who trusts whose DVD reviews",
			PaperVertices: 7375, PaperLinks: 111781, Vertices: 4562, Links: 40073, Train: 20037, Test: 20036, TestNeg: 46079, TrainComponents: 1, URL: librec,
			Notes: "The paper gives Filmtrust's address; CiaoDVD is further down on the same page. The authors' file has 40,133 links, not the 111,781 of Table 2."},
		{Name: "BlogCatalog", Folder: "BlogCatalog", Group: "social", InPaper: true, Description: "friendships of bloggers",
			PaperVertices: 10312, PaperLinks: 333983, Vertices: 10312, Links: 333983, Train: 166992, Test: 166991, TestNeg: 166991,
			URL: "http://socialcomputing.asu.edu/datasets/BlogCatalog3"},
		{Name: "Epinions", Folder: "epinions", Group: "social", Directed: true, InPaper: true, Description: "who trusts whose product reviews",
			PaperVertices: 49290, PaperLinks: 487181, Links: 487182, Train: 243591, Test: 243591, TestNeg: 518660,
			URL: "http://www.trustlet.org/downloaded_epinions.html", Notes: "The number of vertices of the largest component is not published."},
		{Name: "Flickr", Folder: "flickr", Group: "social", InPaper: true, Description: "contacts of photographers",
			PaperVertices: 80513, PaperLinks: 5899882, Vertices: 80513, Links: 5899882, Train: 2949881, Test: 2950001, TestNeg: 2950001,
			URL: "http://socialcomputing.asu.edu/datasets/Flickr", Notes: "The published sizes fit batches of 100 links, not 5."},
		{Name: "PPI", Folder: "ppi", Group: "protein", InPaper: true, Description: "protein-protein interactions of humans",
			PaperVertices: 3890, PaperLinks: 76584, Vertices: 3852, Links: 38705, SelfLoops: 864, Train: 19349, Test: 19356, TestNeg: 19356,
			TrainComponents: 1, URL: n2v, Notes: "Table 2 counts both directions of a link."},
		{Name: "Wikipedia", Folder: "wikipedia", Group: "word co-occurrence", InPaper: true, Description: "words that occur together in Wikipedia",
			PaperVertices: 4777, PaperLinks: 184812, Vertices: 4777, Links: 92517, SelfLoops: 222, Train: 46256, Test: 46261, TestNeg: 46261,
			URL: n2v, Notes: "Table 2 counts both directions of a link. Weights of the source are not used."},
		{Name: "Cora", Folder: "cora", Group: "academic", InPaper: true, Description: "citations of papers on machine learning",
			PaperVertices: 2708, PaperLinks: 5429, Vertices: 2485, Links: 5069, Train: 3290, Test: 1776, TestNeg: 1776, TrainComponents: 3,
			URL:   "https://github.com/tkipf/pygcn/tree/master/data/cora",
			Notes: "The split is from the fork gtmdotme/asp2vec. " + lost + "3 of them, which cut the training links into three parts, one a single vertex."},
		{Name: "ca-HepTh", Folder: "ca-hepth", Group: "academic", InPaper: true, Description: "co-authors in theoretical high-energy physics",
			PaperVertices: 9877, PaperLinks: 25998, Vertices: 8638, Links: 24827, SelfLoops: 21, Train: 13555, Test: 11271, TestNeg: 11271,
			TrainComponents: 1, URL: snap, Notes: lost + "1 of them."},
		{Name: "ca-AstroPh", Folder: "ca-astroph", Group: "academic", InPaper: true, Description: "co-authors in astrophysics",
			PaperVertices: 18772, PaperLinks: 198110, Vertices: 17903, Links: 197031, SelfLoops: 59, Train: 98515, Test: 98516, TestNeg: 98516,
			TrainComponents: 1, URL: snap},
		{Name: "4area", Folder: "4area", Group: "academic", InPaper: true, Description: "co-authors in four areas of computer science",
			PaperVertices: 27199, PaperLinks: 66832, Vertices: 20111, Links: 57508, Train: 30440, Test: 27066, TestNeg: 27066, TrainComponents: 2,
			URL: "http://www.perozzi.net/projects/focused-clustering/", Notes: lost + "2 of them, which leave one vertex without a training link."},
		{Name: "DBLP", Folder: "dblp", Group: "academic", Typed: true, InPaper: true, Words: 5.8, Description: "papers with authors, venues, references and words",
			URL:   "https://github.com/pcy1302/TapEM/tree/master/data",
			Notes: "Table 2: 27,920 authors, 21,808 papers, 18 venues; the published file has 21,350 papers. The titles are used here; the abstracts are DBLP-abstracts."},
		{Name: "DBLP-abstracts", Folder: "dblp-abstracts", Group: "academic", Typed: true, Description: "the papers of DBLP with the words of their abstracts",
			URL: "https://github.com/pcy1302/TapEM/tree/master/data", Notes: "The texts that the paper used; results on DBLP here are on titles."},
		{Name: "mlpapers", Folder: "mlpapers", Group: "academic", Typed: true, Words: 167.5, Description: "papers on machine learning with authors, venues and the words of their abstracts",
			URL:   "https://github.com/airas-org/airas-papers-db",
			Notes: "Not in the paper. 13,848 papers of conferences of 2020 to 2023, and as test papers 2,135 of ICLR 2024; no references."},
		{Name: "mlpapers-titles", Folder: "mlpapers-titles", Group: "academic", Typed: true, Words: 8.3, Description: "the papers of mlpapers, with only the words of their titles",
			URL: "https://github.com/airas-org/airas-papers-db", Notes: "Not in the paper."},
		{Name: "lastfm", Folder: "lastfm", Group: "recommendation", Schema: lastfmSchema, Description: "who listens to which artists, and who is whose friend",
			Sizes: map[string]int{"user": 1892, "artist": 4489, "listens": 42135, "friends": 12717}, Train: 42135, Test: 10533,
			SHA256: "451e1fb4107eeff015b24d2930847acbeb3366ef7e3ac03d9960a88209bdce43",
			URL:    "https://github.com/gusye1234/LightGCN-PyTorch", Notes: "Not in the paper. Of HetRec 2011, with the split of LightGCN's code."},
		{Name: "cora-features", Folder: "cora-features", Group: "academic", Description: "the Planetoid version of Cora, with words and labels of its vertices",
			Vertices: 2485, Links: 5069, URL: "https://github.com/PetarV-/DGI",
			Notes: "Not in the paper. For methods that need features; ids differ from Cora's. The file has 2,708 vertices and 5,278 links."},
		{Name: "soc-epinions", Folder: "soc-epinions", Group: "social", Description: "who trusts whom on Epinions, without direction",
			Vertices: 75877, Links: 405739, URL: "https://snap.stanford.edu/data/soc-Epinions1.html",
			Notes: "Not in the paper. A stand-in at the scale of Epinions, for speed and memory, not for its table."},
	}
}

// Lookup returns the data set of that name, in upper or lower case. It returns an error that lists the names for any other.
func Lookup(name string) (Dataset, error) {
	var known []string
	for _, d := range Datasets() {
		if strings.EqualFold(d.Name, name) {
			return d, nil
		}
		known = append(known, d.Name)
	}
	return Dataset{}, fmt.Errorf("network: data set %q: want one of %s", name, strings.Join(known, ", "))
}

// lastfmSchema: all three files have the same numbers of users, from 1.
const lastfmSchema = `
name: lastfm
vertices:
  user:
  artist:
links:
  listens: {from: user, to: artist, file: train.tsv.gz}
  friends: {from: user, to: user, file: friends.tsv.gz}
meta-paths: [user-artist-user]
rank: {link: listens, test: test.tsv.gz}
`

// edgeFiles are the names that the file of links can have, the first wanted first.
var edgeFiles = []string{"edges.tsv.gz", "edges.tsv", "edges.txt.gz", "edges.txt", "edges.csv.gz", "edges.csv"}

// Find returns the paths of the file of links and of the split folder of a data set under dataDir; the one that is not there
// is "". Of a typed data set it returns the file of papers. It fails when neither is there.
func (d Dataset) Find(dataDir string) (edges, split string, err error) {
	if dataDir == "" {
		return "", "", fmt.Errorf("network: data set %s: no data folder given: want one with %s/%s", d.Name, d.Folder, edgeFiles[0])
	}
	files := edgeFiles
	if d.Typed {
		files = []string{"papers.tsv.gz", "papers.tsv"}
	}
	if d.Schema != "" {
		files = []string{"train.tsv.gz"}
	}
	dir := filepath.Join(dataDir, d.Folder)
	for _, f := range files {
		path := filepath.Join(dir, f)
		if _, err := os.Stat(path); err == nil {
			edges = path
			break
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("network: data set %s: %w", d.Name, err)
		}
	}
	if fi, err := os.Stat(filepath.Join(dir, "split")); err == nil && fi.IsDir() {
		split = filepath.Join(dir, "split")
	}
	if edges == "" && split == "" {
		return "", "", &AbsentError{d, filepath.Join(dir, files[0])}
	}
	return edges, split, nil
}

// FindLabels returns the path of the labels of vertices in the folder of a data set, "" where there are none.
func FindLabels(dir string) string {
	for _, name := range []string{LabelsFile, strings.TrimSuffix(LabelsFile, ".gz")} {
		if fi, err := os.Stat(filepath.Join(dir, name)); err == nil && !fi.IsDir() {
			return filepath.Join(dir, name)
		}
	}
	return ""
}

// AbsentError says that a data set is not in the folder of data sets.
type AbsentError struct {
	Dataset Dataset
	Path    string // of the file that is wanted
}

// Error returns what is wanted, and where it comes from.
func (e *AbsentError) Error() string {
	return fmt.Sprintf("network: data set %s is not here: want %s; it comes from %s", e.Dataset.Name, e.Path, e.Dataset.URL)
}

// OriginFile says in the folder of a data set which published files it was made of.
const OriginFile = "published.json"

// Unexpected says whether the folder of a data set has no file of that name, so that replacing it would lose something else.
func Unexpected(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	known := []string{"edges", SplitFolder, "labels", "features", "papers", "candidates"}
	return !slices.Contains(known, stem) && name != OriginFile
}
