package graphs

func init() { others = append(others, lineMethod) }

// lineMethod is LINE by second-order proximity: a skip-gram over links, which are walks of two vertices.
//
// Source: Tang et al., WWW 2015, Eq. (7). Differs: each vertex starts the same number of links, whatever its degree.
func lineMethod() *Method {
	return &Method{
		Name: "line", Title: "LINE",
		Source:   "Tang, Qu, Wang, Zhang, Yan, Mei, WWW 2015",
		Differs:  "each vertex starts the same number of links, whatever its degree",
		Scorings: []string{ScoringLR},
		Options:  []string{"corpus", "pairs", "vectors"},
		Formula:  "2·n·dim",
		Sets:     Sets{"always": {"dim": 100, "walks": 100, "walk-length": 2, "window": 1, "noise-power": 0.75}},
		Stages:   deepWalkMethod().Stages,
		Models:   deepWalkMethod().Models,
	}
}
