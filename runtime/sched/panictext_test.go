package sched

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

type (
	number   int
	text     string
	ratio    float32
	plane    complex128
	stringer struct{ a int }
	failure  struct{ cause error }
	broken   struct{}
)

func (s stringer) String() string { return fmt.Sprint("stringer ", s.a) }
func (f *failure) Error() string  { return "failure: " + f.cause.Error() }
func (f *failure) Unwrap() error  { return f.cause }

// panics has a panic of each kind that the Go runtime prints in a way of its own.
var panics = []func(){
	func() { panic("text") },
	func() { panic("two\nlines") },
	func() { panic(5) },
	func() { panic(uint8(200)) },
	func() { panic(true) },
	func() { panic(1.5) },
	func() { panic(math.Inf(-1)) },
	func() { panic(math.NaN()) },
	func() { panic(1e-123) },
	func() { panic(1e20) },
	func() { panic(123456789.0) },
	func() { panic(float32(0.1)) },
	func() { panic(complex64(complex(0.1, math.Inf(1)))) },
	func() { panic(complex(1, -2)) },
	func() { panic(number(7)) },
	func() { panic(text("named")) },
	func() { panic(ratio(0.25)) },
	func() { panic(plane(complex(1, 2))) },
	func() { panic('x') },
	func() { panic(errors.New("an error")) },
	func() { panic(&failure{os.ErrNotExist}) },
	func() { panic(fmt.Errorf("wrapped: %w\nmore", os.ErrNotExist)) },
	func() { panic(stringer{3}) },
	func() { panic(broken{}) },
	func() { panic(&broken{}) },
	func() { panic([]int{1}) },
	func() { panic(map[string]int{}) },
	func() { panic(struct{ a, b int }{1, 2}) },
	func() { panic(nil) },
	func() { var m map[int]int; m[1] = 1 },
	func() { var p *number; *p = 1 },
	func() { s := []int{}; s[len(panicsAgain)] = 1 },
	func() { var x any = 1; _ = x.(string) },
	func() { n := len(panicsAgain); _ = 1 / n },
	func() { defer func() { panic(fmt.Sprint("again: ", recover())) }(); panic("first") },
	func() { defer func() { panic(recover()) }(); panic("once") },
}

// panicsAgain is empty, which the compiler does not know.
var panicsAgain = []int{}

const childVariable = "REHEARSE_TEST_PANIC"

func TestMain(m *testing.M) {
	if i, err := strconv.Atoi(os.Getenv(childVariable)); err == nil {
		panics[i]()
	}
	os.Exit(m.Run())
}

// TestPanicText compares with what Go prints when a program dies of the panic.
func TestPanicText(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range panics {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), childVariable+"="+strconv.Itoa(i))
		out, _ := cmd.CombinedOutput()
		want := printed(string(out))
		if got := anywhere.ReplaceAllString(panicText(caught(f)), "0x"); got != want {
			t.Errorf("panic %d: got %q, Go prints %q", i, got, want)
		}
	}
}

func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

var (
	anywhere = regexp.MustCompile(`0x[0-9a-f]+`)
	// the panics before it were recovered, or it came on top of them
	lastPanic = regexp.MustCompile(`(?s)^.*\n\tpanic: `)
	recovered = regexp.MustCompile(` \[recovered(, repanicked)?\]$`)
)

// printed takes the text of the last panic out of what a dying program prints.
func printed(out string) string {
	text, _, _ := strings.Cut(out, "\n\ngoroutine ")
	text, _, _ = strings.Cut(text, "\n[signal ")
	text = lastPanic.ReplaceAllString("\n"+text, "panic: ")
	text = recovered.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(text, "\n"), "panic: "),
		"")
	return anywhere.ReplaceAllString(text, "0x")
}
