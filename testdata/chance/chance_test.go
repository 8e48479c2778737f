package chance

import "testing"

func TestTransfer(t *testing.T) { Transfer() }

func TestElect(t *testing.T) { t.Log(Elect()) }

func TestDeal(t *testing.T) { t.Log(Deal()) }

func TestRoll(t *testing.T) { t.Log(Roll()) }

func TestVisit(t *testing.T) { t.Log(Visit()) }

func TestGrow(t *testing.T) { t.Log(Grow()) }
