package corpus

// fresh are packages that no other list has, and what was found in them. A key is the name of a
// test; or the kind of a finding and its file, "leak bus.go", for all tests with no other findings.
var fresh = []read{
	{subject: subject{"golang.org/x/sync", "v0.16.0", "./...", ""}},
	{subject{"github.com/kelindar/event", "v1.5.2", ".", ""}, map[string]judgement{
		"leak event.go": {isTrue,
			"event.go:294 sets stop and wakes nobody; a consumer that waits at 199 looks at it (195) only when it is woken"},
	}},
	{subject{"github.com/Jeffail/tunny", "v0.1.4", ".", ""}, map[string]judgement{
		"TestFuncJobTimed": {isTrue,
			"fails natively with a sleep of 3ms before tunny.go:197: the timeout is 1ms"},
		"TestTimeout": {isTrue,
			"fails natively with sleeps before tunny.go:188, 197 and 204: the timeout of 1ns has passed, and each select may take the other case"},
		"TestTimedJobsAfterClose": {isTrue,
			"fails natively with a sleep before tunny.go:188: the timeout of 1ns has passed, and the channel is closed"},
		"TestCustomWorker": {isTrue,
			"hangs natively with a sleep of 3ms before tunny.go:197: the timeout is 1ms, and Interrupt (tunny_test.go:266) waits for somebody who receives"},
	}},
	{subject: subject{"github.com/marusama/cyclicbarrier", "v1.1.0", ".", ""}},
	{subject{"github.com/marusama/semaphore/v2", "v2.5.0", ".", ""}, map[string]judgement{
		"TestSemaphore_SetLimit_increase_broadcast": {isTrue,
			"fails natively with a sleep between semaphore_test.go:472, which lets the other goroutine acquire (456), and 473, which expects that it has not"},
	}},
	{subject{"github.com/teivah/broadcast", "v0.1.0", ".", ""}, map[string]judgement{
		"TestRaceClosure": {isTrue,
			"deadlock: Relay.Close holds the mutex (broadcast.go:80) and waits for the Once of a listener (90), which Listener.Close holds (120) while it waits for the mutex (97)"},
	}},
	{subject{"github.com/vardius/message-bus", "v1.1.5", ".", ""}, map[string]judgement{
		"leak bus.go": {isTrue,
			"bus.go:58 starts a goroutine that receives (59) until Unsubscribe or Close closes the queue (85, 107), which the test calls for some handlers or none"},
	}},
	{subject{"github.com/smallnest/chanx", "v1.2.0", ".", ""}, map[string]judgement{
		"TestLen": {isTrue,
			"fails natively with -race: unbounded_chan.go:22 has a value for a receiver, so unbounded_chan_test.go:121 copies bufCount, to which the channel's goroutine adds atomically (unbounded_chan.go:105)"},
		"TestLen_DataRace": {isTrue,
			"fails natively with -race: unbounded_chan.go:22 has a value for a receiver, so unbounded_chan_test.go:102 copies bufCount, to which the channel's goroutine adds atomically (unbounded_chan.go:105)"},
	}},
	{subject: subject{"github.com/allegro/bigcache/v3", "v3.1.0", ".", ""}},
	{subject: subject{"github.com/juju/ratelimit", "v1.0.2", ".", ""}},
	{subject{"github.com/sethvargo/go-retry", "v0.3.0", ".", ""}, map[string]judgement{
		"TestExponentialBackoff": {isTrue,
			"backoff_exponential.go:40 counts up and shifts, 42 takes an overflow back: two overflows at once shift further, to a positive number (backoff_exponential_test.go:82 calls Next in goroutines)"},
	}},
	{subject: subject{"github.com/avast/retry-go/v4", "v4.6.1", ".", ""}},
	{subject: subject{"go.uber.org/goleak", "v1.3.0", ".", ""}},
	{subject{"github.com/gammazero/channelqueue", "v0.2.2", ".", ""}, map[string]judgement{
		"leak channelqueue.go": {isTrue,
			"bufferData (channelqueue.go:92-105) ends when the input is closed and the buffer is empty; the test closes no input (TestCapLen: channelqueue_test.go:13, 18), or leaves values in the buffer"},
		"TestDeadlock": {isTrue,
			"fails natively with a sleep of 3ms before channelqueue_test.go:187: the timeout is 1ms"},
		"TestRace": {isTrue,
			"bufferData (channelqueue.go:92-105) ends when the input is closed and the buffer is empty; the test closes no input (TestCapLen: channelqueue_test.go:13, 18), or leaves values in the buffer. (That it has no end is false: an order that a sampler chose gives each goroutine one step in a thousand)"},
	}},
	{subject{"github.com/destel/rill", "v0.7.0", ".", ""}, map[string]judgement{
		"TestBuffer": {isTrue,
			"util_test.go:17 takes nothing from the channel, which has room for 4 values (internal/core/util.go:14), and a goroutine sends 10 (19)"},
	}},
	{subject: subject{"github.com/desertbit/timer", "v1.0.1", ".", ""}},
	{subject{"github.com/vburenin/nsync", "v0.0.0-20160822015540-9a75d1c80410", ".", ""},
		map[string]judgement{
			"TestTryLockTimeout": {isTrue,
				"fails natively with a sleep of 3ms between time.After (namedmutex.go:72) and the choice: the timeout is 1ms, and both cases are ready"},
		}},
	{subject{"github.com/karlseguin/ccache/v3", "v3.0.6", ".", ""}, map[string]judgement{
		"leak cache.go": {isTrue,
			"New starts the worker, which receives (cache.go:239) until Stop is called; the test never calls it"},
		"leak layeredcache.go": {isTrue,
			"Layered starts the worker, which receives (layeredcache.go:232) until Stop is called; the test never calls it"},
	}},
	{subject{"github.com/panjf2000/ants/v2", "v2.11.3", ".", ""}, map[string]judgement{
		"TestNonblockingSubmitWithFunc": {isTrue,
			"ants_test.go:593 counts the task as done before the worker is back in the pool: 607-609 may come first, and the pool is full"},
		"TestNonblockingSubmitWithFuncGeneric": {isTrue,
			"ants_test.go:618 counts the task as done before the worker is back in the pool: 633-635 may come first, and the pool is full"},
		"panic ants_test.go": {isTrue,
			"who has said Done (ants_test.go:974, 989, 1019, 1030, 1056, 1067) logs after that with t, and the test may have ended (1004)"},
	}},
	{subject: subject{"github.com/mustafaturan/bus/v3", "v3.0.3", ".", ""}},
	{subject{"github.com/ThreeDotsLabs/watermill", "v1.4.7", "./...", ""}, map[string]judgement{
		"TestPublishSubscribe_block_until_ack": {isTrue,
			"pubsub_test.go:73 subscribes with a context that never ends, and the test never closes the channel: pubsub.go:197-203 waits for one of both"},
		"TestSubscribe_race_condition_when_closing": {isTrue,
			"fails natively with a sleep before pubsub_test.go:141: the goroutine at 137 has closed the channel, Subscribe returns an error, and 142 wants none"},
		"leak message/router.go": {isTrue, routerOpen},
		"leak router.go":         {isTrue, routerOpen},
		"leak pubsub/gochannel/pubsub.go": {isTrue,
			"the test subscribes with a context that never ends, and never closes the channel: pubsub.go:197-203 waits for one of both"},
		"leak decorator.go": {isTrue,
			"decorator.go:52 receives until the subscriber's channel is closed; the test closes nothing (decorator_test.go:37-57)"},
		"leak waitgroup.go": {isTrue,
			"waitgroup.go:13 waits for a group of which the test says Add(1) and never Done"},
		"TestRequestReply_timeout": {isTrue,
			"fails natively with a sleep at the beginning of the goroutine of backend_pubsub.go:167: at 179 the context is done, and the subscriber has closed the channel because of that; and the router is never closed"},
		"TestRouter_wait_for_handlers_before_shutdown": {isTrue,
			"router_test.go:1266 uses t when Close has given up after CloseTimeout, 30s; the test waits for 100ms (1273). If it is the last one, and the binary goes on, that panics"},
		"TestRouter_wait_for_handlers_before_shutdown_timeout": {isTrue,
			"the handler at router_test.go:1305 never returns"},
		"TestRouter_nack_on_context_canceled": {isTrue,
			"router_test.go:1388: the message is sent again, and nobody receives what the handler sends then"},
		"race log.go": {isTrue,
			"log.go:226 returns the map itself, which the test reads without the lock (router_test.go:1361, 1487), beside a goroutine that writes it (log.go:219)"},
		"TestProtobufMarshaler_catch_panic": {isFalse,
			"it looks for runtime/debug.Stack() in a stack, where the brackets of a call had dots between them; since then, only addresses are left out"},
		"TestRetry_max_elapsed": {isTrue,
			"fails natively, once in some hundred runs, if 100µs pass between time.After (retry.go:87) and the choice: there is no time to wait, so both cases are ready, and each of 10 rounds may choose to go on although the context is done (85)"},
	}},
	{subject{"github.com/hashicorp/raft", "v1.7.3", ".", ""}, map[string]judgement{
		"TestNetworkTransport_ListenBackoff": {isTrue,
			"net_transport_test.go:844 counts in a goroutine that nobody waits for (884, 888), and 906 reads the counter; likewise 831 and 908"},
		"TestRaft_NoRestoreOnStart": {isTrue,
			"panics natively if TestMain sleeps after m.Run: raft_test.go:1250 starts a server that nobody shuts down, and that logs with t"},
	}},
	{subject{"go.uber.org/fx", "v1.24.0", "./...", ""}, map[string]judgement{
		"TestSignal": {isTrue,
			"fails natively with a sleep between signal.go:125 and 127: the relayer has finished, and both cases are ready"},
	}},
	{subject{"go.uber.org/zap", "v1.27.0", "./...", ""}, map[string]judgement{
		"TestMockClock_NewTicker": {isTrue,
			"fails natively with a sleep before clock_test.go:48: 55 reads the counter as soon as the tick is in the channel"},
		"TestBufferWriter": {isTrue,
			"buffered_write_syncer.go:210 waits for flushLoop with the mutex held (195), and flushLoop waits for the mutex if it has just taken a tick (177, 181)"},
	}},
	{subject{"github.com/anthdm/hollywood", "v1.0.5", "./actor", ""}, map[string]judgement{
		"TestInboxSendAndProcess": {isTrue,
			"fails natively with a sleep of 3ms before inbox_test.go:17: the timeout is 1ms"},
	}},
	{subject{"github.com/bradenaw/juniper", "v0.15.3", "./...", ""}, map[string]judgement{
		"leak stream.go": {isTrue,
			"stream_test.go:154-169 never closes the batches: the goroutines of stream.go:420 and 444 wait for the next item or for Close; likewise the fuzz target"},
	}},
}

// routerOpen is a remark on several tests.
const routerOpen = "router.go:390 waits for Close, and so do those that Run has started; the test never calls it"
