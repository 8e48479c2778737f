package rounds

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// loop is a for statement.
type loop struct {
	from, to int  // lines
	ranges   bool // over a channel: it does not count if a step receives there
	counts   bool
	always   bool // it counts each round, also one in which nothing has happened
	bare     bool // its body is the loop inside, and nothing else that does something
	effects  effects
	file     string
}

// function is a function declaration or literal, with the loops in it, those further out first.
type function struct {
	from, to int
	loops    []loop
	effects  effects
}

// effects is what is known of some code that goes round.
type effects struct {
	assigns bool     // to a variable that may outlive the round, or it does what is not known
	calls   []string // functions, but for those that only wait
}

// wait reports whether code with these effects only waits. It may call the functions that are known
// from the steps.
func (e *effects) wait(known map[string]bool) bool {
	return !e.assigns &&
		!slices.ContainsFunc(e.calls, func(name string) bool { return !known[name] })
}

// tables has what the rewriter knows of the loops of each file, and files what was read of that.
var (
	tables = map[string]string{}
	files  = map[string][]function{}
)

// Know takes over what the rewriter knows of loops, by file. Package rewrite/rounds has the form.
func Know(loops map[string]string) {
	maps.Copy(tables, loops)
}

// loopsAround returns the loops around all of the lines, the innermost first, that are in the
// innermost function around them. If it calls a literal of its own, the line may be the last one of
// the literal.
func loopsAround(file string, lines []int, literal bool) (list []loop) {
	f := functionAround(file, lines, literal)
	if f == nil {
		return nil
	}
	from, to := slices.Min(lines), slices.Max(lines)
	for _, l := range f.loops {
		if l.from <= from && to <= l.to {
			list = append(list, l)
		}
	}
	slices.Reverse(list)
	return list
}

// functionAround returns the innermost function around all of the lines; nil if there is none.
func functionAround(file string, lines []int, literal bool) (best *function) {
	from, to := slices.Min(lines), slices.Max(lines)
	all := functionsOf(file)
	for i := range all {
		f := &all[i]
		around := f.from <= from && (to < f.to || to == f.to && !literal)
		if around && (best == nil || f.to-f.from <= best.to-best.from) {
			best = f
		}
	}
	return best
}

func functionsOf(file string) []function {
	list, known := files[file]
	if !known {
		list = read(file, tables[file])
		files[file] = list
	}
	return list
}

// read reads the table of a file.
func read(file, text string) (list []function) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		lines, flags := fields[0][1:], fields[1]
		first, last, _ := strings.Cut(lines, "-")
		from, _ := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		e := effects{strings.Contains(flags, "a"), fields[2:]}
		if fields[0][0] == 'f' {
			list = append(list, function{from: from, to: to, effects: e})
			continue
		}
		f := &list[len(list)-1]
		f.loops = append(f.loops, loop{from: from, to: to, effects: e, file: file,
			ranges: strings.Contains(flags, "r"), counts: strings.Contains(flags, "c"),
			always: strings.Contains(flags, "e"), bare: strings.Contains(flags, "b")})
	}
	return list
}
