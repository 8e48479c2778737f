package strategy

// SetWide sets from how many alternatives on nodes do not keep them, and returns what it was.
func SetWide(n int) (before int) {
	before, wide = wide, n
	return before
}
