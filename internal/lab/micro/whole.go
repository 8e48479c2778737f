package micro

import (
	"math/rand/v2"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Whole steps: what package runtime/sched makes of code of the library's border.

// atOnce leaves of the alternatives the inner operation that comes next, if there is one.
func (m *Machine) atOnce() {
	alts := m.state.Alts
	best := -1
	for i := range alts {
		a := &alts[i]
		if !m.isAtOnce(a.Proc) || a.Partner >= 0 && !m.isAtOnce(a.Partner) {
			continue
		}
		if best < 0 || m.procs[a.Proc].path < m.procs[alts[best].Proc].path {
			best = i
		}
	}
	if m.state.Inner = best >= 0; m.state.Inner {
		alts[0] = alts[best]
		m.state.Alts = alts[:1]
		m.x.Inner = append(m.x.Inner, int32(len(m.x.Events)))
	}
}

// isAtOnce reports whether what process i does next is a part of the whole step that has begun.
func (m *Machine) isAtOnce(i int32) bool {
	q := m.procs[i]
	if !q.op.IsInner() || !q.inside {
		return false
	}
	return q.op.Kind != trace.StreamRead || !m.object(q.op.Obj).stream.Delivers(&q.op)
}

// Bordered returns the text of a program some of whose processes and statements are inner.
func Bordered(r *rand.Rand, text string) string {
	var b strings.Builder
	most := 1 + r.IntN(4)
	for line := range strings.Lines(text) {
		name, body, isProc := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !isProc {
			b.WriteString(line)
			continue
		}
		name, star := strings.CutPrefix(name, "*")
		if star {
			b.WriteString("*")
		}
		if r.IntN(5) < most {
			b.WriteString("~")
		}
		b.WriteString(name + ": ")
		for i, s := range strings.Split(body, "; ") {
			if i > 0 {
				b.WriteString("; ")
			}
			if r.IntN(6) < most {
				b.WriteString("~")
				switch r.IntN(8) {
				case 0, 1:
					b.WriteString("~")
				case 2, 3:
					b.WriteString("=")
				}
			}
			b.WriteString(s)
		}
		b.WriteString("\n")
	}
	return b.String()
}
