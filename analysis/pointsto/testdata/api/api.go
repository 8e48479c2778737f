// Package api is called by unknown code only.
package api

type T struct {
	Next *T
	ch   chan int
}

func New() *T { return &T{ch: make(chan int)} }

func Take(t *T) { print(t) }

func Chan(t *T) { print(t.ch) }

func Apply(f func(*T) *T) { print(f(nil)) }

func hide(t *T) { print(t) }

func Call() { hide(&T{}) }
