package std

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
)

// timeHooks lead a controlled process from package time to the virtual clock. A timer that a
// controlled process has made, or the program before the first execution, is marked: all its
// methods go to the model, whoever calls them.
var timeHooks = []hook{
	{name: "Now", code: isHere + "{ return rehearseNow() }; " +
		"if rehearsePrepares() { return rehearseBefore() }"},
	{name: "Since", code: isHere + "{ return rehearseNow().Sub($1) }; " +
		"if rehearsePrepares() { return rehearseBefore().Sub($1) }"},
	{name: "Until", code: isHere + "{ return $1.Sub(rehearseNow()) }; " +
		"if rehearsePrepares() { return $1.Sub(rehearseBefore()) }"},
	{name: "NewTimer", code: isTimed + "{ return rehearseNewTimer($1) }"},
	{name: "AfterFunc", code: isTimed + "{ return rehearseAfterFunc($1, $2) }"},
	{name: "NewTicker", code: "if $1 > 0 && gate.Timed() { return rehearseNewTicker($1) }"},
	{recv: "Timer", name: "Stop", code: isMarked + "{ return gate.TimerStop(unsafe.Pointer($r)) }",
		imports: timerImports},
	{recv: "Timer", name: "Reset",
		code:    isMarked + "{ return gate.TimerReset(unsafe.Pointer($r), int64($1), 0) }",
		imports: timerImports},
	{recv: "Ticker", name: "Stop",
		code:    isMarked + "{ gate.TimerStop(unsafe.Pointer($r)); return }",
		imports: timerImports},
	{recv: "Ticker", name: "Reset",
		code:    "if $1 > 0 && $r.rehearse { gate.TimerReset(unsafe.Pointer($r), int64($1), int64($1)); return }",
		imports: timerImports},
}

const isMarked = "if $r.rehearse "

var timerImports = []string{"unsafe"}

func hookTime(goroot string, out map[string][]byte) error {
	p, err := load(goroot, "time", "func ")
	if err != nil {
		return err
	}
	r, err := load(goroot, "runtime", sleepLink)
	if err != nil {
		return err
	}
	err = errors.Join(
		p.apply(timeHooks),
		p.addFieldBehind("Timer", "initTimer"),
		p.addFieldBehind("Ticker", "initTicker"),
		p.hookSleep(),
		r.relinkSleep())
	if err != nil {
		return err
	}
	p.write(out)
	r.write(out)
	return nil
}

// addFieldBehind adds the mark of a controlled timer behind the bool field last. There it takes no
// room, and nothing of what package runtime knows of the struct moves.
func (p *pkg) addFieldBehind(structName, last string) error {
	st, f := p.structType(structName)
	if st == nil || p.fieldType(structName, last) != "bool" {
		return fmt.Errorf("%s.%s has no bool field %s", p.path, structName, last)
	}
	f.insert(st.Fields.List[len(st.Fields.List)-1].Type.End(), "; rehearse bool")
	return nil
}

// sleepLink gives time.Sleep its body, in package runtime.
const sleepLink = "//go:linkname timeSleep time.Sleep"

// hookSleep gives time.Sleep a body of its own. The one in package runtime gets another name.
func (p *pkg) hookSleep() error {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != "Sleep" || fn.Body != nil {
				continue
			}
			d := nameList(fn.Type.Params)[0]
			f.insert(fn.End(), fmt.Sprintf(
				" { %s{ gate.ClockSleep(int64(%s)); return }; rehearsePause(%[2]s) }; func rehearseSleep(d Duration)",
				isHere, d))
			f.use(gateDir)
			return nil
		}
	}
	return errors.New("package time has no function Sleep without a body")
}

func (p *pkg) relinkSleep() error {
	for _, f := range p.files {
		if i := bytes.Index(f.src, []byte(sleepLink+"\n")); i >= 0 {
			f.edits = append(f.edits,
				edit{i, i + len(sleepLink), "//go:linkname timeSleep time.rehearseSleep"})
			return nil
		}
	}
	return errors.New("package runtime does not link time.Sleep")
}
