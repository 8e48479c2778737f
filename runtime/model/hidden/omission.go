package hidden

import (
	"fmt"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// Omission says that some hidden choices are not explored in full.
type Omission struct {
	Text string
	Site string // where in the source the first of them is
	Why  int    // tells omissions apart
}

// reason tells omissions apart.
type reason int

const (
	values reason = iota
	fixed
	keys
	insertions
	choices
	numReasons
)

// AddOmissions notes what TakeOmissions has returned elsewhere.
func (c *Choices) AddOmissions(list []Omission) {
	for _, o := range list {
		if c.omitted[o.Why].Text == "" {
			c.omitted[o.Why] = o
		}
	}
}

// omit notes the first omission for each reason: finding its place takes long.
func (c *Choices) omit(why reason, format string, args ...any) {
	if c.omitted[why].Text == "" {
		c.omitted[why] = Omission{fmt.Sprintf(format, args...), sched.Site(), int(why)}
	}
}

// Insertions notes that keys that were added to a map while it is iterated are not produced, for there are too many.
func (c *Choices) Insertions() {
	c.omit(insertions, "not all keys that are added to the map during the iteration are produced")
}

// TakeOmissions returns what has been left out since it was called last.
func (c *Choices) TakeOmissions() (list []Omission) {
	for i, o := range c.omitted {
		if o.Text != "" {
			list = append(list, o)
		}
		c.omitted[i] = Omission{}
	}
	return list
}
