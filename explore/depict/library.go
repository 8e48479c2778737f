package depict

import (
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// calledAt is a call of a library's function, as the code at a site has it: "g.Go" for Go. Empty:
// the program's own code is there.
func (p *Places) calledAt(call, site string) string {
	if isOwn(call) {
		return ""
	}
	name := nameOf(call)
	found := ""
	for _, m := range calling().FindAllStringSubmatch(p.Source(site), -1) {
		switch {
		case m[2] != name:
		case found != "" && found != m[1]:
			return name
		default:
			found = m[1]
		}
	}
	return found + name
}

// calling matches a call of a method, or of a function of a package: what is before its name, and
// the name.
var calling = words.Pattern(`([A-Za-z_][\w.]*\.)(\w+)(?:\[[^\[\]]*\])?\(`)

// cancels matches what package context returns beside a context.
var cancels = words.Pattern(`^context\.With\w+\.func[0-9]+$`)

// inLibrary says that process who did event i in a call of a library's function, on a file or an
// object that the code there does not name: "called g.Go", "called f.Read on file n". Empty: it is
// not so.
func (t library) inLibrary(i int, who string) string {
	e, call, site := &t.X.Events[i], Site(t.X.Calls, i), Site(t.X.Sites, i)
	if isOwn(call) || e.Obj < 0 || e.Partner >= 0 || e.Kind.Operation().Class == trace.Channel {
		return ""
	}
	name, what := t.called(i), ""
	if strings.HasPrefix(t.description(e.Obj), "file ") {
		what = " on " + name
	} else if name != t.obj(e.Obj) {
		return ""
	}
	if cancels().MatchString(call) {
		return who + " cancelled a context"
	}
	return who + " called " + t.At.calledAt(call, site) + what
}

// didAgain says that event i does what event first has done, or calls off the timer that fires in
// event first: "b did", "b stopped it". Empty: it is not so.
func (t library) didAgain(i, first int) string {
	a, b := &t.X.Events[first], &t.X.Events[i]
	if b.Kind == trace.TimerStop && b.Op.Sleeping() == a.Proc {
		return t.proc(b.Proc) + " stopped it"
	}
	if called := t.inLibrary(first, ""); called != "" && called == t.inLibrary(i, "") {
		return t.proc(b.Proc) + " did"
	}
	return ""
}

// within says in which call of a library's function process q waits at a site, for an object that
// the code there does not name: " in g.Go". Empty: it is not so.
func (t library) within(q int32, site string) string {
	if t.At.codeOf(&t.X.Procs[q].Pending, site) != "" {
		return ""
	}
	if name := t.At.calledAt(t.X.Procs[q].Call, site); name != "" {
		return " in " + name
	}
	return ""
}

// madeBy is what a sentence calls a channel for which the code has no name, as a library's function
// has made it: "the channel of g.SetLimit". Empty: it is not so.
func (t library) madeBy(obj int32) string {
	if obj < 0 || int(obj) >= len(t.X.Objects) {
		return ""
	}
	what, site, ok := strings.Cut(t.X.Objects[obj], " made at ")
	code := t.At.Source(site)
	if !ok || !strings.HasPrefix(what, "chan ") || strings.Contains(code, "make(") {
		return ""
	}
	if m := calling().FindAllStringSubmatch(code, -1); len(m) == 1 {
		return "the channel of " + m[0][1] + m[0][2]
	}
	return ""
}

// pooled says who has the connections of a pool of database/sql, if process q waits for one there:
// ", for a connection of the pool, while a has one by db.BeginTx (x.go:7)". Empty: it does not wait
// for one.
func (t reasons) pooled(q int32) string {
	const sql, text = "database/sql.", ", for a connection of the pool"
	taken, here := -1, t.blockedAt(q)
	for i, call := range t.X.Calls {
		switch name, ok := strings.CutPrefix(call, sql); {
		case t.X.Events[i].Proc == q && Site(t.X.Sites, i) == here: // of the call that waits
		case ok && takesConn().MatchString(name):
			taken = i
		case ok && givesConn().MatchString(name):
			taken = -1
		}
	}
	switch p := &t.X.Procs[q]; {
	case !strings.HasPrefix(p.Call, sql) || p.Pending.Kind != trace.Select:
		return ""
	case taken < 0:
		return text
	}
	who, site := t.X.Events[taken].Proc, Site(t.X.Sites, taken)
	has := t.proc(who) + " has one"
	if who == q {
		has = "it has one itself"
	}
	return text + ", while " + has + " by " + t.At.calledAt(t.X.Calls[taken], site) +
		t.At.inBrackets(site)
}

// Methods of database/sql that take a connection and keep it, and those that give it back.
var (
	takesConn = words.Pattern(`^\(\*DB\)\.(?:Begin|BeginTx|Conn|Query|QueryContext)$`)
	givesConn = words.Pattern(`^\(\*(?:Tx|Conn|Rows)\)\.(?:Commit|Rollback|Close)$`)
)
