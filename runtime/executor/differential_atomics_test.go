package executor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The differential test for what shares memory: random programs over atomic variables, and over a
// Mutex with a Cond. Plain Go runs the originals, the explored program the models, as the overlay
// would have it.

type sharedOp struct{ kind, obj, v int }

type sharedProgram [][]sharedOp

func newSharedProgram(r *rand.Rand) sharedProgram {
	p := make(sharedProgram, 2+r.IntN(2))
	first, kinds := 0, 7
	if r.IntN(3) == 0 {
		first, kinds = 7, 4 // about a Cond
	}
	for i := range p {
		for range 1 + r.IntN(4) {
			p[i] = append(p[i], sharedOp{first + r.IntN(kinds), r.IntN(2), 1 + r.IntN(3)})
		}
	}
	return p
}

// sharedRun is one run of a program.
type sharedRun struct {
	n      [2]int32
	x      [2]atomic.Int64
	mu     sync.Mutex
	cond   *sync.Cond
	number int // guarded by mu
	seen   []strings.Builder
	stop   atomic.Bool
}

func (p sharedProgram) start(jitter func()) *sharedRun {
	r := &sharedRun{seen: make([]strings.Builder, len(p))}
	r.cond = sync.NewCond(&r.mu)
	for i := range p {
		hook.Go("process", func() {
			for _, o := range p[i] {
				jitter()
				s := r.do(o)
				if r.stop.Load() {
					return
				}
				r.seen[i].WriteString(s + " ")
			}
			r.seen[i].WriteString("done")
		})
	}
	return r
}

// do is a flat table of the operations.
func (r *sharedRun) do(o sharedOp) string {
	n, x, v := &r.n[o.obj], &r.x[o.obj], int32(o.v)
	switch o.kind {
	case 0:
		return fmt.Sprint(hook.LoadInt32(n))
	case 1:
		hook.StoreInt32(n, v)
	case 2:
		return fmt.Sprint(hook.AddInt32(n, v))
	case 3:
		return fmt.Sprint(hook.CompareAndSwapInt32(n, v-1, v))
	case 4:
		return fmt.Sprint(hook.AtInt64(x).Swap(int64(v)))
	case 5:
		return fmt.Sprint(hook.AtInt64(x).Load(), hook.LoadInt32(n))
	case 6:
		return fmt.Sprint(hook.AtInt64(x).Or(int64(v)))
	case 7:
		r.lock()
		defer r.unlock()
		r.wait()
		return fmt.Sprint(r.number)
	case 8:
		r.signal()
	case 9:
		r.broadcast()
	case 10:
		r.lock()
		defer r.unlock()
		r.number++
		return fmt.Sprint(r.number)
	}
	return "."
}

// The overlay inserts the following into package sync.

func (r *sharedRun) lock() {
	if world.W.Current() != nil {
		gate.MutexLock(unsafe.Pointer(&r.mu))
	} else {
		r.mu.Lock()
	}
}

func (r *sharedRun) unlock() {
	if world.W.Current() != nil {
		gate.MutexUnlock(unsafe.Pointer(&r.mu))
	} else {
		r.mu.Unlock()
	}
}

func (r *sharedRun) wait() {
	if world.W.Current() == nil {
		r.cond.Wait()
		return
	}
	n := gate.CondEnter(unsafe.Pointer(r.cond))
	r.unlock()
	gate.CondWait(unsafe.Pointer(r.cond), n)
	r.lock()
}

func (r *sharedRun) signal() {
	if world.W.Current() != nil {
		gate.CondSignal(unsafe.Pointer(r.cond))
	} else {
		r.cond.Signal()
	}
}

func (r *sharedRun) broadcast() {
	if world.W.Current() != nil {
		gate.CondBroadcast(unsafe.Pointer(r.cond))
	} else {
		r.cond.Broadcast()
	}
}

func (r *sharedRun) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintf(&b, "%d: %s\n", i, r.seen[i].String())
	}
	return b.String()
}

// native runs p as plain Go and returns what it did once no goroutine can go on.
func (p sharedProgram) native(t *testing.T, jitter func()) (outcome string) {
	synctest.Test(t, func(*testing.T) {
		r := p.start(jitter)
		synctest.Wait()
		outcome = r.outcome()
		r.stop.Store(true)
		r.cond.Broadcast()
	})
	return outcome
}

// explored returns all outcomes of p, or nil if there are too many executions.
func (p sharedProgram) explored() map[string]bool {
	all := map[string]bool{}
	var r *sharedRun
	e := program("coroutine", func(gate.TB) { r = p.start(func() {}) })
	d := &dfs{}
	for n := 0; n == 0 || d.next(); n++ {
		if n == 20000 {
			return nil
		}
		e.Execute(d, false)
		all[r.outcome()] = true
	}
	return all
}

func TestDifferentialAtomics(t *testing.T) {
	outcomes, skipped, met := 0, 0, 0
	for seed := range uint64(*programs) {
		p := newSharedProgram(rand.New(rand.NewPCG(21, seed)))
		all := p.explored()
		if all == nil {
			skipped++
			continue
		}
		outcomes += len(all)
		seen := map[string]bool{}
		for n := range *nativeRuns {
			got := p.native(t, jitter(uint64(n)))
			if seen[got] = true; !all[got] {
				t.Fatalf("seed %d: plain Go did what no order does:\n%s\nprogram %+v\nall %v", seed,
					got, p, all)
			}
		}
		met += len(seen)
	}
	t.Logf("%d programs, %d skipped as too large, %d outcomes, of which plain Go showed %d",
		*programs, skipped, outcomes, met)
}
