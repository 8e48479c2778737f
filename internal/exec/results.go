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
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// A package that was complete, and has not changed, is not explored again. It has not changed if
// the binary, the arguments and the machine are the same, and so is all that the package has read:
// in its initialisation, in TestMain and in its tests. It may have read environment variables, and
// opened files or looked at them. A file is the same if it has the same size and time of change; a
// short one that was opened also has to have the same content. Saved schedules are among these
// files. A package that makes system calls past package os is always explored. Files of users and
// hosts, which packages os/user and net read by themselves, do not count.
//
// go test leaves out reads of the initialisation, and files outside of the module.

// Result is what a run of a package printed and came to.
type Result struct {
	Reads   []read
	Printed []byte
	Totals  []byte
}

// read is something that the package has read, with a fingerprint of it.
type read struct{ What, Name, Sum string }

// Files of up to this size are compared by content, too.
const short = 16 << 20

// A change may leave a file's time as it is for so long; the second is for files whose content is
// compared: the file system's clock may be some milliseconds late.
const (
	fresh      = 2 * time.Second
	freshShort = 10 * time.Millisecond
)

// run names the file with the result of a run. args are the binary's arguments, look is all else
// that decides how the result looks.
func (p Package) run(args []string, look string) (c cache.Dir, file string, err error) {
	if c, err = cache.Open(); err != nil {
		return c, "", err
	}
	cwd, err := os.Getwd()
	host, _ := os.Hostname() // without a name, all machines without one are the same
	key := cache.Digest(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%q\x00%s\x00%s\x00%q %d %d",
		p.Binary, p.Path, p.Dir, cwd, args, look, environment(readOnce), host, os.Getuid(),
		runtime.NumCPU()))
	return c, filepath.Join(c.Path, "result", key+".json"), err
}

// readOnce reports whether a variable is read once a process, maybe before anything is written
// down: by package runtime, or by package time for the explorer itself.
func readOnce(name string) bool {
	return slices.Contains([]string{"GODEBUG", "GOMAXPROCS", "TZ", "ZONEINFO"}, name)
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

// Keep keeps the result of a run that began at a moment. The binary has listed in a file all that
// the tests have read. If something of that may have changed since the run began, the result is not
// kept.
func (p Package) Keep(args []string, look, inputs string, begun time.Time, r Result) error {
	_, file, err := p.run(args, look)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(inputs)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")

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
		case line == "", in.isOwn(filepath.Dir(inputs)):
			continue
		case !ok, in.changedSince(begun):
			return nil // "unknown", or a file that the tests may have found otherwise
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

// isOwn reports whether this is no input of the tests, but of the explorer: dir is the directory of
// the run.
func (in read) isOwn(dir string) bool {
	if in.What == "getenv" {
		return isOwnVariable(in.Name)
	}
	return toolchain.Within(in.Name, dir)
}

// isOwnVariable reports whether rehearse sets a variable for each run.
func isOwnVariable(name string) bool {
	return name == "GORACE" || strings.HasPrefix(name, "REHEARSE_")
}

// changedSince reports whether a file that was looked at, or one of a directory that was opened,
// may have been written since a moment.
func (in read) changedSince(moment time.Time) bool {
	if in.What == "getenv" {
		return false
	}
	info, err := os.Stat(in.Name)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return isYounger(info, moment, in.comparesContent(info))
	}
	if in.What != "open" {
		return false // its time changes with each file in it
	}
	entries, _ := os.ReadDir(in.Name) // a directory that cannot be read has no files
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		info, err := e.Info()
		return err == nil && isYounger(info, moment, false)
	})
}

func isYounger(info fs.FileInfo, moment time.Time, compared bool) bool {
	age := fresh
	if compared {
		age = freshShort
	}
	return info.Mode().IsRegular() && info.ModTime().After(moment.Add(-age))
}

// comparesContent reports whether the fingerprint of a file is also that of its content.
func (in read) comparesContent(info fs.FileInfo) bool {
	return in.What == "open" && info.Mode().IsRegular() && info.Size() <= short
}

// sum is the fingerprint of what is there now. A file or variable that is absent has one, too.
func (in read) sum() string {
	h := sha256.New()
	switch in.What {
	case "getenv":
		sumVariable(h, in.Name)
	case "open":
		info, err := os.Stat(in.Name)
		sumInfo(h, info, err)
		if err == nil && in.comparesContent(info) {
			sumFile(h, in.Name)
		}
		if err == nil && info.IsDir() {
			entries, _ := os.ReadDir(in.Name) // a directory that cannot be read has no files
			for _, e := range entries {
				info, err := e.Info()
				fmt.Fprintln(h, e.Name())
				sumInfo(h, info, err)
			}
		}
	case "mode":
		info, err := os.Stat(in.Name)
		if err == nil {
			fmt.Fprintln(h, info.Mode())
		}
	default:
		info, err := os.Stat(in.Name)
		sumInfo(h, info, err)
		info, err = os.Lstat(in.Name)
		sumInfo(h, info, err)
		link, _ := os.Readlink(in.Name) // empty: it is none
		fmt.Fprintln(h, link)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// sumVariable looks at an environment variable; "*" is all of them.
func sumVariable(w io.Writer, name string) {
	if name != "*" {
		value, set := os.LookupEnv(name)
		fmt.Fprintln(w, set, value)
		return
	}
	for _, variable := range slices.Sorted(slices.Values(os.Environ())) {
		if name, _, _ := strings.Cut(variable, "="); !isOwnVariable(name) {
			fmt.Fprintf(w, "%q\n", variable)
		}
	}
}

func sumInfo(w io.Writer, info fs.FileInfo, err error) {
	if err != nil {
		fmt.Fprintln(w, "absent")
		return
	}
	if info.Mode()&fs.ModeDevice != 0 {
		fmt.Fprintln(w, info.Mode()) // to use a device changes its time
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
