// Command main2 is explored through main and deadlocks in some orders. Two goroutines move money between the same two
// accounts in opposite directions, and each locks the account it takes from first.
//
// # Counts
//
// An account is a channel that has room for the token of whoever uses it. For each of the two accounts, either main or
// the other goroutine uses it first. Both first for one of them: 2 executions that end well. Each has the account it
// takes from first: the deadlock. Each has the other account first: impossible, since it comes second. 3 inequivalent
// executions, 1 of them a deadlock.
package main

import "fmt"

type account struct {
	busy    chan struct{}
	balance int
}

func main() {
	a, b := newAccount(10), newAccount(20)
	done := make(chan struct{})
	go func() {
		defer close(done)
		move(5, b, a)
	}()
	move(5, a, b)
	<-done
	fmt.Println(a.balance, b.balance)
}

func newAccount(balance int) *account {
	return &account{busy: make(chan struct{}, 1), balance: balance}
}

func move(amount int, from, to *account) {
	from.busy <- struct{}{}
	to.busy <- struct{}{}
	from.balance -= amount
	to.balance += amount
	<-to.busy
	<-from.busy
}
