package search

// Patience says when a search for the races of an execution ends before its end. To find those of
// an execution of thousands of events, all dependent, can take longer than to run it.
type Patience struct {
	late    func() bool // see Until; nil: never
	asked   int         // how often TooLate was called
	Hurried bool        // races of an execution were left out: the search is not complete
}

// Until makes the search look for no more races once late returns true.
func (p *Patience) Until(late func() bool) { p.late = late }

// TooLate reports whether no more races are to be looked for. It is called for each event. To ask
// for the time takes as long as to look for a few races, so that is done now and then.
func (p *Patience) TooLate() bool {
	const often = 16
	if p.asked++; p.late != nil && p.asked%often == 0 {
		p.Hurried = p.Hurried || p.late()
	}
	return p.Hurried
}
