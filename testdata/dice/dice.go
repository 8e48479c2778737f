// Package dice rolls dice on several goroutines, by way of the top-level functions of math/rand and math/rand/v2,
// and of crypto/rand.
//
// # Counts
//
// Two players roll and hand in their sums: 2 orders of the sends, and 2 orders of the two cards that each player
// shuffles, as small draws are tried: 2·2·2. Each player rolls the same larger numbers in every order, because a process
// has its own sequence of random numbers. So the sums, ordered by player, make one outcome, and the order of arrival two.
package dice

import (
	crypto "crypto/rand"
	"math/big"
	old "math/rand"
	"math/rand/v2"
)

// Result is what one player has rolled.
type Result struct{ Player, Sum int }

// Play returns the results in the order of their arrival.
func Play() []Result {
	results := make(chan Result, 2)
	for player := range 2 {
		go func() { results <- Result{player, roll()} }()
	}
	return []Result{<-results, <-results}
}

// roll draws from all kinds of functions.
func roll() int {
	sum := rand.IntN(1000) + old.Intn(1000) + rand.Perm(100)[0]
	old.Shuffle(2, func(i, j int) { sum += 1000 })
	return sum + rand.N(1000) + secret()
}

func secret() int {
	n, err := crypto.Int(crypto.Reader, big.NewInt(1000))
	if err != nil {
		panic(err)
	}
	return int(n.Int64()) + len(crypto.Text())
}
