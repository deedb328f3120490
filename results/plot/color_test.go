package plot

import (
	"image/color"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// A method has the same colour in the report as in pictures of curves, where asp2vec comes first and DeepWalk second. The report's
// styles are numbered by the methods of Table 1: DeepWalk is s0, asp2vec s5.
func TestColorsOfMethods(t *testing.T) {
	css, err := os.ReadFile("../webpage/html/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for style, want := range map[string]color.NRGBA{"s5": lookOf(0).color, "s0": lookOf(1).color} {
		for i, m := range regexp.MustCompile(`--`+style+`: #(..)(..)(..)`).FindAllSubmatch(css, -1) {
			var rgb [3]int
			for j := range rgb {
				n, err := strconv.ParseUint(string(m[j+1]), 16, 8)
				if err != nil {
					t.Fatal(err)
				}
				rgb[j] = int(n)
			}
			// Dark and darker grounds want other shades of one hue.
			if (rgb[0] > rgb[2]) != (want.R > want.B) || (rgb[1] > rgb[2]) != (want.G > want.B) {
				t.Errorf("theme %d has %s in %v, pictures have %v", i, style, rgb, want)
			}
		}
	}
}
