package hook

import (
	"iter"

	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Pull is iter.Pull. Under control the sequence runs in a process of its own, from a call of next
// to the yield that answers it, while the caller waits. An operation inside the sequence belongs to
// that process. Each call that goes beyond the first is a rendezvous, and so is each answer. A
// sequence that has begun and is neither stopped nor exhausted leaves its process behind.
func Pull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	if world.W.Current() == nil {
		return iter.Pull(seq)
	}
	states.Spoil("iter.Pull")
	p := &pull[V]{seq: seq, resume: Made(make(chan struct{})), answer: Made(make(chan answer[V]))}
	return p.next, p.stop
}

// Pull2 is iter.Pull2.
func Pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	if world.W.Current() == nil {
		return iter.Pull2(seq)
	}
	type pair struct {
		k K
		v V
	}
	pull, stop := Pull(func(yield func(pair) bool) {
		seq(func(k K,
			v V) bool {
			return yield(pair{k, v})
		})
	})
	return func() (K, V, bool) { x, ok := pull(); return x.k, x.v, ok }, stop
}

// pull is a sequence that is pulled from.
type pull[V any] struct {
	seq     iter.Seq[V]
	resume  chan struct{} // to the sequence
	answer  chan answer[V]
	begun   bool
	running bool // between next, or stop, and the answer
	done    bool // it has ended, or has to
}

// answer is what a sequence does next: it yields, returns, panics, or ends by Goexit.
type answer[V any] struct {
	v        V
	ok       bool // it yields v
	panicked any
	exited   bool
}

func (p *pull[V]) next() (v V, ok bool) {
	switch {
	case p.done:
		return v, false
	case p.running:
		panic("iter.Pull: next called again before yield")
	}
	return p.step()
}

func (p *pull[V]) stop() {
	if p.done {
		return
	}
	p.done = true
	if p.begun {
		p.step()
	}
}

// step runs the sequence until it answers.
func (p *pull[V]) step() (V, bool) {
	p.running = true
	if p.begun {
		Send(p.resume).V(struct{}{})
	} else {
		p.begun = true
		Go("iter.Pull's sequence", p.run)
	}
	a := Recv(p.answer)
	p.running = false
	switch {
	case a.panicked != nil:
		panic(a.panicked)
	case a.exited:
		Goexit()
	}
	return a.v, a.ok
}

func (p *pull[V]) run() {
	returned := false
	defer func() {
		var a answer[V]
		if !returned {
			a.panicked = recover()
			a.exited = a.panicked == nil
		}
		p.done = true
		Send(p.answer).V(a)
	}()
	p.seq(p.yield)
	returned = true
}

func (p *pull[V]) yield(v V) bool {
	switch {
	case p.done:
		return false
	case !p.running:
		panic("iter.Pull: yield called again before next")
	}
	Send(p.answer).V(answer[V]{v: v, ok: true})
	Recv(p.resume)
	return !p.done
}
