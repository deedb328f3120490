package gru

import "fmt"

// texts is a batch of token sequences in the order in which a GRU works on them: longest first, so that each step goes over
// the first rows only, in blocks of rows that are worked on one by one. A token is a step of a row; tokens are numbered block
// by block, in a block step by step, and in a step row by row.
type texts struct {
	count   int     // B, of texts
	longest int     // S, words of the longest
	order   []int32 // text of each row; empty texts have none
	length  []int32 // of each row
	blocks  []textBlock
	starts  []int32 // of the steps of all blocks: first token of each, and one past the last

	words []int32 // the distinct words
	word  []int32 // of each token: its place in words
	first []int32 // of each word, and one past the last: where its tokens are in uses
	uses  []int32 // tokens word by word, in their order

	number []int32 // of the vocabulary: 1 + place in words, 0 for a word that is not there
	counts []int32
}

// textBlock is rows lo to hi-1.
type textBlock struct {
	lo, hi int
	starts []int32 // of its steps, and the end
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
	s.word = grown(s.word, tokens)
	s.divide(rows)
	s.enumerate(texts)
	s.listUses()
	return nil
}

func (s *texts) reset() {
	s.count, s.longest, s.order, s.length, s.blocks, s.starts = 0, 0, s.order[:0], s.length[:0], s.blocks[:0], s.starts[:0]
	for _, w := range s.words {
		s.number[w] = 0
	}
	s.words, s.word = s.words[:0], s.word[:0]
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

// divide numbers the tokens.
func (s *texts) divide(rows int) {
	n := len(s.order)
	steps := 0
	for lo := 0; lo < n; lo += rows {
		steps += int(s.length[lo]) + 1
	}
	s.starts = grown(s.starts, steps)
	steps, token := 0, int32(0)
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		b := textBlock{lo, hi, s.starts[steps:][:s.length[lo]+1]}
		steps += len(b.starts)
		live := hi
		for t := range b.starts {
			b.starts[t] = token
			for live > lo && int(s.length[live-1]) <= t {
				live--
			}
			token += int32(live - lo)
		}
		s.blocks = append(s.blocks, b)
	}
}

// enumerate lists the distinct words, in the order of their first tokens.
func (s *texts) enumerate(texts [][]int32) {
	for _, b := range s.blocks {
		for t := range len(b.starts) - 1 {
			for k := b.starts[t]; k < b.starts[t+1]; k++ {
				w := texts[s.order[b.lo+int(k-b.starts[t])]][t]
				if s.number[w] == 0 {
					s.words = append(s.words, w)
					s.number[w] = int32(len(s.words))
				}
				s.word[k] = s.number[w] - 1
			}
		}
	}
}

// listUses lists the tokens of each word.
func (s *texts) listUses() {
	n := len(s.words)
	s.first, s.uses = grown(s.first, n+1), grown(s.uses, len(s.word))
	clear(s.first)
	for _, u := range s.word {
		s.first[u]++
	}
	total := int32(0)
	for u, c := range s.first {
		total += c
		s.first[u] = total
	}
	for k := len(s.word) - 1; k >= 0; k-- {
		u := s.word[k]
		s.first[u]--
		s.uses[s.first[u]] = int32(k)
	}
}
