package world

import (
	"hash/fnv"
	"math/rand/v2"
)

// Chance holds the sequences of random numbers. Each process has its own, which its path and the
// seed determine, so that the numbers that it sees do not depend on the schedule.
var Chance struct {
	Sequences []*rand.PCG // by process; nil: not begun in this execution
	Temps     []*rand.PCG // likewise, for names of temporary files
}

// RestartRandom lets all processes begin their sequences anew.
func RestartRandom() {
	clear(Chance.Sequences)
	clear(Chance.Temps)
}

// NextRandom returns the calling process's next number.
func NextRandom() uint64 {
	p := W.Enter()
	defer p.Leave()
	p.Draws()
	for int(p.ID) >= len(Chance.Sequences) {
		Chance.Sequences = append(Chance.Sequences, nil)
	}
	if Chance.Sequences[p.ID] == nil {
		h := fnv.New64a()
		h.Write([]byte(p.Path()))
		Chance.Sequences[p.ID] = rand.NewPCG(Setup.Seed, h.Sum64())
	}
	return Chance.Sequences[p.ID].Uint64()
}

// DrawNumber is the hidden choice of a number below n.
func DrawNumber(n, usual uint64) uint64 {
	p := W.Enter()
	v := W.Hidden.Draw(p, &Scratch(p).Hidden, n, usual)
	p.Leave()
	return v
}

// SampleNumber is the hidden choice of a number from a range that cannot be explored in full.
func SampleNumber() int {
	p := W.Enter()
	i := W.Hidden.Sample(p, &Scratch(p).Hidden)
	p.Leave()
	return i
}

// Permutes reports whether a permutation of n values is fixed as a whole.
func Permutes(n int) bool {
	p := W.Enter()
	is := W.Hidden.Permutes(n)
	p.Leave()
	return is
}

// FixedNumber notes that a value is drawn of which only the usual one is explored.
func FixedNumber() {
	p := W.Enter()
	W.Hidden.Fixed()
	p.Leave()
}
