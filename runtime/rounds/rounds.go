package rounds

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Step is an operation of a process.
type Step struct {
	PCs      []uintptr // as runtime.Callers returns them
	Receives bool      // from a channel
}

// GetsOn returns the place of the loop that counts the rounds of a process with these steps, some
// of its last ones; empty if there is none. polls says that none of its steps changed anything.
// skip tells the frames that are not the program's.
func GetsOn(steps []Step, polls bool, skip func(f *runtime.Frame) bool) (place string) {
	var calls [][]runtime.Frame
	for _, s := range steps {
		calls = append(calls, framesOf(s.PCs, skip))
	}
	if recurses(calls) {
		f := &calls[0][len(calls[0])-1]
		return f.File + ":" + strconv.Itoa(f.Line)
	}
	around := loopsOf(calls)
	for i := range around {
		l := &around[i]
		l.counts = l.counts && (l.always || !polls) && !l.receives(steps, calls)
	}
	if polls && len(around) > 0 {
		around = around[:1]
	}
	for i, l := range around {
		if l.counts && !again(around[i+1:]) {
			return l.file + ":" + strconv.Itoa(l.from)
		}
	}
	return ""
}

// Waits reports whether a process with these steps, none of which changes anything, goes round
// without any other effect, as far as is known: neither the loop around them nor what it calls
// assigns to a variable that may outlive the round.
//
//	for runtime.NumGoroutine() > 1 {
//		time.Sleep(time.Millisecond)
//	}
func Waits(steps []Step, skip func(f *runtime.Frame) bool) bool {
	if len(steps) == 0 {
		return true
	}
	var calls [][]runtime.Frame
	for _, s := range steps {
		calls = append(calls, framesOf(s.PCs, skip))
	}
	at, around := innermost(calls)
	known := map[string]bool{}
	for _, s := range calls {
		for i := at + 1; i < len(s); i++ {
			known[s[i].Function] = true
		}
	}
	if around != nil && !around.effects.wait(known) {
		return false
	}
	for _, s := range calls {
		end := len(s)
		for end > at+1 && isLibrarys(&s[end-1]) {
			end--
		}
		for i := at + 1; i < end; i++ {
			f := functionAround(s[i].File, []int{s[i].Line}, callsLiteral(s, i))
			if f == nil || !f.effects.wait(known) {
				return false
			}
		}
	}
	return true
}

// isLibrarys reports whether a call is one of the functions that look or wait. What such a function
// calls back is not known.
func isLibrarys(f *runtime.Frame) bool {
	path, name, _ := strings.Cut(f.Function, ".")
	return slices.Contains([]string{"runtime", "sync", "sync/atomic", "time"}, path) && name != ""
}

// innermost returns the innermost loop around all of the steps, and the number of the call in which
// it is; -1 if there is none.
func innermost(steps [][]runtime.Frame) (at int, l *loop) {
	same := 0
	for agree(steps, same, isSameLine) {
		same++
	}
	for i := same; i >= 0; i-- {
		if !agree(steps, i, isSameFunction) {
			continue
		}
		var lines []int
		for _, s := range steps {
			lines = append(lines, s[i].Line)
		}
		around := loopsAround(steps[0][i].File, lines, callsLiteral(steps[0], i))
		if len(around) > 0 {
			return i, &around[0]
		}
	}
	return -1, nil
}

// recurses reports whether all steps are deep in a recursion. A stack grows to its end.
func recurses(steps [][]runtime.Frame) bool {
	return len(steps) > 0 && !slices.ContainsFunc(steps, func(s []runtime.Frame) bool {
		if len(s) == 0 {
			return true
		}
		times := map[string]int{}
		for i := range s {
			times[s[i].Function]++
		}
		return slices.Max(slices.Collect(maps.Values(times))) < deep
	})
}

// deep is how many calls of one function are a recursion that will not come back soon.
const deep = 24

// again reports whether the innermost of the loops around a counting loop has no end, and has
// nothing but the counting loop in its body.
func again(around []loop) bool {
	return len(around) > 0 && around[0].bare && !around[0].counts
}

// framesOf are the calls that led to a step, the outermost first. Those below runBody are of a
// process that the goroutine ran before.
func framesOf(pcs []uintptr, skip func(f *runtime.Frame) bool) (list []runtime.Frame) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		last := !more || strings.HasSuffix(f.Function, ".runBody")
		if f.Function != "" && !last && !skip(&f) {
			list = append(list, f)
		}
		if last {
			slices.Reverse(list)
			return list
		}
	}
}

// loopsOf returns the loops around all of the steps, the nearest first. Up to the call in which
// they part, the steps have the same calls. A call of which the rewriter knows nothing may be a
// loop, too, unless nothing of the program's has called it.
func loopsOf(steps [][]runtime.Frame) (around []loop) {
	if len(steps) == 0 {
		return nil
	}
	same := 0
	for agree(steps, same, isSameLine) {
		same++
	}
	if agree(steps, same, isSameFunction) {
		var lines []int
		for _, s := range steps {
			lines = append(lines, s[same].Line)
		}
		around = append(unknown(steps, same),
			loopsAround(steps[0][same].File, lines, callsLiteral(steps[0], same))...)
	}
	for i := same - 1; i >= 0; i-- {
		f := &steps[0][i]
		around = append(around, unknown(steps, i)...)
		around = append(around, loopsAround(f.File, []int{f.Line}, callsLiteral(steps[0], i))...)
	}
	return around
}

// unknown returns the loop, at the place where the program calls it, that the i-th call of all
// steps may be as nothing is known of it; none if that cannot be. It is taken to count: each round,
// if it calls the program back.
func unknown(steps [][]runtime.Frame, i int) []loop {
	f := &steps[0][i]
	if isKnown(*f) || isLibrarys(f) && f.Function != "sync.(*Map).Range" {
		return nil
	}
	for j := i - 1; j >= 0; j-- {
		if by := steps[0][j]; isKnown(by) {
			ends := func(s []runtime.Frame) bool { return !slices.ContainsFunc(s[i+1:], isKnown) }
			return []loop{{file: by.File, from: by.Line, counts: true,
				always: !slices.ContainsFunc(steps, ends)}}
		}
	}
	return nil
}

func isKnown(f runtime.Frame) bool { return tables[f.File] != "" }

// callsLiteral reports whether the i-th call calls a function literal of its own.
func callsLiteral(calls []runtime.Frame, i int) bool {
	return i+1 < len(calls) && strings.HasPrefix(calls[i+1].Function, calls[i].Function+".")
}

// agree reports whether all of the steps have an i-th call, and it is the same.
func agree(steps [][]runtime.Frame, i int, is func(a, b *runtime.Frame) bool) bool {
	return !slices.ContainsFunc(steps, func(s []runtime.Frame) bool {
		return i >= len(s) || i >= len(steps[0]) || !is(&s[i], &steps[0][i])
	})
}

func isSameFunction(a, b *runtime.Frame) bool {
	return a.Function == b.Function && a.File == b.File
}

func isSameLine(a, b *runtime.Frame) bool { return isSameFunction(a, b) && a.Line == b.Line }

// receives reports whether l ranges over a channel: a step receives in the line of the statement.
func (l *loop) receives(steps []Step, calls [][]runtime.Frame) bool {
	if !l.ranges {
		return false
	}
	for i, s := range steps {
		if n := len(calls[i]); s.Receives && n > 0 && calls[i][n-1].File == l.file &&
			calls[i][n-1].Line == l.from {
			return true
		}
	}
	return false
}
