// Package depot is an actor whose handlers do what real ones do beside computing and sending: they ask another actor and
// wait for the answer, lock, count atomically, start goroutines and wait for them, and close channels that others read.
//
// # Counts
//
//   - Asking: two customers buy one thing each, and say that they have. The depot takes one order or the other first; then
//     who was served first may be the second to say so: 2·2 = 4 executions.
//   - Auditing: an auditor locks the sales before or after the depot adds the one that there is: 2.
//   - Packing: the depot starts two packers and waits for them. The first may be done before the second is begun; else they
//     add to one counter in either order: 1 + 2 = 3.
//   - Watching: one goroutine does all in order, and what the depot sends has a place to go: 1.
//   - Counting: the test counts goroutines when it has told the depot to end, before or after each of the two actors has
//     ended. They do not wait for each other: 2·2 = 4.
package depot

import (
	"sync"
	"sync/atomic"
)

// Order is a thing to buy, and where the receipt goes.
type Order struct {
	Thing   string
	Receipt chan int
}

// Query asks for a price.
type Query struct {
	Thing string
	Price chan int
}

// Prices serves queries until they end.
func Prices(list map[string]int, queries <-chan Query) {
	for q := range queries {
		q.Price <- list[q.Thing]
	}
}

// Depot sells and packs things, and tells who watches.
type Depot struct {
	Orders  chan Order
	Pack    chan []string
	Watch   chan chan string
	Quit    chan bool
	queries chan Query // to the actor that knows the prices

	watchers []chan string
	till     int
	opened   bool
	opening  sync.Once

	mu    sync.Mutex
	sales []string // guarded by mu, for Audit

	packed  atomic.Int64
	packers sync.WaitGroup
}

// New starts a depot and the actor of its prices.
func New(prices map[string]int) *Depot {
	d := &Depot{Orders: make(chan Order), Pack: make(chan []string), Watch: make(chan chan string), Quit: make(chan bool), queries: make(chan Query)}
	go Prices(prices, d.queries)
	go d.run()
	return d
}

func (d *Depot) run() {
	for {
		select {
		case o := <-d.Orders:
			d.sell(o)
		case things := <-d.Pack:
			d.pack(things)
		case w := <-d.Watch:
			d.watchers = append(d.watchers, w)
		case <-d.Quit:
			for _, w := range d.watchers {
				close(w)
			}
			close(d.queries)
			return
		}
	}
}

// sell asks for the price, takes the money, and notes the sale.
func (d *Depot) sell(o Order) {
	d.opening.Do(d.open)
	price := make(chan int)
	d.queries <- Query{o.Thing, price}
	paid := <-price
	d.till += paid
	d.note(o.Thing)
	for _, w := range d.watchers {
		w <- o.Thing
	}
	o.Receipt <- paid
}

func (d *Depot) open() { d.opened = true }

func (d *Depot) note(thing string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sales = append(d.sales, thing)
}

// pack has all things packed at once, and waits until they are.
func (d *Depot) pack(things []string) {
	for range things {
		d.packers.Add(1)
		go d.packOne()
	}
	d.packers.Wait()
}

func (d *Depot) packOne() {
	defer d.packers.Done()
	d.packed.Add(1)
}

// Audit returns what has been sold. Anybody may call it.
func (d *Depot) Audit() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.sales...)
}

// Packed returns how many things have been packed. Anybody may call it.
func (d *Depot) Packed() int64 { return d.packed.Load() }

// Buy orders a thing and returns what it costs.
func (d *Depot) Buy(thing string) int {
	receipt := make(chan int)
	d.Orders <- Order{thing, receipt}
	return <-receipt
}
