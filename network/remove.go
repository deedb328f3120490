package network

import "context"

// fate is what a rule decides for a link.
type fate uint8

const (
	keep   fate = iota // stays in the training network
	remove             // becomes a test link
	lose               // belongs to neither
)

// one is the size of a link that counts once.
func one(Link) int { return 1 }

// removeBatches is the rule ce5, with batches of every links: it walks through the links in the given order, deletes each,
// and at positions 0, every, 2·every, ... looks whether the network is still connected, whatever the direction of its links.
// If so the links deleted since the last look become test links, if not they are put back for good. It ends once target
// links are test links, each counted as often as size says. Links deleted after the last look are lost if the network stays connected, else they are put back.
//
// A spanningTree says at once what a walk over the whole network would. Both give the same fates.
func removeBatches(ctx context.Context, vertices int, links []Link, size func(Link) int, target, every int) ([]fate, error) {
	tree := newSpanningTree(vertices, links)
	fates := make([]fate, len(links))
	removed, first := 0, 0 // first is the first link of the batch
	for j := range links {
		if j%every != 0 && j < len(links)-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		verdict := remove
		if j%every != 0 {
			verdict = lose
		}
		if tree.has(first, j+1) {
			tree.putBack(first, j+1)
			verdict = keep
		}
		for i := first; i <= j; i++ {
			fates[i] = verdict
		}
		if verdict == remove {
			for _, l := range links[first : j+1] {
				removed += size(l)
			}
			if removed >= target {
				break
			}
		}
		first = j + 1
	}
	return fates, nil
}

// removeSingly is the rule ce1, batches of one: it takes the first target links, in the given order, that can be deleted one
// after the other without disconnecting the network; fewer if there are fewer. Each counts as often as size says; one that would
// exceed target is passed over.
//
// Deleting links in order unless they are bridges leaves the spanning forest that Kruskal's algorithm builds on the reversed
// order, so one pass with a union-find replaces a search per link.
func removeSingly(vertices int, links []Link, size func(Link) int, target int) []fate {
	removable := make([]bool, len(links))
	f := newForest(vertices)
	for i := len(links) - 1; i >= 0; i-- {
		removable[i] = !f.join(links[i].From, links[i].To)
	}
	for i, l := range links { // a self-loop is all that an otherwise unlinked vertex has; not in a connected network
		if l.From == l.To && f.size[f.find(l.From)] == 1 {
			removable[i] = false
		}
	}
	fates := make([]fate, len(links))
	for i, l := range links {
		if target == 0 {
			break
		}
		if count := size(l); removable[i] && count <= target {
			fates[i] = remove
			target -= count
		}
	}
	return fates
}
