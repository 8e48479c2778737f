package std

// entry is one line of the table: a verdict on some functions ("time.Sleep"), methods
// ("(time.Timer).Stop", for pointer receivers too), types ("sync.Cond", all its methods) or
// packages.
type entry struct {
	names    string
	packages bool // the names are those of packages
	Verdict
}

func harmless(names string) entry { return entry{names: names} }

// keeps is harmless for functions that register what they are given.
func keeps(names string) entry { return entry{names: names, Verdict: Verdict{Keeps: true}} }

func harmlessPackages(names string) entry { return entry{names: names, packages: true} }

func hooked(names string) entry {
	return entry{names: names, Verdict: Verdict{Treatment: Controlled, Reason: "hook at its entry"}}
}

// starts is hooked for functions that start a timer, or a process: where no exploration runs, in
// package initialisation and TestMain, that becomes a part of every execution.
func starts(names string) entry {
	e := hooked(names)
	e.Starts = true
	return e
}

// within is for functions of packages that are rewritten themselves.
func within(reason, names string) entry {
	return entry{names: names, Verdict: Verdict{Treatment: Controlled, Reason: reason}}
}

// drawn is for functions that take the calling process's next random number.
func drawn(names string) entry {
	return entry{names: names,
		Verdict: Verdict{Treatment: Controlled, Reason: "numbers from -seed"}}
}

func drawnPackages(names string) entry {
	e := drawn(names)
	e.packages = true
	return e
}

func rewritten(names string) entry {
	return entry{names: names, Verdict: Verdict{Treatment: Controlled, Reason: "call is rewritten",
		ByCall: true}}
}

// off is for functions whose calls are rewritten to do nothing.
func off(reason, names string) entry {
	return byCall("call is rewritten to do nothing, "+reason, names)
}

func byCall(reason, names string) entry {
	e := rewritten(names)
	e.Reason = reason
	return e
}

func rewrittenPackages(names string) entry {
	e := rewritten(names)
	e.packages = true
	return e
}

func refused(kind Kind, reason, names string) entry {
	return entry{names: names, Verdict: Verdict{Treatment: Refused, Kind: kind, Reason: reason}}
}

func refusedPackages(kind Kind, reason, names string) entry {
	e := refused(kind, reason, names)
	e.packages = true
	return e
}

// guarded is for functions that end the execution that comes to them, by a hook at their entry.
func guarded(kind Kind, reason, names string) entry {
	return entry{names: names, Verdict: Verdict{Treatment: Guarded, Kind: kind, Reason: reason}}
}

// met is guarded for functions that the library needs for itself, or that no hook can stand in:
// their calls are rewritten.
func met(kind Kind, reason, names string) entry {
	e := guarded(kind, reason, names)
	e.ByCall = true
	return e
}

// fixed is for functions that return the same plausible numbers in every execution.
func fixed(names string) entry {
	e := rewritten(names)
	e.Reason = "fixed numbers"
	return e
}

const observes = "observes the explorer together with the program"

// table is in the order of the library's areas. A name stands in one entry only. An entry of a
// method or function overrides that of its type or package.
var table = []entry{
	// Without concurrency, clock or chance. Callbacks and the methods of arguments are the caller's
	// own code.
	harmlessPackages(`
		archive/tar archive/zip bufio bytes cmp compress/bzip2 compress/flate compress/gzip compress/lzw compress/zlib
		container/heap container/list container/ring embed encoding encoding/ascii85 encoding/asn1 encoding/base32
		encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/pem encoding/xml
		errors flag fmt hash hash/adler32 hash/crc32 hash/crc64 hash/fnv html html/template image image/color
		image/color/palette image/draw image/gif image/jpeg image/png index/suffixarray io io/fs io/ioutil iter log
		log/slog maps math math/big math/bits math/cmplx mime mime/multipart mime/quotedprintable net/mail net/netip
		net/textproto net/url path path/filepath regexp regexp/syntax slices sort strconv strings structs text/scanner
		text/tabwriter text/template text/template/parse time/tzdata unicode unicode/utf16 unicode/utf8 unique unsafe
		encoding/json/v2 encoding/json/jsontext vendor/golang.org/x/text/unicode/norm
		debug/buildinfo debug/dwarf debug/elf debug/gosym debug/macho debug/pe debug/plan9obj
		go/ast go/build go/build/constraint go/constant go/doc go/doc/comment go/format go/parser go/printer go/scanner go/token
		go/types go/version
		crypto crypto/aes crypto/cipher crypto/des crypto/hmac crypto/hkdf crypto/md5 crypto/pbkdf2 crypto/rc4
		crypto/sha1 crypto/sha256 crypto/sha3 crypto/sha512 crypto/subtle crypto/x509/pkix
		os reflect runtime runtime/debug runtime/race testing testing/fstest testing/iotest testing/quick testing/slogtest
		time context sync weak`),

	// Goroutines and the scheduler.
	rewritten("runtime.Gosched runtime.Goexit runtime.NumGoroutine"),
	hooked("runtime.Callers runtime.Caller runtime.Stack runtime/debug.Stack"),
	fixed(
		"runtime.ReadMemStats runtime.NumCgoCall runtime/debug.ReadGCStats syscall.Getrusage testing.AllocsPerRun"),
	met(Input, observes,
		"runtime.GoroutineProfile runtime.MemProfile runtime.BlockProfile runtime.MutexProfile"),
	off("processes are not tied to threads", "runtime.LockOSThread runtime.UnlockOSThread"),
	off("as if no object ever became unreachable", "runtime.SetFinalizer runtime.AddCleanup"),
	byCall("its object is kept until the execution has ended", "weak.Make"),
	off("unless there is a finalizer, a cleanup or a weak pointer: that is guarded",
		"runtime.GC runtime/debug.FreeOSMemory"),
	rewritten("iter.Pull iter.Pull2"),
	hooked("testing/synctest.Test testing/synctest.Wait"),
	refusedPackages(Schedule, "has a scheduler of its own", "testing/synctest"),

	// Channels and select by reflection.
	hooked(`
		reflect.Select reflect.MakeChan (reflect.Value).Send (reflect.Value).Recv (reflect.Value).TrySend
		(reflect.Value).TryRecv (reflect.Value).Close`),

	// Package sync.
	hooked(`
		sync.Mutex sync.RWMutex sync.WaitGroup sync.Once sync.OnceFunc sync.OnceValue sync.OnceValues sync.rlocker
		sync.Cond sync.Pool sync.Map`),
	rewrittenPackages("sync/atomic"),

	// Time.
	hooked("time.Sleep time.Timer time.Ticker time.Now time.Since time.Until"),
	starts("time.After time.AfterFunc time.Tick time.NewTimer time.NewTicker"),

	// Contexts. A context that is never canceled is a value like any other.
	harmless(`context.Background context.TODO context.WithValue context.WithoutCancel`),
	within("package context is rewritten",
		"context.WithCancel context.WithCancelCause context.Cause"),
	starts(
		"context.WithDeadline context.WithDeadlineCause context.WithTimeout context.WithTimeoutCause context.AfterFunc"),

	// Chance. A generator with a seed is harmless: a seed that is chance or a clock is refused
	// where it is made.
	harmlessPackages("math/rand math/rand/v2 hash/maphash"),
	drawn(`
		math/rand.ExpFloat64 math/rand.Float32 math/rand.Float64 math/rand.Int math/rand.Int31 math/rand.Int31n
		math/rand.Int63 math/rand.Int63n math/rand.Intn math/rand.NormFloat64 math/rand.Perm math/rand.Read
		math/rand.Shuffle math/rand.Uint32 math/rand.Uint64
		math/rand/v2.ExpFloat64 math/rand/v2.Float32 math/rand/v2.Float64 math/rand/v2.Int math/rand/v2.Int32
		math/rand/v2.Int32N math/rand/v2.Int64 math/rand/v2.Int64N math/rand/v2.IntN math/rand/v2.N
		math/rand/v2.NormFloat64 math/rand/v2.Perm math/rand/v2.Shuffle math/rand/v2.Uint math/rand/v2.Uint32
		math/rand/v2.Uint32N math/rand/v2.Uint64 math/rand/v2.Uint64N math/rand/v2.UintN`),
	within("the sequence of that seed", "math/rand.Seed"),
	drawn("hash/maphash.MakeSeed hash/maphash.Hash"),
	drawnPackages(`
		crypto/rand crypto/dsa crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hpke crypto/mlkem
		crypto/mlkem/mlkemtest crypto/rsa crypto/x509`),
	harmlessPackages("crypto/fips140"),
	refusedPackages(Input, "changes where random numbers come from", "testing/cryptotest"),

	// Processes, signals and files.
	hooked(`
		os.Setenv os.Unsetenv os.Clearenv os.Chdir os.Exit log.Fatal log.Fatalf log.Fatalln (log.Logger).Fatal (log.Logger).Fatalf (log.Logger).Fatalln`),
	within("a step on its name, in an execution with several processes", `
		os.Chmod os.Chown os.Chtimes os.CopyFS os.Create os.CreateTemp os.Getwd os.Lchown os.Link os.Lstat os.Mkdir os.MkdirAll
		os.MkdirTemp os.Open os.OpenFile os.OpenInRoot os.OpenRoot os.ReadDir os.ReadFile os.Readlink os.Remove os.RemoveAll os.Rename os.Root
		os.Stat os.Symlink os.Truncate os.WriteFile`),
	within("a step on the open file, in an execution with several processes", "os.File"),
	within("a step on the setting, in an execution with several processes", `
		flag.Set flag.Lookup flag.Visit flag.VisitAll flag.NFlag flag.FlagSet encoding/gob.Register encoding/gob.RegisterName
		image.RegisterFormat log.Flags log.SetFlags log.Prefix log.SetPrefix
		log.SetOutput log.Print log.Printf log.Println log.Logger log/slog.Default log/slog.SetDefault
		log/slog.SetLogLoggerLevel log/slog.LevelVar mime.AddExtensionType mime.ExtensionsByType mime.TypeByExtension`),
	guarded(Background, "deals with another process", "os.StartProcess (os/exec.Cmd).Start"),
	guarded(Schedule, "sends a signal that signal.Notify was not called for, or to another process",
		"(os.Process).Signal"),
	harmlessPackages("os/exec"),
	rewritten("os.Pipe"),
	within("package io's pipe is rewritten", "io.Pipe io.PipeReader io.PipeWriter"),
	refusedPackages(Background, "deals with another process", "os/signal plugin"),
	within("package os/signal is rewritten", "os/signal.NotifyContext"),
	rewritten(`
		os/signal.Notify os/signal.Stop os/signal.Ignore os/signal.Ignored os/signal.Reset`),
	harmlessPackages("os/user"),
	harmlessPackages("syscall"),
	met(Schedule, "may block outside the exploration's control", `
		syscall.Syscall syscall.Syscall6 syscall.RawSyscall syscall.RawSyscall6 syscall.Accept syscall.Accept4
		syscall.Connect syscall.EpollWait syscall.Select syscall.Wait4 syscall.Nanosleep syscall.Pause
		syscall.Recvfrom syscall.Recvmsg syscall.Sendto syscall.Sendmsg syscall.Pipe syscall.Pipe2
		syscall.ForkExec syscall.StartProcess syscall.Exec`),
	rewritten("syscall.Flock syscall.Kill syscall.Exit"),
	entry{names: "syscall.Gettimeofday syscall.Time",
		Verdict: Verdict{Treatment: Controlled, Reason: "the virtual clock", ByCall: true}},

	// The network. Connections within this host are in memory; see net.go. In net/http, functions
	// that need a server or a connection of their own are guarded. All others compute: a handler
	// with a recorder, a client with a transport of the test's own.
	harmlessPackages(`
		net net/http net/http/cgi net/http/cookiejar net/http/fcgi net/http/httptest net/http/httptrace
		net/http/httputil net/http/pprof net/rpc net/rpc/jsonrpc net/smtp crypto/tls log/syslog database/sql
		database/sql/driver`),
	within("package net's pipe is rewritten", "net.Pipe"),
	within("package net/textproto's pipeline is rewritten", "net/textproto.Pipeline"),
	keeps(
		"net/http.Handle net/http.HandleFunc (net/http.ServeMux).Handle (net/http.ServeMux).HandleFunc"),
	within("on this host: in memory, each operation of a connection a step; elsewhere it is guarded", `
		net.Dial net.DialTimeout net.DialTCP net.DialUDP net.DialUnix (net.Dialer).Dial
		(net.Dialer).DialContext (net.Dialer).DialTCP (net.Dialer).DialUDP (net.Dialer).DialIP (net.Dialer).DialUnix
		net.Listen net.ListenPacket net.ListenTCP net.ListenUDP net.ListenUnix
		(net.ListenConfig).Listen (net.ListenConfig).ListenPacket
		net.TCPConn net.UDPConn net.UnixConn net.TCPListener net.UnixListener`),
	guarded(Background, network, `
		net.DialIP net.ListenIP net.ListenUnixgram net.ListenMulticastUDP
		net.FileConn net.FileListener net.FilePacketConn
		crypto/tls.QUICClient crypto/tls.QUICServer`),
	guarded(Input, "asks the network, outside the exploration's control", `
		(net.Resolver).LookupCNAME (net.Resolver).LookupSRV (net.Resolver).LookupMX (net.Resolver).LookupNS
		(net.Resolver).LookupTXT net.LookupTXT (net.Resolver).LookupAddr`),
	within("explored in whole steps", `
		net/http.Server net/http.Client net/http.Get net/http.Head net/http.Post net/http.PostForm net/http.Transport
		net/http.TimeoutHandler net/http.Serve net/http.ServeTLS net/http.ListenAndServe net/http.ListenAndServeTLS
		net/http/httptest.Server net/http/httptest.NewServer net/http/httptest.NewTLSServer
		net/http/httptest.NewUnstartedServer net/http/httputil.ReverseProxy net/http/httputil.DumpRequestOut
		crypto/tls.Client crypto/tls.Server crypto/tls.Conn crypto/tls.Dial crypto/tls.Dialer crypto/tls.Listen
		net/rpc.Client net/rpc.Server net/rpc.Dial net/rpc.NewClient net/rpc.NewClientWithCodec net/rpc.ServeConn
		net/rpc.ServeCodec net/rpc.Accept database/sql.DB database/sql.Conn database/sql.Tx database/sql.Stmt
		database/sql.Rows database/sql.Open database/sql.OpenDB`),
	guarded(Background, ownGoroutine, "net/http/fcgi.Serve"),

	// Package testing: a detached *testing.T.
	hooked("testing.common testing.T testing.M testing.F"),
	met(Input, "measures time, which is meaningless under control",
		"testing.Benchmark testing.RunBenchmarks"),
	met(Background, "runs tests that are no part of the execution",
		"testing.RunTests testing.RunExamples"),

	// Profiles and traces. To publish a variable starts nothing; to use one is no scheduling point.
	harmless(`
		expvar.Publish expvar.NewInt expvar.NewFloat expvar.NewMap expvar.NewString expvar.Get expvar.Func`),
	within("a step on the variable", "expvar.Int expvar.Float expvar.Map expvar.String"),
	harmlessPackages("runtime/metrics runtime/pprof runtime/trace runtime/cgo"),
	guarded(Background, observes,
		"runtime/pprof.StartCPUProfile runtime/trace.Start net/http/pprof.Profile net/http/pprof.Trace"),
	guarded(Input, observes,
		"(runtime/pprof.Profile).WriteTo runtime/pprof.WriteHeapProfile net/http/pprof.Index net/http/pprof.Symbol"),
	entry{names: "runtime/metrics.Read (runtime/pprof.Profile).Count",
		Verdict: Verdict{Treatment: Controlled, Reason: "fixed numbers"}},
	refusedPackages(Background, observes, "expvar runtime/coverage"),
}
