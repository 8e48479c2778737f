// Package serverreal is the subject server_real of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis,
// University of Illinois at Urbana-Champaign, 2009): the inventory server of its appendix A, with the client of that program,
// where updates are sent without waiting. A report of the inventory asks the server twice, for the value and for the items:
// where messages have no order, an update may come between the two. It is for -model actor; package inventory beside this
// one is for Go's own channels, one client method at a time.
//
// # Counts
//
// Under Go's own delivery there is one order: one client, one mailbox.
package serverreal

import "fmt"

type item struct{ name, price, stock int }

// request is a message to the server.
type request struct {
	op    byte // 'u' update, 'i' items, 'o' order, 'x' exit
	item  item
	reply chan<- []item
}

func server(inbox <-chan request) {
	stock := map[int]item{}
	for {
		m := <-inbox
		switch m.op {
		case 'u':
			it := m.item
			it.stock += stock[it.name].stock
			stock[it.name] = it
		case 'i':
			m.reply <- list(stock)
		case 'o':
			m.reply <- take(stock, m.item)
		default:
			return
		}
	}
}

// list returns what there is, by name.
func list(stock map[int]item) []item {
	var items []item
	for name := range parts {
		if it, ok := stock[name]; ok {
			items = append(items, it)
		}
	}
	return items
}

// take ships as much of an item as there is; nothing is returned for one that is not known.
func take(stock map[int]item, want item) []item {
	it, ok := stock[want.name]
	if !ok {
		return nil
	}
	n := min(it.stock, want.stock)
	it.stock -= n
	stock[want.name] = it
	return []item{{want.name, it.price, n}}
}

// The parts.
const (
	apple = iota
	banana
	orange
	unknown
	parts
)

type client struct {
	server chan<- request
	reply  chan []item
}

func (c *client) ask(m request) []item {
	m.reply = c.reply
	c.server <- m
	return <-c.reply
}

// update sends updates and returns a report.
func (c *client) update(items ...item) string {
	for _, it := range items {
		c.server <- request{op: 'u', item: it}
	}
	value := 0
	for _, it := range c.ask(request{op: 'i'}) {
		value += it.price * it.stock
	}
	shown := 0
	for _, it := range c.ask(request{op: 'i'}) {
		shown += it.price * it.stock
	}
	return fmt.Sprintf("%d=%d", value, shown)
}

// order orders one item after the other, and returns how many were shipped of each.
func (c *client) order(items ...item) (shipped []int) {
	for _, it := range items {
		n := -1
		if got := c.ask(request{op: 'o', item: it}); got != nil {
			n = got[0].stock
		}
		shipped = append(shipped, n)
	}
	return shipped
}

// Session is what the client does. It returns what the two reports and the order say.
func Session() string {
	inbox := make(chan request, 16) //rehearse:mailbox
	c := &client{server: inbox, reply: make(chan []item, 1)}
	go server(inbox)
	one := c.update(item{apple, 25, 25})
	two := c.update(item{orange, 40, 45}, item{banana, 15, 4})
	shipped := c.order(item{name: apple, stock: 20}, item{name: banana, stock: 10}, item{name: orange, stock: 35}, item{name: unknown, stock: 23})
	c.server <- request{op: 'x'}
	return fmt.Sprint(one, " ", two, " ", shipped)
}
