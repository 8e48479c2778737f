package hook

import (
	"hash/fnv"
	"math/rand/v2"
)

// chance holds the sequences of random numbers. Each process has its own, which its path and the
// seed determine, so that the numbers that it sees do not depend on the schedule.
var chance struct {
	sequences []*rand.PCG // by process; nil: not begun in this execution
	temps     []*rand.PCG // likewise, for names of temporary files
}

// restartRandom lets all processes begin their sequences anew.
func restartRandom() {
	clear(chance.sequences)
	clear(chance.temps)
}

// nextRandom returns the calling process's next number.
func nextRandom() uint64 {
	p := w.Enter()
	defer p.Leave()
	p.Draws()
	for int(p.ID) >= len(chance.sequences) {
		chance.sequences = append(chance.sequences, nil)
	}
	if chance.sequences[p.ID] == nil {
		h := fnv.New64a()
		h.Write([]byte(p.Path()))
		chance.sequences[p.ID] = rand.NewPCG(config.Seed, h.Sum64())
	}
	return chance.sequences[p.ID].Uint64()
}

// drawNumber is the hidden choice of a number below n.
func drawNumber(n, usual uint64) uint64 {
	p := w.Enter()
	v := w.hidden.Draw(p, &scratch(p).hi, n, usual)
	p.Leave()
	return v
}

// sampleNumber is the hidden choice of a number from a range that cannot be explored in full.
func sampleNumber() int {
	p := w.Enter()
	i := w.hidden.Sample(p, &scratch(p).hi, 0)
	p.Leave()
	return i
}

// permutes reports whether a permutation of n values is fixed as a whole.
func permutes(n int) bool {
	p := w.Enter()
	is := w.hidden.Permutes(n)
	p.Leave()
	return is
}

// fixedNumber notes that something is drawn of which nothing but the usual value is explored.
func fixedNumber() {
	p := w.Enter()
	w.hidden.Fixed()
	p.Leave()
}
