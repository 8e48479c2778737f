package drive

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// inputs are the operations of the script as inputs, by the same index.
func (r *run) inputs() []refine.Input { return Inputs(r.script, r.h.Protocol) }

// Inputs are the operations of a script as inputs, by the same index. Operations on a name, or with
// one as an argument, come after the output that brings it.
func Inputs(s *refine.Script, p refine.Protocol) []refine.Input {
	list := make([]refine.Input, len(s.Ops))
	sent, before := map[string]int{}, map[string]int{}
	for i, op := range s.Ops {
		in := refine.Input{Kind: op.Kind, Port: fmt.Sprintf("c%d", i+1), Op: i + 1, Label: op.Label,
			After: refine.From(op.On)}
		if !s.Bags && (op.Kind == refine.Send || op.Kind == refine.Close) {
			in.Port = "s" + op.On + op.Name
			in.Seq = sent[in.Port]
			sent[in.Port]++
		}
		if op.By > 0 {
			in.Port = fmt.Sprintf("s%s%s@%d", op.On, op.Name, op.By)
			in.Seq = sent[in.Port]
			sent[in.Port]++
		}
		if s.Bags && op.Kind == refine.Close { // after the last send
			for j, other := range s.Ops[:i] {
				if other.On == op.On && other.Name == op.Name {
					in.After = append(in.After, refine.Outcome{Port: returns(j)})
				}
			}
		}
		for _, a := range op.Args {
			in.After = append(in.After, refine.From(a)...)
		}
		if one := p.Sequential || p.One[op.Of]; one && op.Kind == refine.Call {
			among := op.On
			if p.Sequential {
				among = ""
			}
			if last, is := before[among]; is {
				in.After = append(in.After, refine.Outcome{Port: returns(last)})
			}
			before[among] = i
		}
		list[i] = in
	}
	for i, op := range s.Ops {
		for j, other := range s.Ops {
			if i != j && p.Last[op.Label] && !p.Last[other.Label] {
				list[i].After = append(list[i].After, refine.Outcome{Port: returns(j)})
			}
		}
	}
	return list
}

// find finds what an operation is done on: a function, or a channel. It is not ok if the output
// that it comes from has brought something else, or a name of the environment's own: what the
// environment does with that is nothing to the component. One channel has one sender, besides.
func (r *run) find(op refine.Op) (v reflect.Value, ok bool) {
	if op.Kind == refine.Cancel {
		v, ok = r.things["cancel "+op.On]
		return v, ok
	}
	v, ok = r.things[op.On]
	if !ok || nilable(v.Kind()) && v.IsNil() || strings.Contains(op.On, "#") && r.environments(v) {
		return v, false
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(op.Name, "."), ".") {
		if name == "" {
			break
		}
		if m := v.MethodByName(name); m.IsValid() {
			return m, true
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v = v.FieldByName(name); !v.IsValid() || nilable(v.Kind()) && v.IsNil() {
			return v, false
		}
	}
	return v, true
}

// environments reports whether the environment has made a name.
func (r *run) environments(v reflect.Value) bool {
	if !isName(v.Type(), nil) {
		return false
	}
	own := r.reader.own[identity(v)]
	for i := range reflect.TypeOf(r.h.Func).NumOut() {
		if own == r.h.operand(i) {
			return false
		}
	}
	return own != ""
}

// parameters makes what the harness takes.
func (r *run) parameters() (args []reflect.Value) {
	f := reflect.TypeOf(r.h.Func)
	for i := range f.NumIn() {
		if isTest(f.In(i)) {
			args = append(args, reflect.ValueOf(r.t))
		} else {
			args = append(args, r.parameter(r.h.Params[i], f.In(i)))
		}
	}
	return args
}

// parameter makes a parameter of the harness. From the beginning, the harness receives the values
// that the component sends there.
func (r *run) parameter(on string, t reflect.Type) reflect.Value {
	switch k := t.Kind(); {
	case k == reflect.Struct:
		v := reflect.New(t).Elem()
		r.fill(on, v)
		return v
	case k == reflect.Pointer:
		v := reflect.New(t.Elem())
		r.fill(on, v.Elem())
		return v
	}
	v := r.fresh(on, t)
	if r.things[on] == (reflect.Value{}) { // of a channel, the environment has the other direction
		r.things[on] = v
	}
	return v
}

// fill makes the fields of a struct that are ports.
func (r *run) fill(on string, v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && crosses(f.Type) {
			v.Field(i).Set(r.parameter(on+"."+f.Name, f.Type))
		}
	}
}

// fresh makes a new name of the environment's, and does what the environment does with it.
func (r *run) fresh(on string, t reflect.Type) reflect.Value {
	switch {
	case t == contextType:
		ctx, cancel := context.WithCancel(context.Background())
		r.things["cancel "+on] = reflect.ValueOf(cancel)
		return reflect.ValueOf(ctx)
	case t.Kind() == reflect.Func:
		c := r.callback(on, t)
		f := reflect.MakeFunc(t, c.invoke)
		r.reader.own[f.UnsafePointer()] = on
		return f
	case t.Kind() == reflect.Interface:
		return r.proxy(on, t)
	}
	return r.channel(on, t)
}

// channel makes a channel of the environment's. Unless the component may only receive from it, the
// environment does.
func (r *run) channel(on string, t reflect.Type) reflect.Value {
	ops := r.chanOf(t)
	if ops == nil {
		r.fail("a channel of %s cannot be made: no file of the package can name that type",
			t.Elem())
		return reflect.Zero(t)
	}
	ch := ops.make(r.script.Bags)
	r.reader.own[ch.UnsafePointer()] = on
	switch {
	case t.ChanDir() == reflect.RecvDir:
		r.things[on] = ch
	case r.script.Bags:
		r.boxes[on] = ch
		r.take(on, ch)
	default:
		r.reading[identity(ch)] = true
		r.receive(on, ch)
	}
	return ch.Convert(t)
}

// arguments makes the arguments of operation i.
func (r *run) arguments(i int, op refine.Op, on reflect.Value) (args []reflect.Value, ok bool) {
	for j, a := range op.Args {
		t := on.Type()
		if op.Kind == refine.Send {
			t = t.Elem()
		} else {
			t = t.In(j)
		}
		v, ok := r.argument(op, j, fmt.Sprintf("^%d.%d", i+1, j), a, t)
		if !ok {
			return nil, false
		}
		args = append(args, v)
	}
	return args, true
}

func (r *run) argument(op refine.Op, j int, own, a string, t reflect.Type) (v reflect.Value,
	ok bool) {
	if k, err := strconv.Atoi(a); err == nil {
		switch list := r.alphabet.of(r.placeOf(op, j), t); {
		case k < len(list):
			f := filler{nominal: r.h.Nominal}
			f.fresh = func(path string, t reflect.Type) reflect.Value { return r.made(own+path, t) }
			return f.in(list[k], ""), true
		case isName(t, r.h.Nominal):
			return reflect.Zero(t), true
		}
		return v, false
	}
	if a == "new" {
		return r.made(own, r.alphabet.naming(r.placeOf(op, j), t)), true
	}
	v, ok = r.things[a]
	if ok && !v.Type().AssignableTo(t) && v.Type().ConvertibleTo(t) {
		v = v.Convert(t)
	}
	return v, ok && v.Type().AssignableTo(t)
}

// made makes a new name of the environment's that it can use from now on.
func (r *run) made(own string, t reflect.Type) reflect.Value {
	v := r.fresh(own, t)
	if r.things[own] == (reflect.Value{}) { // of a channel, the environment has the other direction
		r.things[own] = v
	}
	if c := r.late[own]; c != nil {
		delete(r.late, own)
		hook.Close(c)
	}
	return v
}

// placeOf is the name in the source of the place for an argument.
func (r *run) placeOf(op refine.Op, j int) string {
	names := op.Places
	if j < len(names) {
		return names[j]
	}
	return ""
}

// proxy makes an implementation of an interface whose methods are callbacks.
func (r *run) proxy(on string, t reflect.Type) reflect.Value {
	i := slices.IndexFunc(r.h.Proxies, func(p Proxy) bool { return p.typ == t })
	if i < 0 {
		r.fail("no implementation of %s can be made", t)
		return reflect.Zero(t)
	}
	methods := map[string]*callback{}
	for j := range t.NumMethod() {
		m := t.Method(j)
		methods[m.Name] = r.callback(on+"."+m.Name, m.Type)
	}
	return r.h.Proxies[i].new(func(method string, args ...any) []any {
		c := methods[method]
		in := make([]reflect.Value, len(args))
		for j, a := range args {
			in[j] = reflect.New(c.typ.In(j)).Elem()
			if a != nil {
				in[j].Set(reflect.ValueOf(a))
			}
		}
		var out []any
		for _, v := range c.invoke(in) {
			out = append(out, v.Interface())
		}
		return out
	})
}
