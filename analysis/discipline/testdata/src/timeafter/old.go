//go:build go1.21

package timeafter

import "time"

func old(in chan int) {
	for {
		select {
		case m := <-in:
			use(m)
		case <-time.After(time.Minute): // want `each message that comes at old.go:10 leaves a timer of 1m0s behind in memory`
			return
		}
	}
}

func oldShort(in, quit chan struct{}) {
	for {
		select {
		case <-in:
		case <-time.After(time.Millisecond):
		case <-quit:
			return
		}
	}
}
