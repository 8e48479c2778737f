package types

import (
	"encoding/binary"
	"slices"
)

type behind int // yes: target

type readOnly int // no: target element

type elem int // yes: element target

type inArray int // yes: element

type arrays [2]inArray // yes: parts

type written map[string]int // yes: mapped

type onlyRead map[int]int // no: mapped

type sorted int // yes: element

type record struct{ n behind } // yes: parts

type constant struct{ n readOnly } // no: parts

type argument int // yes: element target

func put[T any](s []T, x T) { s[0] = x }

func TestTypes(p *behind, q *readOnly, s []elem, w written, o onlyRead, t []sorted, r *record, c *constant, a []argument, b []byte) {
	arr := &arrays{}
	go func() {
		*p = 1
		s[0]++
		w["a"] = 2
		slices.Sort(t)
		r.n++
		*arr = arrays{}
		put(a, 1)
		binary.BigEndian.PutUint16(b, 1)
	}()
	_, _, _, _, _ = *p, *q, s[1], w["a"], o[1]
	_, _ = slices.Max(t), a[0]
	_, _ = r.n, c.n
	_ = arr[1]
	go func() { _, _ = *q, o[2] }()
}
