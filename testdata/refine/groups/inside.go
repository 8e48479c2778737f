package groups

// Get asks a counter for its number.
type Get struct{ Reply chan<- int }

// Inc adds to the number.
type Inc struct{ Done func() }

// Count is an actor whose messages have the channels and functions in which it answers.
func Count(step int) chan<- any {
	c := make(chan any)
	go func() {
		n := 0
		for m := range c {
			switch m := m.(type) {
			case Inc:
				n += step
				m.Done()
			case Get:
				m.Reply <- n
			}
		}
	}()
	return c
}

// Job is what a worker does: it passes on one value.
type Job struct {
	In  <-chan int
	Out chan<- int
}

func (j *Job) do() { j.Out <- <-j.In }

// Work does jobs one after the other, or each in a goroutine.
func Work(each bool) chan<- Job {
	c := make(chan Job)
	go func() {
		for j := range c {
			if each {
				go j.do()
			} else {
				j.do()
			}
		}
	}()
	return c
}
