package graph

// Stack is the search: Visit of the papers, without its recursion. The zero value has nothing to
// explore. A node that Next returns is to be run. The maximal graph to which it comes is to be
// pushed before Next is called again.
type Stack struct {
	frames []frame
	view   view
	viewed int // v is that of so many frames' last one
}

// frame is a maximal graph, with the places up to which it has been looked at.
type frame struct {
	g *Graph
	// the receive, counted from the last one, the case and the source to be looked at next
	e, c, i int
}

// Push adds a maximal graph.
func (s *Stack) Push(g *Graph) {
	s.frames = append(s.frames, frame{g: g})
	s.viewed = 0
}

// Next returns the next node whose witness is on the stack, nil if there is none left.
func (s *Stack) Next() *Graph {
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		if s.viewed != len(s.frames) {
			s.view.look(f.g)
			s.viewed = len(s.frames)
		}
		if node := f.next(&s.view); node != nil {
			return node
		}
		s.frames[len(s.frames)-1] = frame{}
		s.frames = s.frames[:len(s.frames)-1]
	}
	return nil
}

// next finds the next node.
func (f *frame) next(v *view) *Graph {
	for ; f.e < len(f.g.Events); f.e, f.c = f.e+1, 0 {
		n := int32(len(f.g.Events) - 1 - f.e)
		e := &f.g.Events[n]
		if e.Kind != Receive || e.Base == Fixed {
			continue
		}
		for ; f.c < len(e.Cases); f.c, f.i = f.c+1, 0 {
			if e.Cases[f.c] < 0 {
				continue
			}
			for sources := v.sources[e.Cases[f.c]]; f.i < len(sources); {
				f.i++
				if node := v.revisit(n, int32(f.c), sources[f.i-1]); node != nil {
					return node
				}
			}
		}
	}
	return nil
}

// Depth is how many graphs the stack holds.
func (s *Stack) Depth() int { return len(s.frames) }

// Size is how many events these have in all.
func (s *Stack) Size() (events int) {
	for i := range s.frames {
		events += len(s.frames[i].g.Events)
	}
	return events
}
