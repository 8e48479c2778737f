package process

import "testing"

func TestWorse(t *testing.T) {
	order := []int{Clean, Budget, Failure, Finding, Again}
	for i, a := range order {
		for j, b := range order {
			if got, want := Worse(a, b), order[max(i, j)]; got != want {
				t.Errorf("Worse(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}
