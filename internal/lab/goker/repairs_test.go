package goker

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repair is what testdata/repairs.txt says of a kernel:
//
//	kernel NAME SUM    the kernel, and the first digits of the SHA-256 sum of the file that the edits are for
//	# TEXT             what the upstream repair does
//	N = LINE           line N becomes LINE
//	N + LINE           LINE comes after line N
//	N - M              lines N to M are left out
//
// Line numbers are those of the file as it is. Of several lines after one, the order is that of the
// edits.
type repair struct {
	sum   string
	says  string
	edits []edit
}

type edit struct {
	line int
	verb string // =, + or -
	text string
}

type repairs map[string]*repair

func readRepairs(t *testing.T) repairs {
	t.Helper()
	text, err := os.ReadFile("testdata/repairs.txt")
	must(t, err)
	all, err := parseRepairs(string(text))
	must(t, err)
	return all
}

func parseRepairs(text string) (repairs, error) {
	all := repairs{}
	var r *repair
	for i, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "":
		case word == "kernel":
			name, sum, _ := strings.Cut(rest, " ")
			r = &repair{sum: sum}
			all[name] = r
		case r == nil:
			return nil, fmt.Errorf("line %d: no kernel yet", i+1)
		case word == "#":
			r.says = strings.TrimSpace(r.says + " " + rest)
		default:
			e, err := parseEdit(word, rest)
			if err != nil {
				return nil, fmt.Errorf("line %d: %v", i+1, err)
			}
			r.edits = append(r.edits, e)
		}
	}
	return all, nil
}

func parseEdit(number, rest string) (edit, error) {
	line, err := strconv.Atoi(number)
	if err != nil {
		return edit{}, err
	}
	verb, text, _ := strings.Cut(rest, " ")
	if !slices.Contains([]string{"=", "+", "-"}, verb) {
		return edit{}, fmt.Errorf("no edit: %q", rest)
	}
	return edit{line, verb, text}, nil
}

// of selects the kernels that have a repair.
func (all repairs) of(list []kernel) []kernel {
	return slices.DeleteFunc(slices.Clone(list), func(k kernel) bool { return all[k.name] == nil })
}

// edit returns the function that repairs a kernel's text.
func (all repairs) edit(t *testing.T) func(kernel, []byte) []byte {
	return func(k kernel, text []byte) []byte {
		r := all[k.name]
		if sum := fmt.Sprintf("%x", sha256.Sum256(text))[:len(r.sum)]; sum != r.sum {
			t.Errorf(
				"%s: the suite has another version (%s) than the one that the repair is for (%s)",
				k.name, sum, r.sum)
			return text
		}
		fixed, err := r.apply(string(text))
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
		return []byte(fixed)
	}
}

// apply carries the edits out.
func (r *repair) apply(text string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	after := make([]string, len(lines)) // what comes behind each line
	for _, e := range r.edits {
		if e.line < 1 || e.line > len(lines) {
			return "", fmt.Errorf("no line %d", e.line)
		}
		switch i := e.line - 1; e.verb {
		case "=":
			lines[i] = e.text + "\n"
		case "+":
			after[i] += e.text + "\n"
		case "-":
			last, err := strconv.Atoi(e.text)
			if err != nil || last < e.line || last > len(lines) {
				return "", fmt.Errorf("no lines %d to %s", e.line, e.text)
			}
			clear(lines[i:last])
		}
	}
	var b strings.Builder
	for i := range lines {
		b.WriteString(lines[i] + after[i])
	}
	return b.String(), nil
}

// TestApply: line numbers are those of the file as it is, whatever the edits before have done.
func TestApply(t *testing.T) {
	all, err := parseRepairs("kernel a/b/1 00\n# one\n# two\n2 - 3\n1 + x\n1 + y\n4 = D\n3 + z\n")
	must(t, err)
	r := all["a/b/1"]
	got, err := r.apply("a\nb\nc\nd\n")
	if want := "a\nx\ny\nz\nD\n"; got != want || err != nil || r.says != "one two" ||
		r.sum != "00" {
		t.Errorf("%q %v %+v, want %q", got, err, r, want)
	}
	for _, bad := range []string{"9 = x", "2 - 1", "2 - 9"} {
		all, err := parseRepairs("kernel k 0\n" + bad)
		must(t, err)
		if _, err := all["k"].apply("a\nb\n"); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	for _, bad := range []string{"1 = x", "kernel k 0\nx = 1", "kernel k 0\n1 ? x"} {
		if _, err := parseRepairs(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
