package exec

import (
	"errors"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

func TestPackageDir(t *testing.T) {
	tests := []struct{ file, dir string }{
		{"/m/p/testdata/rehearse/TestX/3f2a.sched", "/m/p"},
		{"/m/p/testdata/rehearse/TestX/sub/3f2a.sched", "/m/p"},
		{"/m/testdata/p/testdata/rehearse/TestX/3f2a.sched", "/m/testdata/p"},
		{"/tmp/3f2a.sched", ""},
		{"/m/rehearse/3f2a.sched", ""},
	}
	for _, test := range tests {
		if dir := packageDir(test.file); dir != test.dir {
			t.Errorf("packageDir(%s) = %q, want %q", test.file, dir, test.dir)
		}
	}
}

func TestOldToolchainIsRefused(t *testing.T) {
	for goversion, ok := range map[string]bool{
		"go1.24.3": false, "go1.25": false, "go1.26": true, "go1.26.8": true, "go1.27rc1": true,
		"devel +0123": true,
	} {
		if err := (&toolchain.Toolchain{GOVERSION: goversion}).Check(); (err == nil) != ok {
			t.Errorf("%s: %v", goversion, err)
		}
	}
}

func TestEmbedPatterns(t *testing.T) {
	const source = "package p\n\n//go:embed a.txt all:sub \"b c.txt\"\n//go:embed `d`\nvar fs embed.FS\n\n//go:embedded is not\n"
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.txt", "sub", "b c.txt", "d"}
	if got := embedPatterns(file); !slices.Equal(got, want) {
		t.Errorf("embedPatterns = %q, want %q", got, want)
	}
}

// TestRunEnds: a binary that has nobody to print to ends in silence; one that is killed does not.
func TestRunEnds(t *testing.T) {
	for signal, quiet := range map[string]bool{"PIPE": true, "KILL": false} {
		code, err := Run("/bin/sh", []string{"-c", "kill -" + signal + " $$"}, io.Discard,
			io.Discard)
		if code != process.Failure || err == nil || errors.Is(err, ErrInterrupted) != quiet {
			t.Errorf("%s: exit code %d, %v", signal, code, err)
		}
	}
}

// TestRunPassesOn: an interrupt of the command alone, without a terminal that interrupts all
// processes, ends the binary.
func TestRunPassesOn(t *testing.T) {
	if process.OnTerminal() {
		t.Skip("there is a terminal")
	}
	const child = `trap 'exit 3' INT; kill -INT $PPID; for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done`
	code, err := Run("/bin/sh", []string{"-c", child}, io.Discard, io.Discard)
	if code != process.Budget || !errors.Is(err, ErrInterrupted) {
		t.Errorf("exit code %d, %v", code, err)
	}
}
