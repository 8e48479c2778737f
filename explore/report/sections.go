package report

// Sections describes the critical sections that one Lock in the source begins.
type Sections struct {
	Lock      string   // the mutex, and where: "c.mu at cache.go:40"
	Count     int      // that have begun, in all executions
	Contended []string `json:",omitempty"` // variables for which they have an order
	Ordinary  []string `json:",omitempty"` // why some of them are ordinary locks
}

// sections prints what -why sections asks for.
func (t *Text) sections(list []Sections) {
	if !t.WhySections {
		return
	}
	t.printf("    critical sections, by what begins them\n")
	for _, l := range list {
		t.printf("      %s  %s\n", l.Lock, plural(l.Count, "time"))
		if len(l.Contended) == 0 && len(l.Ordinary) == 0 {
			t.printf("        have no order: all that they do commutes\n")
		}
		for _, what := range l.Contended {
			t.printf("        have an order because of %s\n", what)
		}
		for _, why := range l.Ordinary {
			t.printf("        are ordinary locks: %s\n", why)
		}
	}
	if len(list) == 0 {
		t.printf("      there are none, or none was looked at\n")
	}
}
