// Package burst is a framework: a compare-and-swap starts a goroutine for each burst of messages,
// by way of a scheduler; what takes them hands them to the process, and that to the actor.
package burst

import (
	"log"
	"sync"
	"sync/atomic"
)

type Actor interface{ Receive(*Context) }

type Context struct {
	message any
	actor   Actor
}

func (c *Context) Message() any { return c.message }

type Func func(*Context)

type funcActor struct{ f Func }

func (a *funcActor) Receive(c *Context) { a.f(c) }

type queue struct {
	mu    sync.Mutex
	items []any
}

func (q *queue) push(m any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, m)
}

func (q *queue) pop(n int) ([]any, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, false
	}
	n = min(n, len(q.items))
	ms := q.items[:n]
	q.items = q.items[n:]
	return ms, true
}

type Invoker interface{ Invoke([]any) }

type Middleware interface{ Saw(any) }

type Logger interface{ Log(string, ...any) }

type Scheduler interface{ Schedule(func()) }

type goroutines struct{}

func (goroutines) Schedule(f func()) { go f() }

type inbox struct {
	queue       queue
	invoker     Invoker
	middlewares []Middleware
	logger      Logger
	scheduler   Scheduler
	busy        int32
}

func (in *inbox) send(m any) {
	in.queue.push(m)
	if atomic.CompareAndSwapInt32(&in.busy, 0, 1) {
		in.scheduler.Schedule(in.process)
	}
}

func (in *inbox) process() {
	in.run()
	atomic.StoreInt32(&in.busy, 0)
}

func (in *inbox) run() {
	for {
		ms, ok := in.queue.pop(10)
		if !ok || len(ms) == 0 {
			return
		}
		for _, w := range in.middlewares {
			w.Saw(ms[0])
		}
		in.logger.Log("messages %v", ms)
		in.invoker.Invoke(ms)
	}
}

type process struct {
	inbox   inbox
	context Context
}

func (p *process) Invoke(ms []any) {
	for _, m := range ms {
		p.one(m)
	}
}

func (p *process) one(m any) {
	p.context.message = m
	p.context.actor.Receive(&p.context)
}

type std struct{}

func (std) Log(format string, args ...any) { log.Printf(format, args...) }

func Spawn(make func() Actor, ws ...Middleware) func(any) {
	p := &process{context: Context{actor: make()}}
	p.inbox = inbox{invoker: p, middlewares: ws, logger: std{}, scheduler: goroutines{}}
	return p.inbox.send
}

func SpawnFunc(f Func) func(any) { return Spawn(func() Actor { return &funcActor{f} }) }

// WANT:
// framework burst.Actor inbox.process
// receiver burst.Actor *burst.funcActor Receive
// framework burst.func(*burst.Context) inbox.process
// ! framework burst.Invoker
// ! framework burst.Middleware
// ! framework burst.Logger
// ! framework burst.Scheduler
