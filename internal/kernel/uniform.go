package kernel

// Uniform writes uniform numbers in (0,1) from a SplitMix64 stream in the given state, two for each 64 bits z of the stream:
//
//	dst[2i] = (z>>41 + 1/2) / 2^23     dst[2i+1] = (z>>9 mod 2^23 + 1/2) / 2^23
//
// and returns the state after the bits used; an odd last number uses up 64 bits. The same bits come from every variant.
//
// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
func Uniform(dst []float32, state uint64) (next uint64) {
	uniform(dst, state)
	return state + golden*uint64((len(dst)+1)/2)
}

const golden = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio

func uniformGeneric(dst []float32, state uint64) {
	const unit = 1.0 / (1 << 23)
	for i := 0; i < len(dst); i += 2 {
		state += golden
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		dst[i] = (float32(z>>41) + 0.5) * unit
		if i+1 < len(dst) {
			dst[i+1] = (float32(z>>9&(1<<23-1)) + 0.5) * unit
		}
	}
}
