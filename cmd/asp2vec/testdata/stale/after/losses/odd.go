package losses

// Odd is a number of a method.
func Odd() uint64 { return 30 }
