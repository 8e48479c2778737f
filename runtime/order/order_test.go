package order

import (
	"math"
	"reflect"
	"sync"
	"testing"
	"unsafe"
)

type pair struct {
	a any
	b *int
}

type errA int

func (errA) Error() string { return "" }

func ptr(n int) *int { return &n }

// TestCompare has lists of values in the order that they should have.
func TestCompare(t *testing.T) {
	first, second := make(chan int), make(chan int)
	number := func(ch unsafe.Pointer) int32 {
		if ch == *(*unsafe.Pointer)(unsafe.Pointer(&first)) {
			return 1
		}
		return 2
	}
	var locks [2]struct{ sync.Mutex }
	c := &Comparer{Chan: number, Object: func(at unsafe.Pointer) int32 {
		if at == unsafe.Pointer(&locks[1]) {
			return 1
		}
		return -1
	}}
	for _, list := range [][]any{
		{false, true},
		{-3, 0, 7},
		{uint8(1), uint8(200)},
		{math.NaN(), math.Inf(-1), 0.5},
		{complex(1, 2), complex(1, 3), complex(2, 0)},
		{"", "a", "ab", "b"},
		{[2]int{1, 9}, [2]int{2, 0}},
		{first, second},
		{(*int)(nil), ptr(1), ptr(2)},
		{&locks[0], &locks[1]},
		{pair{}, pair{a: 1}, pair{a: 2}, pair{a: 2, b: ptr(0)}, pair{a: "x"}, pair{a: "y"}},
		{[1]error{}, [1]error{errA(1)}, [1]error{errA(2)}},
		{&pair{a: &pair{a: 1}}, &pair{a: &pair{a: 2}}},
		{&[]string{"b"}, &[]string{"a", "b"}},
	} {
		for i, a := range list {
			for j, b := range list {
				if got := c.Compare(reflect.TypeOf(a), copied(reflect.ValueOf(a)),
					copied(reflect.ValueOf(b))); sign(got) != sign(i-j) {
					t.Errorf("%v with %v: %d", a, b, got)
				}
			}
		}
	}
}

// TestTies has values that only their addresses tell apart, and a list that leads to itself.
func TestTies(t *testing.T) {
	type list struct{ next *list }
	a, b := &list{}, &list{}
	a.next, b.next = a, b
	if got := new(Comparer).Compare(reflect.TypeOf(a), unsafe.Pointer(&a),
		unsafe.Pointer(&b)); got != 0 {
		t.Error(got)
	}
}

func sign(n int) int { return min(max(n, -1), 1) }
