package pairs

import (
	"flag"
	"os"
	"testing"
)

var (
	fetch  = flag.Bool("pairs", false, "fetch the modules and explore them")
	update = flag.Bool("update", false, "write docs/PAIRS.md")
)

// pair is a bug and its repair.
type pair struct {
	name    string
	bug     string // what goes wrong, in a sentence
	driver  string // file in testdata
	own     bool   // the driver is a file of the fixed version's own tests instead
	inside  string // package that the driver is a part of; empty: one of its own
	test    string // of the driver
	kind    string // of the finding
	message string // a part of the finding's message

	buggy, fixed version
}

// version is one version of a module.
type version struct {
	module, version string
	pkg             string // the package that the driver tests, below the module
	test            string // if the driver has another one for this version
}

// cronV3 is the module path of the repaired cron, which the driver imports in its place.
const cronV3 = "github.com/robfig/cron/v3"

var known = []pair{{
	name: "cron", driver: "cron_test.go", test: "TestEntries", kind: "fail",
	message: "the callers see",
	bug:     "`Entries` sends its request and receives the answer on one channel: two callers answer each other.",
	buggy:   version{module: "github.com/robfig/cron", version: "v1.2.0"},
	fixed:   version{module: cronV3, version: "v3.0.0"},
}, {
	name: "pubsub", driver: "pubsub_test.go", test: "TestLeave", kind: "deadlock",
	message: "TestLeave (send), (*PubSub).start (send)",
	bug: "A subscriber that unsubscribes itself waits for the hub, which waits for the subscriber. It is documented and " +
		"not repaired: in its place stands the use that the documentation asks for.",
	buggy: version{module: "github.com/cskr/pubsub", version: "v1.0.2"},
	fixed: version{module: "github.com/cskr/pubsub", version: "v1.0.2",
		test: "TestLeaveAsDocumented"},
}, {
	name: "libp2p", driver: "libp2p_test.go", test: "TestTopics", kind: "deadlock",
	message: "TestTopics (send)",
	bug:     "A call after the context has been canceled sends to a loop that has ended.",
	buggy:   version{module: "github.com/libp2p/go-libp2p-pubsub", version: "v0.2.0"},
	fixed:   version{module: "github.com/libp2p/go-libp2p-pubsub", version: "v0.2.1"},
}, {
	name: "event", driver: "event_test.go", test: "TestUnsubscribe", kind: "deadlock",
	message: "TestUnsubscribe (send)",
	bug:     "`Unsubscribe` of a subscription whose producer has ended sends to nobody.",
	buggy:   version{module: "github.com/ethereum/go-ethereum", version: "v1.13.4", pkg: "event"},
	fixed:   version{module: "github.com/ethereum/go-ethereum", version: "v1.13.5", pkg: "event"},
}, {
	name: "resubscribe", driver: "subscription_test.go", own: true, inside: "event",
	test: "TestResubscribeWithCompletedSubscription", kind: "deadlock",
	message: "TestResubscribeWithCompletedSubscription (send)",
	bug:     "The same, by way of `ResubscribeErr`.",
	buggy:   version{module: "github.com/ethereum/go-ethereum", version: "v1.13.4", pkg: "event"},
	fixed:   version{module: "github.com/ethereum/go-ethereum", version: "v1.13.5", pkg: "event"},
}, {
	name: "eventbus", driver: "eventbus_test.go", test: "TestPublish", kind: "deadlock",
	message: "runCallback (lock)",
	bug:     "The queues are bounded: a publisher that holds a lock waits for the subscriber, which waits for the lock.",
	buggy:   version{module: "tailscale.com", version: "v1.90.6", pkg: "util/eventbus"},
	fixed:   version{module: "tailscale.com", version: "v1.90.9", pkg: "util/eventbus"},
}, {
	name: "mutex", driver: "bus_test.go", own: true, inside: "util/eventbus",
	test: "TestPublishWithMutex", kind: "deadlock", message: "runCallback (lock)",
	bug:   "The same, with 1,024 events in a bubble of testing/synctest.",
	buggy: version{module: "tailscale.com", version: "v1.90.6", pkg: "util/eventbus"},
	fixed: version{module: "tailscale.com", version: "v1.92.1", pkg: "util/eventbus"},
}, {
	name: "remote", driver: "remote_test.go", inside: "storage/remote", test: "TestBatch",
	kind: "deadlock", message: "(lock)",
	bug: "`FlushAndShutdown` waits, under a lock, for room in the queue; `Batch`, which makes room, waits for the lock.",
	buggy: version{module: "github.com/prometheus/prometheus", version: "v0.35.0-rc1",
		pkg: "storage/remote"},
	fixed: version{module: "github.com/prometheus/prometheus", version: "v0.35.0",
		pkg: "storage/remote"},
}}

// TestPairs finds the bug in one version of each pair and nothing in the other.
func TestPairs(t *testing.T) {
	if !*fetch {
		t.Skip("it fetches modules from the network; ask for it with -pairs")
	}
	ownCache(t)
	var rows []*row
	for _, p := range known {
		t.Run(p.name, func(t *testing.T) {
			r := &row{pair: p}
			t.Run("buggy", func(t *testing.T) { r.buggy = exploreBuggy(t, p) })
			t.Run("fixed", func(t *testing.T) { r.fixed = exploreFixed(t, p) })
			rows = append(rows, r)
		})
	}
	if !*update || t.Failed() || len(rows) < len(known) { // -run names some
		return
	}
	if err := os.WriteFile("../../../docs/PAIRS.md", table(rows), 0o666); err != nil {
		t.Fatal(err)
	}
}
