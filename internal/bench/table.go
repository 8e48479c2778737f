package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// column is one of those that people see.
type column struct {
	title string
	width int // in text; less than 0: flush left
	cell  func(r *Row) string
}

var columns = []column{
	{"subject", -24, func(r *Row) string { return r.Subject }},
	{"model", -5, func(r *Row) string { return r.Model }},
	{"strategy", -24, (*Row).strategy},
	{"order", -6, func(r *Row) string { return r.Order }},
	{"tasks", -5, func(r *Row) string { return r.Tasks }},
	{"executions", 10, func(r *Row) string { return fmt.Sprint(r.Executions) }},
	{"cut off", 8, func(r *Row) string { return fmt.Sprint(r.Blocked) }},
	{"transitions", 11, func(r *Row) string { return fmt.Sprint(r.Transitions) }},
	{"deliveries", 10, func(r *Row) string { return some(r.Deliveries) }},
	{"traces", 8, (*Row).traces},
	{"known", 7, (*Row).known},
	{"met", -3, func(r *Row) string { return string(r.Met) }},
	{"ratio", 7, (*Row).ratio},
	{"states", 8, func(r *Row) string { return some(r.States) }},
	{"messages", 8, func(r *Row) string { return some(r.Messages) }},
	{"complete", -8, (*Row).complete},
	{"seconds", 8, func(r *Row) string { return fmt.Sprintf("%.3f", r.Seconds) }},
	{"per second", 10, func(r *Row) string { return fmt.Sprintf("%.0f", r.Rate) }},
	{"per CPU s", 10, (*Row).perCPU},
	{"at 1 %", 6, (*Row).early},
	{"MB", 5, (*Row).megabytes},
	{"paper", -1, (*Row).papers},
}

// strategy is "dpor+sleep", or "optimal equal" with that refinement.
func (r *Row) strategy() string { return strings.TrimSpace(r.Strategy + " " + r.Independence) }

func (r *Row) traces() string {
	if r.MoreTraces {
		return fmt.Sprintf(">=%d", r.Traces)
	}
	return fmt.Sprint(r.Traces)
}

// some is empty for none.
func some(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// perCPU is the rate on one processor. Times are multiples of 10 ms, and the start of a process
// takes some.
func (r *Row) perCPU() string {
	const least = 0.1
	if r.CPU < least {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(r.Executions+r.Blocked)/r.CPU)
}

func (r *Row) early() string {
	if r.Early == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r.Early)
}

func (r *Row) known() string {
	if r.Known == nil {
		return "?"
	}
	return fmt.Sprint(*r.Known)
}

func (r *Row) ratio() string {
	if r.Ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

func (r *Row) complete() string { return yesNo(r.Complete) }

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func (r *Row) megabytes() string {
	if r.Memory == 0 {
		return "?"
	}
	return fmt.Sprintf("%.0f", float64(r.Memory)/(1<<20))
}

// papers is "40/203 fifo, 327/1650 eca, 16/91 lca", or "wanted: at most 720".
func (r *Row) papers() string {
	var list []string
	for _, f := range r.Papers {
		list = append(list, f.String())
	}
	if r.Target != nil {
		list = append(list, "wanted: "+r.Target.String())
	}
	return strings.Join(list, ", ")
}

// JSON prints one object per line.
type JSON struct{ Out io.Writer }

// Begin implements Table.
func (j *JSON) Begin() {}

// Row implements Table.
func (j *JSON) Row(r Row) {
	e := json.NewEncoder(j.Out)
	e.SetEscapeHTML(false)
	e.Encode(r) // a reader that has gone away is no reason to stop
}

// End implements Table.
func (j *JSON) End() {}

// Text prints aligned columns.
type Text struct {
	Out    io.Writer
	unmet  int
	rows   int
	cutOff int
}

// Begin implements Table.
func (t *Text) Begin() {
	t.line(func(c column) string { return c.title })
}

// Row implements Table.
func (t *Text) Row(r Row) {
	t.rows++
	switch {
	case r.Met == no:
		t.unmet++
	case !r.Complete:
		t.cutOff++
	}
	t.line(func(c column) string { return c.cell(&r) })
}

func (t *Text) line(cell func(column) string) {
	var cells []string
	for _, c := range columns {
		cells = append(cells, fmt.Sprintf("%*s", c.width, cell(c)))
	}
	fmt.Fprintln(t.Out, strings.TrimRight(strings.Join(cells, "  "), " "))
}

// End implements Table.
func (t *Text) End() {
	fmt.Fprintf(t.Out, "%d of %d runs did not meet what is known; %d others are not complete\n",
		t.unmet, t.rows, t.cutOff)
}
