package corpus

// subject is a package whose tests are run.
type subject struct {
	module, version string // "" for a program of testdata
	pkg             string // pattern, in the module's directory
	// directory of testdata whose files are added, where the package has no tests
	driver string
}

var subjects = []subject{
	{pkg: "./stateful"},
	{pkg: "./subscribe"},
	{"github.com/gorilla/websocket", "v1.5.3", "./examples/chat", "chat"},
	{"github.com/cskr/pubsub", "v1.0.2", ".", ""},
	{"github.com/Arceliar/phony", "v0.0.0-20220903101357-530938a4b13d", ".", ""},
	{"github.com/docker/go-events", "v0.1.0", ".", ""},
	{"github.com/robfig/cron", "v1.2.0", ".", ""},
	{"github.com/robfig/cron/v3", "v3.0.1", ".", ""},
	{"go.etcd.io/raft/v3", "v3.7.0", ".", ""},
	{"github.com/ethereum/go-ethereum", "v1.13.5", "./event", ""},
	{"github.com/libp2p/go-libp2p-pubsub", "v0.2.1", ".", ""},
	{"tailscale.com", "v1.92.1", "./util/eventbus", ""},
	{"github.com/prometheus/prometheus", "v0.35.0", "./storage/remote", ""},
}

// name is how people call s.
func (s subject) name() string {
	if s.module == "" {
		return s.pkg[len("./"):]
	}
	if s.pkg == "." {
		return s.module + " " + s.version
	}
	return s.module + s.pkg[len("."):] + " " + s.version
}

// verified says, of findings that were confirmed by reading the code, what they are. The key is the
// test's name.
var verified = map[string]string{
	"TestNaive": "the loop is left behind, blocked on what nobody takes any more: the defect that the program is about",
	"TestEcho":  "the hub has no end: it is left behind",
	"TestTwo":   "the hub has no end: it is left behind",

	"Example":    "the number of messages before Unsub takes effect is the scheduler's choice; the publisher never ends",
	"TestTryPub": "the hub may deliver the second message after the first was received and before the test looks again",

	"TestStopCausesJobsToNotRun":    "a helper's goroutine waits for jobs that must not run",
	"TestRemoveBeforeRunning":       "a helper's goroutine waits for jobs that must not run",
	"TestRemoveWhileRunning":        "a helper's goroutine waits for jobs that must not run",
	"TestJob":                       "it fails at New Year's midnight, where the virtual clock begins: two jobs are due at once, and the WaitGroup counts one",
	"TestAddWhileRunningWithDelay":  "the test reads a counter that the job's goroutine writes, with nothing but a pause between them",
	"TestJobWithZeroTimeDoesNotRun": "the test reads a counter that the job's goroutine writes, with nothing but a pause between them",
	"TestStopAndWait":               "Sleep(time.Second) ends at the second at which the jobs are due: which comes first is open",

	"TestNodeStart":   "it starts a second node and never stops it",
	"TestInteraction": "it reads all files below testdata, and so the schedules that are saved there, too",

	"TestIntern_MultiRef_Concurrent": "intern reads the map, release takes the last reference and deletes the entry, and intern counts up what nobody finds any more: a bug of the package",

	"TestMonitor": "the bus is never closed: its goroutines are left behind",
}
