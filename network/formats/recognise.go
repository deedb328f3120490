package formats

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// readable says what would be read, for errors.
const readable = "expected lines of two ids (tab, comma, semicolon or space), Matrix Market, GraphML, GML, GEXF, node-link JSON or a sparse matrix " +
	"of SciPy (.npz), plain or compressed with gzip, bzip2, xz or zstd"

// converted says what becomes of a file in a format that is not read, for errors.
const converted = "expected it converted, by the line of Python that docs/formats.md has for it"

// others are the beginnings of files that are known and not read.
var others = []struct{ magic, is, want string }{
	{"PAR1", "a Parquet file", converted}, {"ARROW1", "an Arrow file", converted}, {"\xff\xff\xff\xff", "an Arrow stream", converted},
	{">>graph6<<", "a graph6 file", converted}, {">>sparse6<<", "a sparse6 file", converted},
	{"\x93NUMPY", "a NumPy array", "expected a sparse matrix, as scipy.sparse.save_npz writes it"},
	{"MATLAB 5.0", "a MATLAB file", "expected scipy.io.mmwrite to make a Matrix Market file of it"},
	{"\xff\xfe", "UTF-16 text", "expected UTF-8"}, {"\xfe\xff", "UTF-16 text", "expected UTF-8"},
	{"\x1f\x8b", "compressed twice", "expected it compressed once"}, {"\xfd7zXZ", "compressed twice", "expected it compressed once"}, {"\x28\xb5\x2f\xfd", "compressed twice", "expected it compressed once"},
}

// endings are those of files in formats that are known and not read, whose content may look like a list of links.
var endings = map[string]string{
	".adjlist": "an adjacency list", ".multiline_adjlist": "an adjacency list", ".metis": "a METIS file", ".graph": "a METIS file",
	".dot": "a DOT file", ".gv": "a DOT file", ".g6": "a graph6 file", ".s6": "a sparse6 file", ".sif": "a SIF file", ".lgl": "an LGL file",
}

var (
	oldPickle  = regexp.MustCompile(`^\((dp|lp)\d*\n`)
	xmlRoot    = regexp.MustCompile(`(?s)^\s*(<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<([A-Za-z_][\w.:-]*)`)
	pajekStart = regexp.MustCompile(`(?i)^(\s*%[^\n]*\n|\s)*\*(vertices|network)\b`)
	gdfStart   = regexp.MustCompile(`(?i)^\s*(nodedef|edgedef)\s*>`)
	gmlStart   = regexp.MustCompile(`(?i)^(\s*#[^\n]*\n|\s*(creator|version|comment|isplanar|directed)[ \t][^\n]*\n|\s)*graph\s*\[`)
	dotStart   = regexp.MustCompile(`(?i)^(\s*#[^\n]*\n|\s*//[^\n]*\n|(?s:\s*/\*.*?\*/)|\s)*(strict\s+)?(di)?graph(\s+("[^"]*"|[\w.-]+))?\s*\{`)
	bibStart   = regexp.MustCompile(`(?i)^(\s*%[^\n]*\n|\s)*@[a-z]+\s*[{(]`)
	// of RIS, Web of Science and AMiner
	bibliography = regexp.MustCompile(`^\s*(TY  - |FN [^\n]*\nVR |(\d+\n)?#\*[^\n]*\n#@)`)

	jsonStart  = regexp.MustCompile(`^\s*[\[{]`)
	jsonWithin = regexp.MustCompile(`^\s*(\{\s*(["}]|$)|\[\s*([{\["\]\d-]|true|false|null|$))`)
	bracketed  = regexp.MustCompile(`^\s*(\[[^\[\]{}\n]*\]|\{[^\[\]{}\n]*\})[^\s,;]*[\t ,;]+[^\s{]`) // an id such as [Main], and another
)

// isJSON says whether a text begins as JSON does, and not as a line of links whose first id begins with a bracket.
func isJSON(head []byte) bool {
	return jsonStart.Match(head) && !bracketed.Match(head) && (jsonWithin.Match(head) || !strings.Contains(firstLine(head), "\t"))
}

// recognise returns the format of a file by its first bytes, and by its name where these leave it open.
func recognise(head []byte, name string) (string, error) {
	if len(head) == 0 {
		return "", errors.New("is empty: " + readable)
	}
	for _, o := range others {
		if bytes.HasPrefix(head, []byte(o.magic)) {
			return "", fmt.Errorf("is %s: %s", o.is, o.want)
		}
	}
	ending := extension(name)
	body := bytes.TrimPrefix(head, []byte("\ufeff"))
	switch {
	case network.Written(body):
		return Links, nil // whatever its ids look like
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		if bytes.Contains(head[:min(200, len(head))], []byte(".npy")) {
			return NPZ, nil
		}
		for within, is := range map[string]string{"xl/": "a workbook of Excel: expected a sheet of it saved as CSV", "/data.pkl": "a file of PyTorch: expected its numbers as text, or in a .npz of SciPy"} {
			if bytes.Contains(head, []byte(within)) {
				return "", errors.New("is " + is)
			}
		}
		return "", errors.New("is a zip archive: expected the file in it, or a sparse matrix of SciPy (.npz)")
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "", errors.New("is a tar archive: expected the file in it")
	case len(head) > 1 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5, oldPickle.Match(head):
		return "", errors.New("is a pickle of Python: expected a split that the authors pickled, for data import, or a network that networkx has written as text")
	case bytes.HasPrefix(body, []byte("%%MatrixMarket")), bytes.HasPrefix(body, []byte("%MatrixMarket")):
		return MatrixMarket, nil
	case ending == ".mtx":
		return "", errors.New("has no first line %%MatrixMarket: expected one, or --network-format links if it is an edge list")
	case bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("<")):
		return recogniseXML(body)
	case gdfStart.Match(body):
		return "", errors.New("is a GDF file: expected it as GEXF or GraphML, which Gephi writes of it")
	case pajekStart.Match(body):
		return "", errors.New("is a Pajek file: " + converted)
	case gmlStart.Match(body):
		return GML, nil
	case dotStart.Match(body):
		return "", errors.New("is a DOT file: " + converted)
	case bibStart.Match(body):
		return "", errors.New("looks like BibTeX: expected a table of papers, which the lines of Python in docs/typed.md make of it")
	case bibliography.Match(body):
		return "", errors.New("is a bibliography (RIS, Web of Science or AMiner): expected a table of papers, which the lines of Python in docs/typed.md make of it")
	case isJSON(body):
		return NodeLink, nil
	case bytes.IndexByte(head, 0) >= 0:
		return "", fmt.Errorf("is binary and starts with %q: %s", head[:min(8, len(head))], readable)
	}
	if is := endings[ending]; is != "" {
		return "", fmt.Errorf("is named %s, as %s: %s; or --network-format links if it is an edge list", ending, is, converted)
	}
	switch ending {
	case ".gml", ".gexf", ".graphml", ".json":
		return "", fmt.Errorf("is named %s but starts with %.40q: expected the format of its name, or --network-format links", ending, firstLine(body))
	}
	return Links, nil
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(b, " \t\r\n"), []byte("\n"))
	return strings.TrimRight(string(line), "\r")
}

func recogniseXML(head []byte) (string, error) {
	m := xmlRoot.FindSubmatch(head)
	if m == nil {
		return "", errors.New("starts like XML but has no element: expected GraphML or GEXF")
	}
	root := string(m[2])
	if _, local, ok := strings.Cut(root, ":"); ok {
		root = local
	}
	switch strings.ToLower(root) {
	case "graphml":
		return GraphML, nil
	case "gexf":
		return GEXF, nil
	case "html":
		return "", errors.New("is a web page: expected the file itself; was it saved from a page that links to it?")
	}
	return "", fmt.Errorf("is XML of <%s>: expected GraphML or GEXF, or --network-format links if it is an edge list", root)
}
