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

// A message ends the loop, by a return, or because it is not nil.
func oldQuit(quit chan chan bool) {
	for {
		select {
		case answer := <-quit:
			close(answer)
			return
		case <-time.After(time.Minute):
			use("minute")
		}
	}
}

func oldNil(quit, other chan chan error) {
	var answer chan error
	for answer == nil {
		select {
		case answer = <-quit:
		case <-time.After(time.Minute):
			use("minute")
		}
	}
	answer <- nil
}

func oldNotNil(in chan chan error) {
	var last chan error
	for last == nil || len(in) > 0 {
		select {
		case last = <-in:
		case <-time.After(time.Minute): // want `each message that comes at old.go:58 leaves a timer`
		}
	}
}
