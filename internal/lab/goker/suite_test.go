package goker

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

// The temporary module that the kernels are copied into. Its version of the language is that of the
// suite's own go.mod: some bugs are loop variables that closures share, and since Go 1.22 each
// iteration has its own.
const (
	modulePath = "example.org/goker"
	language   = "1.13"
)

// kernel is one program of the suite.
type kernel struct {
	name string // CLASS/PROJECT/NUMBER, its directory
	file string // its only Go file, without the directory
}

// class is blocking or nonblocking.
func (k kernel) class() string {
	class, _, _ := strings.Cut(k.name, "/")
	return class
}

// short is the name without the class.
func (k kernel) short() string { return strings.TrimPrefix(k.name, k.class()+"/") }

// kernels lists those below dir whose names match, in order.
func kernels(t *testing.T, dir string, names *regexp.Regexp) (list []kernel) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "*_test.go"))
	must(t, err)
	if len(files) == 0 {
		t.Fatalf(
			"%s has no files CLASS/PROJECT/NUMBER/NAME_test.go: -goker takes the directory gobench/goker",
			dir)
	}
	slices.Sort(files)
	for _, file := range files {
		name, err := filepath.Rel(dir, filepath.Dir(file))
		must(t, err)
		if name = filepath.ToSlash(name); names.MatchString(name) {
			list = append(list, kernel{name, filepath.Base(file)})
		}
	}
	return list
}

// copyTo copies the kernels from one directory into a module in another one. Each text passes
// through edit.
func copyTo(t *testing.T, list []kernel, from string,
	edit func(kernel, []byte) []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module "+modulePath+"\n\ngo "+language+"\n"), 0o666))
	for _, k := range list {
		text, err := os.ReadFile(filepath.Join(from, k.name, k.file))
		must(t, err)
		must(t, os.MkdirAll(filepath.Join(dir, k.name), 0o777))
		must(t, os.WriteFile(filepath.Join(dir, k.name, k.file), edit(k, text), 0o666))
	}
	return dir
}

// unedited is the edit that changes nothing.
func unedited(_ kernel, text []byte) []byte { return text }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// environment keeps the user's workspace and flags away from the temporary module.
var environment = modules.Environment
