package dht

import "testing"

func TestDHTSmall(t *testing.T) { t.Log(Small()) }
func TestDHTA(t *testing.T)     { t.Log(A()) }
func TestDHTB(t *testing.T)     { t.Log(B()) }
