package goprog

// theme groups constructs.
type theme int

const (
	messages theme = iota
	selection
	locks
	waiting
	atomics
	timing
	contexts
	reflection
	control // of goroutines, panics and calls
	subtests
	library
	files
	plain // accesses beside atomic ones
	themes
)

// need says where a construct can stand.
type need int

const (
	inTestOnly need = 1 << iota // on a test's process, and not in a bubble
	ownTest                     // on a test's process
	timed                       // in timed programs
	// not under a lock in timed programs, which have no locks while time passes
	waits
	nests     // not too deep
	assigning // in programs that assign sync objects
	mixing    // in programs that mix everything
)

// construct is a way to make one statement.
type construct struct {
	name   string
	theme  theme
	weight int
	needs  need
	make   func(*gen) *node
}

var constructs []construct

func init() {
	constructs = []construct{
		{"send", messages, 6, waits, (*gen).send},
		{"receive", messages, 6, waits, (*gen).receive},
		{"close", messages, 2, 0, (*gen).close},
		{"len", messages, 1, 0, (*gen).length},
		{"range over channel", messages, 2, waits, (*gen).rangeChannel},
		{"channel of channels", messages, 2, waits, (*gen).request},
		{"generic queue", messages, 1, waits, (*gen).queue},

		{"select", selection, 5, waits, (*gen).selects},
		{"select with nil", selection, 2, waits, (*gen).nilTrick},

		{"mutex", locks, 4, nests, (*gen).lock},
		{"rwmutex", locks, 3, nests, (*gen).readWrite},
		{"try lock", locks, 2, nests, (*gen).tryLock},
		{"embedded mutex", locks, 1, nests, (*gen).embedded},
		{"method values", locks, 1, nests, (*gen).methodValues},
		{"misused mutex", locks, 1, 0, (*gen).misused},

		{"assignment", locks, 12, assigning, (*gen).assignment},

		{"cond", waiting, 4, waits, (*gen).condition},
		{"waitgroup", waiting, 3, waits, (*gen).waitGroup},
		{"once", waiting, 2, nests, (*gen).onceDo},
		{"once function", waiting, 2, nests, (*gen).callOnce},
		{"errgroup", waiting, 2, nests | waits, (*gen).errGroup},

		{"atomic", atomics, 5, 0, (*gen).atomic},
		{"cas loop", atomics, 2, 0, (*gen).casLoop},
		{"atomic spin", atomics, 1, 0, (*gen).spin},

		{"sleep", timing, 4, timed | waits, (*gen).sleep},
		{"timeout", timing, 3, timed | waits, (*gen).timeout},
		{"timer", timing, 4, timed | waits, (*gen).timer},
		{"ticker", timing, 1, timed | waits, (*gen).ticker},
		{"after func", timing, 3, timed | nests, (*gen).afterFunc},
		{"elapsed", timing, 1, timed, (*gen).elapsed},

		{"context", contexts, 5, waits, (*gen).context},
		{"cancel", contexts, 3, 0, (*gen).cancel},
		{"context after func", contexts, 2, nests, (*gen).contextAfterFunc},
		{"context of its own", contexts, 1, 0, (*gen).endSignalled},

		{"reflect", reflection, 3, waits, (*gen).reflects},
		{"reflect select", reflection, 2, waits, (*gen).reflectSelect},

		{"go", control, 2, nests, (*gen).spawn},
		{"recover", control, 3, nests, (*gen).recovers},
		{"defer", control, 2, 0, (*gen).deferred},
		{"pull", control, 2, nests | waits, (*gen).pull},
		{"gosched", control, 1, 0, (*gen).gosched},
		{"goexit", control, 1, nests, (*gen).goexit},
		{"panic", control, 1, 0, (*gen).panics},
		{"loop", control, 1, nests | waits, (*gen).loop},

		{"run", subtests, 3, inTestOnly | nests, (*gen).subtest},
		{"parallel", subtests, 2, inTestOnly | nests, (*gen).parallel},
		{"cleanup", subtests, 1, inTestOnly | nests, (*gen).cleanup},
		{"error", subtests, 2, 0, (*gen).fails},
		{"fatal", subtests, 1, ownTest, (*gen).stops},

		{"pool", library, 1, 0, (*gen).pool},
		{"map", library, 3, 0, (*gen).syncMap},
		{"rand", library, 1, 0, (*gen).random},
		{"map iteration", library, 1, 0, (*gen).iterate},
		{"range over map", library, 2, mixing, (*gen).rangeMap},

		{"nil channel", messages, 2, mixing, (*gen).nilChannel},
		{"assigned once", waiting, 2, mixing, (*gen).assignedOnce},

		{"file", files, 8, mixing, (*gen).file},
		{"shared file", files, 3, mixing, (*gen).sharedFile},

		{"counts", plain, 5, mixing, (*gen).countAtomically},
		{"gated counts", plain, 3, mixing | nests, (*gen).gatedCounts},
		{"published", plain, 4, mixing | waits, (*gen).published},
		{"racy", plain, 2, mixing, (*gen).racy},
	}
}
