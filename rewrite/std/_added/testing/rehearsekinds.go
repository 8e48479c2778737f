// The overlay adds this to package testing for examples, fuzz tests and benchmarks.
package testing

import (
	"fmt"
	"path/filepath"
	"reflect"
	"rehearse/runtime/gate"
	"slices"
	"strings"
)

// rehearseExample runs an example and compares what it prints. Its log is what it printed.
func rehearseExample(tb gate.TB, e *InternalExample) {
	output, finished := tb.Capture(), false
	tb.Cleanup(func() {
		got := output()
		switch {
		case !finished:
			tb.Log("test executed panic(nil) or runtime.Goexit")
			tb.Fail()
		case e.rehearseSame(got):
			tb.Log(got)
		default:
			tb.Log(fmt.Sprintf("got:\n%s\nwant:\n%s", strings.TrimSpace(got),
				strings.TrimSpace(e.Output)))
			tb.Fail()
		}
	})
	e.F()
	finished = true
}

func (e *InternalExample) rehearseSame(output string) bool {
	got, want := strings.TrimSpace(output), strings.TrimSpace(e.Output)
	if !e.Unordered {
		return got == want
	}
	return slices.Equal(slices.Sorted(strings.SplitSeq(got, "\n")),
		slices.Sorted(strings.SplitSeq(want, "\n")))
}

// rehearseFuzz runs the seed corpus of a fuzz target: a subtest for each value.
func (f *F) rehearseFuzz(target any) {
	if f.fuzzCalled {
		panic("testing: F.Fuzz called more than once")
	}
	f.fuzzCalled = true
	fn := reflect.ValueOf(target)
	if fn.Kind() != reflect.Func || fn.Type().NumIn() < 2 ||
		fn.Type().In(0) != reflect.TypeFor[*T]() || fn.Type().NumOut() > 0 {
		panic(
			"testing: F.Fuzz must receive a function of a *T and at least one other parameter, without results")
	}
	for _, entry := range f.rehearseCorpus(fn.Type()) {
		f.rehearse.Run(filepath.Base(entry.Path), func(tb gate.TB) {
			args := []reflect.Value{reflect.ValueOf(rehearseT(tb, &f.common))}
			for _, v := range entry.Values {
				args = append(args, reflect.ValueOf(v))
			}
			fn.Call(args)
		})
	}
}

// rehearseCorpus returns what was added, and what is in testdata/fuzz.
func (f *F) rehearseCorpus(fn reflect.Type) []corpusEntry {
	var types []reflect.Type
	for i := 1; i < fn.NumIn(); i++ {
		types = append(types, fn.In(i))
	}
	for _, c := range f.corpus {
		if err := f.fstate.deps.CheckCorpus(c.Values, types); err != nil {
			f.Fatal(err)
		}
	}
	files, err := f.fstate.deps.ReadCorpus(filepath.Join(corpusDir, f.name), types)
	if err != nil {
		f.Fatal(err)
	}
	return append(f.corpus, files...)
}
