package exec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// A package that was complete, and has not changed, is not explored again. As for go test,
// unchanged means: the binary and the arguments are the same, and so are the environment variables
// that the tests have asked for. The files of the module that the tests have opened or looked at
// have the same size and time of change. Saved schedules are among these files.

// Result is what a run of a package printed and came to.
type Result struct {
	Reads   []read
	Printed []byte
	Totals  []byte
}

// read is something that the tests have read, with a fingerprint of it.
type read struct{ What, Name, Sum string }

// fresh is how old a file has to be: if it is younger, a change may leave its time as it is.
const fresh = 2 * time.Second

// run names the file with the result of a run. args are the binary's arguments, look is all else
// that decides how the result looks.
func (p Package) run(args []string, look string) (c cache.Dir, file string, err error) {
	if c, err = cache.Open(); err != nil {
		return c, "", err
	}
	cwd, err := os.Getwd()
	key := cache.Digest(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%q\x00%s\x00%s", p.Binary, p.Path,
		p.Dir, cwd, args, look, os.Getenv("GODEBUG")))
	return c, filepath.Join(c.Path, "result", key+".json"), err
}

// Kept returns the result of an earlier run; nil if there is none, or something has changed.
func (p Package) Kept(args []string, look string) *Result {
	c, file, err := p.run(args, look)
	if err != nil || !c.Has(file) {
		return nil
	}
	content, err := os.ReadFile(file)
	r := &Result{}
	if err != nil || json.Unmarshal(content, r) != nil {
		return nil
	}
	for _, in := range r.Reads {
		if in.Sum != in.sum() {
			return nil
		}
	}
	return r
}

// Keep keeps the result of a run. The binary has listed in a file all that the tests have read. If
// something of that is so young that a change may leave its time as it is, the result is not kept.
func (p Package) Keep(args []string, look, inputs string, r Result) error {
	_, file, err := p.run(args, look)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(inputs)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")

	root := moduleAbove(p.Dir)
	saved := filepath.Join(p.Dir, "testdata", "rehearse")
	tests, _ := filepath.Glob(filepath.Join(saved, "*")) // the pattern is none of the user's
	for _, dir := range append(tests, saved) {
		lines = append(lines, "open "+dir)
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		what, name, ok := strings.Cut(line, " ")
		in := read{What: what, Name: name}
		switch {
		case line == "", what != "getenv" && !toolchain.Within(name, root):
			continue
		case !ok, in.young():
			return nil
		}
		in.Sum = in.sum()
		r.Reads = append(r.Reads, in)
	}
	content, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return cache.Write(file, content)
}

// moduleAbove is the directory of the module that has dir; dir itself if there is none.
func moduleAbove(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func (in read) young() bool {
	info, err := os.Stat(in.Name)
	return in.What == "open" && err == nil && info.Mode().IsRegular() &&
		time.Since(info.ModTime()) < fresh
}

// sum is the fingerprint of what is there now. A file or variable that is absent has one, too.
func (in read) sum() string {
	h := sha256.New()
	switch in.What {
	case "getenv":
		value, set := os.LookupEnv(in.Name)
		fmt.Fprintln(h, set, value)
	case "open":
		info, err := os.Stat(in.Name)
		sumInfo(h, info, err)
		if err == nil && info.IsDir() {
			entries, _ := os.ReadDir(in.Name) // a directory that cannot be read has no files
			for _, e := range entries {
				info, err := e.Info()
				fmt.Fprintln(h, e.Name())
				sumInfo(h, info, err)
			}
		}
	default:
		info, err := os.Stat(in.Name)
		sumInfo(h, info, err)
		info, err = os.Lstat(in.Name)
		sumInfo(h, info, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func sumInfo(w io.Writer, info fs.FileInfo, err error) {
	if err != nil {
		fmt.Fprintln(w, "absent")
		return
	}
	fmt.Fprintln(w, info.Size(), info.Mode(), info.ModTime().UnixNano())
}

var timeOfEvent = regexp.MustCompile(`"Time":"[^"\\]*"`)

// Again is what the run printed, as it is printed when it is kept: "(cached)" takes the place of
// the time that the package took.
func (r *Result) Again(path string, now time.Time) []byte {
	took := regexp.MustCompile(`(ok  (?:\t|\\t)` + regexp.QuoteMeta(path) + `(?:\t|\\t))[0-9.]+s`)
	text := took.ReplaceAll(r.Printed, []byte("${1}(cached)"))
	text = bytes.ReplaceAll(text, []byte(`{"Action":"package",`),
		[]byte(`{"Action":"package","Cached":true,`))
	return timeOfEvent.ReplaceAll(text, fmt.Appendf(nil, `"Time":%q`, now.Format(time.RFC3339Nano)))
}

// Journals is the directory for the journals of searches that are ended early: beside the binary's
// in the cache.
func (p Package) Journals() string {
	if p.Binary == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(p.Binary)), "journal")
}

// CountsObjects reports whether the program that has started this one counts each JSON object with
// a test's name as a test, as gotestsum does: its total would be wrong.
func CountsObjects() bool { return processName(os.Getppid()) == "gotestsum" }

// processName is the base name of what a process runs; empty if that cannot be told.
func processName(pid int) string {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		name, _ = exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	}
	return strings.TrimSuffix(filepath.Base(string(bytes.TrimSpace(name))), ".exe")
}
