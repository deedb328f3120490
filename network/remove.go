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
// and at positions 0, every, 2·every, ... looks whether the network, which is connected, still is, whatever the direction of its links.
// If so the links deleted since the last look become test links, if not they are put back for good. It ends once target
// links are test links, each counted as often as size says. Links deleted after the last look are lost if the network stays connected, else they are put back.
func removeBatches(ctx context.Context, vertices int, links []Link, size func(Link) int, target, every int) ([]fate, error) {
	r := removal{ctx: ctx, forest: newForest(vertices), links: links, count: size, left: target, every: every, fates: make([]fate, len(links))}
	r.decide(0, 1+(len(links)+every-2)/every)
	return r.fates, ctx.Err()
}

// removal decides about batches by what is there without each: the links of later batches, and those that were put back. Both of a half of the batches are joined once for
// all batches of the other half, and so on, where a walk over the whole network for each would take the square of the time.
type removal struct {
	ctx context.Context
	*forest
	links       []Link
	count       func(Link) int // how often a link counts
	left, every int            // test links that are wanted still; links of a batch
	fates       []fate
}

// start returns the first link of a batch: the first batch has one.
func (r *removal) start(batch int) int {
	return min(max(0, 1+(batch-1)*r.every), len(r.links))
}

// decide decides about the batches first to end-1, where all that is there without them is joined.
func (r *removal) decide(first, end int) {
	if r.left <= 0 || r.ctx.Err() != nil {
		return
	}
	if end-first == 1 {
		r.settle(first)
		return
	}
	half, before := (first+end)/2, len(r.joined)
	r.rejoin(half, end)
	r.decide(first, half)
	r.part(before)
	r.rejoin(first, half)
	r.decide(half, end)
	r.part(before)
}

// settle decides about a batch.
func (r *removal) settle(batch int) {
	if r.trees() > 1 {
		return // its links stay
	}
	first, end := r.start(batch), r.start(batch+1)
	for i := first; i < end; i++ {
		if r.fates[i] = lose; (end-1)%r.every == 0 {
			r.fates[i] = remove
			r.left -= r.count(r.links[i])
		}
	}
}

// rejoin joins the ends of those links of batches that are not deleted.
func (r *removal) rejoin(first, end int) {
	for i := r.start(first); i < r.start(end) && r.trees() > 1; i++ {
		if r.fates[i] == keep {
			r.join(r.links[i].From, r.links[i].To)
		}
	}
}

// removeBy takes target links, in the given order, by a rule that tries them one by one: any with the rule
// random, with the rule linked those whose ends keep another link, else those of removeSingly. Each counts as
// often as size says; one that would exceed target is passed over.
func removeBy(rule string, vertices int, links []Link, size func(Link) int, target int) []fate {
	if rule != ruleLinked && rule != ruleRandom {
		return removeSingly(vertices, links, size, target)
	}
	degree := make([]int, vertices)
	for _, l := range links {
		degree[l.From]++
		degree[l.To]++
	}
	fates := make([]fate, len(links))
	for i, l := range links {
		count := size(l)
		if count > target || rule == ruleLinked && (l.From == l.To || degree[l.From] == 1 || degree[l.To] == 1) {
			continue
		}
		degree[l.From]--
		degree[l.To]--
		fates[i] = remove
		target -= count
	}
	return fates
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
