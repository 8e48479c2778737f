package indexer

import "testing"

func TestIndexer12(t *testing.T) { check(t, 12) }
func TestIndexer13(t *testing.T) { check(t, 13) }

func check(t *testing.T, n int) {
	if got := Run(n); got != n*most {
		t.Errorf("%d places are taken, want %d", got, n*most)
	}
}
