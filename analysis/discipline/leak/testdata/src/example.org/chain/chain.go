// Package chain calls another package for its callers.
package chain

import "example.org/answers"

// Result sends an answer of answers.
func Result(c chan int) { // want Result:"code waits"
	if c != nil {
		answers.Result(c)
	}
}
