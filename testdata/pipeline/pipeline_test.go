package pipeline

import (
	"slices"
	"testing"
)

func TestPipeline3x3(t *testing.T) { check(t, Run(3, 3)) }

func TestPipelineUnbuffered3x3(t *testing.T) { check(t, RunUnbuffered(3, 3)) }

func check(t *testing.T, got []int) {
	if want := []int{3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
