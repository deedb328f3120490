package network

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/asp2vec/asp2vec/internal/unknown"
)

// Dataset describes a network that experiments use. A size is 0 where it is not known.
type Dataset struct {
	Name        string `json:"name"`   // the paper's key
	Folder      string `json:"folder"` // where it lies in the folder of data sets
	Group       string `json:"group"`  // social, protein, word co-occurrence or academic
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

	SHA256 string `json:"sha256,omitempty"` // of the split or, without one, of the network or the bibliography, as records have it

	URL   string `json:"url"` // where the paper says it comes from, or where a stand-in does
	Notes string `json:"notes,omitempty"`
}

//go:embed datasets.yaml
var datasetsYAML []byte

// datasets reads datasets.yaml. It panics where that is no list of data sets, which a test finds.
var datasets = sync.OnceValue(func() (all []Dataset) {
	if err := yaml.UnmarshalWithOptions(datasetsYAML, &all, yaml.Strict()); err != nil {
		panic(fmt.Sprintf("network: datasets.yaml: %v", err))
	}
	return all
})

// Datasets returns the data sets that are known: the paper's thirteen in its order, then others.
func Datasets() []Dataset { return slices.Clone(datasets()) }

// Lookup returns the data set of that name, in upper or lower case. It returns an error that lists the names for any other.
func Lookup(name string) (Dataset, error) {
	var known []string
	for _, d := range Datasets() {
		if strings.EqualFold(d.Name, name) {
			return d, nil
		}
		known = append(known, d.Name)
	}
	return Dataset{}, fmt.Errorf("network: %w", unknown.Name{What: "data set", Name: name, Known: known})
}

// edgeFiles are the names that the file of links can have, the first wanted first.
var edgeFiles = []string{"edges.tsv.gz", "edges.tsv", "edges.txt.gz", "edges.txt", "edges.csv.gz", "edges.csv"}

// Find returns the paths of the file of links and of the split folder of a data set under dataDir; the one that is not there
// is "". Of a typed data set it returns the file of papers. It fails when neither is there.
func (d Dataset) Find(dataDir string) (edges, split string, err error) {
	if dataDir == "" {
		return "", "", fmt.Errorf("network: data set %s: no data folder given: expected one with %s/%s", d.Name, d.Folder, edgeFiles[0])
	}
	files := edgeFiles
	if d.Typed {
		files = []string{"papers.tsv.gz", "papers.tsv"}
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
	return fmt.Sprintf("network: data set %s is not here: expected %s; it comes from %s", e.Dataset.Name, e.Path, e.Dataset.URL)
}

// OriginFile says in the folder of a data set which published files it was made of.
const OriginFile = "published.json"

// Unexpected says whether the folder of a data set has no file of that name, so that replacing it would lose something else.
func Unexpected(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	known := []string{"edges", SplitFolder, "labels", "features", "papers", "candidates"}
	return !slices.Contains(known, stem) && name != OriginFile
}
