// Package chance has programs that depend on random numbers and on the order in which maps are iterated.
//
// # Counts
//
// With hidden choices fixed, and with -choices rand,maps:
//
//   - Transfer: two goroutines lock the same two accounts, each in the order of a range over its own map. Fixed: 2, for
//     who locks the first account first. Explored: 2 + 2 if both go in the same direction; 3 + 3 if they do not, of which
//     one each is a deadlock: 10.
//   - Elect: two candidates draw one of 4 numbers and hand them in: 2 orders of the sends. Explored: 4*4*2 = 32. A tie,
//     8 of these, ends in a deadlock.
//   - Deal: a shuffle of 3 cards. Fixed: 1. Explored: 3! = 6.
//   - Roll: two dice, by the functions of math/rand and of math/rand/v2. Fixed: 1. Explored: 6*6 = 36.
//   - Visit: a range over a, b and c that deletes c when it comes to a. Fixed: 1. Explored: 5, for 2 of the 3! = 6 orders
//     begin with a and go on with b.
//   - Grow: a range over 1 and 2, in which 1 adds 3. Go may produce 3 after 1, or not: 1 2, 1 2 3, 1 3 2, 2 1, 2 1 3.
//     Fixed: 1. Explored: 5.
package chance

import (
	"fmt"
	"maps"
	old "math/rand"
	"math/rand/v2"
	"sync"
)

// Transfer locks accounts in the order of a map.
func Transfer() {
	accounts := map[string]*sync.Mutex{"alice": new(sync.Mutex), "bob": new(sync.Mutex)}
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			for _, mu := range maps.Clone(accounts) {
				mu.Lock()
				defer mu.Unlock()
			}
			wg.Done()
		}()
	}
	wg.Wait()
}

// Elect returns the candidate that has drawn the higher number, and does not return if there is none.
func Elect() int {
	type ballot struct{ candidate, number int }
	box := make(chan ballot, 2)
	for candidate := range 2 {
		go func() { box <- ballot{candidate, rand.IntN(4)} }()
	}
	switch a, b := <-box, <-box; {
	case a.number > b.number:
		return a.candidate
	case a.number < b.number:
		return b.candidate
	}
	return (<-box).candidate
}

// Deal shuffles three cards.
func Deal() string {
	cards := []byte("JQK")
	rand.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return string(cards)
}

// Roll rolls two dice.
func Roll() string { return fmt.Sprint(1+rand.N(6), 1+old.Intn(6)) }

// Visit deletes a key while it iterates.
func Visit() (seen string) {
	m := map[string]bool{"a": true, "b": true, "c": true}
	for k := range maps.Keys(m) {
		seen += k
		if k == "a" {
			delete(m, "c")
		}
	}
	return seen
}

// Grow adds a key while it iterates.
func Grow() (seen string) {
	m := map[int]bool{1: true, 2: true}
	for k := range m {
		seen += fmt.Sprint(k)
		if k == 1 {
			m[3] = true
		}
	}
	return seen
}
