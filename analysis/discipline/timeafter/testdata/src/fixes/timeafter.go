// Package timeafter has time limits that are to begin before the loop.
package timeafter

import "time"

func poll(ready func() bool) bool {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
outer:
	for {
		select {
		case <-tick.C:
			if ready() {
				break outer
			}
		case <-time.After(time.Minute): // want `this time limit of 1m0s never comes`
			return false
		}
	}
	return true
}

// With messages, it is not known what the limit is meant for.
func serve(in chan int) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case n := <-in:
			println(n)
		case <-time.After(time.Minute): // want `this time limit of 1m0s never comes`
			return
		}
	}
}

// The limit goes on to be needed.
func nag(ready func() bool) {
	tick := time.Tick(time.Second)
	for {
		select {
		case <-tick:
			if ready() {
				return
			}
		case <-time.After(time.Minute): // want `this time limit of 1m0s never comes`
			println("slow")
		}
	}
}
