// Package bases is a framework with a base type: a process runs the behaviour that it was given,
// whose method Run is that of the embedded base, and that takes the messages.
package bases

import "sync/atomic"

type Queue interface {
	Push(any)
	Pop() (any, bool)
}

type ring struct{ items chan any }

func (r *ring) Push(m any) { r.items <- m }

func (r *ring) Pop() (any, bool) {
	select {
	case m := <-r.items:
		return m, true
	default:
		return nil, false
	}
}

type Runner interface {
	Init(Queue, any)
	Run() error
}

type Behavior interface {
	Runner
	HandleMessage(m any) error
	HandleCall(m any) (any, error)
	Stopped()
}

type Request struct {
	What any
	To   func(any)
}

type Base struct {
	queue    Queue
	behavior Behavior
}

func (b *Base) Init(q Queue, self any) { b.queue, b.behavior = q, self.(Behavior) }

func (b *Base) Run() error {
	for {
		m, ok := b.queue.Pop()
		if !ok {
			return nil
		}
		if r, ok := m.(*Request); ok {
			answer, err := b.behavior.HandleCall(r.What)
			if err != nil {
				return err
			}
			r.To(answer)
			continue
		}
		if err := b.behavior.HandleMessage(m); err != nil {
			return err
		}
	}
}

func (b *Base) HandleMessage(any) error     { return nil }
func (b *Base) HandleCall(any) (any, error) { return nil, nil }
func (b *Base) Stopped()                    {}

type Process struct {
	state  atomic.Int32
	runner Runner
	queue  Queue
}

func Spawn(r Runner) *Process {
	p := &Process{runner: r, queue: &ring{make(chan any, 10)}}
	r.Init(p.queue, r)
	return p
}

func (p *Process) Send(m any) {
	p.queue.Push(m)
	if p.state.CompareAndSwap(0, 1) {
		go func() {
			defer p.state.Store(0)
			if err := p.runner.Run(); err != nil {
				println(err.Error())
			}
		}()
	}
}

// WANT:
// framework bases.Behavior Process.Send.func1
// receiver bases.Behavior *bases.Base HandleMessage
// receiver bases.Behavior *bases.Base HandleCall
// ! framework bases.Runner
// ! framework bases.Queue
// ! receiver bases.Behavior *bases.Base Stopped
