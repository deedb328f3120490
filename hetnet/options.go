package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// Values of options.
const (
	ContextPaper  = "paper"
	ContextAuthor = "author"
	ContextBoth   = "both"

	VariantHeads   = "heads"   // a paper's vector times a matrix of each aspect
	VariantLiteral = "literal" // nothing, as the paper has it: contexts that are papers cannot tell aspects apart

	AllMetaPaths = "all" // those that the bibliography has the venues and references for

	EncoderGRU  = "gru"
	EncoderMean = "mean"

	AuthorsFree   = "free"   // vectors of their own
	AuthorsPapers = "papers" // what the encoder makes of their other papers; see made

	CellResetAfter  = "reset-after"
	CellResetBefore = "reset-before"
)

// PaperOptions are the options of the methods on papers and authors that no other method has; the part at each says which of them
// reads which.
type PaperOptions struct {
	// Such as APA, APPA, APVPA; or AllMetaPaths.
	MetaPaths string `json:"meta-paths" part:"walked" commas:"yes" default:"APA" group:"Papers and authors" help:"meta-paths of the walks, such as APA,APVPA; or all"`
	// Paper: paper.
	Context string `json:"aspect-context" part:"several" commas:"yes" default:"paper" group:"Papers and authors" help:"types of vertices in the window that select an aspect: paper, author or both"`
	Variant string `json:"aspect-variant" part:"several" default:"heads" of:"heads,literal" group:"Papers and authors" help:"how papers differ by aspect: heads or literal"`

	AuthorWeight float64 `json:"author-weight" part:"several" default:"1" range:"(0,)" group:"Papers and authors" help:"weight of windows around authors, relative to those around papers"`
	HeadNoise    float64 `json:"head-noise" part:"several" default:"0.01" range:"[0,)" group:"Papers and authors" help:"initial standard deviation of the heads around the identity"`

	FeatureHidden int `json:"feature-hidden" part:"features" range:"[0,65536]" zero:"one linear layer" group:"Papers and authors" help:"rectified units between two layers over features"`
	// Paper: gru.
	Encoder string `json:"encoder" part:"text" default:"gru" of:"gru,mean" group:"Papers and authors" help:"vector of a text: gru, or mean, a linear layer over the weighted mean of its words"`
	// reset-after as in PyTorch, reset-before as in TensorFlow 1.
	Cell string `json:"cell" part:"text" default:"reset-after" of:"reset-after,reset-before" group:"Papers and authors" help:"cell of the GRU that reads texts: reset-after or reset-before"`
	// Code: 100.
	TextLength  int    `json:"text-length" part:"text" default:"100" range:"[1,)" group:"Papers and authors" help:"maximum number of words of a text"`
	WordVectors string `json:"word-vectors" part:"text" commas:"yes" zero:"trained on the texts" group:"Papers and authors" help:"<FILE> of word vectors as word2vec text"`
	// Code: 128.
	WordDim int `json:"word-dim" part:"text" default:"128" range:"[1,65536]" group:"Papers and authors" help:"dimensions of word vectors that are trained"`
	// gensim and code: 5.
	WordEpochs int `json:"word-epochs" part:"text" default:"5" range:"[0,)" group:"Papers and authors" help:"passes over the texts to train word vectors; 0 chooses by their size"`

	// Paper: free.
	Authors     string `json:"authors" part:"text" default:"free" of:"free,papers" group:"Papers and authors" help:"vectors of authors: free, learnt one by one, or papers, made of their other papers"`
	AuthorPrior bool   `json:"author-prior" part:"text" group:"Papers and authors" help:"add β log(1+papers) to the score of an author; validation chooses β"`

	// Code: .1.
	Margin float64 `json:"margin" part:"triples" default:"0.1" range:"[0,)" group:"Papers and authors" help:"margin between an author and another one"`
	// Code: .1.
	Indirect float64 `json:"indirect" part:"triples" default:"0.1" range:"[0,)" group:"Papers and authors" help:"weight of pairs from walks"`
	// Camel's code: .001.
	Decay     float64 `json:"l2" part:"walked" default:"0.001" range:"[0,)" group:"Papers and authors" help:"weight of the sum of squares of all parameters"`
	MeanDecay bool    `json:"l2-mean" part:"walked" written:"given" group:"Papers and authors" help:"average --l2 over vectors instead of summing, so that it means the same in any network"`
	// Code: .15.
	Dropout float64 `json:"dropout" part:"pair" default:"0.15" range:"[0,1)" group:"Papers and authors" help:"dropout rate of the embedding of a pair"`
	// Code: .01.
	ContextRatio float64 `json:"context-ratio" part:"pair" default:"0.01" range:"(0,1]" group:"Papers and authors" help:"share of the context paths used in an epoch"`
}

// Own returns the options that methods on papers and authors have for themselves; zero values for another method's.
func Own(o graphs.Options) PaperOptions { return graphs.Own[PaperOptions](o) }
