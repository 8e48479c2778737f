package corpus

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

var wideBudget = flag.Duration("wide", 0,
	"explore each package of the wide corpus for that `long`, -short, instead of the subjects (with -fetch)")

// wide are small packages that start goroutines, taken because they are published and used, and not
// because something is known of them. The texts after a subject were confirmed by reading the code:
// the test, and what its finding is.
var wide = []struct {
	subject
	verified map[string]string
}{
	{subject{"github.com/sourcegraph/conc", "v0.3.0", "./...", ""}, map[string]string{
		"TestContextPool":        neverWaits,
		"TestErrorPool":          neverWaits,
		"ExampleCatcher_callers": "not a bug: it prints its stack, and rehearse's frames are in it",
	}},
	{subject{"github.com/alitto/pond", "v1.9.2", ".", ""}, map[string]string{
		"TestGroupContextWithError": "Wait returns when the context ends, and the goroutine that waits for the tasks sends to a channel that nobody receives from " +
			"any more: a bug of the package",
		"TestSubmitAndStopWaitFor": "StopAndWaitFor returns at its deadline, and leaves its goroutine behind in the same way: a bug of the package",
		"TestSubmitWithContextCancelWithIdleTasks": "the first task sees that the context has ended before the pool's own context, its child, has: the second task " +
			"is run, too",
	}},
	{subject{"github.com/alitto/pond/v2", "v2.7.1", ".", ""}, map[string]string{
		"TestTaskGroupWaitShouldNotDeadlockWhenPoolContextCanceledWithQueuedTasks": countedLate,
		"TestPoolWithQueueSizeZero":           countedLate,
		"TestResultPoolSubmitContextCanceled": countedLate,
	}},
	{subject: subject{"github.com/gammazero/workerpool", "v1.3.0", ".", ""}},
	{subject: subject{"github.com/gammazero/deque", "v1.2.3", ".", ""}},
	{subject{"github.com/eapache/channels", "v1.1.0", ".", ""}, map[string]string{
		"TestBatchingChannel": bufferLeft, "TestBatchingChannelCap": bufferLeft,
		"TestBlackHole": bufferLeft, "TestInfiniteChannel": bufferLeft,
		"TestDeadChannel": "a send and a receive on a channel that is never ready, for the race detector's benefit",
		"TestOverflowingChannel": "the value is dropped if nobody receives yet, and received if the test is quick; and, as in other tests, the last channel " +
			"is never closed",
	}},
	{subject{"github.com/eapache/go-resiliency", "v1.7.0", "./...", ""},
		map[string]string{"TestBreakerErrorExpiry": noTime}},
	{subject{"github.com/sony/gobreaker", "v1.0.0", ".", ""}, map[string]string{
		"TestDefaultCircuitBreaker": noTime, "TestCustomCircuitBreaker": noTime,
		"TestTwoStepCircuitBreaker": noTime, "TestGeneration": noTime,
	}},
	{subject{"go.uber.org/ratelimit", "v0.3.1", ".", ""}, map[string]string{
		"TestRateLimiter":        mockMoved,
		"TestPer":                mockMoved,
		"TestInitial":            "of three goroutines that take at the same time, the first to take need not be the first to send what it got",
		"TestDelayedRateLimiter": "goroutines that wait for the mock clock are left behind",
	}},
	{subject{"github.com/cenkalti/backoff/v5", "v5.0.3", ".", ""}, map[string]string{
		"TestTicker": "the ticker is never stopped: its goroutine is left behind",
	}},
	{subject: subject{"github.com/patrickmn/go-cache", "v2.1.0+incompatible", ".", ""}},
	{subject: subject{"github.com/jellydator/ttlcache/v3", "v3.4.1", ".", ""}},
	{subject: subject{"github.com/hashicorp/golang-lru/v2", "v2.0.7", "./...", ""}},
	{subject{"github.com/dgraph-io/ristretto", "v0.2.0", ".", ""}, map[string]string{
		"TestPolicy": policyLeft, "TestPolicyMetrics": policyLeft, "TestPolicyPush": policyLeft,
		"TestPolicyAdd": policyLeft, "TestPolicyHas": policyLeft,
		"TestPolicyDel": policyLeft, "TestPolicyCap": policyLeft, "TestPolicyUpdate": policyLeft,
		"TestPolicyCost": policyLeft, "TestPolicyClear": policyLeft,
	}},
	{subject{"github.com/asaskevich/EventBus", "v0.0.0-20200907212545-49d423059eef", ".", ""},
		map[string]string{
			"TestSubscribeAsync": "the channel of the results is never closed: who receives them is left behind",
		}},
	{subject: subject{"golang.org/x/time", "v0.16.0", "./rate", ""}},
	{subject: subject{"github.com/puzpuzpuz/xsync/v4", "v4.5.0", ".", ""}},
	{subject: subject{"github.com/orcaman/concurrent-map/v2", "v2.0.1", ".", ""}},
	{subject: subject{"github.com/dustin/go-broadcast", "v0.0.0-20171205050544-f664265f5a66", ".",
		""}},
	{subject{"github.com/jonboulle/clockwork", "v0.5.0", ".", ""}, map[string]string{
		"TestFakeClockRace":            "Sleep may come after Advance: its goroutine is left behind",
		"TestFakeTicker_DeliveryOrder": "a tick is dropped while the channel is full, and the clock ends before the next one",
	}},
	{subject{"github.com/benbjohnson/clock", "v1.3.5", ".", ""}, map[string]string{
		"TestMock_Tick": tickerLeft, "TestMock_Ticker": tickerLeft,
		"TestMock_Ticker_Stop":       tickerLeft,
		"TestMock_Ticker_Reset":      tickerLeft,
		"TestMock_Ticker_Stop_Reset": tickerLeft, "TestMock_Ticker_Multi": tickerLeft,
		"TestMock_ReentrantDeadlock": tickerLeft, "ExampleMock_Ticker": tickerLeft,
	}},
	{subject{"github.com/oklog/run", "v1.2.0", ".", ""}, map[string]string{
		"ExampleGroup_Add_basic": "the second actor may be told to stop before the first, which has been told, says so: the example's output is one of several",
	}},
	{subject: subject{"github.com/bep/debounce", "v1.2.1", ".", ""}},
	{subject{"github.com/looplab/fsm", "v1.0.3", ".", ""}, map[string]string{
		"TestEventAndCanInGoroutines": "enterStateCallbacks reads the current state without the lock, when Event has let the next one go on already: a bug of the package",
		"TestContextInCallbacks":      "the context may end before the event begins; then the callback that the test waits for is not called",
	}},
	{subject: subject{"github.com/remeh/sizedwaitgroup", "v1.0.0", ".", ""}},
}

// Remarks on several tests.
const (
	neverWaits  = "the first subtest never calls Wait: its worker is left behind"
	bufferLeft  = "a channel is never closed: the goroutine of its buffer is left behind"
	mockMoved   = "the mock clock is moved when goroutines have been started, and they may not wait for it yet: counts differ, and who comes too late waits for ever"
	countedLate = "the pool counts a task, or a worker, when those who wait for the task have gone on already"
	noTime      = "not a bug: two times are compared that are equal, as code takes no time under control, and sleeping no more than was wanted; a note says so"
	policyLeft  = "the policy's goroutine is never stopped"
	tickerLeft  = "a goroutine of the test waits for ticks of the mock clock for ever"
)

// TestWide runs the tests of many packages for a short time. It fails for findings of which nobody
// has said what they are.
func TestWide(t *testing.T) {
	if !*fetch || *wideBudget == 0 {
		t.Skip("it fetches modules, and explores many packages; -fetch -wide 10s asks for it")
	}
	rehearse := buildRehearse(t)
	var rows []*row
	for _, w := range wide {
		t.Run(w.name(), func(t *testing.T) {
			r := w.explore(t, rehearse, w.fetch(t), *wideBudget, "-short")
			r.verified = w.verified
			r.check(t)
			rows = append(rows, r)
		})
	}
	if *update && len(rows) == len(wide) {
		must(t, rewriteSection(corpusFile, 1, wideDocument(rows, *wideBudget)))
	}
}

const corpusFile = "../../../docs/CORPUS.md"

// wideHead begins the second section of the document.
const wideHead = "\n# Small packages, for a short time\n\n"

func wideDocument(rows []*row, budget time.Duration) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, wideHead+
		"Made by `go test ./internal/lab/corpus -fetch -wide %v -update` with %s, with `-short`\n"+
		"and that budget for each package, on two cores that were shared with others; do not edit. The\n"+
		"packages were not chosen for what is in them: they are small, published, start goroutines, and none\n"+
		"of them had been tried before.\n\n", budget, runtime.Version())
	tables(&b, rows)
	return b.Bytes()
}

// rewriteSection replaces the first or the second section of a file.
func rewriteSection(file string, n int, text []byte) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	first, second, _ := bytes.Cut(old, []byte(wideHead))
	if n == 0 {
		first = text
	} else {
		second = text[len(wideHead):]
	}
	return os.WriteFile(file, append(append(bytes.Clone(first), wideHead...), second...), 0o666)
}
