package encode

// How long words are trained where nobody says it: until this many words have been read, again and again in small texts, and some
// times in larger ones, whose vocabulary is larger too. gensim's five passes were made for texts that are larger still.
const (
	wordsRead    = 6_000_000
	mostPasses   = 100
	fewestPasses = 15 // where these come to
	fewPassWords = 60_000_000
	leastPasses  = 5 // whatever they come to
)

// WordEpochs returns how often texts of so many words, at least 0, are to be read:
//
//	clamp(ceil(6,000,000 / words), clamp(60,000,000 / words, 5, 15), 100)
//
// Source: results/recipe/authors.md.
func WordEpochs(words int64) int {
	words = max(words, 1)
	fewest := min(max(fewPassWords/words, leastPasses), fewestPasses)
	return int(min(max((wordsRead+words-1)/words, fewest), mostPasses))
}
