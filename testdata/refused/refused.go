// Package refused has tests that use what only the real world decides. Processes and other hosts
// must be refused when a test comes to them, with the position of the call; the lines end in
// "// REFUSED name". Statistics of the runtime are fixed. TestPlain uses nothing of that kind: it
// must be explorable, in the same package, with 2 inequivalent executions (two sends on one
// channel).
package refused

import (
	"net"
	"os/exec"
	"runtime"
	"runtime/pprof"
)

// Crowd answers how many goroutines there are.
func Crowd(answer chan<- int) {
	answer <- pprof.Lookup("goroutine").Count()
}

// Started reports whether a program could be run.
func Started(name string) bool {
	return exec.Command(name).Run() == nil // REFUSED exec.Cmd.Run
}

// Connected reports whether a server of another host could be reached.
func Connected() bool {
	c, err := net.Dial("tcp", "192.0.2.1:80") // REFUSED net.Dial
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Dice has n goroutines throw a die and returns the sum.
func Dice(n int) int {
	eyes := make(chan int, n)
	for range n {
		go func() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			eyes <- 1 + int(m.Mallocs%6)
		}()
	}
	sum := 0
	for range n {
		sum += <-eyes
	}
	return sum
}

// Both returns what two goroutines sent, in the order of arrival.
func Both() [2]int {
	ch := make(chan int, 2)
	go func() { ch <- 1 }()
	go func() { ch <- 2 }()
	return [2]int{<-ch, <-ch}
}
