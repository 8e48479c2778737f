package sections

import (
	"cmp"
	"slices"
)

// Ordinary is what another process needs to know if no section has commuted, and no channel was
// served: the sections and channels that are not plain.
type Ordinary struct {
	Sections []Name // and tasks
	Channels []Name
	// that are no semaphores
	Uncounted []Name
	// workers that take their tickets by steps
	Unticketed []Name
}

// Name names a section, a task or a channel in all executions.
type Name struct {
	Path  string // of a process
	Place string `json:",omitempty"` // of a section: what begins it
	Turn  int32
}

// Ordinary returns what is known of ordinary sections and channels.
func (w *World) Ordinary() (o Ordinary) {
	for n, says := range w.learned {
		if says == 0 {
			o.Sections = append(o.Sections, Name{n.path, n.place, n.turn})
		}
	}
	for n, s := range w.services {
		if s.state == struck {
			o.Channels = append(o.Channels, Name{n.path, n.place, n.turn})
		}
	}
	for n, t := range w.counted {
		if t.state == struck {
			o.Uncounted = append(o.Uncounted, Name{n.path, n.place, n.turn})
		}
	}
	for n, t := range w.ticketed {
		if t.state == struck {
			o.Unticketed = append(o.Unticketed, Name{n.path, n.place, n.turn})
		}
	}
	sort(o.Sections)
	sort(o.Channels)
	sort(o.Uncounted)
	sort(o.Unticketed)
	return o
}

// Commute reports whether sections, or tasks, may have commuted in the execution that has ended.
func (w *World) Commute() bool {
	for _, s := range w.services {
		if s.state == served || s.state == laid {
			return true
		}
	}
	for n := range w.counted {
		if w.counted[n].counts() {
			return true
		}
	}
	for _, s := range w.ticketed {
		if s.state == served {
			return true
		}
	}
	return w.Begun()
}

func sort(list []Name) {
	slices.SortFunc(list, func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Place, b.Place), cmp.Compare(a.Turn, b.Turn))
	})
}

// Recall begins with the knowledge of another process.
func (w *World) Recall(o *Ordinary) {
	w.Begin(true)
	for _, n := range o.Sections {
		w.learned[name{n.Path, n.Place, n.Turn}] = 0
	}
	for _, n := range o.Channels {
		w.services[name{n.Path, n.Place, n.Turn}] = &standing{state: struck, next: struck}
	}
	for _, n := range o.Uncounted {
		w.counted[name{n.Path, n.Place, n.Turn}] = &standing{state: struck, next: struck}
	}
	for _, n := range o.Unticketed {
		w.ticketed[name{n.Path, n.Place, n.Turn}] = &standing{state: struck, next: struck}
	}
}
