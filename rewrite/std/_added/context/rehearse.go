// The overlay adds this to package context: children that are cancelled in the order in which they
// were made, not in map order.
package context

import "sync/atomic"

var rehearseChildren atomic.Int64

// rehearseNumber numbers the children of contexts in the order in which they are made.
func rehearseNumber() int64 { return rehearseChildren.Add(1) }

// rehearseInOrder returns children by their numbers.
func rehearseInOrder(children map[canceler]struct{}) []canceler {
	list := make([]canceler, 0, len(children))
	for c := range children {
		i := len(list)
		list = append(list, c)
		for ; i > 0 && rehearseOrder(list[i-1]) > rehearseOrder(c); i-- {
			list[i] = list[i-1]
		}
		list[i] = c
	}
	return list
}

func rehearseOrder(c canceler) int64 {
	return c.(interface{ rehearseOrder() int64 }).rehearseOrder()
}
