package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The polynomials are minimax (Remez) fits by relative error, found with 40-digit arithmetic and then rounded to float32.
// The errors named are those of the unrounded fits in units of 2^-24; the tests of package kernel measure the whole functions.
var (
	// e^r = 1 + r + r² Σ c_i r^i, |r| <= ln(2)/2; 0.05.
	expPoly = []float32{0.5, 0.166665181517601, 0.04166620597243309, 0.008368953131139278, 0.0013950603315606713}
	// log(1+t) = t Σ c_i t^i, 0 <= t <= 1; 0.08.
	log1pPoly = []float32{1, -0.4999990165233612, 0.3332996368408203, -0.24954132735729218, 0.19675937294960022,
		-0.15305589139461517, 0.10603652149438858, -0.05695952847599983, 0.01985146850347519, -0.0032440286595374346}
	// log(1+f) = f - f²/2 + f³ Σ c_i f^i, sqrt(1/2) <= 1+f <= sqrt(2); 0.10.
	logPoly = []float32{0.3333333134651184, -0.2500081956386566, 0.20001226663589478, -0.1662335842847824,
		0.14201751351356506, -0.1316017061471939, 0.12761618196964264, -0.07634570449590683}
	// tanh x = x + x³ Σ c_i x^2i, |x| <= 5/8; 0.08.
	tanhPoly = []float32{-0.3333328068256378, 0.13331441581249237, -0.05373971536755562, 0.0206390880048275, -0.005704987328499556}
)

// scalars are the other constants, as bits. ln 2 is split into a head of 9 bits, whose product with an exponent is exact,
// and the rest.
var scalars = map[string]uint32{
	"one":       math.Float32bits(1),
	"half":      math.Float32bits(0.5),
	"log2e":     math.Float32bits(math.Log2E),
	"ln2head":   math.Float32bits(0.693359375),
	"ln2rest":   math.Float32bits(math.Ln2 - 0.693359375),
	"expMin":    math.Float32bits(-104), // e^-104 is less than half the least denormal
	"expMax":    math.Float32bits(89),   // e^89 is more than MaxFloat32
	"expNormal": math.Float32bits(-87),  // e^-87 is normal
	"bias":      127,                    // of a float32 exponent
	"signBit":   1 << 31,
	"absBits":   1<<31 - 1,
	"sqrtHalf":  math.Float32bits(math.Sqrt2 / 2),
	"normal":    1 << 23,                   // bits of the least normal float32
	"scaleUp":   math.Float32bits(1 << 25), // makes every denormal normal
	"scaleDn":   math.Float32bits(-25),     // and the exponent that undoes it
	"inf":       math.Float32bits(float32(math.Inf(1))),
	"negInf":    math.Float32bits(float32(math.Inf(-1))),
	"unit":      math.Float32bits(0x1p-23),
	"tiny":      math.Float32bits(0x1p-110), // tinyMoment in optimizer.go
	"tanhNear":  math.Float32bits(25. / 64), // the square of tanhPoly's end
}

// order fixes the place of each scalar in the table, so that the output is the same every time.
var order = []string{"one", "half", "log2e", "ln2head", "ln2rest", "expMin", "expMax", "expNormal", "bias", "signBit", "absBits", "sqrtHalf",
	"normal", "scaleUp", "scaleDn", "inf", "negInf", "tiny", "unit",
	"tanhNear"}

var (
	maskTable Mem            // eight ones, eight zeros: the mask of the first n lanes starts 8-n words in
	constants map[string]Mem // by name, and by name and index for a polynomial: eight copies each
)

// defineTables writes the data sections.
func defineTables() {
	maskTable = GLOBL("mask", attr.RODATA|attr.NOPTR)
	for i := range 16 {
		word := U32(0)
		if i < 8 {
			word = math.MaxUint32
		}
		DATA(4*i, word)
	}
	constants = map[string]Mem{}
	table := GLOBL("constants", attr.RODATA|attr.NOPTR)
	offset := 0
	add := func(name string, bits uint32) {
		constants[name] = table.Offset(offset)
		for range 8 {
			DATA(offset, U32(bits))
			offset += 4
		}
	}
	for _, name := range order {
		add(name, scalars[name])
	}
	for _, p := range []struct {
		name  string
		terms []float32
	}{{"exp", expPoly}, {"log1p", log1pPoly}, {"log", logPoly}, {"tanh", tanhPoly}} {
		for i, c := range p.terms {
			add(term(p.name, i), math.Float32bits(c))
		}
	}
}

// term names the coefficient of degree i of a polynomial in the table.
func term(poly string, i int) string { return poly + string(rune('0'+i)) }
