package maps

import "testing"

func TestOrders(t *testing.T) { t.Log(Orders()) }

func TestRace(t *testing.T) { t.Log(Race()) }
