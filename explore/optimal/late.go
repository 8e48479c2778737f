package optimal

// patience says when the search for the races of an execution ends before its end.
type patience struct {
	late    func() bool // see Until; nil: never
	pending int         // events that were looked at
	hurried bool        // races of an execution were left out, because it was too late
}

// Until makes the search look for no more races once late returns true: to find those of an
// execution of thousands of steps can take longer than the execution.
func (p *patience) Until(late func() bool) { p.late = late }

// tooLate reports whether no more races are to be looked for. To ask for the time takes as long as
// to look for a few.
func (p *patience) tooLate() bool {
	const often = 16
	if p.pending++; p.late != nil && p.pending%often == 0 {
		p.hurried = p.hurried || p.late()
	}
	return p.hurried
}
