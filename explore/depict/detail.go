package depict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds of a trace in a record.
const (
	maxRecorded    = 100_000 // events
	maxBranches    = 10_000  // steps whose alternatives are listed
	maxSourceBytes = 1 << 18 // of all source lines
	nearby         = 6       // source lines on each side of a place
)

// The verdicts of a trace, in the words of package report.
const passes, fails = "pass", "fail"

// Possible is an alternative, with what its process would do.
type Possible struct {
	trace.Alt
	Kind trace.Kind
	Obj  int32
}

// Watched is what a chooser saw of an execution beside its events.
type Watched struct {
	Could [][]Possible // by step; empty where there was one alternative
	Count []int32      // by step: how many alternatives
	Times []int64      // by step: the clock
}

// See notes a state before a choice.
func (w *Watched) See(s *trace.State) {
	var list []Possible
	if len(s.Alts) > 1 && len(w.Could) < maxRecorded {
		for _, a := range s.Alts {
			list = append(list, possible(a, s.Procs[a.Proc]))
		}
	}
	w.Could, w.Count, w.Times = append(w.Could, list), append(w.Count, int32(len(s.Alts))),
		append(w.Times, s.Now)
}

func possible(a trace.Alt, op *trace.Op) Possible {
	p := Possible{Alt: a, Kind: op.Kind, Obj: op.Obj}
	if op.Kind == trace.Select {
		p.Kind, p.Obj = trace.Default, -1
		if a.Case >= 0 {
			p.Kind, p.Obj = op.Cases[a.Case].Kind, op.Cases[a.Case].Obj
		}
	}
	return p
}

// Detail is x, which must have been run with sites and details, for a record. The events beyond the
// bound are left out.
func Detail(x *trace.Execution, watched *Watched, partings []Parting, at *Places) *record.Trace {
	d := &detail{names: NewNames(x, at), events: x.Events[:min(len(x.Events), maxRecorded)],
		watched: watched,
		sites:   table[string]{}, texts: table[string]{}, values: table[string]{},
		stacks: table[int32]{}}
	d.out = &record.Trace{Action: "trace", Role: record.Failing, Verdict: passes, Detail: true,
		Parting: -1, Cut: len(x.Events) - len(d.events)}
	if _, _, ok := explore.Judge(x); !ok {
		d.out.Verdict = fails
	}
	d.addEvents()
	d.addProcs()
	d.addObjects()
	d.addOrder()
	d.addAlternatives()
	d.addBrief(partings)
	d.addEnd()
	for _, p := range partings {
		d.out.Parting = p.Step
	}
	for _, r := range x.Races {
		for _, a := range r.Accesses {
			d.place(a.Site) // so that its source is there
		}
	}
	d.out.Texts, d.out.Values = d.texts.list, d.values.list
	d.addStacks()
	d.addSites()
	return d.out
}

// table numbers what it has met.
type table[K comparable] struct {
	list  []K
	index map[K]int32
}

func (t *table[K]) of(k K) int32 {
	if i, ok := t.index[k]; ok {
		return i
	}
	if t.index == nil {
		t.index = map[K]int32{}
	}
	t.index[k] = int32(len(t.list))
	t.list = append(t.list, k)
	return t.index[k]
}

// detail is a trace in the making.
type detail struct {
	*names
	events               []trace.Event
	watched              *Watched
	out                  *record.Trace
	sites, texts, values table[string]
	stacks               table[int32] // of numbers in Execution.Stacks
}

// place is the index of a site; -1: none.
func (d *detail) place(site string) int32 {
	if site == "" {
		return -1
	}
	return d.sites.of(site)
}

// stack is the index of a stack that is given as in Execution.StackOf.
func (d *detail) stack(of []int32, i int) int32 {
	if i >= len(of) || of[i] == 0 {
		return -1
	}
	return d.stacks.of(of[i] - 1)
}

func (d *detail) addEvents() {
	for k := range trace.NumKinds {
		d.out.Kinds = append(d.out.Kinds, k.String())
	}
	sends, logs := map[message]int32{}, 0
	for i := range d.events {
		e, c := &d.events[i], &d.out.Events
		from := int32(-1)
		if e.Kind == trace.Send && (e.Cap > 0 || trace.Mailbox(e.Cap)) && !e.Closed {
			sends[messageOf(e)] = int32(i)
		} else if e.Kind == trace.Recv && !e.Closed {
			if s, ok := sends[messageOf(e)]; ok {
				from = s
			}
		}
		c.Kind, c.Proc, c.Obj, c.Partner = append(c.Kind, int32(e.Kind)), append(c.Proc, e.Proc),
			append(c.Obj, e.Obj), append(c.Partner, e.Partner)
		c.From, c.N, c.Flags = append(c.From, from), append(c.N, d.delta(e)),
			append(c.Flags, d.flags(e))
		c.Text = append(c.Text, d.texts.of(d.text(i, &logs)))
		c.Wants = append(c.Wants, d.texts.of(d.wants(&e.Op)))
		partner := int32(-1)
		if e.Partner >= 0 {
			partner = d.texts.of(d.wants(&e.PartnerOp))
		}
		c.PartnerWants = append(c.PartnerWants, partner)
		c.Site, c.PartnerSite = append(c.Site, d.place(Site(d.X.Sites, i))),
			append(c.PartnerSite, d.place(Site(d.X.PartnerSites, i)))
		c.Stack, c.PartnerStack = append(c.Stack, d.stack(d.X.StackOf, i)),
			append(c.PartnerStack, d.stack(d.X.PartnerStacks, i))
		c.Value = append(c.Value, d.value(i))
	}
}

// delta is what an event adds to a counter.
func (d *detail) delta(e *trace.Event) int32 {
	if e.Kind == trace.WgAdd {
		return e.Op.N
	}
	return 0
}

func (d *detail) flags(e *trace.Event) (flags int32) {
	if e.OK {
		flags |= record.OK
	}
	if e.Closed {
		flags |= record.Closed
	}
	return flags
}

// text says what event i did, with what was logged.
func (d *detail) text(i int, logs *int) string {
	e := &d.events[i]
	switch {
	case e.Kind == trace.Log && e.Op.N == trace.Logged && *logs < len(d.X.Log):
		*logs++
		return "log " + words.Cut(words.Gist(d.X.Log[*logs-1]), 200)
	case e.Kind == trace.Log && e.Op.N == trace.Printed:
		return "print"
	case e.Kind == trace.Stop && d.X.Crash != nil:
		return "panic"
	case e.Kind == trace.End && e.Proc == 0 && e.Op.N == trace.Ended:
		return "test ends"
	}
	return d.event(i)
}

// wants says what a process that has declared op is about to do, or waits for.
func (d *detail) wants(op *trace.Op) string {
	if op.Kind != trace.Select {
		return d.act(op.Kind, op.Obj)
	}
	var cases []string
	for _, c := range op.Cases {
		cases = append(cases, d.act(c.Kind, c.Obj))
	}
	if op.Default {
		cases = append(cases, "default")
	}
	return "select " + strings.Join(cases, ", ")
}

// act is an operation on an object in a few words.
func (d *detail) act(k trace.Kind, obj int32) string {
	row := k.Operation()
	verb := row.Word
	if k == trace.CondWait {
		verb = "wait for"
	}
	if k == trace.WgAdd {
		verb = "add to"
	}
	switch {
	case verb == "" || obj >= 0 && int(obj) >= len(d.objs):
		return row.Name
	case row.Class == trace.Nameless:
		return verb
	}
	return verb + " " + d.obj(obj)
}

func (d *detail) value(i int) int32 {
	switch e := &d.events[i]; {
	case d.At.Secret:
	case e.Kind == trace.Send && i < len(d.X.Sent) && d.X.Sent[i] != "":
		return d.values.of(d.X.Sent[i])
	case e.Kind == trace.AtomicStore && e.Op.N != trace.Plain && e.Op.Cap > trace.NoKey:
		return d.values.of(strconv.Itoa(int(e.Op.Cap) - 1))
	}
	return -1
}

func (d *detail) addProcs() {
	last := make([]int32, len(d.X.Procs))
	for i := range last {
		last[i] = -1
	}
	for i := range d.events {
		e := &d.events[i]
		last[e.Proc] = int32(i)
		if e.Partner >= 0 {
			last[e.Partner] = int32(i)
		}
	}
	for i := range d.X.Procs {
		p := &d.X.Procs[i]
		q := record.Proc{Name: d.proc(int32(i)), Path: p.Path, Parent: p.Parent, Born: p.Born,
			Ends: -1,
			Site: d.place(p.Site), WaitSite: -1, WaitStack: -1}
		switch {
		case p.Ended:
			q.Ends = max(last[i], p.Born-1)
		case p.Pending.Kind != trace.None:
			q.Waits, q.WaitStack = d.wants(&p.Pending), d.stack([]int32{p.Stack}, 0)
		}
		d.out.Procs = append(d.out.Procs, q)
	}
	for i, b := range d.X.Blocked {
		q := &d.out.Procs[b]
		q.Waits, q.WaitSite = d.waits(&d.X.Procs[b].Pending), d.place(d.blockedSite(i))
	}
}

func (d *detail) addObjects() {
	families, caps := d.families(), map[int32]int32{}
	for i := range d.events {
		if e := &d.events[i]; e.Kind == trace.Send || e.Kind == trace.Recv ||
			e.Kind == trace.Close {
			caps[e.Obj] = e.Cap
		}
	}
	for i := range d.objs {
		o := record.Object{Name: d.objs[i], About: d.description(int32(i)), Cap: caps[int32(i)]}
		if i < len(families) {
			o.Family = families[i]
		}
		d.out.Objects = append(d.out.Objects, o)
	}
	for _, i := range d.X.Static {
		if int(i) < len(d.out.Objects) {
			d.out.Objects[i].Static = true
		}
	}
}

// addOrder lists the immediate predecessors of each event.
func (d *detail) addOrder() {
	var o depend.Order
	for k := range d.events {
		o.Add(d.X)
		d.out.Preds = append(d.out.Preds, o.Immediate(nil, int32(k)))
	}
}

func (d *detail) addAlternatives() {
	if d.watched == nil {
		return
	}
	n, branches := min(len(d.events), len(d.watched.Could)), 0
	var texts table[string]
	for k := range n {
		list, took := []int32(nil), int32(-1)
		if len(d.watched.Could[k]) > 0 && branches < maxBranches {
			branches++
			for i, p := range d.watched.Could[k] {
				list = append(list, texts.of(d.alternative(&p)))
				if p.Alt == d.events[k].Alt {
					took = int32(i)
				}
			}
		}
		d.out.Alts, d.out.Took = append(d.out.Alts, list), append(d.out.Took, took)
	}
	d.out.AltTexts, d.out.AltCount = texts.list, d.watched.Count[:n]
	if n > 0 && d.watched.Times[n-1] != d.watched.Times[0] {
		d.out.Events.Time = d.watched.Times[:n]
	}
}

// addBrief lists the rows of a chart if a library is between some processes. The library's own work
// is left out, and a request is one arrow.
func (d *detail) addBrief(partings []Parting) {
	c := &chart{names: d.names}
	c.users = c.findUsers()
	c.addEvents()
	if d.At.Inside || !slices.ContainsFunc(c.rows, func(r row) bool { return r.inside }) {
		return
	}
	c.mark(partings)
	c.foldInside()
	b := &record.Brief{Parting: -1}
	for _, r := range slices.DeleteFunc(c.rows, row.isRunners) {
		if r.event == 0 || int(r.event) > len(d.events) || r.From < 0 {
			continue
		}
		b.Event = append(b.Event, r.event-1)
		b.From, b.To = append(b.From, r.From), append(b.To, r.To)
		b.Text, b.Site = append(b.Text, d.texts.of(r.Text)), append(b.Site, d.place(r.Site))
		if r.Mark {
			b.Parting = r.event - 1
		}
	}
	d.out.Brief = b
}

func (d *detail) alternative(p *Possible) string {
	text := d.proc(p.Proc) + ": " + d.act(p.Kind, p.Obj)
	if p.Partner >= 0 {
		text += " to " + d.proc(p.Partner)
	}
	if p.Takes.Number > 0 {
		text += " #" + strconv.Itoa(int(p.Takes.Number)) + " of " + d.proc(p.Takes.Sender)
	}
	if p.Kind.Hidden() {
		text += " " + strconv.Itoa(int(p.Case))
	}
	return text
}

// addEnd says how the execution ended.
func (d *detail) addEnd() {
	switch crash := d.X.Crash; {
	case crash != nil && crash.Fatal:
		d.out.End = "fatal error: " + words.Cut(words.OneLine(crash.Text), 200)
	case crash != nil:
		d.out.End = "panic: " + words.Cut(words.OneLine(crash.Text), 200)
	case len(d.X.Blocked) > 0:
		d.out.End = words.Plural(len(d.X.Blocked), "goroutine") + " blocked"
	case d.X.End == trace.Steps:
		d.out.End = "the bound on steps"
	}
}

func (d *detail) addStacks() {
	for _, i := range d.stacks.list {
		calls := []record.Call{}
		for line := range strings.Lines(d.X.Stacks[i]) {
			if name, site, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
				calls = append(calls, record.Call{Func: name, Site: d.place(site)})
			}
		}
		d.out.Stacks = append(d.out.Stacks, calls)
	}
}

// addSites comes last: the others have found the sites.
func (d *detail) addSites() {
	left := maxSourceBytes
	for _, s := range d.sites.list {
		file, rest := splitSite(s)
		line := lineNumber(rest)
		place := d.At.Line(s)
		d.out.Sites = append(d.out.Sites, record.Site{Place: place, File: file, Line: line})
		if d.At.Secret {
			continue
		}
		lines := d.At.file(file)
		for n := max(1, line-nearby); n <= min(line+nearby, len(lines)) && left > 0; n++ {
			left -= d.addSource(file, n, lines[n-1])
		}
	}
}

// addSource notes a line of a file, and returns how many bytes are new.
func (d *detail) addSource(file string, n int, text string) int {
	if d.out.Sources == nil {
		d.out.Sources = map[string]map[int]string{}
	}
	if d.out.Sources[file] == nil {
		d.out.Sources[file] = map[int]string{}
	}
	if _, ok := d.out.Sources[file][n]; ok {
		return 0
	}
	d.out.Sources[file][n] = words.Cut(text, 300)
	return len(text) + 10
}
