package executor

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestRandomNumbers: a process draws the same numbers in every schedule, other ones than its
// siblings, and other ones with another seed.
func TestRandomNumbers(t *testing.T) {
	logs := map[uint64]string{}
	for _, seed := range []uint64{1, 2} {
		for _, c := range []trace.Chooser{first{}, last{}, first{}} {
			log := configured(world.Config{Seed: seed}, draw).Execute(c, false).Log[0]
			if before := logs[seed]; before != "" && log != before {
				t.Errorf("seed %d: %s in one schedule, %s in another", seed, before, log)
			}
			logs[seed] = log
		}
	}
	if logs[1] == logs[2] {
		t.Errorf("%s with either seed", logs[1])
	}
}

// draw lets two processes draw two numbers each, and logs them by process.
func draw(tb gate.TB) {
	var drawn [2][2]uint64
	done := hook.Made(make(chan bool, 2))
	for i := range drawn {
		hook.Go("draw", func() {
			for j := range drawn[i] {
				hook.Gosched()
				drawn[i][j] = gate.Random()
			}
			hook.Send(done).V(true)
		})
	}
	hook.Recv(done)
	hook.Recv(done)
	if drawn[0] == drawn[1] || drawn[0][0] == drawn[0][1] {
		panic("the same numbers again")
	}
	tb.Log(fmt.Sprint(drawn))
}
