package std

import (
	"go/importer"
	"go/types"
	"os/exec"
	"strings"
	"testing"
)

var imp = importer.Default()

// lookup finds "time.Sleep" or "(sync.Map).Load" in the library.
func lookup(t *testing.T, name string) *types.Func {
	t.Helper()
	if rest, ok := strings.CutPrefix(name, "("); ok {
		typ, method, _ := strings.Cut(rest, ").")
		obj, _, _ := types.LookupFieldOrMethod(object(t, typ).Type(), true, nil, method)
		if f, ok := obj.(*types.Func); ok {
			return f
		}
		t.Fatalf("%s: no such method", name)
	}
	return object(t, name).(*types.Func)
}

func object(t *testing.T, name string) types.Object {
	t.Helper()
	dot := strings.LastIndexByte(name, '.')
	pkg, err := imp.Import(name[:dot])
	if err != nil {
		t.Fatal(err)
	}
	obj := pkg.Scope().Lookup(name[dot+1:])
	if obj == nil {
		t.Fatalf("%s: no such object", name)
	}
	return obj
}

func TestTreat(t *testing.T) {
	for _, test := range []struct {
		name   string
		want   Treatment
		kind   Kind
		reason string
	}{
		{"time.Sleep", Controlled, None, "hook"},
		{"time.After", Controlled, None, "hook"},
		{"time.Now", Controlled, None, "hook"},
		{"time.ParseDuration", Harmless, None, ""},
		{"expvar.Publish", Harmless, None, ""},
		{"(sync.WaitGroup).Go", Controlled, None, "hook"},
		{"net/http.HandleFunc", Harmless, None, ""},
		{"(time.Time).Add", Harmless, None, ""},
		{"(time.Timer).Stop", Controlled, None, "hook"},
		{"context.Background", Harmless, None, ""},
		{"context.WithCancel", Controlled, None, "rewritten"},
		{"context.WithTimeout", Controlled, None, "hook"},
		{"(context.Context).Done", Harmless, None, ""},
		{"(sync.Mutex).Lock", Controlled, None, "hook"},
		{"sync.OnceValue", Controlled, None, "hook"},
		{"(sync.Map).Load", Controlled, None, "hook at its entry"},
		{"(sync.Pool).Get", Controlled, None, "hook at its entry"},
		{"(sync.Cond).Wait", Controlled, None, "hook at its entry"},
		{"sync.NewCond", Harmless, None, ""},
		{"(sync/atomic.Pointer).Load", Controlled, None, "call is rewritten"},
		{"sync/atomic.AddInt64", Controlled, None, "call is rewritten"},
		{"runtime.Gosched", Controlled, None, "rewritten"},
		{"runtime.NumGoroutine", Controlled, None, "call is rewritten"},
		{"testing/synctest.Wait", Controlled, None, "hook"},
		{"runtime.GC", Controlled, None, "finalizer"},
		{"runtime.SetFinalizer", Controlled, None, "nothing, as if no object"},
		{"runtime.LockOSThread", Controlled, None, "threads"},
		{"os/signal.Notify", Controlled, None, "call is rewritten"},
		{"os/signal.NotifyContext", Controlled, None, "rewritten"},
		{"io.Pipe", Controlled, None, "pipe is rewritten"},
		{"(io.PipeReader).Read", Controlled, None, "pipe is rewritten"},
		{"net.Pipe", Controlled, None, "pipe is rewritten"},
		{"os.Exit", Controlled, None, "hook"},
		{"log.Fatal", Controlled, None, "hook"},
		{"os.ReadFile", Controlled, None, "a step on its name"},
		{"math/rand.Intn", Controlled, None, "numbers"},
		{"math/rand.Seed", Controlled, None, "that seed"},
		{"runtime.ReadMemStats", Controlled, None, "fixed numbers"},
		{"(runtime/pprof.Profile).Count", Controlled, None, "fixed numbers"},
		{"runtime/pprof.Lookup", Harmless, None, ""},
		{"os.Pipe", Controlled, None, "call is rewritten"},
		{"syscall.Syscall6", Guarded, Schedule, "block"},
		{"weak.Make", Controlled, None, "kept"},
		{"(weak.Pointer).Value", Harmless, None, ""},
		{"math/rand.NewSource", Harmless, None, ""},
		{"(math/rand.Rand).Intn", Harmless, None, ""},
		{"math/rand/v2.N", Controlled, None, "numbers"},
		{"crypto/rand.Read", Controlled, None, "numbers"},
		{"crypto/ed25519.GenerateKey", Controlled, None, "numbers"},
		{"reflect.Select", Controlled, None, "hook"},
		{"(reflect.Value).Send", Controlled, None, "hook"},
		{"(reflect.Value).Len", Harmless, None, ""},
		{"iter.Pull", Controlled, None, "rewritten"},
		{"net.Listen", Controlled, None, "in memory"},
		{"(net.Dialer).Dial", Controlled, None, "in memory"},
		{"net.FileConn", Guarded, Background, "network"},
		{"(net.TCPConn).Read", Harmless, None, ""},
		{"(os/exec.Cmd).Run", Harmless, None, ""},
		{"(os/exec.Cmd).Start", Guarded, Background, "process"},
		{"net/http.Get", Controlled, None, "whole steps"},
		{"net.ParseIP", Harmless, None, ""},
		{"(os/exec.Error).Error", Harmless, None, ""},
		{"(testing.T).Context", Controlled, None, "hook"},
		{"(testing.T).Deadline", Controlled, None, "hook"},
		{"(testing.T).Log", Controlled, None, "hook"},
		{"slices.Sort", Harmless, None, ""},
		{"go/importer.Default", Refused, Background,
			"package go/importer, which is not known to be free of hidden concurrency"},
	} {
		v := Treat(lookup(t, test.name))
		if v.Treatment != test.want || v.Kind != test.kind ||
			!strings.Contains(v.Reason, test.reason) {
			t.Errorf("%s: %s, %s, %q; want %s, %s, %q",
				test.name, v.Treatment, v.Kind, v.Reason, test.want, test.kind, test.reason)
		}
	}
}

// TestTableNamesExist keeps typing errors out of the table: a misspelt name would get the verdict
// of its package. A few names are of other platforms or other Go versions.
func TestTableNamesExist(t *testing.T) {
	known := make(map[string]bool)
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		known[path] = true
	}
	elsewhere := map[string]bool{"encoding/json/v2": true, "encoding/json/jsontext": true}
	for _, e := range table {
		for _, name := range strings.Fields(e.names) {
			if e.packages && !known[name] && !elsewhere[name] {
				t.Errorf("no package %s", name)
			}
			if !e.packages && !exists(t, name) {
				t.Errorf("no object %s", name)
			}
		}
	}
}

func exists(t *testing.T, name string) bool {
	if strings.HasPrefix(name, "(") {
		return lookup(t, name) != nil
	}
	dot := strings.LastIndexByte(name, '.')
	pkg, err := imp.Import(name[:dot])
	if err != nil {
		t.Fatal(err)
	}
	if pkg.Scope().Lookup(name[dot+1:]) != nil {
		return true
	}
	return name == "sync.rlocker" // not in export data
}
