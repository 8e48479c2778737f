//go:build go1.21

package semantics

func perLoop() {
	c := filled(1, 2, 3)
	var fs []func() int
	for v := range c {
		fs = append(fs, func() int { v *= 10; return v })
	}
	for _, f := range fs {
		logf("per loop %d", f())
	}
	for v := range filled(4, 5) {
		v := v
		defer func() { logf("deferred %d", v) }()
	}
}
