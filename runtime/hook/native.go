package hook

import "reflect"

// nativeCase is a case for reflect.Select.
type nativeCase = reflect.SelectCase

//go:norace
func (r *RecvCase[T]) native() nativeCase {
	return nativeCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.ch)}
}

//go:norace
func (r *SendCase[T]) native() nativeCase {
	return nativeCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(r.ch), Send: reflect.ValueOf(&r.v).Elem()}
}

// nativeSelect does a select while no execution runs.
func nativeSelect(hasDefault bool, cases []Case) int {
	list := make([]nativeCase, 0, len(cases)+1)
	for _, c := range cases {
		list = append(list, c.native())
	}
	if hasDefault {
		list = append(list, nativeCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	if r, is := cases[i].(interface{ set(reflect.Value, bool) }); is {
		r.set(v, ok)
	}
	return i
}

//go:norace
func (r *RecvCase[T]) set(v reflect.Value, ok bool) {
	reflect.ValueOf(&r.V).Elem().Set(v)
	r.OK = ok
}
