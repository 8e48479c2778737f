package sched

import "github.com/rehearse-go/rehearse/runtime/trace"

func (c *choice) reset(by trace.Chooser) {
	c.chooser = by
	c.witness, _ = by.(trace.Witness)
	c.state.Procs, c.state.Twins, c.state.Last = c.state.Procs[:0], c.state.Twins[:0], -1
	c.state.Announces, c.state.Inner = false, false
}

// choose asks the chooser. It runs on the goroutine of some process. A panic of the chooser must
// not meet the program's own recover, so it waits for the driver.
func (c *choice) choose() (i int) {
	defer func() {
		if r := recover(); r != nil {
			c.failure, i = r, -1
		}
	}()
	return c.chooser.Choose(&c.state)
}

// Announce says that processes of this execution announce their accesses.
func (c *choice) Announce() { c.state.Announces = true }

// Timed notes the clock's values in the present state: see trace.State.
func (c *choice) Timed(now, next int64, moves int, alone bool) {
	c.state.Now, c.state.Next, c.state.Moves, c.state.Alone = now, next, moves, alone
}

// Offer tells the chooser that the last n alternatives of the present state let time pass because
// processes have gone on for too long. The clock came to its present time after since events.
func (c *choice) Offer(n, since int) { c.state.Forced, c.state.Since = n, since }
