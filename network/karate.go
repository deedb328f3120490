package network

import "strconv"

// karateLinks lists, for each member of the club, the friends with a higher number.
var karateLinks = [...][]int32{
	1: {2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32}, 2: {3, 4, 8, 14, 18, 20, 22, 31}, 3: {4, 8, 9, 10, 14, 28, 29, 33},
	4: {8, 13, 14}, 5: {7, 11}, 6: {7, 11, 17}, 7: {17}, 9: {31, 33, 34}, 10: {34}, 14: {34}, 15: {33, 34}, 16: {33, 34}, 19: {33, 34},
	20: {34}, 21: {33, 34}, 23: {33, 34}, 24: {26, 28, 30, 33, 34}, 25: {26, 28, 32}, 26: {32}, 27: {30, 34}, 28: {34}, 29: {32, 34},
	30: {33, 34}, 31: {33, 34}, 32: {33, 34}, 33: {34},
}

// karateInstructor are the members who stayed with the instructor, number 1, when the club broke up; the others went with its
// president, number 34.
var karateInstructor = [...]int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 20, 22}

// Karate returns Zachary's karate club, 34 members with ids 1 to 34 and 78 friendships, and the faction of each vertex after
// the club broke up: 0 the instructor's, 1 the president's, 17 members each.
//
// Source: W. W. Zachary, An information flow model for conflict and fission in small groups, Journal of Anthropological
// Research 33 (1977), 452-473. Member 9 counts where he went, not where his friends were.
func Karate() (*Network, []int32) {
	names := make([]string, 34)
	factions := make([]int32, len(names))
	for v := range names {
		names[v], factions[v] = strconv.Itoa(v+1), 1
	}
	for _, v := range karateInstructor {
		factions[v-1] = 0
	}
	var links []Link
	for u, friends := range karateLinks {
		for _, v := range friends {
			links = append(links, Link{int32(u - 1), v - 1})
		}
	}
	n, _ := build(names, links, nil, false)
	n.index = lazyIndex(names)
	return n, factions
}
