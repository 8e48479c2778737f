package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/conform"
)

var (
	examples = flag.Bool("examples", false,
		"for TestExamples: explore all of testdata; needs a browser, java and a module proxy")
	sarifSchema = flag.String("sarifschema", "",
		"for TestExamples: a `file`, sarif-schema-2.1.0.json as OASIS has published it")
	junitSchema = flag.String("junitschema", "",
		"for TestExamples: a `file`, junit-10.xsd as Jenkins's xunit plugin has it")
)

// TestExamples: the files of one run over all examples are what their readers take: the page is
// valid, without errors, and has no serious finding of axe; SARIF and JUnit follow their schemas;
// go-junit counts what the record has. Each execution of a package with many kinds of findings
// replays 100 of 100 times.
func TestExamples(t *testing.T) {
	if !*examples {
		t.Skip("all examples are explored with -examples")
	}
	file := func(name string) string { return filepath.Join(t.TempDir(), name) }
	html, log, report, data := file("r.html"), file("r.sarif"), file("r.xml"), file("r.record")
	t.Chdir(filepath.Dir(subjectDir))
	var out strings.Builder
	code := runTest([]string{"-max-executions=30", "-timeout=5s", "-html", html, "-sarif", log,
		"-junit", report, "-record", data, "./testdata/..."}, &out, io.Discard)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	t.Logf("exit code %d: %s", code, lines[len(lines)-1])
	counts := countsOf(t, data)
	t.Run("html", func(t *testing.T) {
		checkAlone(t, html)
		checkValid(t, html)
		browse(t, "all", html)
	})
	t.Run("sarif", func(t *testing.T) { checkSARIF(t, log) })
	t.Run("junit", func(t *testing.T) { checkJUnit(t, report, counts) })
	t.Run("replays", func(t *testing.T) {
		t.Chdir(sentencesDir(t))
		runTest([]string{"-record", data, "-timeout=5m", "."}, io.Discard, io.Discard)
		t.Logf("%d executions, %d times each", checkReplays(t, serving(t, data)), replays)
	})
}

// countsOf is what a record comes to, as go-junit prints it below.
func countsOf(t *testing.T, name string) string {
	t.Helper()
	tests, failures, errors, skipped := 0, 0, 0, 0
	packages := readRecord(t, name)
	for _, p := range packages {
		for _, test := range p.Tests {
			switch tests++; {
			case test.Verdict == "fail":
				failures++
			case test.Verdict == "error":
				errors++
			case !test.Complete:
				skipped++
			}
		}
		if p.Unbegun > 0 { // a case of their own: the time was up
			tests, skipped = tests+1, skipped+1
		}
	}
	t.Logf("%d packages", len(packages))
	return fmt.Sprint(tests, " tests, ", failures, " failures, ", errors, " errors, ", skipped,
		" skipped")
}

// checkSARIF compares a log with the schema that is known here, and with the one that is published.
func checkSARIF(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range conform.SARIF(text) {
		t.Error(wrong)
	}
	if *sarifSchema == "" {
		t.Log("the published schema is not asked: -sarifschema names none")
		return
	}
	t.Log(programOf(t, "github.com/santhosh-tekuri/jsonschema/v5@v5.3.1", `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func main() {
	schema := jsonschema.MustCompile(os.Args[1])
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	if err := schema.Validate(v); err != nil {
		panic(fmt.Sprintf("%#v", err))
	}
	fmt.Println("valid for the published schema")
}
`, *sarifSchema, name))
}

// checkJUnit compares a report with the schema, known here and published, and what go-junit counts
// in it with want.
func checkJUnit(t *testing.T, name, want string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range conform.JUnit(text) {
		t.Error(wrong)
	}
	got := programOf(t, "github.com/joshdk/go-junit@v1.0.0", `package main

import (
	"fmt"
	"os"

	"github.com/joshdk/go-junit"
)

func main() {
	suites, err := junit.IngestFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var all junit.Totals
	for _, s := range suites {
		all.Tests += s.Totals.Tests
		all.Failed += s.Totals.Failed
		all.Error += s.Totals.Error
		all.Skipped += s.Totals.Skipped
	}
	fmt.Print(all.Tests, " tests, ", all.Failed, " failures, ", all.Error, " errors, ", all.Skipped,
		" skipped")
}
`, name)
	if t.Logf("go-junit: %s", got); got != want {
		t.Errorf("go-junit counts %s, want %s", got, want)
	}
	if *junitSchema == "" {
		t.Log("the published schema is not asked: -junitschema names none")
		return
	}
	validator := filepath.Join(t.TempDir(), "Valid.java")
	if err := os.WriteFile(validator, []byte(validJava), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("java", validator, *junitSchema, name).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
}

// validJava validates a document by a schema.
const validJava = `import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;

class Valid {
	public static void main(String[] args) throws Exception {
		SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(args[0]))
			.newValidator().validate(new StreamSource(new File(args[1])));
		System.out.println("valid for the published schema");
	}
}
`

// programOf runs a program of a module that this one does not need, and returns what it prints.
func programOf(t *testing.T, needs, source string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, a := range [][]string{{"mod", "init", "example.org/elsewhere"}, {"get", needs},
		append([]string{"run", "."}, args...)} {
		cmd := exec.Command("go", a...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(a, " "), err, out)
		}
		if a[0] == "run" {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
}
