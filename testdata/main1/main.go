// Command main1 has no tests: it is explored through main. Two workers square two numbers, and main adds up.
//
// # Counts
//
// The workers hand their results over on one unbuffered channel, in either order: 2 inequivalent executions. The sum is
// the same.
package main

import "fmt"

func main() {
	results := make(chan int)
	go square(3, results)
	go square(4, results)
	fmt.Println(<-results + <-results)
}

func square(n int, results chan<- int) { results <- n * n }
