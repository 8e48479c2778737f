// Package fleet runs the loops of a keeper and of its workers, which are those of package divide,
// with a carrier in memory and a clock of its own (testing/synctest). A thousand workers take
// seconds for an execution, and die; keepers die, too.
//
// Vocabulary: an order of a worker is redelivered when the worker has been silent for Silence, and
// given up after Deliveries. An answer stays with the carrier until the keeper has written it down.
// These are the promises of cmd/rehearse-cluster.
//
// LIMITS: the keeper's own work takes no time here, and messages of all sizes take the same time.
package fleet

import (
	"encoding/gob"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// The promises of a carrier.
const (
	Silence    = 5 * time.Second
	Deliveries = 5
)

// Config says what happens.
type Config struct {
	Executor func() explore.Executor // runs the program
	Workers  int
	Cost     time.Duration // of an execution
	Slow     float64       // share of workers that take ten times as long
	Latency  time.Duration // of a message, at most
	Life     time.Duration // of a worker, on average; 0: for ever. Another takes its place
	Keepers  time.Duration // likewise of a keeper
	Journals string        // directory for what keepers write down; empty: nothing
	Doubled  float64       // share of answers that come twice
	Seed     uint64
}

// Result is what has come of it.
type Result struct {
	explore.Result
	Elapsed    time.Duration
	Busy       time.Duration // of all workers, for executions
	Orders     int           // deliveries included
	MostQueued int
	Bytes      int // of orders and answers
	Deaths     int // of workers
	Keepers    int // that there were
	Alone      int // tasks that the keeper had to do itself
}

// fleet is a carrier with workers.
type fleet struct {
	Config
	mu      sync.Mutex
	changed *sync.Cond
	rnd     *rand.Rand
	queue   []*order
	down    []divide.Brought // for the keeper
	answers map[uint64]*divide.Answer
	ref     uint64
	keeper  int // number of the present one
	over    bool
	sending sync.WaitGroup // answers that are under way
	result  Result
}

type order struct {
	divide.Order
	keeper    int
	delivered int
}

// Run explores the program in a bubble of package synctest.
func Run(c Config) *Result {
	f := &fleet{Config: c, rnd: rand.New(rand.NewPCG(c.Seed, 1)),
		answers: map[uint64]*divide.Answer{}}
	f.changed = sync.NewCond(&f.mu)
	var workers sync.WaitGroup
	for i := range c.Workers {
		cost := c.Cost
		if f.rnd.Float64() < c.Slow {
			cost *= 10
		}
		workers.Go(func() { f.work(cost, rand.New(rand.NewPCG(c.Seed, uint64(i)+2))) })
	}
	begun := time.Now()
	for !f.keep() {
	}
	f.result.Elapsed = time.Since(begun)
	f.mu.Lock()
	f.over = true
	f.changed.Broadcast()
	f.mu.Unlock()
	workers.Wait()
	f.sending.Wait()
	return &f.result
}

// life draws how long something lives that lives for so long on average; 0: for ever.
func life(average time.Duration, rnd *rand.Rand) time.Duration {
	if average == 0 {
		return math.MaxInt64
	}
	return time.Duration(rnd.ExpFloat64() * float64(average))
}

// pause is one between what has to be done; the time of a bubble stands still otherwise.
const pause = time.Millisecond

// work is a worker, and those that take its place.
func (f *fleet) work(cost time.Duration, rnd *rand.Rand) {
	m := f.Executor()
	left := life(f.Life, rnd)
	for {
		o := f.fetch()
		if o == nil {
			return
		}
		begun := time.Now()
		answer := f.do(m, o, cost)
		took := time.Since(begun)
		if left -= took; left > 0 {
			f.answer(o, answer, rnd)
			continue
		}
		// it has died meanwhile, or when the answer was sent and the order not acknowledged
		if rnd.IntN(4) == 0 {
			f.answer(o, answer, rnd)
		}
		f.mu.Lock()
		f.result.Deaths++
		f.mu.Unlock()
		time.Sleep(Silence)
		f.again(o)
		left = life(f.Life, rnd)
	}
}

// do does an order, execution by execution.
func (f *fleet) do(m explore.Executor, o *order, cost time.Duration) []byte {
	t, err := divide.DecodeTask(o.Task)
	if err != nil {
		panic("fleet: " + err.Error())
	}
	r := piece(m, t, cost)
	text, err := divide.EncodeReport(&r)
	if err != nil {
		panic("fleet: " + err.Error())
	}
	f.mu.Lock()
	f.result.Busy += time.Duration(r.Part.Executions+r.Part.Blocked) * cost
	f.result.Bytes += len(o.Task) + len(text)
	f.mu.Unlock()
	return text
}

// piece does a task whose executions take so long each.
func piece(m explore.Executor, t divide.Task, cost time.Duration) divide.Report {
	d := dpor.Below(t.Item)
	if t.Item.Learn && t.Hungry > 0 {
		t.Most = 1
	}
	x := explore.PreparePart(m, t.Portion(costly{d, cost}), explore.Limits{})
	x.Run()
	return divide.Report{Part: x.Part(), Left: d.Leave(t.Hungry)}
}

// costly is a search whose executions take time.
type costly struct {
	explore.Strategy
	cost time.Duration
}

// Begin implements explore.Strategy.
func (c costly) Begin() bool {
	if !c.Strategy.Begin() {
		return false
	}
	time.Sleep(c.cost)
	return true
}

// fetch returns an order, once there is one; nil if there will be none.
func (f *fleet) fetch() *order {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 && !f.over {
		f.changed.Wait()
	}
	if f.over {
		return nil
	}
	o := f.queue[0]
	f.queue = f.queue[1:]
	o.delivered++
	f.result.Orders++
	return o
}

// again redelivers an order, or gives it up.
func (f *fleet) again(o *order) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.changed.Broadcast()
	switch {
	case o.keeper != f.keeper: // purged
	case o.delivered < Deliveries:
		f.queue = append(f.queue, o)
	default:
		f.down = append(f.down, divide.Brought{Lost: o.Key})
	}
}

// answer has an answer carried, in some time, and maybe twice.
func (f *fleet) answer(o *order, text []byte, rnd *rand.Rand) {
	times := 1
	if rnd.Float64() < f.Doubled {
		times++
	}
	for range times {
		wait := pause + time.Duration(rnd.Int64N(int64(f.Latency)+1))
		f.sending.Go(func() {
			time.Sleep(wait)
			f.mu.Lock()
			defer f.mu.Unlock()
			f.ref++
			a := &divide.Answer{Key: o.Key, Report: text, Ref: f.ref}
			f.answers[f.ref] = a
			f.down = append(f.down, divide.Brought{Answer: a})
			f.changed.Broadcast()
		})
	}
}

// keep is a keeper, until it dies or the search is done.
func (f *fleet) keep() (done bool) {
	said, toCarrier := io.Pipe()
	fromCarrier, brought := io.Pipe()
	f.begin()
	defer f.end(said, brought)
	var carrying sync.WaitGroup
	carrying.Go(func() { f.listen(gob.NewDecoder(said), f.keeper) })
	carrying.Go(func() { f.bring(gob.NewEncoder(brought), f.keeper) })
	k := newKeeper(f.Executor(), filepath.Join(f.Journals, "journal"), f.Journals != "")
	carrier := divide.Connect(toCarrier, fromCarrier, func() {})
	return f.see(k.explore(carrier, life(f.Keepers, f.rnd), f.Cost))
}

// begin makes a keeper the present one: answers that were not written down are carried again.
func (f *fleet) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keeper++
	f.queue, f.down = nil, nil
	refs := []uint64{}
	for ref := range f.answers {
		refs = append(refs, ref)
	}
	slices.Sort(refs)
	for _, ref := range refs {
		f.down = append(f.down, divide.Brought{Answer: f.answers[ref]})
	}
	f.changed.Broadcast()
}

func (f *fleet) end(said *io.PipeReader, brought *io.PipeWriter) {
	f.mu.Lock()
	f.keeper++
	f.changed.Broadcast()
	f.mu.Unlock()
	said.Close()
	brought.Close()
}

// see notes what a keeper has come to; nil: it has died.
func (f *fleet) see(r *explore.Result, alone int) (done bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.result.Keepers++
	f.result.Alone += alone
	if r != nil {
		f.result.Result = *r
	}
	return r != nil
}

// listen takes what a keeper says.
func (f *fleet) listen(in *gob.Decoder, keeper int) {
	for {
		var m divide.Said
		if in.Decode(&m) != nil {
			return
		}
		f.mu.Lock()
		if keeper == f.keeper {
			f.hear(&m, keeper)
			f.changed.Broadcast()
		}
		f.mu.Unlock()
	}
}

func (f *fleet) hear(m *divide.Said, keeper int) {
	for _, ref := range m.Kept {
		delete(f.answers, ref)
	}
	switch {
	case m.Order != nil:
		f.queue = append(f.queue, &order{Order: *m.Order, keeper: keeper})
		f.result.MostQueued = max(f.result.MostQueued, len(f.queue))
	case m.End:
		f.queue = nil
	}
}

// bring brings a keeper what there is for it.
func (f *fleet) bring(out *gob.Encoder, keeper int) {
	if out.Encode(divide.Brought{Workers: f.Workers}) != nil {
		return
	}
	for {
		f.mu.Lock()
		for len(f.down) == 0 && f.keeper == keeper {
			f.changed.Wait()
		}
		if f.keeper != keeper {
			f.mu.Unlock()
			return
		}
		b := f.down[0]
		f.down = f.down[1:]
		f.mu.Unlock()
		b.Workers = f.Workers
		if out.Encode(b) != nil {
			return
		}
	}
}

// test is the name of what is explored.
const test = "TestFleet"

// keeper is one with what it writes down.
type keeper struct {
	m     explore.Executor
	file  *journal.Writer // nil: nothing is written down
	run   string
	items *items.Keeper
	parts []explore.Part // that count
	begun int            // of them, those of an earlier keeper
	mu    sync.Mutex
	dead  bool
	alone int
}

func newKeeper(m explore.Executor, path string, writes bool) *keeper {
	k := &keeper{m: m, items: items.New()}
	if !writes {
		return k
	}
	k.file = journal.NewWriter(path, journal.Key{})
	state, kept, _, err := divide.Read(path)
	if err == nil {
		k.items, k.parts, k.run = kept, state.Parts, state.Run
		k.begun = len(k.parts)
	}
	return k
}

// explore explores until the search is done, or for so long; the result is nil then.
func (k *keeper) explore(c *divide.Carrier, lives, cost time.Duration) (*explore.Result, int) {
	do := func(t divide.Task) divide.Report { return piece(k.m, t, cost) }
	s := &divide.Search{Test: test, Stop: k.isDead}
	s.Do = func(t divide.Task) divide.Report { k.alone++; return do(t) }
	s.Try, s.Remote = do, divide.NewRemote(c, k.run, test)
	death := time.AfterFunc(min(lives, 1000*time.Hour), func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.dead = true
	})
	defer death.Stop()
	if k.file != nil {
		s.Remote.Keep = k.add
	}
	s.BeginItems(k.items, 0)
	defer s.Close()
	k.save(s)
	given, n := 0, 0
	x := explore.PrepareWhole(k.m, dpor.New(true), explore.Limits{}, 0, nil)
	r := x.Gather(func() (p explore.Part, ok bool) {
		if given < k.begun {
			given++
			return k.parts[given-1], true
		}
		if p, ok = s.Next(); ok && !k.isDead() {
			k.parts = append(k.parts, p)
			const often = 30
			if n++; n%often == 0 {
				k.save(s)
			}
		}
		return p, ok
	})
	if k.isDead() {
		return nil, k.alone
	}
	return &r, k.alone
}

func (k *keeper) isDead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dead
}

// add appends to the journal, as long as k lives.
func (k *keeper) add(entries []any) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return io.ErrClosedPipe
	}
	return k.file.Add(entries)
}

// save writes a state, as long as k lives.
func (k *keeper) save(s *divide.Search) {
	if k.file == nil {
		return
	}
	s.Save(func(saved items.Saved, pending []explore.Part) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.dead {
			return io.ErrClosedPipe
		}
		return k.file.Write(&divide.State{Keeper: saved, Run: s.Remote.Search.Run,
			Parts: slices.Concat(k.parts, pending)})
	})
}
