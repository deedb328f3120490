package gru

import "fmt"

// texts is a batch of token sequences in the order in which a GRU works on them: longest first, so that each step goes over
// the first rows only, in blocks of rows that are worked on one by one. Texts that begin with the same word share its step. A token
// is such a first step, or a later step of a row; the first ones come first, then the others block by block, in a block step by
// step, and in a step row by row.
type texts struct {
	count   int     // B, of texts
	longest int     // S, words of the longest
	order   []int32 // text of each row; empty texts have none
	length  []int32 // of each row
	root    []int32 // of each row: its first token
	roots   int     // first tokens
	blocks  []textBlock
	starts  []int32 // of the later steps of all blocks: first token of each, and one past the last

	words  []int32 // the distinct words; those that texts begin with come first
	word   []int32 // of each token: its place in words
	tokens lists   // of each word
	rows   lists   // of each first token

	number []int32 // of the vocabulary: 1 + place in words, 0 for a word that is not there
	counts []int32
}

// textBlock is rows lo to hi-1.
type textBlock struct {
	lo, hi int
	starts []int32 // of its steps after the first, and the end
}

// step returns where the tokens of step t >= 1 begin, and how many there are, of the first rows.
func (b *textBlock) step(t int) (first, n int) {
	return int(b.starts[t-1]), int(b.starts[t] - b.starts[t-1])
}

// lists are lists of numbers one after the other.
type lists struct {
	start []int32 // of each, and one past the last
	all   []int32
}

func (l *lists) of(i int) []int32 { return l.all[l.start[i]:l.start[i+1]] }

// set lists the places of each number from 0 to n-1, in their order.
func (l *lists) set(numbers []int32, n int) {
	l.start, l.all = grown(l.start, n+1), grown(l.all, len(numbers))
	clear(l.start)
	for _, u := range numbers {
		l.start[u]++
	}
	total := int32(0)
	for u, c := range l.start {
		total += c
		l.start[u] = total
	}
	for k := len(numbers) - 1; k >= 0; k-- {
		u := numbers[k]
		l.start[u]--
		l.all[l.start[u]] = int32(k)
	}
}

// arrange sets the texts, of words in [0,vocabulary).
func (s *texts) arrange(texts [][]int32, vocabulary, rows int) error {
	longest, tokens := 0, 0
	for i, text := range texts {
		for _, w := range text {
			if w < 0 || int(w) >= vocabulary {
				s.reset()
				return fmt.Errorf("gru: text %d has word %d: expected 0 to %d", i, w, vocabulary-1)
			}
		}
		longest, tokens = max(longest, len(text)), tokens+len(text)
	}
	s.reset()
	s.count, s.longest = len(texts), longest
	s.sort(texts, longest)
	if s.number == nil {
		s.number = make([]int32, vocabulary)
	}
	s.begin(texts)
	s.word = grown(s.word, tokens-len(s.order)+len(s.words))
	s.divide(rows)
	s.enumerate(texts)
	s.tokens.set(s.word, len(s.words))
	return nil
}

func (s *texts) reset() {
	s.count, s.longest, s.order, s.length, s.blocks, s.starts = 0, 0, s.order[:0], s.length[:0], s.blocks[:0], s.starts[:0]
	for _, w := range s.words {
		s.number[w] = 0
	}
	s.words, s.word, s.roots = s.words[:0], s.word[:0], 0
}

// sort orders the texts by length, equal ones as they came.
func (s *texts) sort(texts [][]int32, longest int) {
	s.counts = grown(s.counts, longest+2)
	clear(s.counts)
	for _, text := range texts {
		s.counts[longest-len(text)+1]++
	}
	for i := range longest {
		s.counts[i+1] += s.counts[i]
	}
	rows := int(s.counts[longest]) // those of length 0 come after
	s.order, s.length = grown(s.order, rows), grown(s.length, rows)
	for i, text := range texts {
		if len(text) > 0 {
			at := &s.counts[longest-len(text)]
			s.order[*at], s.length[*at] = int32(i), int32(len(text))
			*at++
		}
	}
}

// begin numbers the first tokens, as their words.
func (s *texts) begin(texts [][]int32) {
	s.root = grown(s.root, len(s.order))
	for row, text := range s.order {
		s.root[row] = s.place(texts[text][0])
	}
	s.roots = len(s.words)
	s.rows.set(s.root, s.roots)
}

// place returns a word's place in words.
func (s *texts) place(w int32) int32 {
	if s.number[w] == 0 {
		s.words = append(s.words, w)
		s.number[w] = int32(len(s.words))
	}
	return s.number[w] - 1
}

// divide numbers the other tokens.
func (s *texts) divide(rows int) {
	n := len(s.order)
	steps := 0
	for lo := 0; lo < n; lo += rows {
		steps += int(s.length[lo])
	}
	s.starts = grown(s.starts, steps)
	steps, token := 0, int32(len(s.words))
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		b := textBlock{lo, hi, s.starts[steps:][:s.length[lo]]}
		steps += len(b.starts)
		live := hi
		for t := range b.starts {
			b.starts[t] = token
			for live > lo && int(s.length[live-1]) <= t+1 {
				live--
			}
			token += int32(live - lo)
		}
		s.blocks = append(s.blocks, b)
	}
}

// enumerate lists the distinct words, in the order of their first tokens.
func (s *texts) enumerate(texts [][]int32) {
	for k := range s.words {
		s.word[k] = int32(k)
	}
	for _, b := range s.blocks {
		for t := 1; t < len(b.starts); t++ {
			first, n := b.step(t)
			for r := range n {
				s.word[first+r] = s.place(texts[s.order[b.lo+r]][t])
			}
		}
	}
}
