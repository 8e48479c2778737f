package nnr

import "testing"

func TestNNR4(t *testing.T) {
	if n := Run(4); n != 0 {
		t.Errorf("%d goroutines received from nobody", n)
	}
}
