package fib

import "testing"

func TestFib3(t *testing.T) { t.Log(Fib(3)) }
func TestFib4(t *testing.T) { t.Log(Fib(4)) }
func TestFib6(t *testing.T) { t.Log(Fib(6)) }
