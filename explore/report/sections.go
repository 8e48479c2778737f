package report

import "github.com/rehearse-go/rehearse/explore/words"

// Sections describes the critical sections that one Lock in the source begins, or what a loop does
// with the values that it receives.
type Sections struct {
	Lock      string   // the mutex, and where: "c.mu at cache.go:40"; or the channel
	Loop      bool     `json:",omitempty"` // it is a loop that receives from a channel
	Count     int      // that have begun, in all executions
	Contended []string `json:",omitempty"` // variables for which they have an order
	// why some of them are ordinary locks, or all values have an order
	Ordinary []string `json:",omitempty"`
}

// sections prints what -why sections asks for.
func (t *Text) sections(list []Sections) {
	if !t.WhySections {
		return
	}
	t.printf("    critical sections, by what begins them, and loops that receive\n")
	for _, l := range list {
		what, all := "time", "are ordinary locks"
		if l.Loop {
			what, all = "value", "all have an order"
		}
		t.printf("      %s  %s\n", l.Lock, words.Plural(l.Count, what))
		if len(l.Contended) == 0 && len(l.Ordinary) == 0 {
			t.printf("        have no order: all that they do commutes\n")
		}
		for _, what := range l.Contended {
			t.printf("        have an order because of %s\n", what)
		}
		for _, why := range l.Ordinary {
			t.printf("        %s: %s\n", all, why)
		}
	}
	if len(list) == 0 {
		t.printf("      there are none, or none was looked at\n")
	}
}
