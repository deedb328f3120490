package hetnet

// How long words are trained where nobody says it: until this many words have been read, again and again in small texts. gensim's five
// passes come to as many over the texts that they were made for.
const (
	wordsRead    = 6_000_000
	fewestPasses = 5
	mostPasses   = 100
)

// WordEpochs returns how often texts of so many words, at least 0, are to be read:
//
//	clamp(ceil(6,000,000 / words), 5, 100)
func WordEpochs(words int64) int {
	return int(min(max((wordsRead+words-1)/max(words, 1), fewestPasses), mostPasses))
}
