package goprog

import "strings"

// assignments are statements about slots $S, of which $A and $B are two, or one. NOTE(x) notes x.
var assignments = []string{
	"$A = slot{}",
	"$A = $B",
	"$S.at[0], $S.at[1] = $S.at[1], $S.at[0]",
	"$S.at = append($S.at[:2:2], slot{})",
	"copy($S.at, []slot{$B, $A})",
	"clear($S.at[:1])",
	"$A.mu = sync.Mutex{}",
	"$A.rw = $B.rw",
	"$A.wg = sync.WaitGroup{}",
	"$A.once = $B.once",
	"{\nkept := $A\n$A.mu.TryLock()\n$A = kept\n}",
	"{\np, q := &$A, &$B\n*p = *q\n}",
	"func(c slot) {\nNOTE(c.mu.TryLock(), c.rw.TryLock(), c.n.Load())\n}($A)",
}

// questions are statements that show the states of slots, and change them.
var questions = []string{
	"NOTE($A.mu.TryLock())",
	"if !$A.mu.TryLock() {\n$A.mu.Unlock()\n}",
	"NOTE($A.rw.TryLock())",
	"NOTE($A.rw.TryRLock())",
	"if !$A.rw.TryRLock() {\n$A.rw.Unlock()\n}",
	"$A.once.Do(func() {\nNOTE(\"once\")\n})",
	"NOTE($A.n.Add(1))",
	"$A.wg.Add(1)",
}

// risks are statements that may block, or be misuse.
var risks = []string{"$A.mu.Lock()", "$A.rw.RLock()", "$A.wg.Wait()", "$A.wg.Done()",
	"$A.mu.Unlock()"}

// assignment makes a critical section in which slots are assigned and asked.
func (g *gen) assignment() *node {
	s := g.pick(slots)
	var body []*node
	for range 1 + g.IntN(3) {
		list := assignments
		switch n := g.IntN(8); {
		case n == 0 && !g.p.Timed:
			list = risks
		case n > 3:
			list = questions
		}
		body = append(body, leaf(g.about(s.name, list[g.IntN(len(list))])))
	}
	return around(s.name+".gate.Lock()", body, s.name+".gate.Unlock()")
}

// about fills in a statement.
func (g *gen) about(name, text string) string {
	slot := func() string { return name + g.word(".at[0]", ".at[1]") }
	text = strings.NewReplacer("$A", slot(), "$B", slot(), "$S", name).Replace(text)
	if i := strings.Index(text, "NOTE("); i >= 0 {
		end := i + strings.Index(text[i:]+"\n", "\n")
		text = text[:i] + g.note(text[i+len("NOTE("):end-1]) + text[end:]
	}
	return text
}
