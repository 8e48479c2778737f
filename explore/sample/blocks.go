package sample

import (
	"math/rand/v2"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// Block is the number of executions of a block.
const Block = 100

// A Walker is a strategy of which blocks are made.
type Walker interface {
	explore.Strategy
	SetSpins(n int)
	Chance() Chance // of a bug that all executions so far have missed; zero: nothing is known
}

// Blocks is a randomised strategy in blocks of executions. A block is a function of the seed and of
// the block's number: in each block, the strategy learns anew how long executions are, for example.
// So the executions of a seed are the same whichever processes run its blocks.
//
// The first block has the seed itself, so a short search has the executions of the strategy.
type Blocks struct {
	Walker
	make  func(seed uint64, before int) Walker
	seed  uint64
	spins int

	first  int       // number of the first block
	most   int       // executions; 0: any number
	until  time.Time // after which no block begins but the first one; zero: any block may
	begun  int       // executions
	chance Chance    // of the blocks that are over
}

// NewBlocks returns the blocks of a strategy, from the first one on. make makes a strategy that
// goes on where one with another seed has made so many executions.
func NewBlocks(seed uint64, make func(seed uint64, before int) Walker) *Blocks {
	b := &Blocks{make: make, seed: seed}
	b.enter()
	return b
}

// Portion makes b, which has not begun, run most executions at most (0: there is no bound) from a
// block on. After until, no other block begins.
func (b *Blocks) Portion(first, most int, until time.Time) {
	b.first, b.most, b.until = first, most, until
	b.enter()
}

// enter begins a block.
func (b *Blocks) enter() {
	number := b.first + b.begun/Block
	seed := b.seed
	if number > 0 {
		seed = rand.New(rand.NewPCG(b.seed, uint64(number))).Uint64()
	}
	b.Walker = b.make(seed, number*Block)
	b.Walker.SetSpins(b.spins)
}

// SetSpins sets the bound on polls in vain.
func (b *Blocks) SetSpins(n int) {
	b.spins = n
	b.Walker.SetSpins(n)
}

// Begin implements explore.Strategy.
func (b *Blocks) Begin() bool {
	if b.most > 0 && b.begun == b.most {
		return false
	}
	if b.begun > 0 && b.begun%Block == 0 {
		if !b.until.IsZero() && time.Now().After(b.until) {
			return false
		}
		b.chance = b.Chance()
		b.enter()
	}
	b.begun++
	return b.Walker.Begin()
}

// Done is the number of blocks that have been begun.
func (b *Blocks) Done() int { return (b.begun + Block - 1) / Block }

// Chance implements Walker.
func (b *Blocks) Chance() Chance { return b.chance.Plus(b.Walker.Chance()) }

// Summary implements explore.Strategy.
func (b *Blocks) Summary() explore.Summary {
	s := b.Walker.Summary()
	s.Bound = b.Chance().Bound()
	return s
}
