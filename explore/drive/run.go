package drive

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// run is one execution of a script. It has a method for each kind of step that a script can have.
type run struct {
	record
	t        any
	alphabet *alphabet

	// operands, and names that outputs have brought, by reference
	things map[string]reflect.Value
	// closed when the output has come, for the processes that wait for it
	seen map[refine.Outcome]chan struct{}
	// of operations: the arguments that are made before anything is done
	ready map[int][]reflect.Value
	// closed when the environment has made a name, for the processes that use it
	late    map[string]chan struct{}
	reading map[any]bool // channels that somebody receives from
}

// record has what has crossed the boundary in one execution.
type record struct {
	h      *Harness
	script *refine.Script
	board  int32 // to announce on; -1: none
	reader reader

	begun []announced              // inputs
	shows []announced              // outputs
	next  map[string]int           // by port: the number of its next output
	boxes map[string]reflect.Value // by port: the mailboxes at the boundary
	// callbacks that are called more often than is answered
	wants   map[string]bool
	beyond  bool         // more outputs than are looked at
	ended   map[int]bool // operations
	failure string
	waited  time.Duration           // until the latest output, on the clock of the execution
	types   map[string]reflect.Type // of names that have crossed
}

// announced is an input or an output with its event.
type announced struct {
	event int32
	taken int32 // of an output that was taken out of a bag: 1 + the event that took it
	in    refine.Input
	out   refine.Output
}

func newRun(h *Harness, t any) *run {
	r := &run{
		record: record{
			h: h, script: settings.Script, board: -1, next: map[string]int{},
			reader: reader{nominal: h.Nominal, own: map[any]string{}, ids: map[any]int{}},
			boxes:  map[string]reflect.Value{}, wants: map[string]bool{}, ended: map[int]bool{},
			types: map[string]reflect.Type{},
		},
		t: t, alphabet: h.alphabet(), things: map[string]reflect.Value{},
		seen: map[refine.Outcome]chan struct{}{}, ready: map[int][]reflect.Value{},
		late: map[string]chan struct{}{}, reading: map[any]bool{},
	}
	if settings.Board {
		r.board = hook.NewBoard()
	}
	return r
}

// forever blocks the first process: the test must not end.
func (r *run) forever() { hook.Recv(hook.Made(make(chan struct{}))) }

// start calls the harness and starts the processes of the environment.
func (r *run) start() {
	for _, op := range r.inputs() {
		for _, o := range op.After {
			if r.seen[o] == nil {
				r.seen[o] = hook.Made(make(chan struct{}))
			}
		}
	}
	results := reflect.ValueOf(r.h.Func).Call(r.parameters())
	for _, v := range slices.Backward(results) { // an error, the last one, tells more than nil
		r.useless(v)
	}
	for i, v := range results {
		if r.useless(v) {
			continue
		}
		on := r.h.operand(i)
		r.things[on] = v
		if isName(v.Type(), r.h.Nominal) {
			r.reader.own[identity(v)] = on
		}
		r.read(on, v)
	}
	r.operate()
}

// useless reports whether a result of the harness is no operand: an error, or nil. A harness that
// returns an error, or nil for a handle, has failed.
func (c *record) useless(v reflect.Value) bool {
	where := c.h.Places[""]
	switch {
	case v.Type() == errorType && v.IsNil():
	case v.Type() == errorType:
		c.fail("%s: the harness returns the error %q", where, v.Interface().(error))
	case nilable(v.Kind()) && v.IsNil():
		c.fail("%s: the harness returns nil", where)
	default:
		return false
	}
	return true
}

// identity is equal for equal names.
func identity(v reflect.Value) any {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Pointer:
		return v.UnsafePointer()
	}
	return v.Interface()
}

// operate starts the operations: of each channel, one process that sends in order, or under bags
// one for each message; of each call, one.
func (r *run) operate() {
	r.prepare()
	senders := map[string][]int{}
	var ports []string
	for i, in := range r.inputs() {
		if ordered := in.Kind == refine.Send || in.Kind == refine.Close; !ordered ||
			r.script.Bags && r.script.Ops[i].By == 0 {
			hook.Go(in.Label, func() { r.perform(i, in) })
			continue
		}
		if senders[in.Port] == nil {
			ports = append(ports, in.Port)
		}
		senders[in.Port] = append(senders[in.Port], i)
	}
	for _, port := range ports {
		hook.Go("send "+port, func() {
			for _, i := range senders[port] {
				r.perform(i, r.inputs()[i])
			}
		})
	}
}

// prepare makes the arguments of the operations that need no earlier output. A client may use a
// name that it has made before it passes the name on, or while an earlier operation is under way.
func (r *run) prepare() {
	for i, op := range r.script.Ops {
		missing := func(a string) bool {
			_, err := strconv.Atoi(a)
			return err != nil && a != "new" && r.things[a] == (reflect.Value{})
		}
		on, ok := r.find(op)
		if !ok || op.Kind == refine.Cancel || op.Kind == refine.Close ||
			slices.ContainsFunc(op.Args, missing) {
			continue
		}
		if args, ok := r.arguments(i, op, on); ok {
			r.ready[i] = args
		}
	}
	for _, op := range r.script.Ops {
		for _, ref := range ownIn(op) {
			if r.things[ref] == (reflect.Value{}) {
				r.late[ref] = hook.Made(make(chan struct{}))
			}
		}
	}
}

// ownIn lists the names of the environment's that an operation uses.
func ownIn(op refine.Op) (list []string) {
	for _, ref := range append([]string{op.On}, op.Args...) {
		if strings.HasPrefix(ref, "^") && refine.From(ref) == nil {
			list = append(list, ref)
		}
	}
	return list
}

// perform performs operation i of the script.
func (r *run) perform(i int, in refine.Input) {
	op := r.script.Ops[i]
	for _, o := range in.After {
		hook.Recv(r.seen[o])
	}
	for _, ref := range ownIn(op) {
		if c := r.late[ref]; c != nil {
			hook.Recv(c)
		}
	}
	on, ok := r.find(op)
	if !ok {
		return
	}
	var args []reflect.Value
	if op.Kind != refine.Cancel && op.Kind != refine.Close {
		if args = r.ready[i]; args == nil {
			if args, ok = r.arguments(i, op, on); !ok {
				return
			}
		}
	}
	r.begin(in)
	switch op.Kind {
	case refine.Call:
		r.end(i, refine.Return, call(on, args))
	case refine.Send:
		r.chanOf(on.Type()).send(on, args[0])
		r.end(i, refine.Sent, nil)
	case refine.Close:
		r.chanOf(on.Type()).close(on)
		r.end(i, refine.Sent, nil)
	case refine.Cancel:
		on.Call(nil)
		r.end(i, refine.Sent, nil)
	}
}

func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// begin announces an input.
func (c *record) begin(in refine.Input) {
	at := hook.Announce(c.board)
	c.begun = append(c.begun, announced{event: at, in: in})
}

// end announces that operation i has ended.
func (r *run) end(i int, kind refine.Kind, results []reflect.Value) {
	r.ended[i+1] = true
	r.show(refine.Output{Kind: kind, Port: returns(i), Op: i + 1}, results)
}

// returns is the port of the end of operation i, from 0.
func returns(i int) string { return fmt.Sprintf("r%d", i+1) }

// show announces an output, and lets those go on who wait for it.
func (r *run) show(o refine.Output, values []reflect.Value) { r.showTaken(o, values, 0) }

func (r *run) showTaken(o refine.Output, values []reflect.Value, taken int32) {
	where, names := r.announce(o, values, taken)
	for _, n := range names {
		ref := where.String() + "/" + n.path
		r.things[ref] = n.v
		r.read(ref, n.v)
	}
	if c := r.seen[where]; c != nil {
		hook.Close(c)
	}
}

// announce announces an output, with the names in its values.
func (c *record) announce(o refine.Output, values []reflect.Value,
	taken int32) (where refine.Outcome, names []found) {
	o.Value, names = c.reader.read(values)
	o.Seq = c.next[o.Port]
	c.next[o.Port]++
	at := hook.Announce(c.board)
	c.waited = time.Duration(hook.Elapsed())
	c.shows = append(c.shows, announced{event: at, out: o, taken: taken})
	c.note(names)
	return refine.Outcome{Port: o.Port, Seq: o.Seq}, names
}

// note notes the types of names.
func (c *record) note(names []found) {
	for _, n := range names {
		c.types[nameOf(n.v.Type())] = n.v.Type()
	}
}

// read starts to receive from a value that the component has given, if the value is a channel to
// receive from or has such fields. A channel that already has a receiver here is left out.
func (r *run) read(ref string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Chan && v.Type().ChanDir() == reflect.RecvDir:
		if id := identity(v); !v.IsNil() && !r.reading[id] {
			r.reading[id] = true
			r.receive(ref, v)
		}
	case v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct:
		r.readFields(ref, v.Elem())
	case v.Kind() == reflect.Struct:
		r.readFields(ref, v)
	}
}

func (r *run) readFields(ref string, v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() == reflect.Chan {
			r.read(ref+"."+f.Name, v.Field(i))
		}
	}
}

// receive starts a process that receives as many values as count, and then as many again unseen, so
// that these further sends do not block the component.
func (r *run) receive(port string, ch reflect.Value) {
	ops := r.chanOf(ch.Type())
	if ops == nil {
		r.fail("channels of %s cannot be received from", ch.Type().Elem())
		return
	}
	hook.Go("receive "+port, func() {
		for i := range 2 * r.script.K {
			in := refine.Input{Kind: refine.Receive, Port: port, Seq: i, Label: port,
				After: refine.From(port)}
			if i >= r.script.K {
				in.Seq = -1
			}
			r.begin(in)
			v, ok := ops.recv(ch)
			if !ok {
				r.show(refine.Output{Kind: refine.Closed, Port: port}, nil)
				return
			}
			r.show(refine.Output{Kind: refine.Received, Port: port}, []reflect.Value{v})
		}
		r.beyond = true
	})
}

// take starts a process that takes messages out of a bag, as they come, until those have been taken
// that the script refers to. The others stay there: see mail.
func (r *run) take(port string, box reflect.Value) {
	n := r.script.Refers(port)
	if n == 0 {
		return
	}
	hook.Go("take from "+port, func() {
		for range n {
			v, _ := r.chanOf(box.Type()).recv(box)
			r.showTaken(refine.Output{Kind: refine.Received, Port: port}, []reflect.Value{v},
				hook.Steps())
		}
	})
}

// chanOf finds the operations on channels of a type.
func (c *record) chanOf(t reflect.Type) Chan {
	i := slices.IndexFunc(c.h.Chans, func(c Chan) bool { return c.elem() == t.Elem() })
	if i < 0 {
		return nil
	}
	return c.h.Chans[i]
}

func (c *record) fail(format string, args ...any) {
	if c.failure == "" {
		c.failure = fmt.Sprintf(format, args...)
	}
}
