// Package depict shows an execution to people: as a chart, as a list of steps, and by one sentence
// that names the deciding step; or as data, for a page.
//
// Vocabulary: a Finding is one thing that is wrong, ready to be shown. Its chart is a message
// sequence chart of the execution that shows it, with a column per process, time running down. A
// site is a source position as an execution records it ("/dir/file.go:12"), a place the same as
// people read it ("file.go:12").
//
// LIMITS: those of package diagram, for charts.
package depict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/diagram"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Outside is how far the text report indents charts.
const Outside = 4

// Parting is a step at which an execution leaves a passing one.
type Parting struct {
	Step    int          // index of the event that the passing execution did not do here
	Instead trace.Choice // what the passing execution did here
	Site    string       // where that was; may be empty
	Value   string       // what a hidden choice chose, in words
}

// Chart draws x, which must have been run with sites, as lines without indentation, with the
// accesses of races. full draws all rows.
func Chart(x *trace.Execution, partings []Parting, races []trace.Race, at *Places,
	full bool) []string {
	c := &chart{names: NewNames(x, at), racing: racing(races)}
	c.users = c.findUsers()
	c.addEvents()
	c.addEnd()
	c.mark(partings)
	if !full {
		c.endAtRace()
		if !c.At.Inside {
			c.foldInside()
		}
		c.foldCalls()
		c.foldQuiet()
	}
	rows := diagram.FoldLoops(c.drawn())
	if !full {
		rows = diagram.Elide(rows)
	}
	style := diagram.Style{Name: c.proc, Place: at.Line, Source: at.Source}
	if at.Width > 0 {
		style.Width = max(1, at.Width-Outside)
	}
	return append(diagram.Draw(rows, style), c.legend(objectsOf(rows))...)
}

// drawn is the rows as they are drawn, without those of the tests' runner.
func (c *chart) drawn() (rows []diagram.Row) {
	for i := range c.rows {
		if !c.rows[i].isRunners() {
			rows = append(rows, c.rows[i].Row)
		}
	}
	return rows
}

// objectsOf are the objects that the texts of rows name.
func objectsOf(rows []diagram.Row) map[int32]bool {
	used := map[int32]bool{}
	for _, r := range rows {
		used[r.Obj] = true
	}
	return used
}

// chart is a message sequence chart in the making: its rows are added, marked, and folded. Package
// diagram draws them.
type chart struct {
	*names
	racing []trace.Access  // those that take part in a race, in order
	users  map[int32]int32 // by object: the process that uses it, or several
	rows   []row
	rowOf  []int // by event
}

// row is one line of the chart, and what folding needs to know of it.
type row struct {
	diagram.Row
	event int32  // its number from 1; 0: the row is about none
	quiet bool   // what is done concerns nobody but the process that does it
	call  string // the library's function that does it, called at the site
	more  int    // steps behind the first that the row stands for
	// the process for which the library's border does it, if inside is set; -1: the border itself
	user    int32
	inside  bool
	request bool // an arrow from the client to the handler
	arrives bool // a request arrives at from
}

// textAt is a text beside a process, about no object.
func textAt(process int32, text, site string) diagram.Row {
	return diagram.Row{From: process, To: -1, Text: text, Site: site, Obj: -1}
}

// isRunners reports whether r is a step of the tests' runner, which looks at an example's output,
// and says nothing else.
func (r row) isRunners() bool {
	return r.Text == reported && r.Site == "" && !r.Mark && r.Note == ""
}

// reported is the text of a row for somebody who looks at the test's state, or changes it.
const reported = "report"

func (c *chart) addEvents() {
	senders := c.senders()
	logs, ended := 0, map[int32]bool{}
	for i := range c.X.Events {
		c.addAccesses(i)
		e := &c.X.Events[i]
		if e.Kind == trace.End && e.Op.Stage() == trace.Ended {
			ended[e.Obj] = true
		}
		r := row{Row: textAt(e.Proc, "", Site(c.X.Sites, i)), call: Site(c.X.Calls, i)}
		r.Obj = e.Obj
		if e.Kind.Operation().Class == trace.Channel {
			r.call = "" // worth a row
		}
		if e.Op.Kind == trace.Select {
			r.Code = c.At.caseOf(r.Site, int(e.Case))
		}
		r.inside, r.user = e.Op.IsInner() && (e.Partner < 0 || e.PartnerOp.IsInner()), -1
		if r.inside {
			if r.user = c.requests.userOf(c.X, i); r.user >= 0 && r.user == e.Partner {
				r.call = ""
			}
			_, r.arrives = c.requests.arrives[int32(i)]
		}
		switch from, sent := senders[messageOf(e)]; {
		case c.isRequest(i):
			c.addRequest(i)
			continue
		case e.Partner >= 0:
			r.To, r.Text = e.Partner, c.obj(e.Obj)
		case e.Kind == trace.Recv && !e.Closed && sent && from != e.Proc:
			r.From, r.To, r.Text = from, e.Proc, c.obj(e.Obj)+numbered(e)
		case e.Kind == trace.Log:
			if ended[e.Obj] && e.Op.Stage() == trace.Logged { // it panics
				r.Text, r.Obj = "log", -1
				c.add(r)
				continue
			}
			c.addLog(r, e, &logs)
			continue
		case e.Kind == trace.Stop && c.X.Crash != nil:
			c.rowOf = append(c.rowOf, len(c.rows)) // the row of the panic, which addEnd adds
			continue
		case e.Kind == trace.End && e.Proc == 0 && e.Op.Stage() == trace.Ended:
			r.Text, r.Obj, r.Site = "test ends", -1, ""
		default:
			if r.Text = c.did(i); e.Obj >= 0 && !strings.Contains(r.Text, c.obj(e.Obj)) {
				r.Obj = -1 // for the legend
			}
		}
		r.quiet = c.concernsNobody(e)
		c.add(r)
	}
	c.addAccesses(len(c.X.Events))
}

// isRequest reports whether a handler begins with event i.
func (c *chart) isRequest(i int) bool {
	_, is := c.requests.begins[int32(i)]
	return is
}

// addRequest adds an arrow from the client, if that is known, to the handler that begins with event
// i.
func (c *chart) addRequest(i int) {
	q := &c.requests.list[c.requests.begins[int32(i)]]
	r := row{request: true}
	r.From, r.To, r.Text, r.Obj = q.client, q.server, q.label(), -1
	if q.client < 0 {
		r.From, r.To = q.server, -1
	} else {
		r.Site = c.requests.askedAt(q)
	}
	c.add(r)
}

// addAccesses adds rows for the accesses of races between event number i and the one before.
func (c *chart) addAccesses(i int) {
	for len(c.racing) > 0 && int(c.racing[0].After) <= i {
		a := c.racing[0]
		r := row{Row: textAt(a.Proc, a.Verb()+" "+a.Name, a.Site)}
		r.Note = inRace
		c.rows = append(c.rows, r)
		c.racing = c.racing[1:]
	}
}

// racing are the accesses of races, each once, in the order in which they came.
func racing(races []trace.Race) []trace.Access {
	var all []trace.Access
	for _, r := range races {
		all = append(all, r.Accesses...)
	}
	slices.SortStableFunc(all, func(a, b trace.Access) int { return cmp.Compare(a.After, b.After) })
	return slices.Compact(all)
}

// add appends a row for the next event.
func (c *chart) add(r row) {
	c.rowOf = append(c.rowOf, len(c.rows))
	r.event = int32(len(c.rowOf))
	c.rows = append(c.rows, r)
}

// addLog adds a row for a report to the test, or counts it to the row before: t.Error logs and then
// fails.
func (c *chart) addLog(r row, e *trace.Event, logs *int) {
	r.Obj = -1
	switch n := len(c.rows); {
	case e.Op.Stage() == trace.Logged && *logs < len(c.X.Log):
		r.Text = "log " + words.Gist(c.X.Log[*logs])
		*logs++
	case e.Op.Stage() == trace.Printed:
		r.Text = "print"
	case n > 0 && c.rows[n-1].Site == r.Site && c.rows[n-1].From == r.From:
		c.rowOf = append(c.rowOf, n-1)
		return
	default:
		r.Text = reported
	}
	c.add(r)
}

// message identifies one value sent on a buffered channel. The sender is named for mailboxes, in
// which seq counts the messages of each sender.
type message struct{ obj, sender, seq int32 }

func messageOf(e *trace.Event) message {
	if m := e.Message(); m.Number > 0 {
		return message{e.Obj, m.Sender, m.Number}
	}
	return message{e.Obj, -1, e.Seq}
}

// senders finds out who sent each value on a buffered channel.
func (c *chart) senders() map[message]int32 {
	m := map[message]int32{}
	for i := range c.X.Events {
		if e := &c.X.Events[i]; e.Kind == trace.Send && (e.Cap > 0 || trace.Mailbox(e.Cap)) &&
			!e.Closed {
			m[messageOf(e)] = e.Proc
		}
	}
	return m
}

// addEnd adds what the execution ended with.
func (c *chart) addEnd() {
	for i, p := range c.X.Blocked {
		if c.hides(p) {
			continue
		}
		c.rows = append(c.rows, row{Row: textAt(p, "blocked", c.blockedSite(i))})
	}
	if crash := c.X.Crash; crash != nil {
		text := "panic"
		if crash.Fatal {
			text = "fatal error"
		}
		c.rows = append(c.rows, row{Row: textAt(crash.Proc, text, crashSite(crash, c.At))})
	}
}

// mark notes where a passing execution did something else.
func (c *chart) mark(partings []Parting) {
	for i, p := range partings {
		if p.Step >= len(c.rowOf) {
			continue
		}
		number := ""
		if len(partings) > 1 {
			number = fmt.Sprintf(" (%d)", i+1)
		}
		r := &c.rows[c.rowOf[p.Step]]
		r.Mark, r.Note = true, strings.TrimSpace(number)
		if c.rechose(p) {
			r.Note = "in the passing run: " + p.Value + number
		} else if later := c.find(p); later >= 0 {
			c.rows[c.rowOf[later]].Note = "in the passing run this came first" + number
		} else {
			r.Note = "in the passing run " + c.instead(p) + " came first"
		}
	}
}

// rechose reports whether the step is a hidden choice, and the passing execution chose something
// else there.
func (c *chart) rechose(p Parting) bool {
	e := &c.X.Events[p.Step]
	return p.Value != "" && e.Kind == p.Instead.Kind && c.X.Procs[e.Proc].Path == p.Instead.Proc
}

// find returns the first event after p.Step that is what the passing execution did instead, or -1.
func (c *chart) find(p Parting) int {
	for i := p.Step + 1; i < len(c.X.Events); i++ {
		e := &c.X.Events[i]
		if c.X.Procs[e.Proc].Path != p.Instead.Proc {
			continue
		}
		if trace.ChoiceOf(e, c.X.Procs) == p.Instead && c.rowOf[i] != c.rowOf[p.Step] {
			return i
		}
		return -1
	}
	return -1
}

// called is the name of the process with a path, which is its name if this execution does not have
// it.
func (c *chart) called(path string) string {
	for i, proc := range c.X.Procs {
		if proc.Path == path {
			return c.proc(int32(i))
		}
	}
	return path
}

// instead says what the passing execution did.
func (c *chart) instead(p Parting) string {
	who := c.called(p.Instead.Proc)
	text := who + "'s " + p.Instead.Kind.String()
	if m := p.Instead; m.Sender != "" {
		text += " of #" + strconv.Itoa(int(m.Number)) + " of " + c.called(m.Sender)
	}
	if p.Site != "" {
		text += " at " + c.At.Line(p.Site)
	}
	return text
}
