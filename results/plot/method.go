package plot

import "slices"

// methodOrder is which of looks a method has: the hue that the report's styles give it.
var methodOrder = []string{"asp2vec", "deepwalk", "dgi", "polydw", "splitter", "node2vec"}

// curveLooks returns a look for each series: the first of a method has that of the method, whatever else is drawn, and others have
// the first that is free.
func curveLooks(series []CurveSeries) []look {
	place := make([]int, len(series))
	var taken []int
	for i, s := range series {
		place[i] = -1
		if len(s.Records) == 0 {
			continue
		}
		if at := slices.Index(methodOrder, s.Records[0].Method); at >= 0 && !slices.Contains(taken, at) {
			place[i], taken = at, append(taken, at)
		}
	}
	all := make([]look, len(series))
	free := 0
	for i := range series {
		if place[i] < 0 {
			for slices.Contains(taken, free) {
				free++
			}
			place[i], taken = free, append(taken, free)
		}
		all[i] = lookOf(place[i])
	}
	return all
}
