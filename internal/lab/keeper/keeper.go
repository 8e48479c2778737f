// Package keeper has the protocol between the keeper of a search by items and the processes that
// work on them, as a program of actors that rehearse explores. Channels take the place of the pipes
// of explore/divide, around the same items.Keeper.
//
// Vocabulary: the keeper gives jobs to workers that ask, and accepts results. A worker that dies is
// given up: its job is given to another one. The dead worker's result may come all the same, late.
//
// LIMITS: the searches are tiny, as the orders of their messages are many.
package keeper

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// job is an item that a worker has.
type job struct {
	id   uint64
	item *dpor.Item
}

// result is what has come of a job, or that its worker has died.
type result struct {
	id     uint64
	died   bool
	traces []uint64
	left   dpor.Left
}

// Search explores a program by so many workers, of which some die, and returns how often each trace
// counts. Each worker has an executor of its own.
func Search(executor func() explore.Executor, workers, deaths int) map[uint64]int {
	asks, results, exits := make(chan chan job), make(chan result), make(chan bool)
	kills, spares := make(chan bool, deaths), make(chan bool)
	for range deaths {
		kills <- true
	}
	close(spares)
	for range workers {
		go func() {
			work(executor(), asks, results, kills, spares)
			exits <- true
		}()
	}
	return keep(asks, results, exits, workers)
}

// keep is the keeper, until all workers have ended.
func keep(asks <-chan chan job, results <-chan result, exits <-chan bool, workers int,
) map[uint64]int {
	k, counts := items.New(), map[uint64]int{}
	var waiting []chan job
	for workers > 0 {
		for len(waiting) > 0 {
			id, ok := k.Take()
			if !ok && !k.Done() {
				break
			}
			if ok {
				waiting[0] <- job{id, k.Item(id)}
			} else {
				close(waiting[0])
			}
			waiting = waiting[1:]
		}
		select {
		case mine := <-asks:
			waiting = append(waiting, mine)
		case r := <-results:
			switch {
			case r.died:
				k.Return(r.id)
			case k.Accept(r.id, &r.left):
				for _, t := range r.traces {
					counts[t]++
				}
			}
		case <-exits:
			workers--
		}
	}
	return counts
}

// work is a worker. It dies, as others see it, if it takes a kill.
func work(
	m explore.Executor, asks chan<- chan job, results chan<- result, kills, spares <-chan bool,
) {
	mine := make(chan job)
	for {
		asks <- mine
		j, ok := <-mine
		if !ok {
			return
		}
		r := do(m, j)
		select {
		case <-kills:
			results <- result{id: j.id, died: true}
		case <-spares:
		}
		results <- r // late, if it is dead
	}
}

// do does a job for one execution.
func do(m explore.Executor, j job) result {
	r := result{id: j.id}
	s := dpor.Below(j.item)
	if s.Begin() {
		x := m.Execute(s, false)
		s.End(x)
		if x.End != trace.Cut {
			var o depend.Order
			for range x.Events {
				o.Add(x)
			}
			r.traces = append(r.traces, o.Hash())
		}
	}
	r.left = s.Leave(1)
	return r
}
