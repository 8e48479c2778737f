package corpus

// chosen are modules with concurrency, and what was found in them: see fresh.
var chosen = []read{
	{subject{"github.com/thejerf/suture/v4", "v4.0.6", "./...", ""}, map[string]judgement{
		"TestStoppingSupervisorStopsServices": {isTrue,
			"suture_test.go:352 sends while the context is done: both cases of supervisor.go:355 are ready, and the select may take the message"},
		"TestRemovingHungService": {isTrue, sutureOpen + " (suture_test.go:417)"},
		"TestRemoveService":       {isTrue, sutureOpen + " (suture_test.go:437)"},
		"TestIssue11":             {isTrue, sutureOpen + " (suture_test.go:541)"},
		"TestServiceReport": {isTrue,
			"suture_test.go:471 lets the service hang, and nobody releases it"},
		"TestRemoveAndWait": {isTrue,
			"suture_test.go:596 cancels, and 597 sends: both cases of supervisor.go:355 are ready; if it takes the message, there is no error, and 600 calls Error of nil"},
		"TestServiceAndTreeTermination": {isTrue,
			"suture_test.go:717 sleeps for 250µs, 'hoping for the best': the service may take longer"},
		"TestFailures": {isTrue,
			"suture_test.go:131 lets the service fail, and 132 gives the clock its next value: the supervisor may read it before"},
	}},
	{subject{"github.com/bluele/gcache", "v0.0.2", ".", ""}, map[string]judgement{
		"TestARCGetIFPresent": {isTrue, gcacheSleep},
		"TestLFUGetIFPresent": {isTrue, gcacheSleep},
		"TestLRUGetIFPresent": {isTrue, gcacheSleep},
	}},
	{subject: subject{"github.com/muesli/cache2go", "v0.0.0-20221011235721-518229cd8021", ".", ""}},
	{subject{"github.com/golang/groupcache", "v0.0.0-20241129210726-2c02b8208cf8", "./...", ""},
		map[string]judgement{
			"TestTruncatingByteSliceTarget": {isTrue,
				"fails natively, too, if it runs alone: groupcache_test.go:328 uses what another test has made (by testSetup)"},
		}},
	{subject{"github.com/afex/hystrix-go", "v0.0.0-20180502004556-fa1af6a1f4f5", "./...", ""},
		map[string]judgement{
			"leak hystrix/metrics.go": {isTrue,
				"metrics.go:53 and pool_metrics.go:52 range over channels that nobody closes: each command starts both monitors"},
		}},
	{subject: subject{"go.uber.org/atomic", "v1.12.0", ".", ""}},
	{subject: subject{"github.com/alphadose/haxmap", "v1.4.0", ".", ""}},
	{subject: subject{"github.com/dolthub/swiss", "v0.2.1", ".", ""}},
	{subject: subject{"github.com/coocood/freecache", "v1.2.7", ".", ""}},
	{subject: subject{"github.com/hashicorp/go-memdb", "v1.3.5", ".", ""}},
	{subject: subject{"github.com/VictoriaMetrics/fastcache", "v1.13.2", ".", ""}},
	{subject{"github.com/rcrowley/go-metrics", "v0.0.0-20250401214520-65e299d6c5c9", ".", ""},
		map[string]judgement{
			"leak meter.go":                {isTrue, metricsArbiter},
			"TestRuntimeMemStatsNumThread": {isTrue, metricsArbiter},
		}},
	{subject{"github.com/reugn/go-quartz", "v0.15.2", "./...", ""}, map[string]judgement{
		"TestScheduler_JobPanic": {isTrue,
			"scheduler_test.go:504 counts what runs each 10ms within 35ms: held up for 5ms, the scheduler runs it twice"},
		"TestScheduler_PauseResume": {isTrue,
			"scheduler_test.go:525 sleeps for 55ms and counts what runs each 10ms: held up for 5ms, the scheduler runs it four times"},
	}},
	{subject: subject{"github.com/sirupsen/logrus", "v1.10.2", "./...", ""}},
	{subject{"github.com/failsafe-go/failsafe-go", "v0.9.8", "./...", ""}, map[string]judgement{
		"TestPrioritizer_Calibrate": {isTrue,
			"prioritizer_test.go:25 starts four that wait for a permit, and :38 gives one back: nobody ends the other three"},
		"TestPrioritizer_ScheduleCalibrations": {isTrue,
			"prioritizer_test.go:68 and :69 wait for the permit of :67, which nobody gives back"},
		"TestPriorityLimiter_AcquirePermitWithPriority": {isTrue,
			"prioritylimiter_test.go:64 waits for the permit of :63, which nobody gives back"},
		"TestQueueingLimiter_AcquirePermit":    {isTrue, failsafeQueue},
		"TestQueueingLimiter_CanAcquirePermit": {isTrue, failsafeQueue},
		"TestClientRetryPolicyWith429":         {isTrue, failsafeBody},
		"TestClientRetryPolicyFallback":        {isTrue, failsafeBody},
		"TestIssue73":                          {isTrue, failsafeBody},
		"TestPropagateAdaptiveLimiterLevel": {isTrue,
			"failsafehttp/common_test.go:196 drops a response whose body nobody closes"},
		"TestMergeContexts": {isTrue, failsafeMerge},
		"TestIssue122_bug2": {isTrue, failsafeMerge},
		"TestBulkHead": {isTrue,
			"bulkhead_test.go:24 gives back the permit that the first run waits for, and :25 the second one: :21, of the next run, may come before that"},
	}},
	{subject: subject{"github.com/spf13/viper", "v1.21.0", ".", ""}},
	{subject: subject{"github.com/fsnotify/fsnotify", "v1.10.1", ".", ""}},
	{subject: subject{"github.com/go-co-op/gocron/v2", "v2.21.2", ".", ""}},
	{subject: subject{"github.com/rs/zerolog", "v1.35.1", ".", ""}},
	{subject: subject{"github.com/Workiva/go-datastructures", "v1.1.7", "./queue", ""}},
	{subject{"github.com/bytedance/gopkg", "v0.1.4", "./util/...", ""}, map[string]judgement{
		"TestMem": {isFalse,
			"runtime.ReadMemStats returns fixed numbers; mem_test.go:32 expects what it has allocated"},
	}},
	{subject{"github.com/redis/go-redis/v9", "v9.23.0", "./internal/pool", ""},
		map[string]judgement{
			"TestWantConn_tryDeliver_Success":   {isTrue, oneMillisecond + "76"},
			"TestWantConn_tryDeliver_WithError": {isTrue, oneMillisecond + "104"},
			"TestWantConn_cancel_NotDone":       {isTrue, oneMillisecond + "161"},
		}},
	{subject{"github.com/zeromicro/go-zero", "v1.10.3", "./core/syncx", ""}, map[string]judgement{
		"TestTimeoutLimit": {isTrue,
			"a lost wakeup: Return (timeoutlimit.go) signals between TryBorrow of Borrow and its wait, and Signal (cond.go) drops what nobody receives: Borrow waits to its timeout"},
	}},
}

// Remarks on several tests.
const (
	sutureOpen  = "the test never stops its supervisor"
	gcacheSleep = "helpers_test.go:55 sleeps for 2ms; the goroutine that loads (singleflight.go:61) may take longer"
)

const (
	oneMillisecond = "fails with a sleep of 1ms between time.After(time.Millisecond) and the choice: both cases are ready then; want_conn_test.go:"
	failsafeQueue  = "queueinglimiter_test.go:46 takes the permit that :50 waits for, and nobody gives it back"
	failsafeBody   = "policy.go retries a response and drops it: nobody closes its body, and the connection waits for that"
	failsafeMerge  = "util.go:89 waits for two contexts that are never done; the cancel of :97 does not end it"
	metricsArbiter = "meter.go:238 receives from a ticker that nobody stops: the first meter starts the goroutine, which has no end"
)
