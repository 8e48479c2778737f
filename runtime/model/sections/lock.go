package sections

import (
	"maps"
	"slices"
)

// Lock is what people read of the sections that one Lock in the source begins, or of the tasks of a
// loop that receives.
type Lock struct {
	Place     string   // the mutex, and where it is locked: "c.mu at cache.go:40"; or the channel
	Loop      bool     // it is a loop that receives
	Sections  int      // that have begun, in all executions
	Contended []string // variables for which they have an order
	Ordinary  []string // why some of them are ordinary locks, or all tasks have an order
}

// lock returns what is known of the Lock at a place.
func (w *World) lock(place string) *Lock {
	l := w.locks[place]
	if l == nil {
		l = &Lock{Place: place}
		w.locks[place] = l
	}
	return l
}

func (l *Lock) contend(list ...string) {
	for _, what := range list {
		add(&l.Contended, what)
	}
}

func (l *Lock) ordinary(why string) { add(&l.Ordinary, why) }

func add(list *[]string, text string) {
	if !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// Locks lists what is known of all that begins sections, by place.
func (w *World) Locks() (list []Lock) {
	for _, place := range slices.Sorted(maps.Keys(w.locks)) {
		list = append(list, *w.locks[place])
	}
	return list
}
