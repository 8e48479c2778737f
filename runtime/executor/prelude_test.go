package executor

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// earlyTimer is a timer made before the first execution, as package time describes it. It sends the
// virtual time.
type earlyTimer struct{ c chan int64 }

func startEarly(d, period time.Duration) *earlyTimer {
	t := &earlyTimer{make(chan int64, 1)}
	gate.TimerStart(&gate.Timer{
		At: unsafe.Pointer(t), Chan: world.Pointer(t.c),
		Send:  func(now int64) { t.c <- now },
		Empty: func() bool { return t.empty() },
	}, int64(d), int64(period))
	return t
}

func (t *earlyTimer) empty() bool {
	select {
	case <-t.c:
		return true
	default:
		return false
	}
}

// TestEarlyTimers lets executions use, stop and set again what was armed before the first one: each
// begins with all as it was then, also where the one before has left values in channels.
func TestEarlyTimers(t *testing.T) {
	before := library.Prelude
	defer func() { library.Prelude = before }()
	for _, technique := range techniques {
		library.Prelude = &clock.Prelude{Launch: library.LaunchTimer}
		timer, ticker, stopped := startEarly(20, 0), startEarly(15, 15), startEarly(5, 0)
		gate.TimerStop(unsafe.Pointer(stopped))
		calls := 0
		gate.TimerStart(&gate.Timer{At: unsafe.Pointer(&calls), Func: func() { calls++ }}, 10, 0)
		log := ""
		use := func(what int) {
			switch what {
			case 0:
				log += fmt.Sprint("timer at ", hook.Recv(timer.c), "; ")
			case 1:
				log += fmt.Sprint("tick at ", hook.Recv(ticker.c), "; ")
			case 2:
				log += fmt.Sprint("stopped ", gate.TimerStop(unsafe.Pointer(timer)),
					gate.TimerStop(unsafe.Pointer(ticker)), gate.TimerStop(unsafe.Pointer(&calls)),
					"; ")
			case 3:
				gate.TimerReset(unsafe.Pointer(stopped), 30, 0)
				log += fmt.Sprint("reset at ", hook.Recv(stopped.c), "; ")
			case 4:
				gate.ClockSleep(100)
			}
		}
		var plan []int
		e := program(technique, func(gate.TB) {
			for _, what := range plan {
				use(what)
			}
		})
		for i, test := range []struct {
			plan  []int
			log   string
			calls int
		}{
			{[]int{1, 0, 1, 3, 1}, "tick at 15; timer at 20; tick at 30; reset at 60; tick at 45; ",
				1},
			{[]int{1, 0, 1}, "tick at 15; timer at 20; tick at 30; ", 1},
			{[]int{2, 3}, "stopped true true true; reset at 30; ", 0},
			{[]int{4, 1, 0}, "tick at 15; timer at 20; ", 1},
			{[]int{4}, "", 1}, // with full channels at the end
			{[]int{2}, "stopped true true true; ", 0},
			{nil, "", 0},
			{[]int{0, 2}, "timer at 20; stopped false true false; ", 1},
		} {
			plan, log, calls = test.plan, "", 0
			x := e.Execute(random{rand.New(rand.NewPCG(3, uint64(i)))}, i%2 == 0)
			if log != test.log || calls != test.calls || len(x.Blocked) > 0 || !x.MainDone {
				t.Errorf("%s, execution %d: %s%d calls; want %s%d calls; %s", technique, i, log,
					calls, test.log, test.calls, describe(x))
			}
		}
	}
}
