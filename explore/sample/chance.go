package sample

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Chance is what bounds the probability that executions of PCT have missed a bug.
type Chance struct {
	Procs   int // the most processes of an execution
	Longest int // events of the longest execution
	// by depth: the executions after the one that Longest is the length of, without those that were
	// cut off
	Drawn []int
}

// see notes an execution that was after a depth.
func (c *Chance) see(x *trace.Execution, depth int) {
	c.Procs = max(c.Procs, len(x.Procs))
	switch {
	case len(x.Events) > c.Longest:
		c.Longest, c.Drawn = len(x.Events), c.Drawn[:0]
	case x.End != trace.Cut:
		for len(c.Drawn) <= depth {
			c.Drawn = append(c.Drawn, 0)
		}
		c.Drawn[depth]++
	}
}

// Plus returns what the executions of both say. Those that were drawn for shorter executions than
// others have been say nothing of longer ones.
func (c Chance) Plus(d Chance) Chance {
	if c.Longest < d.Longest {
		c, d = d, c
	}
	c.Procs, c.Drawn = max(c.Procs, d.Procs), slices.Clone(c.Drawn)
	if d.Longest < c.Longest {
		return c
	}
	for depth, n := range d.Drawn {
		for len(c.Drawn) <= depth {
			c.Drawn = append(c.Drawn, 0)
		}
		c.Drawn[depth] += n
	}
	return c
}

// Missed bounds the probability that all executions have missed a bug of the given depth, in an
// execution of at most Longest steps of Procs processes. It is the product of 1 - 1/(n k^(d-1))
// over the executions with d >= depth: section 2 of the paper. It says nothing of a bug that needs
// a certain case of a select, or a certain message, or occurs only when processes are held back.
func (c Chance) Missed(depth int) float64 {
	sum := 0.0
	for d := depth; d < len(c.Drawn); d++ {
		each := 1 / (float64(c.Procs) * math.Pow(float64(c.Longest), float64(d-1)))
		sum += float64(c.Drawn[d]) * math.Log1p(-each)
	}
	return math.Exp(sum)
}

// Bound says with which probability the executions have missed something; empty if that is not
// known.
func (c Chance) Bound() string {
	var list []string
	for d := 1; d < len(c.Drawn); d++ {
		list = append(list, fmt.Sprintf("%.2g for d = %d", c.Missed(d), d))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("a bug that needs d orders of two steps, in an execution of at most %d "+
		"steps of %d goroutines, was missed with a probability of at most %s, unless it needs a "+
		"certain case of a select", c.Longest, c.Procs, strings.Join(list, ", "))
}
