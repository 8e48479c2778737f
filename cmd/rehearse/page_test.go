package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/explore/record"
)

// pageOf runs rehearse test in dir, with flags, and returns the page that it writes.
func pageOf(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "r.html")
	t.Chdir(dir)
	runTest(append(flags, "-html", name, "."), io.Discard, io.Discard)
	return name
}

// subjectDir is named before any test changes its directory.
var subjectDir, _ = filepath.Abs(filepath.Join("..", "..", "testdata"))

// alone is a copy of a program of testdata as a module of its own.
func alone(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(subjectDir, name))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module example.org/"+name+"\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hostile is a program whose texts would do harm if they were taken for markup, or if its methods
// were called.
const hostile = `
import (
	"sync"
	"testing"
)

type evil struct{ text string }

func (evil) String() string { panic("called") }

func TestHostile(t *testing.T) {
	ch := make(chan evil, 2)
	for range 2 {
		go func() { ch <- evil{"</script><img src=x onerror=alert(2)>"} }()
	}
	<-ch
	t.Error("</script><img src=x onerror=alert(1)>\x1b[31m\x01\ufdd0")
	<-ch
}

func TestRacy(t *testing.T) {
	var mu sync.Mutex
	n, done := 0, make(chan bool)
	go func() {
		mu.Lock()
		n = 1
		mu.Unlock()
		done <- true
	}()
	if n == 1 {
		t.Log("one")
	}
	<-done
}
`

// browserScript is named before any test changes its directory.
var browserScript, _ = filepath.Abs(filepath.Join("..", "..", "internal", "page", "testdata",
	"browser", "page.mjs"))

// browser is one that all tests share. It ends when the tests do, as nobody asks it any more.
type browser struct {
	in  io.Writer
	out *bufio.Scanner
	err error
}

var theBrowser = sync.OnceValue(func() *browser {
	cmd := exec.Command("node", browserScript, browserModules(), chromium())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return &browser{err: err}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return &browser{err: err}
	}
	return &browser{in, bufio.NewScanner(out), cmd.Start()}
})

// browse lets a browser do with pages what a script of internal/page/testdata/browser says. Without
// a browser, the test says so.
func browse(t *testing.T, script string, args ...string) {
	t.Helper()
	if why := noBrowser(); why != "" {
		t.Skip("no browser tests: " + why)
	}
	b := theBrowser()
	if b.err != nil {
		t.Fatal(b.err)
	}
	if err := json.NewEncoder(b.in).Encode(append([]string{script}, args...)); err != nil {
		t.Fatal(err)
	}
	for b.out.Scan() {
		switch line := b.out.Text(); {
		case line == "done":
			return
		case strings.HasPrefix(line, "not ok "):
			t.Error(line)
		case !strings.HasPrefix(line, "ok "):
			t.Log(line)
		}
	}
	t.Errorf("%s: the browser has ended: %v", script, b.out.Err())
}

func browserModules() string { return os.Getenv("REHEARSE_BROWSER_MODULES") }

// chromium is a browser; empty: there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// noBrowser says why there can be no tests in a browser; empty: there can.
func noBrowser() string {
	_, err := os.Stat(filepath.Join(browserModules(), "node_modules", "playwright-core"))
	_, noNode := exec.LookPath("node")
	switch {
	case browserModules() == "" || err != nil:
		return "REHEARSE_BROWSER_MODULES is no directory with playwright-core and axe-core; .ci/run installs them"
	case noNode != nil:
		return "there is no node"
	case chromium() == "":
		return "there is no chromium"
	}
	return ""
}

// checkValid lets the validator of the W3C look at a page, where that and Java are installed.
func checkValid(t *testing.T, file string) {
	t.Helper()
	jar := filepath.Join(os.Getenv("REHEARSE_BROWSER_MODULES"), "node_modules", "vnu-jar", "build",
		"dist", "vnu.jar")
	if _, err := os.Stat(jar); err != nil {
		t.Log("the page is not validated: there is no vnu-jar")
		return
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Log("the page is not validated: there is no java")
		return
	}
	if out, err := exec.Command("java", "-jar", jar, "--errors-only",
		file).CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestPage: the page of the example, as its readers use it; what it saves can be replayed. The same
// program is debugged, and looked at live.
func TestPage(t *testing.T) {
	dir := alone(t, "example")
	os.RemoveAll(filepath.Join(dir, "testdata")) // schedules of another package
	file := pageOf(t, dir)
	checkAlone(t, file)
	if info, err := os.Stat(file); err != nil || info.Size() > 160_000 {
		t.Errorf("%d bytes: %v", info.Size(), err)
	}
	t.Run("debug", testDebug)
	t.Run("live", testLive)
	t.Run("files", testFiles)
	t.Run("replays", testReplays)
	checkValid(t, file)
	saved := filepath.Join(t.TempDir(), "passing.sched")
	browse(t, "theatre", file, saved)
	var out strings.Builder
	if code := runReplay([]string{saved}, &out, io.Discard); code != 0 ||
		!strings.Contains(out.String(), "passes, as it did") {
		t.Errorf("exit code %d:\n%s", code, out.String())
	}
}

// TestHostilePage: no text of the program becomes markup, and none of its methods is called.
func TestHostilePage(t *testing.T) {
	dir := module(t, hostile)
	file := pageOf(t, dir, "-artifacts", filepath.Join(dir, "kept"))
	checkAlone(t, file)
	checkArtifacts(t, filepath.Join(dir, "kept", "example.org", "m"))
	checkValid(t, file)
	browse(t, "hostile", file)
}

// checkArtifacts checks that each test has a directory with what belongs to it, and to no other.
func checkArtifacts(t *testing.T, dir string) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	var names []string
	for _, f := range found {
		name, _ := filepath.Rel(dir, f)
		names = append(names, name)
	}
	want := "TestHostile/finding-1-failing.sched TestHostile/page.html TestHostile/test.record TestRacy/finding-1-failing.sched TestRacy/page.html TestRacy/test.record"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	file, err := os.Open(filepath.Join(dir, "TestRacy", "test.record"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packages, err := record.Read(file)
	if err != nil || len(packages) != 1 || len(packages[0].Tests) != 1 ||
		packages[0].Tests[0].Found[0].Failing == nil || packages[0].Facts == nil {
		t.Errorf("%v: %+v", err, packages)
	}
	if text := dataOf(t, filepath.Join(dir, "TestRacy", "page.html")); strings.Contains(text,
		"onerror") || !strings.Contains(text, "TestRacy") {
		t.Error("a page of two tests, or of none")
	}
}

// TestSecretPage: -values=off leaves values and source out of pages, records, and out of the files
// for build servers.
func TestSecretPage(t *testing.T) {
	dir := module(t, strings.ReplaceAll(hostile, "alert(2)", "hunter2"))
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "r.md"))
	file := pageOf(t, dir, "-record", filepath.Join(dir, "r.record"), "-values=off",
		"-sarif", filepath.Join(dir, "r.sarif"), "-junit", filepath.Join(dir, "r.xml"))
	texts := []string{dataOf(t, file)}
	for _, name := range []string{"r.record", "r.sarif", "r.xml", "r.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		if strings.Contains(text, "hunter2") || strings.Contains(text, "chan evil, 2") ||
			!strings.Contains(text, "TestHostile") {
			t.Errorf("a value or source, or nothing at all:\n%s", text)
		}
	}
	if text := dataOf(t, pageOf(t, dir)); !strings.Contains(text, "hunter2") ||
		!strings.Contains(text, "chan evil, 2") {
		t.Errorf("without the flag, no value or no source:\n%s", text)
	}
}

// dataOf is the data of a page, with what is in it for those without a script.
func dataOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := base64.StdEncoding.DecodeString(string(encoded.FindSubmatch(text)[1]))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + string(data)
}

// large is a program whose failing execution has some 10,000 steps.
const large = `
import "testing"

func TestLarge(t *testing.T) {
	ch, done := make(chan int, 4), make(chan bool, 2)
	for p := range 2 {
		go func() {
			for i := range 2450 {
				ch <- 10000*p + i
			}
			done <- true
		}()
	}
	sum := 0
	for range 4900 {
		sum += <-ch
	}
	<-done
	<-done
	t.Errorf("the sum is %d", sum)
}
`

// TestLargePage: long executions can be looked at. One of 100,000 steps is as quick to go about in
// as one of 10,000.
func TestLargePage(t *testing.T) {
	file := pageOf(t, module(t, large), "-strategy=random", "-max-executions=1")
	if info, err := os.Stat(file); err != nil || info.Size() > 400_000 {
		t.Errorf("%d bytes: %v", info.Size(), err)
	}
	if why := noBrowser(); why != "" {
		t.Skip("no browser tests: " + why)
	}
	source := strings.NewReplacer("2450", "25000", "4900", "50000").Replace(large)
	huge := pageOf(t, module(t, source), "-strategy=random", "-max-executions=1")
	if trace := recordedSteps(t, huge); trace < 100_000 {
		t.Errorf("the page has %d steps", trace)
	}
	browse(t, "large", file, huge)
}

// recordedSteps is the number of steps of the longest execution of a page.
func recordedSteps(t *testing.T, file string) (steps int) {
	t.Helper()
	for _, m := range stepsOf.FindAllStringSubmatch(dataOf(t, file), -1) {
		steps = max(steps, strings.Count(m[1], ",")+1)
	}
	return steps
}

// TestPictures takes the pictures of docs/img anew, with -update.
func TestPictures(t *testing.T) {
	pictures := filepath.Join(sources(t), "docs", "img")
	if !*update {
		t.Skip("the pictures are taken with -update")
	}
	example := pageOf(t, alone(t, "example"))
	long := pageOf(t, module(t, large), "-strategy=random", "-max-executions=1")
	browse(t, "pictures", example, long, pageOf(t, alone(t, "phil"), "-run=TestPhil3"), pictures)
}

var (
	policy  = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
	styles  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scripts = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	stepsOf = regexp.MustCompile(`"Kind":\[([0-9,]+)\]`)
	encoded = regexp.MustCompile(`id="data">([^<]*)<`)
	loads   = regexp.MustCompile(
		`<(?:link|script|img|iframe|object|embed)[^>]*(?:src|href)="([^"]*)"`)
)

// checkAlone checks that a page loads nothing, and that its policy allows just what is in it.
func checkAlone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range loads.FindAllSubmatch(text, -1) {
		if !strings.HasPrefix(string(m[1]), "data:,") {
			t.Errorf("it loads %s", m[1])
		}
	}
	allowed := html.UnescapeString(string(policy.FindSubmatch(text)[1]))
	for _, part := range [][]byte{styles.FindSubmatch(text)[1], scripts.FindSubmatch(text)[1]} {
		sum := sha256.Sum256(part)
		if name := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'"; !strings.Contains(allowed, name) {
			t.Errorf("the policy %s does not allow %s", allowed, name)
		}
	}
	if !strings.HasPrefix(allowed, "default-src 'none';") || strings.Contains(allowed, "unsafe") {
		t.Errorf("policy %s", allowed)
	}
}
