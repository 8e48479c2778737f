package inventoryfixed

import "testing"

func TestInventory(t *testing.T) {
	s := Start()
	s.Update(Item{PN: "a", Name: "Apple", Price: 1, Qty: 1})
	if sh := s.Order("na", 23); sh.Found {
		t.Errorf("shipped a part that does not exist: %+v", sh)
	}
	value, items := s.Report()
	s.Exit()
	if listed := Value(items); value != listed {
		t.Errorf("first read %d, second read %d", value, listed)
	} else {
		t.Logf("both reads %d", value)
	}
}

func TestInventoryOrder(t *testing.T) {
	s := Start()
	s.Update(Item{PN: "a", Name: "Apple", Price: 25, Qty: 25})
	sh := s.Order("a", 30)
	s.Exit()
	t.Logf("found %t, shipped %d for %d", sh.Found, sh.Qty, sh.Cost)
}

func TestInventoryExit(t *testing.T) {
	s := Start()
	s.Update(Item{PN: "a", Name: "Apple", Price: 1, Qty: 1})
	s.Exit()
}
