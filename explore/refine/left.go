package refine

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Left is an operation that NEW may leave for ever and OLD never does. That is no difference for
// may testing. Its path performs the script and ends with the operation that waits.
type Left struct {
	*Difference     // nil: no test can perform the script as it is
	Note        int // the index of what Result.Notes says of it
}

// noteLeft notes that NEW may leave operation i of a script for ever, and the other operations of
// the first script in which it does.
func (c *Comparison) noteLeft(s *Script, i int, waited time.Duration) {
	var others []string
	for j := range s.Ops {
		if j != i {
			others = append(others, s.Text(j, c.of[1]))
		}
	}
	begin, beside := fmt.Sprintf("NEW may leave %s for ever", s.Text(i, c.of[1])), ""
	if len(others) > 0 {
		beside = " beside " + strings.Join(others, ", ")
	}
	if slices.ContainsFunc(c.result.Notes, func(note string) bool {
		return strings.HasPrefix(note, begin)
	}) {
		return
	}
	c.note("%s%s; OLD never does", begin, beside)
	left := Left{Note: len(c.result.Notes) - 1}
	if path := s.leaving(i, c.of[1]); path != nil {
		left.Difference = &Difference{Script: s, Path: path, Waited: waited}
	}
	c.result.Left = append(c.result.Left, left)
}

// leaving is the path of a client that performs all operations of the script at once and waits in
// vain for operation i. Meanwhile the client receives all that comes, and answers what the script
// answers. The path is nil if operations wait for others, or for what the component gives out.
func (s *Script) leaving(i int, of *Interface) (path Path) {
	p := of.Protocol
	if p.Sequential || len(p.One) > 0 || len(p.Last) > 0 {
		return nil
	}
	for _, port := range of.Ports {
		// as many receives as the comparison lets clients begin, seen and unseen
		for n := 0; n < 2*s.K && port.Kind == Receive && !s.Bags; n++ {
			path = append(path, Step{Kind: Receive, Port: port.On + port.Name})
		}
	}
	for j, op := range s.Ops {
		for _, ref := range append([]string{op.On}, op.Args...) {
			if len(From(ref)) > 0 {
				return nil
			}
		}
		port := fmt.Sprintf("c%d", j+1)
		if op.Kind == Send || op.Kind == Close {
			port = "s" + op.On + op.Name
		}
		path = append(path, Step{Kind: op.Kind, Port: port, Op: j + 1})
	}
	for _, answers := range s.Answers {
		for n := range answers.Args {
			path = append(path, Step{Kind: Callback, Port: answers.Port, seq: n, in: -1},
				Step{Kind: Answer, Port: answers.Port, after: []Outcome{{answers.Port, n}}})
		}
	}
	return append(path, Step{Kind: Waits, Port: fmt.Sprintf("r%d", i+1), Op: i + 1, in: -1})
}
