package executor

import (
	"fmt"
	"reflect"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// byReflection does o as code does that uses package reflect: through its hooks under control, else
// plainly.
func (r *run) byReflection(o op) string {
	ch := reflect.ValueOf(r.chans[o.ch])
	controlled := world.W.Current() != nil
	switch o.kind {
	case trace.Send:
		if controlled {
			gate.ReflectSend(ch, reflect.ValueOf(o.v), false)
		} else {
			ch.Send(reflect.ValueOf(o.v))
		}
	case trace.Recv:
		if !controlled {
			v, ok := ch.Recv()
			return fmt.Sprint(v.Int(), ok)
		}
		v, ok, _ := gate.ReflectRecv(ch, false)
		return fmt.Sprint(v.(reflect.Value).Int(), ok)
	case trace.Close:
		if controlled {
			gate.ReflectClose(ch)
		} else {
			ch.Close()
		}
	case trace.Len:
		if controlled {
			return fmt.Sprint(gate.ReflectLen(ch))
		}
		return fmt.Sprint(ch.Len())
	case trace.Select:
		return r.reflectSelect(o, controlled)
	}
	return "."
}

func (r *run) reflectSelect(o op, controlled bool) string {
	var cases []reflect.SelectCase
	if o.fallback {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	for _, c := range o.cases {
		s := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.chans[c.ch])}
		if c.kind == trace.Send {
			s.Dir, s.Send = reflect.SelectSend, reflect.ValueOf(c.v)
		}
		cases = append(cases, s)
	}
	if !controlled {
		i, v, ok := reflect.Select(cases)
		return chosen(cases, i, v, ok)
	}
	i, v, ok, _ := gate.ReflectSelect(cases)
	value, _ := v.(reflect.Value)
	return chosen(cases, i, value, ok)
}

func chosen(cases []reflect.SelectCase, i int, v reflect.Value, ok bool) string {
	if cases[i].Dir == reflect.SelectRecv {
		return fmt.Sprint(i, v.Int(), ok)
	}
	return fmt.Sprint(i)
}
