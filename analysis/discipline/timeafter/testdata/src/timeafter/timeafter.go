// Package timeafter has time limits that are never reached, and many that are.
package timeafter

import "time"

func use(...any) {}

func ticker(in chan int) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case m := <-in:
			use(m)
		case <-tick.C:
			use("tick")
		case <-time.After(time.Minute): // want `this time limit of 1m0s never comes: the ticker at timeafter.go:15 comes every 1s, and each time the limit begins anew`
			return
		}
	}
}

func tick(in chan int) {
	t := time.Tick(10 * time.Millisecond)
	for {
		select {
		case <-t:
		case <-time.After(time.Second): // want `this time limit of 1s never comes`
			return
		}
	}
}

func poll(in chan int) {
	for {
		select {
		case m := <-in:
			use(m)
		case <-time.After(time.Second): // want `this time limit never comes: the select at timeafter.go:36 has a default, and the timer has just been made`
			return
		default:
		}
	}
}

// From here on everything is fine.

func idle(in chan int) {
	for {
		select {
		case m := <-in:
			use(m)
		case <-time.After(time.Minute):
			return
		}
	}
}

func once(in chan int) {
	deadline := time.After(time.Minute)
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
		case <-deadline:
			return
		default:
		}
	}
}

func faster() {
	slow := time.NewTicker(time.Hour)
	for {
		select {
		case <-slow.C:
		case <-time.After(time.Minute):
			use("minute")
		}
	}
}

func stopped(in chan int) {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
			tick.Stop()
		case <-time.After(time.Minute):
			return
		}
	}
}

func single(in chan int, d time.Duration) {
	tick := time.NewTicker(d)
	select {
	case <-in:
	case <-tick.C:
	case <-time.After(time.Minute):
	}
}
