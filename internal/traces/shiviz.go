package traces

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/explore/record"
)

// ShiViz writes a log for ShiViz (https://bestchai.bitbucket.io/shiviz): the process, the vector
// clock and the text of each step. Its regular expression is in the first line that a user would
// otherwise have to write:
//
//	(?<host>\S*) (?<clock>{.*})\n(?<event>.*)
func ShiViz(w io.Writer, t *record.Trace) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n")
	hosts, ticks := make([]string, len(t.Procs)), make([]int, len(t.Procs))
	for p, q := range t.Procs {
		hosts[p] = strings.ReplaceAll(q.Name, " ", "_")
	}
	clocks := make([]map[string]int, len(t.Events.Kind)) // behind each step
	for k := range clocks {
		clock := map[string]int{}
		for _, before := range t.Preds[k] {
			for h, n := range clocks[before] {
				clock[h] = max(clock[h], n)
			}
		}
		// of a rendezvous, the receiver's comes after
		for side, p := range []int32{t.Events.Proc[k], t.Events.Partner[k]} {
			if p < 0 {
				continue
			}
			what := event(t, k, t.Texts[t.Events.Text[k]], t.Events.Site[k])
			if side == 1 {
				what = event(t, k, received(t, k), t.Events.PartnerSite[k])
			}
			ticks[p]++
			clock[hosts[p]] = ticks[p]
			text, err := json.Marshal(clock)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s %s\n%s\n", hosts[p], text, what)
		}
		clocks[k] = clock
	}
	return out.Flush()
}

// event is what a party of step k does at a site, in one line.
func event(t *record.Trace, k int, text string, site int32) string {
	if v := value(t, k); v != "" {
		text += " " + v
	}
	if at := place(t, site); at != "" {
		text += " at " + at
	}
	return strings.ReplaceAll(text, "\n", " ")
}
