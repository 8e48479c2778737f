package inventoryfixed

import "slices"

// Item is one line of the inventory. Items are replaced, never changed.
type Item struct {
	PN    string // part number
	Name  string
	Price int // in cents
	Qty   int
}

// Value returns what items are worth, in cents.
func Value(items []Item) int {
	sum := 0
	for _, it := range items {
		sum += it.Price * it.Qty
	}
	return sum
}

// stock is the state of a server. It is never changed in place: answers may share it.
type stock []Item

func (st stock) find(pn string) int {
	return slices.IndexFunc(st, func(it Item) bool { return it.PN == pn })
}

// add adds it.Qty to a known part, and a new part otherwise.
func (st stock) add(it Item) stock {
	if i := st.find(it.PN); i >= 0 {
		return st.withQty(i, st[i].Qty+it.Qty)
	}
	return append(slices.Clone(st), it)
}

func (st stock) take(pn string, qty int) (Shipment, stock) {
	i := st.find(pn)
	if i < 0 {
		return Shipment{}, st
	}
	n := min(qty, st[i].Qty)
	return Shipment{Found: true, Qty: n, Cost: n * st[i].Price}, st.withQty(i, st[i].Qty-n)
}

func (st stock) withQty(i, qty int) stock {
	st = slices.Clone(st)
	st[i].Qty = qty
	return st
}

func inStock(items []Item) []Item {
	return slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return it.Qty == 0 })
}
