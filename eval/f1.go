package eval

// F1 is how well labels were predicted, in [0,1].
type F1 struct {
	Micro float64 `json:"micro"` // of all predictions together
	Macro float64 `json:"macro"` // mean over labels; a label that is neither there nor predicted counts 0
}

// labelCounts counts right and wrong predictions of each label.
type labelCounts struct{ hit, extra, missed []int }

func newLabelCounts(labels int) labelCounts {
	return labelCounts{make([]int, labels), make([]int, labels), make([]int, labels)}
}

// add counts the labels of one thing; both lists are sorted and have each label once.
func (c labelCounts) add(truth, predicted []int32) {
	i, j := 0, 0
	for i < len(truth) || j < len(predicted) {
		switch {
		case j == len(predicted) || i < len(truth) && truth[i] < predicted[j]:
			c.missed[truth[i]]++
			i++
		case i == len(truth) || predicted[j] < truth[i]:
			c.extra[predicted[j]]++
			j++
		default:
			c.hit[truth[i]]++
			i++
			j++
		}
	}
}

// f1 is 2·hit / (2·hit + extra + missed), over all labels and for each.
func (c labelCounts) f1() F1 {
	ratio := func(hit, extra, missed int) float64 {
		if hit == 0 {
			return 0
		}
		return 2 * float64(hit) / float64(2*hit+extra+missed)
	}
	var out F1
	hit, extra, missed := 0, 0, 0
	for l := range c.hit {
		hit, extra, missed = hit+c.hit[l], extra+c.extra[l], missed+c.missed[l]
		out.Macro += ratio(c.hit[l], c.extra[l], c.missed[l]) / float64(len(c.hit))
	}
	out.Micro = ratio(hit, extra, missed)
	return out
}
