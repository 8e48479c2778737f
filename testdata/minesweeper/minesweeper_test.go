package minesweeper

import (
	"slices"
	"testing"
)

func TestMinesweeper2(t *testing.T) { check(t, Play(true, false), 0, 1) }
func TestMinesweeper3(t *testing.T) { check(t, Play(true, false, true), 0, 2, 0) }

func check(t *testing.T, got []int, want ...int) {
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
