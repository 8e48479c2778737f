//go:build go1.21

package timeafter

import "time"

// In a test, a timer that is left behind does no harm.
func oldTest(in chan int) {
	for {
		select {
		case m := <-in:
			use(m)
		case <-time.After(time.Minute):
			return
		}
	}
}
