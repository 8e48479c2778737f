package drive

import (
	"fmt"
	"reflect"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// callback is a function of the environment's. A process takes its calls in turn, and has each
// answered by a process of its own: so any number may be under way.
type callback struct {
	r     *run
	port  string
	typ   reflect.Type
	calls chan *called
}

// called is one call of a callback.
type called struct {
	args, results []reflect.Value
	answered      chan struct{}
}

// manyCalls is more than a component makes at the same time: no call waits to be taken.
const manyCalls = 64

func (r *run) callback(port string, t reflect.Type) *callback {
	c := &callback{r: r, port: port, typ: t, calls: hook.Made(make(chan *called, manyCalls))}
	hook.Go("take calls of "+port, c.take)
	return c
}

// invoke is what the component calls.
func (c *callback) invoke(args []reflect.Value) []reflect.Value {
	one := &called{args: args, answered: hook.Made(make(chan struct{}, 1))}
	hook.Send(c.calls).V(one)
	hook.Recv(one.answered)
	return one.results
}

func (c *callback) take() {
	for i := 0; ; i++ {
		one := hook.Recv(c.calls)
		c.r.show(refine.Output{Kind: refine.Callback, Port: c.port}, one.args)
		if answers := c.r.script.AnswersOf(c.port); i < len(answers) {
			hook.Go("answer "+c.port, func() { c.answer(one, i, answers[i]) })
		} else {
			c.r.wants[c.port] = true
		}
	}
}

// answer answers the i-th call, once the names in the answer are known.
func (c *callback) answer(one *called, i int, with []string) {
	for j, a := range with {
		own := fmt.Sprintf("^%s.%d.%d", c.port, i, j)
		v, ok := c.r.argument(refine.Op{}, j, own, a, c.typ.Out(j))
		if !ok {
			return
		}
		one.results = append(one.results, v)
	}
	c.r.begin(refine.Input{Kind: refine.Answer, Port: fmt.Sprintf("a%d %s", i+1, c.port),
		Label: c.port, After: []refine.Outcome{{Port: c.port, Seq: i}}})
	hook.Send(one.answered).V(struct{}{})
}
