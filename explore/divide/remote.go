package divide

import (
	"cmp"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// A search with a carrier sends its items to other machines, and explores here only the items that
// these give back. If an item has several reports, the first one counts.
//
// Lemma D1. An item that has been sent means the same to a keeper that continues from the saved
// results of an earlier one. Before an item is sent, the results that it follows from have been
// written (Search.Keep), and a keeper is a function of these results (package items). If writing
// fails, the orders that follow belong to another run. TestKeptResults attacks the lemma.

// Remote is what a search with a carrier has besides.
type Remote struct {
	*Carrier
	Search Begin // the run may change
	// writes results down; nil: they are not
	Keep func(entries []any) error

	orders map[string]*job // without an answer, by key
	said   bool            // Begin has been sent
	lost   error           // of Keep
	unkept []any           // each is an *Entry
	refs   []uint64        // of their answers
}

// NewRemote prepares a search for a test. run is the run of orders that may still be under way;
// empty: there are none.
func NewRemote(c *Carrier, run, test string) *Remote {
	return &Remote{Carrier: c, Search: Begin{Run: cmp.Or(run, newRun()), Test: test}}
}

// Entry is a result that counts, as it is written down.
type Entry struct {
	ID   uint64
	Part explore.Part
	Left dpor.Left
}

// newRun returns a run that no other search has.
func newRun() string { return rand.Text()[:16] }

// Of the time for which a worker on another machine works on an item: while others wait for work,
// and else.
const (
	shortSlice = 200 * time.Millisecond
	longSlice  = 2 * time.Second
)

// ahead is how many orders there are for each worker: one that it works on, and the next one.
const ahead = 2

// post has the items of s carried.
func (s *Search) post() {
	r := s.Remote
	p := s.Sample()
	t := s.sampling(p.Executions)
	if text, err := EncodeTask(&t, ages); err == nil {
		r.Search.Probe, r.Search.Check = text, p.Check
	}
	r.orders, r.said = map[string]*job{}, true
	s.pieces.elsewhere = true
	r.Say(Said{Begin: &r.Search})
	r.to.Store(s)
	s.working.Go(s.send)
}

// recall ends that.
func (s *Search) recall() {
	if r := s.Remote; r != nil && r.said {
		r.to.Store(nil)
		r.Say(Said{End: true})
	}
}

// send sends orders until there can be no more.
func (s *Search) send() {
	for {
		key, j := s.order()
		if j == nil {
			return
		}
		t := s.task(j)
		slice := longSlice
		t.Most = 0
		if t.Hungry > 0 {
			slice = shortSlice
		}
		text, err := EncodeTask(&t, slice)
		if err != nil { // it is too large to travel
			s.mu.Lock()
			delete(s.Remote.orders, key)
			s.mu.Unlock()
			s.finish(j, Report{Odd: true})
			continue
		}
		s.Remote.Say(Said{Order: &Order{Key: key, Task: text}})
	}
}

// order begins a job that is to be sent, once there is one; nil if there will be none.
func (s *Search) order() (key string, j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		if len(s.Remote.orders) < ahead*max(1, s.Remote.Workers()) {
			s.keep() // first what items follow from, then the items
			if j := s.queue.begin(false); j != nil {
				key := s.Remote.Search.Run + "." + strconv.FormatUint(j.item, 10)
				s.Remote.orders[key] = j
				return key, j
			}
		}
		s.changed.Wait()
	}
	return "", nil
}

// keep writes results down.
func (s *Search) keep() {
	r := s.Remote
	if r == nil {
		return
	}
	if r.Keep != nil && len(r.unkept) > 0 {
		if r.lost = r.Keep(r.unkept); r.lost != nil {
			r.part()
		}
	}
	r.unkept = nil
	if len(r.refs) > 0 {
		r.Say(Said{Kept: r.refs})
		r.refs = nil
	}
}

// Unkept is why results are not written down any more; nil: they are.
func (s *Search) Unkept() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Remote == nil {
		return nil
	}
	return s.Remote.lost
}

// part makes the orders that follow those of another run, as nothing is written down any more.
func (r *Remote) part() {
	r.Keep, r.Search.Run = nil, newRun()
	if r.said {
		r.Say(Said{Begin: &r.Search})
	}
}

// bring takes what the carrier has brought.
func (s *Search) bring(b *Brought) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	p := s.pieces
	switch a := b.Answer; {
	case b.Lost != "":
		if j := s.Remote.orders[b.Lost]; j != nil {
			delete(s.Remote.orders, b.Lost)
			j.lost = mostLost
			s.done(j, Report{Odd: true, Lost: true})
		}
	case a != nil:
		s.Remote.refs = append(s.Remote.refs, a.Ref)
		j := s.Remote.orders[a.Key]
		delete(s.Remote.orders, a.Key)
		if j == nil { // of an earlier keeper, or late
			if j = p.outside(a.Key, s.Remote.Search.Run); j == nil {
				return
			}
		}
		r, err := DecodeReport(a.Report)
		if err != nil || p.keeper.IsOpen(j.item) && !p.keeper.Fits(j.item, &r.Left) {
			r = Report{Odd: true, Lost: true} // as if the worker had died
		}
		s.done(j, r)
	}
}

// outside returns a job for an item that a worker did not get from this keeper; nil: the item is of
// another run, or is not open.
func (p *pieces) outside(key, run string) *job {
	number, ours := strings.CutPrefix(key, run+".")
	id, err := strconv.ParseUint(number, 10, 64)
	if !ours || err != nil || !p.keeper.IsOpen(id) {
		return nil
	}
	p.begun++
	return &job{item: id}
}
