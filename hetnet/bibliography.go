// Package hetnet is about networks of papers and authors: their data, walks along meta-paths, models that encode the text of
// a paper and learn a vector, or several, for each author, and the task of naming a paper's authors.
package hetnet

// Bibliography is a network of papers, authors and venues. Its authors are those of the training papers: nothing could be
// learnt about others.
type Bibliography struct {
	Name    string
	Papers  []Paper // in the order of the source
	Authors []string
	Venues  []string
	Words   []string // the vocabulary; tokens are places in it

	Train []int32 // papers to learn from, in order
	Test  []int32 // papers whose authors are to be named, each with an author among Authors and candidates
}

// Paper is one paper. Numbers are places in the lists of its bibliography.
type Paper struct {
	Name       string
	Venue      int32   // -1 where there is none
	Authors    []int32 // distinct; of a test paper those that are in training papers
	Cites      []int32 // training papers, distinct
	Tokens     []int32 // in the order of the text
	Candidates []int32 // of a test paper: authors that are not its own to tell it from, with repetitions as in the source
}
