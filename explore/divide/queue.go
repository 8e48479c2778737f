package divide

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// queue is what is left of a search. Its methods are called one at a time.
type queue interface {
	// begin returns a job for this process, if here, or for a helper; nil if there is none
	begin(here bool) *job
	task(j *job) Task // what j has to do
	// finish takes the report of j, and reports whether something is left to be done
	finish(j *job, r Report) bool
	// next returns a part that counts, if there is one. last: no later part counts
	next() (p *explore.Part, last bool)
	under() bool // some job has begun, and its part has not been returned
	empty() bool
	drop() // no job is begun any more
}

// job is an item, or a row of blocks, that a process has to do.
type job struct {
	item uint64
	lost int // helpers that have died with it

	blocks Range
	state  state
	here   bool   // this process has to do the blocks
	report Report // of the blocks
}

// state is that of a row of blocks.
type state int

const (
	waiting state = iota
	begun
	done
)

func executions(r *Report) int { return r.Part.Executions + r.Part.Blocked }

// pieces are the items of a search. Their parts count in any order.
type pieces struct {
	keeper  *items.Keeper
	workers int
	bounded bool
	room    int    // if so: executions that there may still be
	again   []*job // to be done here
	begun   int
	parts   []*explore.Part // that count, and have not been returned
	last    bool            // the search cannot be divided
	dropped bool
	// a carrier has the items, except for those that are to be done again
	elsewhere bool
	keeps     bool // accepted is wanted
	accepted  []*Entry
}

func (p *pieces) begin(here bool) *job {
	if p.dropped || p.bounded && p.room == 0 {
		return nil
	}
	for last := len(p.again) - 1; here && last >= 0; last-- {
		j := p.again[last]
		p.again = p.again[:last]
		if p.keeper.IsOpen(j.item) { // else a report has come, late
			p.begun++
			return j
		}
	}
	if here && p.elsewhere {
		return nil
	}
	id, ok := p.keeper.Take()
	if !ok {
		return nil
	}
	p.begun++
	return &job{item: id}
}

func (p *pieces) task(j *job) Task {
	if !p.keeper.IsOpen(j.item) { // a report has come meanwhile: nothing of this will count
		return Task{Item: &dpor.Item{}, Most: 1}
	}
	hungry := p.workers - p.keeper.Waiting()
	return Task{Item: p.keeper.Item(j.item), Hungry: max(0, hungry), Most: p.room,
		Alone: p.elsewhere && j.lost >= mostLost}
}

// finish enters what has come of j, unless that is more than may be.
func (p *pieces) finish(j *job, r Report) bool {
	p.begun--
	n := executions(&r)
	switch {
	case r.Lost && j.lost < mostLost:
		j.lost++
		p.keeper.Return(j.item)
	case r.Odd || p.bounded && n > p.room:
		p.again = append(p.again, j)
	case r.Last:
		p.last = true
	case p.keeper.Accept(j.item, &r.Left):
		p.parts = append(p.parts, &r.Part)
		p.room -= n
		if p.keeps {
			p.accepted = append(p.accepted, &Entry{j.item, r.Part, r.Left})
		}
	}
	return !p.keeper.Done()
}

// mostLost is how many helpers may die with an item before it is done here.
const mostLost = 2

func (p *pieces) next() (part *explore.Part, last bool) {
	switch {
	case p.last:
		return nil, true
	case len(p.parts) == 0:
		return nil, false
	}
	part, p.parts = p.parts[0], p.parts[1:]
	return part, false
}

func (p *pieces) under() bool { return p.begun > 0 || len(p.parts) > 0 }

func (p *pieces) empty() bool {
	// an order that will count for nothing is not waited for
	idle := p.begun == 0 || p.elsewhere && p.bounded && p.room == 0
	over := p.keeper.Done() || idle && (p.dropped || p.bounded && p.room == 0)
	return over && len(p.parts) == 0
}

func (p *pieces) drop() { p.dropped = true }
