// Package operands reads what one line of Go code calls the things that it uses, for sentences: the
// channel to which it sends, the lock that it takes.
//
// LIMITS: it matches patterns and does not parse. A line that may be about several things is about
// none.
package operands

import (
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Variable matches an expression that people would say as the name of a variable.
const Variable = `(` + named + `)`

const named = `[A-Za-z_][\w.]*(?:\[\w+\])?`

// received is a variable, or a call without arguments, such as ctx.Done().
const received = `(` + named + `(?:\(\))?)`

var (
	sends    = words.Pattern(Variable + `\s*<-`)
	isSend   = words.Pattern(`[\w)\]}]\s*<-`) // an arrow behind an expression
	receives = words.Pattern(`(?:<-|\brange )\s*` + received + `(?:[^\w.(\[]|$)`)
	// a receive from what a call with arguments returns
	calls   = words.Pattern(`^[^<]*<-\s*(` + named + `)\([^)]`)
	closes  = words.Pattern(`\bclose\(` + Variable + `\)`)
	methods = ofMethods("Lock|Unlock|RLock|RUnlock|TryLock|TryRLock|Wait|Add|Done|Do|Signal|" +
		"Broadcast|Get|Put|" + reading + "|" + writing + "|" + updating)
)

// Names of functions and methods of sync/atomic.
const (
	reading  = "Load"
	writing  = "Store"
	updating = "Add|And|Or|Swap|CompareAndSwap"
)

// ofMethods matches calls of methods, or of the functions of sync/atomic.
func ofMethods(names string) func() *regexp.Regexp {
	return words.Pattern(Variable + `\.(?:` + names + `)\(|\batomic\.(?:` + names +
		`)[A-Z]\w*\(&` + Variable + `,?`)
}

// methodsOf are more exact than methods, where a line has several calls.
var methodsOf = map[trace.Kind]func() *regexp.Regexp{
	trace.Lock: ofMethods("Lock"), trace.Unlock: ofMethods("Unlock"),
	trace.WLock: ofMethods("Lock"), trace.WUnlock: ofMethods("Unlock"),
	trace.RLock: ofMethods("RLock"), trace.RUnlock: ofMethods("RUnlock"),
	trace.WgAdd: ofMethods("Add|Done|Go"), trace.WgWait: ofMethods("Wait"),
	trace.Once: ofMethods("Do"), trace.PoolGet: ofMethods("Get"), trace.PoolPut: ofMethods("Put"),
	trace.CondSignal: ofMethods("Signal"), trace.CondBroadcast: ofMethods("Broadcast"),
	trace.AtomicLoad: ofMethods(reading), trace.AtomicStore: ofMethods(writing),
	trace.AtomicUpdate: ofMethods(updating),
}

// Of is the object of an operation in a line of code; empty: it is not clear which.
func Of(code string, k trace.Kind) string {
	pattern := methods
	switch k {
	case trace.Send:
		pattern = sends
	case trace.Recv:
		pattern = receives
	case trace.Close:
		pattern = closes
	default:
		if exact := methodsOf[k]; exact != nil && exact().MatchString(code) {
			pattern = exact
		}
	}
	if m := calls().FindStringSubmatch(code); k == trace.Recv && m != nil {
		return m[1] + "(...)"
	}
	found := ""
	for _, m := range pattern().FindAllStringSubmatch(code, -1) {
		name := m[len(m)-1]
		if name == "" {
			name = m[1]
		}
		switch {
		case name == "chan": // of a type
		case found != "" && found != name:
			return ""
		default:
			found = name
		}
	}
	return found
}

// updates matches a call that updates an atomic variable, or a sync.Map.
var updates = words.Pattern(named + `\.(?:` + updating + `|Store|Delete|Clear|LoadOrStore|` +
	`LoadAndDelete|CompareAndDelete)\([^()]*\)|\batomic\.(?:` + updating +
	`)[A-Z]\w*\(&[^()]*\)`)

// Update is the call by which a line of code updates an atomic variable: "n.Add(-1)". Empty: it is
// not clear which, or the call is long.
func Update(line string) string {
	const long = 40
	if found := updates().FindAllString(line, 2); len(found) == 1 && len(found[0]) <= long {
		return found[0]
	}
	return ""
}

// KindOfCase is what case i of a select does, by its line of code.
func KindOfCase(code string, i int32) trace.Kind {
	switch code = strings.TrimPrefix(code, "case "); {
	case i < 0:
		return trace.Default
	case isSend().MatchString(code):
		return trace.Send
	case strings.Contains(code, "<-"):
		return trace.Recv
	}
	return trace.Select
}

// UnderLock is the first statement behind the one that takes a lock in the first of the lines;
// empty: it is not clear which that is.
func UnderLock(lines []string) string {
	_, behind, ok := strings.Cut(lines[0], "Lock()")
	for _, s := range append(strings.Split(behind, ";"), lines[1:]...) {
		s, _, _ = strings.Cut(strings.TrimSpace(s), "//")
		s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), " {"), " }")
		switch {
		case !ok || strings.HasPrefix(s, "}") || strings.Contains(s, "Lock()") ||
			!strings.HasPrefix(s, "defer ") && strings.Contains(s, "nlock()"):
			return ""
		case s != "" && !strings.HasPrefix(s, "defer "):
			return words.Cut(s, 40)
		}
	}
	return ""
}
