// Package maps broadcasts to subscribers that are kept in maps: by name, by channel, by pointer, and by an interface.
// Without control each execution would send in another order.
//
// # Counts
//
// Three subscribers, with a buffered channel each, are told in one order only: that of the names, of the making of
// channels, of the clients' contents. The two subscribers of Race answer on one channel: 2 orders, and their order of
// being told is fixed.
package maps

import "fmt"

type client struct {
	name string
	ch   chan string
}

type key struct {
	n    int
	name string
}

var clients = map[string]chan string{}

// Orders returns the orders in which maps of several kinds are iterated.
func Orders() string {
	byChan, byPointer, byAny, byKey := map[chan string]int{}, map[*client]bool{}, map[any]int{}, map[key]int{}
	var told []any
	for i, name := range []string{"b", "c", "a"} {
		ch := make(chan string, 1)
		clients[name], byChan[ch], byPointer[&client{"same", ch}], byKey[key{1, name}] = ch, i, true, i
		byAny[name], byAny[i], byAny[ch] = i, i, i
	}
	for name := range clients {
		told = append(told, name)
	}
	for _, i := range byChan {
		told = append(told, i)
	}
	for c := range byPointer {
		c.ch <- c.name
		told = append(told, byChan[c.ch])
	}
	for k, i := range byKey {
		told = append(told, k.name, i)
	}
	for _, i := range byAny {
		told = append(told, i)
	}
	return fmt.Sprint(told...)
}

// Race starts a goroutine for each entry of a map.
func Race() string {
	answers := make(chan string)
	for name, n := range map[string]int{"x": 1, "y": 2} {
		go func() { answers <- fmt.Sprint(name, n) }()
	}
	return <-answers + <-answers
}
