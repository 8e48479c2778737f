// Package shards divides a search by items (package items) among runs that do not talk to each
// other: jobs of a build matrix, say. Each run makes the same plan, explores its own items of the
// plan, and leaves a part file. Another run merges the files, and explores the rest.
//
// Vocabulary, with package items: a plan is a keeper with open items for all shards. Its nodes are
// shared: no shard claims the branches for which its races ask there; the shard notes them, and the
// merging run claims them. A shard is one of n runs, with a number from 1. A section of a part file
// is the result of a shard for one package.
//
// Lemma S1. Together, the shards and the run that merges them are one search by items, in another
// order. Each accepts the results of its items as one keeper would, except that asks at shared
// nodes wait. All of these are accepted before the search is done, so Lemma I1 of package dpor
// applies. TestPlan attacks the lemma.
//
// Guarantees: the plan follows from the program, the options and n. Its executions count once, in
// the file of shard 1, and each item belongs to one shard. So the parts of n shards, with the
// additions of the merging run, have the counts of a single run, or Merge refuses the parts.
//
// LIMITS: the shares of items are guesses, so some shards take longer than others. Each shard makes
// the whole plan, which is some executions for each item. Most branches at shared nodes are known
// from the plan's executions; the rest is left to the merging run.
package shards

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// Shard is one of several runs.
type Shard struct{ I, N int } // I is from 1 to N

// String is the shard as the flag has it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// most bounds the number of shards: a plan has items for each.
const most = 1000

// Parse reads "i/n".
func Parse(text string) (s Shard, err error) {
	i, n, _ := strings.Cut(text, "/")
	s.I, err = strconv.Atoi(i)
	if err == nil {
		s.N, err = strconv.Atoi(n)
	}
	switch {
	case err != nil:
		return s, fmt.Errorf("%q is no shard: write 3/8 for the third of eight, or auto", text)
	case s.N < 1 || s.N > most:
		return s, fmt.Errorf("%s: there can be 1 to %d shards", text, most)
	case s.I < 1 || s.I > s.N:
		return s, fmt.Errorf("%s: shards are numbered from 1 to %d", text, s.N)
	}
	return s, nil
}

// Each is the least number of items that a plan has for each shard, unless the search is smaller.
// The more items there are, the more even the shards.
const Each = 64

// Plan divides the search of k, which has not begun, into atLeast items or a few more. do begins an
// item, runs one execution of it, and leaves it; if cut, by LeaveOne. The plan ends early if an
// item says that the search cannot be divided.
func Plan(k *items.Keeper, atLeast int, do func(it *dpor.Item, cut bool) dpor.Left) (whole string) {
	for !k.Done() {
		id, ahead := k.Ahead()
		if !ahead {
			list := k.Shares()
			if len(list) >= atLeast {
				break
			}
			id = list[0].ID
		}
		left := do(k.Item(id), !ahead)
		if left.Whole != "" {
			return left.Whole
		}
		k.Accept(id, &left)
	}
	k.Number()
	return ""
}

// Keep drops the items of a plan that belong to other shards. Each item of the plan, the largest
// first, belongs to the shard with the least load.
func (s Shard) Keep(k *items.Keeper) {
	load := make([]uint64, s.N)
	var mine []uint64
	for _, share := range k.Shares() {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += share.Part
		if least == s.I-1 {
			mine = append(mine, share.ID)
		}
	}
	k.Keep(mine)
}

// Hash tells plans apart. It is nil if there is no saying.
func Hash(s *items.Saved) []byte {
	text, err := json.Marshal(s) // what gob makes of it depends on what it has seen before
	if err != nil {
		return nil
	}
	h := sha256.Sum256(text)
	return h[:]
}
