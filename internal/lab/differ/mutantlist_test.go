package differ

const mutantsHead = `# Broken conditions

For someone who changes what rehearse leaves out: which random programs need each condition? This
file is written by

    go test ./internal/lab/differ -run TestMutants -mutantsof 240 -mutants docs/MUTANTS.md

with -timeout 0. It replaces the rows of what it breaks: with -run TestMutants/T5, those of T5.
Rows of 2026-11-30, made with the rule for incomplete programs: P1 to P5, of -mutantsof 24; C2 to
C6, of 84; T4, values that are about to be sent, of 60, firings and timers of 80, the others of 64;
B3, E3, and the rows of S6 about calls, of 64; C9 and P6 of 32; V1 to V7 of 36; T3 of 100;
S7, who may have to wait, and T2, no loop, of 120; T5, each Done, of
200; Y3 of 120; S12 of 96, S16 of 64; S13 to S15 of 60, S13 before some lists got several elements
at a time, all three before functions returned some. The other rows are of 2026-11-29, and older
than that rule: those of corners are of -mutantsof 150; F2, homes and counters of 100; semaphores,
and E5, of 60; the first four of C11 of 48, its last one of 36; S11 of 40; C8 of 12. The row of C10
is older than the code. When these were made, a broken command first ran the schedules that another
command had saved. So it may miss more findings than these rows say.
Each condition under which orders are left out is broken in turn, and random programs are explored
by the broken command, as users would, with no flag; for E2 with -strategy=optimal
-independence=equal, as the default search does not take such sends to be equal. A program differs
if an outcome, a data race or another finding is missing or new, or the search fails. So does one
that is incomplete with the condition, if without it the search is called complete, and something is
missing; and so does one that ends if each process moves in the end, but is said to have no end.
Programs that do not differ are counted if they take more executions than with the condition, those
that are abandoned included. Some conditions only save such: without S7 about readers, S8, T3 about
the end of a loop, Y3 about the elder, and C2 to C5, nothing is lost. A condition with no program of
either kind is one that these programs do not attack yet.

| condition | programs | complete | differ | more executions | the first one |
|---|---|--:|--:|--:|---|
`

const (
	sectionsFile   = "runtime/model/sections/sections.go"
	cellFile       = "runtime/model/sections/cell.go"
	worldFile      = "runtime/model/sections/world.go"
	contentionFile = "runtime/model/sections/contention.go"
	didFile        = "runtime/model/sections/did.go"
	tasksFile      = "runtime/model/sections/tasks.go"
	groupsFile     = "runtime/model/sections/groups.go"
	givenFile      = "runtime/model/sections/given.go"
	givenUses      = "rewrite/accesses/given.go"
	judgeFile      = "runtime/model/sections/judge.go"
	looksFile      = "runtime/model/sections/looks.go"
	pastsFile      = "runtime/model/sections/pasts.go"
	selectsFile    = "runtime/model/sections/selects.go"
	accessesFile   = "rewrite/accesses/section.go"
	listsFile      = "runtime/model/sections/lists.go"
	listUses       = "rewrite/accesses/lists.go"
	semaphoreFile  = "runtime/model/sections/semaphores.go"
	ticketFile     = "runtime/model/sections/tickets.go"
	shareFile      = "runtime/model/sections/shares.go"
	tallyFile      = "rewrite/rounds/still.go"
	slotsFile      = "runtime/model/sections/slots.go"
	lockClocks     = "runtime/model/races/sections.go"
	raceClocks     = "runtime/model/races/order.go"
	tableFile      = "explore/depend/table.go"
)

// mutants are named by the conditions of package runtime/model/sections (T1 to T11, C1 to C10), by
// the lemmas of package depend, P1 to P3 by package rewrite/rounds, or say what they break.
var mutants = []mutant{
	{condition: "S1 two that write one variable conflict", programs: "monitors", edits: []edit{
		{cellFile, "return a == b && a != Writes", "return a == b"}}},
	{condition: "S2 looking and updating conflict", programs: "monitors", edits: []edit{
		{cellFile, "return a == b && a != Writes",
			"return a == b && a != Writes || a == Looks && b == Adds || a == Adds && b == Looks"}}},
	{condition: "S2 updates of two classes conflict", programs: "monitors", edits: []edit{
		{cellFile, "return a == b && a != Writes",
			"return a == b && a != Writes || a >= Adds && b >= Adds"}}},
	{condition: "S3 two that write one key conflict", programs: "monitors", edits: []edit{
		{cellFile, "return a.key == b.key && !commute(a.how, b.how)", "return false"}}},
	{condition: "S3 a key that is looked at and all keys that are written conflict",
		programs: "monitors", edits: []edit{
			{contentionFile, "		case c.cleared:\n			return looks\n", ""}}},
	{condition: "S4 a key and all keys of a map conflict", programs: "monitors", edits: []edit{
		{cellFile, "return b.how == Writes || a.how != Looks", "return b.how == Writes"}}},
	{condition: "S5 TryLock tells that a mutex is held", programs: "monitors", edits: []edit{
		{sectionsFile, ` || ss.barred[s.obj] != ""`, ""}}},
	{condition: "S6 a section with another operation is not plain", programs: "monitors",
		edits: []edit{
			{sectionsFile, "	ss.spoil(ev.Proc, inBetween+ev.Kind.String())\n", ""}}},
	{condition: "S6 a section that does what is not known is not plain", programs: "monitors",
		edits: []edit{
			{worldFile, "	if w.at(p.ID) != nil {\n		w.spoil(p.ID, \"what is",
				"	if false {\n		w.spoil(p.ID, \"what is"}}},
	{condition: "S7 what conflicts has an order", programs: "monitors", edits: []edit{
		{worldFile, "	for _, f := range w.fresh {\n		w.contend(f)\n	}\n", ""}}},
	{condition: "S7 who writes may have to wait for readers", programs: "monitors", saves: true,
		edits: []edit{
			{sectionsFile, "!s.shared && awaited[s.obj]", "awaited[-1]"}}},
	{condition: "S8 two accesses under one mutex are no race", programs: "monitors", saves: true,
		edits: []edit{
			{lockClocks,
				"return a.under != 0 && a.under>>1 == b.under>>1 && a.under&b.under&1 == alone",
				"return false"}}},
	{condition: "S9 sections that commute hand nothing on", programs: "monitors", edits: []edit{
		{lockClocks, "o.sections.Begin(ev.Kind, n, c.join)",
			"o.sections.Ordinary(ev.Kind, c.join)"}}},
	{condition: "S10 a race that only sections without order have may be none",
		programs: "monitors",
		edits: []edit{
			{"explore/adapt/sections.go", "if len(x.Races) > 0 && hook.SectionsBegun() {",
				"if false {"}}},
	{condition: "S11 a section that has written has not only looked", programs: "monitors",
		edits: []edit{
			{didFile, "	ss.clocks.EndsSection(p, s.did)\n	return s.did\n",
				"	s.did &= 1<<trace.Contended - 1 | trace.Section\n	ss.s.LastEvent().Seq = s.did\n	return s.did\n"}}},

	{condition: "S12 who reads a list sees the order of appends", programs: "lists", edits: []edit{
		{listsFile, "		ss.note(m.place, &m.a, &m.b, true)\n", ""}}},
	{condition: "S12 an element that is asked for shows the order", programs: "lists",
		edits: []edit{
			{"rewrite/accesses/loop.go",
				`if as.lists[x] == "Each" && (as.isShared(x) || as.given.uses[x]) {`, "if false {"}}},
	{condition: "S12 a loop does not look at what it adds up", programs: "lists", edits: []edit{
		{listUses, "is && changed[l.In.Info.Uses[id]] {",
			"is && changed[l.In.Info.Uses[id]] && false {"}}},
	{condition: "S12 only the name of a list leads to it", programs: "lists", edits: []edit{
		{listUses, "if n.Op == token.AND && ast.Unparen(n.X) == id {", "if false {"}}},
	{condition: "S12 nobody else has a part of a list when it begins", programs: "lists",
		edits: []edit{
			{listUses, "return l.In.Info.Types[e].IsNil()", "return true"}}},
	{condition: "S13 only sorting by all of an element forgets the order", programs: "lists",
		edits: []edit{
			{listUses, "id == nil || len(c.Args) != 1", "id == nil"},
			{listUses, `case "sort.Ints", "sort.Strings":`,
				`case "sort.Ints", "sort.Strings", "slices.SortFunc":`}}},
	{condition: "S14 who has read a list may see what is appended later", programs: "lists",
		edits: []edit{
			{listsFile, "l != nil && l.shown {", "l != nil && l.shown && false {"}}},
	{condition: "S15 one element is appended at a time", programs: "lists", edits: []edit{
		{listUses, "len(c.Args) != 2 || c.Ellipsis.IsValid()", "len(c.Args) < 2"}}},
	{condition: "S16 the variable that takes a list shows it", programs: "given", edits: []edit{
		{givenFile, "			g.in.lists[at] = &list{true, l.mixed}\n", ""}}},
	{condition: "S16 nobody sees the result before the caller", programs: "given", edits: []edit{
		{givenUses, `results.At(i).Name() != "" {`, "results.At(i).Name() == results.String() {"}}},
	{condition: "S16 the function that is called gives the list", programs: "given",
		edits: []edit{
			{givenFile, "calls[n].function != function ||", ""}}},
	{condition: "S16 a call within the call gives nothing", programs: "given", edits: []edit{
		{givenFile, " || calls[n].begun && !calls[n].list.shown {", " {"}}},
	{condition: "S16 an argument shows a list", programs: "given", edits: []edit{
		{givenFile, "	g.in.show(&c.list)\n", ""}}},
	{condition: "S16 calls from one place are told apart", programs: "given", edits: []edit{
		{givenFile, "if l := &here[i].list; !alone {", "if l := &here[i].list; !alone && false {"}}},
	{condition: "S16 nothing is appended to a list that was taken", programs: "given",
		edits: []edit{
			{givenUses, `if function == "Grow" || function == "Peek" {`, "if false {"}}},

	{condition: "T1 a task that is not plain has an order", programs: "handlers", edits: []edit{
		{judgeFile, "				j.learn(s.name, 0)\n				fallthrough\n", ""}}},
	{condition: "T2 one process receives", programs: "handlers", edits: []edit{
		{looksFile,
			"	case e.Partner >= 0 && e.Partner != l.server:\n		l.refuse(\"several goroutines receive from the channel\")\n",
			""},
		{looksFile,
			"	case e.Proc != l.server:\n		l.refuse(\"several goroutines receive from the channel\")\n",
			"	case e.Proc != l.server:\n"},
		{looksFile,
			"		if q != l.server {\n			l.refuse(\"several goroutines receive from the channel\")\n		}\n",
			""},
		{tasksFile,
			"	if l.server != p.ID {\n		l.refuse(\"several goroutines receive from the channel\")\n",
			"	if l.server != p.ID {\n"}}},
	{condition: "T2 nobody asks how many values are there", programs: "handlers", edits: []edit{
		{looksFile,
			"	default:\n		l.refuse(\"somebody asks how many values are there\")\n",
			""},
		{looksFile,
			"	case trace.Len:\n		l.refuse(\"somebody asks how many values are there\")\n",
			""}}},
	{condition: "T2 no select sends or receives", programs: "handlers", edits: []edit{
		{looksFile, "			l.refuse(\"a select sends or receives\")\n", ""},
		{looksFile, "!(e.Op.Meets() && e.Partner == l.server)", "!(e.Partner == l.server)"}}},
	{condition: "T2 all is received in one loop, entered once", programs: "handlers", edits: []edit{
		{tasksFile, "if l.entry != entry || l.place != place {", "if false {"},
		{looksFile,
			"	case l.Served && !e.Closed:\n		l.refuse(\"some values are received in another place\")\n",
			""},
		{looksFile,
			"	case l.Served && !task && !(e.Op.Meets() && e.Partner == l.server):\n		l.refuse(\"some values are received in another place\")\n",
			"	case task:\n"}}},
	{condition: "T4 values come before what makes another case ready", programs: "hubs",
		edits: []edit{{judgeFile, "; least < sent {", "; least < sent && false {"}}},
	{condition: "T4 where there is room, a value comes when it is received", programs: "hubs",
		edits: []edit{{pastsFile, "	if q < 0 {\n		return 0",
			"	if q < 0 {\n		t.of[e.Proc] = with(t.of[e.Proc], n)\n		return 0"},
			{pastsFile, "	if l.Room == 0 {", "	if true {"}}},
	{condition: "T4 a firing beside others comes before all values", programs: "waits",
		edits: []edit{{pastsFile, "			least = 0\n", "			_ = least\n"}}},
	{condition: "T4 a send that nobody receives may be chosen", programs: "waits", edits: []edit{
		{pastsFile, "		least = min(least, t.offered(int32(q), &p.Pending, objs, l.ID))\n", ""},
		{pastsFile, "		least = min(least, t.offered(e.Proc, &e.Op, objs, l.ID),\n",
			"		if e.Kind != trace.Send || e.Obj == l.ID {\n" +
				"		} else if least = min(least, t.offered(e.Proc, &e.Op, objs, l.ID),\n"},
		{pastsFile, "			t.offered(e.Partner, &e.PartnerOp, objs, l.ID))\n",
			"			t.offered(e.Partner, &e.PartnerOp, objs, l.ID)); true {\n		}\n"}}},
	{condition: "T4 a timer that is due is not armed again", programs: "waits",
		edits: []edit{{"runtime/model/clock/again.go", " && c.timeouts[k].when > c.now(0)", ""}}},
	{condition: "T4 values that are about to be sent count", programs: "hubs",
		edits: []edit{{pastsFile, "		if p.Pending.Kind == trace.Send && p.Pending.Obj == l.ID {",
			"		if false {"}}},
	{condition: "T3 a loop that counts takes all that is sent", programs: "counters", edits: []edit{
		{looksFile, "case l.left && l.sends != l.handed:", "case false:"}}},
	{condition: "T3 the end of a loop that counts is a step", programs: "counters", saves: true,
		edits: []edit{{tasksFile, "obj, step = l.ID, true", "obj, step = l.ID, false"}}},
	{condition: "T5 who sends comes after the loop is there", programs: "handlers", edits: []edit{
		{looksFile, "if l.Room > 0 && !v.behind(l, e.Proc) {", "if false {"}}},
	{condition: "T5 the server does nothing before its loop", programs: "homes", edits: []edit{
		{looksFile, "if !v.quiet(q, k, e) {", "if false {"}}},
	{condition: "T5 before its loop the server only adds to groups", programs: "homes",
		edits: []edit{{looksFile,
			"if e.Kind != trace.WgAdd || e.Op.Delta() < 0 || e.Op.KeepsOrder() {",
			"if e.Kind != trace.WgAdd {\n		return true\n	}\n	if e.Op.Delta() < 0 || e.Op.KeepsOrder() {"}}},
	{condition: "T5 nobody else sees what the server adds to a group", programs: "homes",
		edits: []edit{{looksFile, "			return int(p.Born) <= k\n", "			return false\n"}}},
	{condition: "T5 the server comes to its loop", programs: "homes",
		edits: []edit{{judgeFile, "	news = j.judgeEarly()\n", ""}}},
	{condition: "T5 the server comes back from plain tasks only", programs: "corners",
		edits: []edit{
			{tasksFile, "	if l.met && l.Room > 0 {", "	if false {"}}},
	{condition: "T7 who answers is the only one who uses the channel", programs: "handlers",
		edits: []edit{
			{judgeFile, "if shared[a.obj] || others[a.obj] {", "if false {"}}},
	{condition: "T7 the answer is awaited", programs: "handlers", edits: []edit{
		{judgeFile, "			j.learn(s.name, 0)\n				fallthrough\n",
			"			if !strings.HasPrefix(s.why, inBetween+\"send\") {\n					j.learn(s.name, 0)\n				}\n				fallthrough\n"},
		{judgeFile, "	\"slices\"\n", "	\"slices\"\n	\"strings\"\n"}}},
	{condition: "T9 all is sent before the server comes to its loop", programs: "homes",
		edits: []edit{
			{judgeFile, " || !behindAll(l, j.x)", ""}}},
	{condition: "T9 all is received in the loop", programs: "homes",
		edits: []edit{{judgeFile, "	case l.taken != l.begun:", "	case false:"}}},
	{condition: "T5 each Done has an Add of its own", programs: "homes", edits: []edit{
		{groupsFile, "wg.loose = !g.takes(wg, q, k)", "g.takes(wg, q, k)"}}},
	{condition: "T2 nobody receives where no loop is come to", programs: "homes", edits: []edit{
		{judgeFile, "		case e.Partner >= 0 || e.Kind == trace.Recv && !e.Closed:\n",
			"		case s.state == laid && (e.Partner >= 0 || e.Kind == trace.Recv && !e.Closed):\n"}}},
	{condition: "T11 nobody comes to the loop, and nothing tells who was first", programs: "homes",
		edits: []edit{{judgeFile,
			"is := s != nil && (s.state == laid || s.state == served)",
			"is := s != nil && s.state == served"}}},
	{condition: "T10 no task ends the loop, or does anything else", programs: "homes",
		edits: []edit{
			{judgeFile, "	case l.mixed:", "	case false:"}}},
	{condition: "T10 tasks that conflict have an order", programs: "homes", edits: []edit{
		{tableFile, "	{laid, laid, conflicting},\n", ""},
		{tableFile, "	{met, met, \"different", "	{laid, laid, \"broken\"},\n	{met, met, \"different"}}},
	{condition: "T8 tasks that commute hand nothing on", programs: "handlers", edits: []edit{
		{"runtime/model/races/tasks.go", "	h.Begin(trace.Lock, s.says, c.join)\n",
			"	h.Ordinary(trace.Lock, c.join)\n"}}},

	{condition: "G1 each Done has an Add of its own before it", programs: "groups", edits: []edit{
		{"explore/depend/group.go",
			"	g.x, g.whole, g.dones, g.adds = x, false, g.dones[:0], g.adds[:0]\n",
			"	return true\n"}}},
	{condition: "G2 Wait sees the Dones", programs: "groups", edits: []edit{
		{tableFile, "	{waited, waited, \"both only look\"},\n",
			"	{waited, waited, \"both only look\"},\n	{done, waited, \"broken\"},\n"}}},
	{condition: "G2 Wait sees the Adds", programs: "groups", edits: []edit{
		{tableFile, "	{waited, waited, \"both only look\"},\n",
			"	{waited, waited, \"both only look\"},\n	{added, waited, \"broken\"},\n"}}},
	{condition: "G3 an Add beside Wait is a race in whichever order", programs: "groups",
		edits: []edit{
			{"runtime/model/races/group.go", "a.n > 0 && a.at > c.of(a.proc) && g.findsZero(i)",
				"a.n > 0 && false"}}},
	{condition: "B1 a load sees a sum", programs: "groups", edits: []edit{
		{tableFile, "	{peeked, peeked, \"both only look\"},\n",
			"	{peeked, peeked, \"both only look\"},\n	{summed, peeked, \"broken\"},\n"}}},
	{condition: "B1 an update whose result is used sees a sum", programs: "groups", edits: []edit{
		{tableFile, "	{peeked, peeked, \"both only look\"},\n",
			"	{peeked, peeked, \"both only look\"},\n	{summed, changed, \"broken\"},\n"}}},
	{condition: "B1 a store hides a sum", programs: "groups", edits: []edit{
		{tableFile, "	{peeked, peeked, \"both only look\"},\n",
			"	{peeked, peeked, \"both only look\"},\n	{summed, stored, \"broken\"},\n"}}},
	{condition: "B2 an Add and an Or do not commute", programs: "groups", edits: []edit{
		{tableFile, "	{peeked, peeked, \"both only look\"},\n",
			"	{peeked, peeked, \"both only look\"},\n	{summed, united, \"broken\"},\n"}}},
	{condition: "B3 a blind update learns nothing", programs: "racers", edits: []edit{
		{raceClocks, "if !ev.Op.IsBlind() { // a blind one", "if true { // a blind one"}}},
	{condition: "K1 operations on one key conflict", programs: "groups", edits: []edit{
		{"explore/depend/keyed.go", "return k > 0 && l > 0 && k != l", "return k > 0 && l > 0"}}},
	{condition: "K1 who looks at all entries sees a change", programs: "groups", edits: []edit{
		{tableFile, "	{peeked, peeked, \"both only look\"},\n",
			"	{peeked, peeked, \"both only look\"},\n	{keyChanged, peeked, \"broken\"},\n"}}},
	{condition: "K2 stores of different values conflict", programs: "groups", edits: []edit{
		{"explore/depend/keyed.go", "		return k == l\n", "		return true\n"}}},
	{condition: "O1 who comes first runs a Once", programs: "groups", edits: []edit{
		{tableFile, "	{later, later, \"nothing happens any more\"},\n",
			"	{later, later, \"nothing happens any more\"},\n	{first, later, \"broken\"},\n"}}},
	{condition: "W1 Wait is tried after each set of Dones that makes zero", programs: "groups",
		edits: []edit{
			{"explore/optimal/reversal.go",
				"r.solo(s, e, op.Kind == trace.WgWait || op.Kind.Late())",
				"r.solo(s, e, op.Kind.Late())"}}},

	{condition: "E1 values that are received together are equal", programs: "corners",
		edits: []edit{
			{"explore/depend/joint.go", "value != trace.NoValue && value == j.sendOf(before).N",
				"value != trace.NoValue"}}},
	{condition: "E2 nobody else looks at the channel", programs: "corners",
		flags: []string{"-strategy=optimal", "-independence=equal"}, edits: []edit{
			{"explore/depend/joint.go", " ||\n\t\tj.looker[e.Obj] == several", ""}}},
	{condition: "E3 an access in between ends what is received together", programs: "gatherers",
		edits: []edit{
			{"explore/depend/joint.go", "if touched || group", "if touched && false || group"}}},
	{condition: "E4 who has met one of several knows of that one", programs: "corners",
		edits: []edit{
			{"explore/depend/meeting.go", "return known > 0 && known < len(m.Members)",
				"return false"}}},

	{condition: "E5 a value that is dropped is not used", programs: "gatherers", edits: []edit{
		{"runtime/notes/payload.go", "	case dropped && Payloads.drops:",
			"	case Payloads.drops && (dropped || true):"}}},

	{condition: "Y1 twins cannot meet each other", programs: "corners", edits: []edit{
		{"explore/symmetry/symmetry.go", "if c.Kind == trace.Send &&\n",
			"if false && c.Kind == trace.Send &&\n"}}},
	{condition: "Y2 twins are given the same values", programs: "groups", edits: []edit{
		{"rewrite/twins.go", "		return l.own(e) == nil\n", "		return true\n"}}},
	{condition: "Y3 nothing between moves that are alike is dependent on them", programs: "twins",
		edits: []edit{
			{"explore/symmetry/moves.go", "		if events[l].Involves(b) {\n			continue",
				"		if events[l].Involves(b) || true {\n			continue"}}},
	{condition: "Y3 moves that are alike are independent", programs: "twins", edits: []edit{
		{"explore/symmetry/moves.go", "			if dependent(&events[l], &events[j]) {\n				return false\n" +
			"			}\n		}\n	}\n	b :=", "			if false {\n				return false\n			}\n		}\n	}\n	b :="}}},
	{condition: "Y3 the elder's move precedes the twin's", programs: "twins", saves: true,
		edits: []edit{
			{"explore/depend/add.go", "if p := x.Procs[q].Elders.Of(k); p >= 0 {",
				"if p := x.Procs[q].Elders.Of(k); p >= 0 && k < 0 {"}}},

	{condition: "A1 a timer that could have been armed earlier may fire early", programs: "timers",
		edits: []edit{
			{"explore/ledger.go", "return t.order.CountBefore(k) < int(k)",
				"return false"}}},
	{condition: "F1 sections that conflict have an order where timers fire early, too",
		programs: "early", edits: []edit{
			{"explore/adapt/sections.go", "	if s.off {\n		return false\n",
				"	if s.off || s.none == nil {\n		return false\n"}}},
	{condition: "F2 a station within a section has no firings", programs: "early", edits: []edit{
		{"runtime/sched/step.go",
			"	if p := s.inSection(); p != nil {\n		s.state.Moves = 0\n",
			"	if p := s.inSection(); p != nil {\n"}}},
	{condition: "F3 groups keep an order where timers fire early, if a Done has no Add",
		programs: "early", edits: []edit{
			{"explore/session/early.go", "f.keepGroups(true); return begin()", "return begin()"}}},
	{condition: "A2 accesses beside atomic operations are steps of the same variable",
		programs: "racers", edits: []edit{
			{"runtime/executor/configure.go", "hook.Points[what] = hook.Points[what] || atomic",
				"hook.Points[what] = hook.Points[what] || atomic && false"}}},
	{condition: "A3 steps of data races are of one object", programs: "racers", edits: []edit{
		{"runtime/hook/access.go", "at = unsafe.Pointer(&racing)", "_ = &racing"}}},
	{condition: "S6 a method changes nothing but its receiver", programs: "calls", edits: []edit{
		{accessesFile, "if !slices.Contains(whole, recv.Type().String()) {",
			"if _, is := shared.Unguarded(fn); !is {"}}},
	{condition: "S6 the code of a function value announces its accesses", programs: "calls",
		edits: []edit{
			{"runtime/hook/sections.go", "is = announces(runtime.FuncForPC(entry))",
				"is = announces(runtime.FuncForPC(entry)) || true"}}},
	{condition: "S6 what is deferred is called later", programs: "calls", edits: []edit{
		{accessesFile, "		case d != nil:\n", "		case d != nil && false:\n"}}},
	{condition: "C11 a slot is given back after one step", programs: "crowds", edits: []edit{
		{slotsFile, "	return len(steps) == 2 && isWhole(x, k) && onlyWhole(x, e.Obj)\n",
			"	return true\n"}}},
	{condition: "C11 a step in a slot never waits", programs: "crowds", edits: []edit{
		{slotsFile, "		return e.Kind == trace.Log || ",
			"		return e.Kind != trace.None || "},
		{slotsFile, "e.Partner >= 0:", "false:"}}},
	{condition: "C11 a mutex is locked for plain sections only", programs: "crowds",
		edits: []edit{
			{slotsFile, " && isWhole(x, k) && onlyWhole(x, e.Obj)\n", "\n"}}},
	{condition: "C11 nobody is made to go on before the step", programs: "crowds",
		edits: []edit{
			{slotsFile, "case v.causes != u.causes || ", "case "}}},
	{condition: "C11 a slot that was lent for a step is given back", programs: "crowds",
		edits: []edit{
			{semaphoreFile, "			x.Never = true // somebody",
				"			_ = true // somebody"}}},
	{condition: "C9 all accesses are announced", programs: "calls", edits: []edit{
		{slotsFile, "	if v.hidden != u.hidden || ", "	if "}}},
	{condition: "C2 slots are filled before others start", programs: "crowds", saves: true,
		edits: []edit{
			{semaphoreFile, "g.sentBefore(x, parent.proc, u.proc) < n", "n == 0"}}},
	{condition: "C3 each gives back a slot of its own", programs: "crowds", saves: true,
		edits: []edit{
			{semaphoreFile, "if n <= i {", "if n+i < 0 {"}}},
	{condition: "C4 there are two slots", programs: "crowds", saves: true, edits: []edit{
		{semaphoreFile, " || c.Room < 2 {", " {"}}},
	{condition: "C5 the last slot is not taken", programs: "crowds", saves: true, edits: []edit{
		{semaphoreFile, "if int32(n-started) >= g.Room {", "if int32(n-started) > g.Room {"}}},
	{condition: "C6 nobody asks how many slots are free", programs: "crowds", edits: []edit{
		{semaphoreFile, "		case g == nil:\n", "		case g == nil || e.Kind == trace.Len:\n"}}},
	{condition: "C6 no select takes a slot or gives one back", programs: "crowds", edits: []edit{
		{semaphoreFile, "		cases(&e.Op)\n		cases(&e.PartnerOp)\n",
			""}}},
	{condition: "C6 no select waits for a slot in the end", programs: "crowds", edits: []edit{
		{semaphoreFile, "			cases(&p.Pending)\n", ""}}},
	{condition: "C6 nobody waits for a slot in the end", programs: "crowds", edits: []edit{
		{semaphoreFile, "			refuse(p.Pending.Obj, \"somebody waits in the end\")\n", ""}}},
	{condition: "C10 nobody looks at a value", programs: "semaphores", edits: []edit{
		{semaphoreFile, "	if looks {", "	if false && looks {"}}},
	{condition: "P1 looks are of one run of a loop", programs: "loners", edits: []edit{
		{"runtime/sched/looks.go", "at.held != here.held:\n",
			"at.held != here.held:\n		here.before = at.depth\n"}}},
	{condition: "P2 a loop that only looks assigns to nothing", programs: "loners", edits: []edit{
		{"rewrite/rounds/still.go", "		return (s.Tok == token.DEFINE || allBlank(s.Lhs)) && " +
			"l.allLook(s.Rhs) && !l.copiesSync(s)\n",
			"		return true\n	case *ast.IncDecStmt:\n		return true\n"}}},
	{condition: "P2 a branch that changes something says so", programs: "loners", edits: []edit{
		{"rewrite/rounds/still.go", "range l.changes {", "range l.changes[:0] {"}}},
	{condition: "P3 what looks is told by its type", programs: "loners", edits: []edit{
		{"rewrite/rounds/calls.go", "	switch fn.Pkg().Path() {\n	case unit.AtomicPath:",
			"	switch fn.Pkg().Path() {\n	default:"}}},
	{condition: "P4 a question changes its own variables only", programs: "loners", edits: []edit{
		{"rewrite/rounds/question.go",
			"!is || v == nil || v.Pos() < decl.Pos() || v.Pos() >= decl.End()",
			"v == nil && decl == nil"}}},
	{condition: "P4 a question does the same in each order", programs: "pickers", edits: []edit{
		{"rewrite/rounds/anyorder.go",
			"!r.depends && len(r.ends) <= 1 && (len(r.changes) <= 1 || !r.ends[\"break\"])",
			"len(r.ends) < 100"}}},
	{condition: "P5 nobody tries to lock the mutex", programs: "loners", edits: []edit{
		{"runtime/sched/looks.go", "l.locks && s.tries", "s.tries && false"}}},
	{condition: "P6 nothing in the loop reads a tally", programs: "tallies", edits: []edit{
		{tallyFile, "inLoop && l.In.Info.Uses[n] == v && !targets[n]", "inLoop && false"}}},
	{condition: "P6 no pointer has a tally", programs: "tallies", edits: []edit{
		{tallyFile, "n.Op == token.AND && l.names(n.X, v)", "n.Op == token.AND && false"}}},
	{condition: "P6 who has kept a tally can tell how often it has looked", programs: "tallies",
		edits: []edit{
			{"runtime/sched/looks.go", "		l.round = trace.TallyRound\n", ""}}},
	{condition: "C8 two semaphores are not held at once", programs: "crowds", edits: []edit{
		{slotsFile, " || v.quiet != u.quiet+quiet {", " || quiet < 0 {"}}},
	{condition: "V1 workers' variables are alike", programs: "tickets", edits: []edit{
		{ticketFile, "if v.apart && v.changed {", "if v.apart && v.changed && false {"}}},
	{condition: "V2 who leaves has a last ticket", programs: "tickets", edits: []edit{
		{ticketFile, "if w.at < w.goes {", "if w.at < w.goes && false {"},
		{ticketFile, "if w.leaves > 0 && w.leaves < w.at {", "if w.leaves < 0 {"}}},
	{condition: "V3 a block has no step", programs: "tickets", edits: []edit{
		{ticketFile, "	t.disturb(ev.Proc, why)\n", "	t.disturb(-1, why)\n"}}},
	{condition: "V4 nothing else is done with the counter", programs: "tickets", edits: []edit{
		{ticketFile, "if l := t.dispensers[at]; l != nil {",
			"if l := t.dispensers[at]; l != nil && false {"}}},
	{condition: "V6 no block accesses what another one writes", programs: "tickets", edits: []edit{
		{shareFile, "	if clash || len", "	if false && clash || len"}}},
	{condition: "V7 accesses before come before all workers", programs: "tickets", edits: []edit{
		{ticketFile, "int(m.own) >= len(w.first) || w.first[m.own] < m.at", "int(m.own) < 0"}}},
	{condition: "V7 accesses behind come behind all workers", programs: "tickets", edits: []edit{
		{shareFile, "!w.left || !t.in.clocks.Knows(p, w.proc, w.epoch)", "w.proc < 0"}}},
}
