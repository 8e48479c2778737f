// Package params hands its channels to another package.
package params

import "params/helper"

func use(...any) {}

func closed() {
	ch := make(chan int, 1)
	helper.Finish(1, ch)
	ch <- 1 // want `closed sends to ch here, which is closed at params.go:10: that panics`
}

func kept() {
	ch := make(chan int)
	helper.Keep(ch)
	for x := range ch {
		use(x)
	}
}
