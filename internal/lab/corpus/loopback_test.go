package corpus

import (
	"flag"
	"os"
	"testing"
)

var loopbackBudget = flag.Duration("loopback", 0,
	"explore each package whose tests talk over loopback for that `long`, -short (with -fetch)")

const (
	neverClosed = "the test never closes its server"
	neverSwept  = "the first meter of go-flow-metrics starts a goroutine (sweeper.run) " +
		"that never ends"
	bodyOpen = "the test does not close the body of a response"
)

// loopback are packages whose tests talk to themselves over the network, and what was found in
// them: see fresh.
var loopback = []read{
	{subject: subject{"github.com/gorilla/websocket", "v1.5.3", ".", ""}},
	{subject{"github.com/hashicorp/memberlist", "v0.5.1", ".", ""}, map[string]judgement{
		"TestMemberList_Ping": {isTrue,
			"state.go:550 reads the clock after the ping was sent: the answer may have come before"},
		"TestMemberList_ProbeNode_Suspect": {isTrue,
			"state_test.go:131 reads the state without the lock, beside the timer " +
				"that writes it (state.go:1305)"},
		"TestMemberList_ProbeNode_Awareness_MissedNack": {isTrue,
			"util.go:139 draws nodes at random 12 times; in 3 of 100 native runs never " +
				"the one that does not answer, so no nack is missed"},
		"TestMemberList_SuspectNode": {isTrue,
			"the suspicion ends after 1ms (state_test.go:1580): it may have, " +
				"before 1595 and 1610 look"},
	}},
	{subject{"github.com/libp2p/go-libp2p-pubsub", "v0.2.1", ".", ""}, map[string]judgement{
		"TestBlacklist3":     {isTrue, neverSwept},
		"TestPeerDisconnect": {isTrue, neverSwept},
	}},
	{subject: subject{"github.com/xtaci/smux", "v1.5.34", ".", ""}},
	{subject: subject{"github.com/hashicorp/yamux", "v0.1.2", ".", ""}},
	{subject{"github.com/soheilhy/cmux", "v0.1.5", ".", ""}, map[string]judgement{
		"TestTimeout": {isTrue,
			"two goroutines send their results (cmux_test.go:267, 281) in any order; the test expects one"},
	}},
	{subject{"github.com/hashicorp/go-retryablehttp", "v0.7.7", ".", ""}, map[string]judgement{
		"TestClient_CheckRetryStop": {isTrue, bodyOpen + " (client_test.go:1022)"},
		"TestClient_DefaultBackoff": {isTrue, bodyOpen},
	}},
	{subject: subject{"github.com/pires/go-proxyproto", "v0.8.0", ".", ""}},
	{subject{"github.com/emersion/go-smtp", "v0.21.3", ".", ""}, map[string]judgement{
		"TestServerAuthTwice":  {isTrue, neverClosed + " (server_test.go:379)"},
		"TestServerCancelSASL": {isTrue, neverClosed},
		"TestClient_TooLongLine": {isTrue,
			"a goroutine of the test writes to a pipe that nobody reads any more (client_test.go:256)"},
		"TestServerAcceptErrorHandling": {isTrue,
			"s.Close (server_test.go:331) may come before Serve looks at the error: then it returns nil"},
	}},
	{subject{"github.com/cenkalti/rpc2", "v1.0.4", ".", ""}, map[string]judgement{
		"TestTCPGOB": {isTrue, "the test never closes its listener"},
	}},
	{subject: subject{"github.com/sourcegraph/jsonrpc2", "v0.2.0", "./...", ""}},
}

// TestLoopback explores them. At least 85 of 100 tests must be explored.
func TestLoopback(t *testing.T) {
	if !*fetch || *loopbackBudget == 0 {
		t.Skip("it fetches modules, and explores many packages; -fetch -loopback 1m asks for it")
	}
	rows := judgeAll(t, loopback, *loopbackBudget)
	if len(rows) < len(loopback) {
		return // -run names some
	}
	refused := 0
	for _, r := range rows {
		refused += len(r.of("refused")) + len(r.of("uncontrolled"))
	}
	if n := countTests(rows); 100*refused > 15*n {
		t.Errorf("%d of %d tests are not explored", refused, n)
	}
	if *update {
		must(t, os.WriteFile(loopbackFile, freshDocument(loopbackHead, rows, *loopbackBudget),
			0o666))
	}
}

const loopbackFile = "../../../docs/LOOPBACK.md"

const loopbackHead = `# Packages whose tests talk over loopback

For a user whose tests use the network of one host: how many such tests are explored, and what is
found in them?

Made by ` +
	"`go test ./internal/lab/corpus -run Loopback -fetch -loopback %v -update -timeout 2h`" + ` with
%s, with ` + "`-short`" + ` and at most that budget for exploring a package, on two cores that some
twenty other processes shared; do not edit. Seconds are those of the whole command, building
included. (With ` + "`-rows`" + `, such a run can be judged again.)

%d packages, %d tests. %d tests fail; findings that are true: %d, false: %d, not read: %d.

**Incomplete** counts also the tests that the budget did not come to. **Refused** and
**uncontrolled** tests are not explored: they come to other programs or hosts.
[FINDINGS.md](FINDINGS.md) says what **true** and **false** mean.

`
