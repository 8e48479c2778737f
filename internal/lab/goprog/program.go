package goprog

import (
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"
)

// Program is one random program.
type Program struct {
	Seed  uint64
	Timed bool // it uses timers: natively it runs in a bubble of testing/synctest

	Networked bool // it uses the network

	Unheard bool // it has data races that no search finds

	Ends bool // it comes to an end if each process moves in the end: a livelock found is none

	Variant int // of programs that were made smaller: tells those of one package apart

	decls []*decl // in order
	body  []*node
}

// decl declares objects that statements use. It is printed only if one of its names is.
type decl struct {
	names  []string
	node   *node
	global bool // it belongs to the package
}

// Flavour says which reader a program is printed for.
type Flavour int

// The flavours of a program. They have the same statements.
const (
	Plain Flavour = iota // as people read it, and as it is explored
	// as a subtest x, with a call of perturb before each statement; in a bubble if it is timed
	Perturbed
)

// Name is the name of p's test, without Test.
func (p *Program) Name() string {
	if p.Variant > 0 {
		return fmt.Sprintf("Seed%dv%d", p.Seed, p.Variant)
	}
	return fmt.Sprintf("Seed%d", p.Seed)
}

// Size counts p's statements.
func (p *Program) Size() int { return size(p.body) }

// imported are the packages that a program may import, by what its text has if it does.
var imported = []struct{ word, path string }{
	{"atomic", "sync/atomic"}, {"bufio", "bufio"}, {"bytes", "bytes"}, {"context", "context"},
	{"errors", "errors"}, {"fmt", "fmt"}, {"fnv", "hash/fnv"}, {"json", "encoding/json"},
	{"maps", "maps"}, {"slices", "slices"}, {"sort", "sort"}, {"strconv", "strconv"},
	{"utf8", "unicode/utf8"},
	{"http", "net/http"}, {"httptest", "net/http/httptest"}, {"io", "io"}, {"iter", "iter"},
	{"net", "net"}, {"os", "os"},
	{"rand", "math/rand/v2"}, {"reflect", "reflect"}, {"runtime", "runtime"},
	{"signal", "os/signal"}, {"sync", "sync"},
	{"strings", "strings"}, {"synctest", "testing/synctest"}, {"syscall", "syscall"},
	{"testing", "testing"}, {"time", "time"},
}

// Source is p as a file of package prog, beside the Prelude.
func (p *Program) Source(f Flavour) string {
	text := strings.ReplaceAll(p.functions(f), fmt.Sprintf("seed%dx", p.Seed),
		strings.ToLower(p.Name())+"x")
	var head strings.Builder
	head.WriteString("package prog\n\nimport (\n")
	for _, i := range imported {
		if regexp.MustCompile(`\b` + i.word + `\.[A-Z]`).MatchString(text) {
			fmt.Fprintf(&head, "%q\n", i.path)
		}
	}
	text = head.String() + ")\n\n" + text
	if source, err := format.Source([]byte(text)); err == nil {
		return string(source)
	}
	return text // which does not compile
}

// functions is p without package clause and imports.
func (p *Program) functions(f Flavour) string {
	out := &printer{perturbed: f == Perturbed}
	out.block(p.body)
	local, global := p.declared(out.String())
	var all strings.Builder
	for _, d := range global {
		all.WriteString("var " + d + "\n")
	}
	name := "Test" + p.Name()
	if f == Perturbed {
		name = "test" + p.Name()
		run := name
		if p.Timed {
			run = "func(t *testing.T) { synctest.Test(t, " + name + ") }"
		}
		fmt.Fprintf(&all, "func Test%s(t *testing.T) {\n%st.Run(\"x\", %s)\nsettle()\n}\n\n",
			p.Name(),
			restored(global), run)
	}
	fmt.Fprintf(&all, "func %s(t *testing.T) {\n%s%s}\n", name, strings.Join(local, ""), out)
	return all.String()
}

// declared returns the declarations that text needs.
func (p *Program) declared(text string) (local, global []string) {
	for _, d := range slices.Backward(p.decls) {
		out := &printer{}
		out.node(d.node)
		mine, used := out.String(), false
		for _, name := range d.names {
			word := regexp.MustCompile(`\b` + name + `\b`)
			if word.MatchString(text) {
				used = true
			} else if len(d.names) > 1 {
				mine = word.ReplaceAllString(mine, "_")
			}
		}
		if !used {
			continue
		}
		text += mine
		if d.global {
			global = slices.Insert(global, 0, mine)
		} else {
			local = slices.Insert(local, 0, mine)
		}
	}
	return local, global
}

// restored are the statements that give package-level variables their first values again, which
// rehearse does by itself.
func restored(global []string) string {
	var b strings.Builder
	for _, d := range global {
		d = strings.TrimSpace(d)
		if strings.Contains(d, " = ") {
			b.WriteString(d + "\n")
		} else {
			name, typ, _ := strings.Cut(d, " ")
			fmt.Fprintf(&b, "%s = *new(%s)\n", name, typ)
		}
	}
	return b.String()
}

// Joins reports whether p's test waits for all of its processes.
func (p *Program) Joins() bool {
	return slices.ContainsFunc(p.body, func(n *node) bool { return n.text[0] == "all.Wait()" })
}

// Global reports whether p has package-level variables: what one run leaves behind then meets the
// next.
func (p *Program) Global() bool {
	return slices.ContainsFunc(p.decls, func(d *decl) bool { return d.global })
}

// Smaller returns all programs that are p with one thing less. Some do not compile.
func (p *Program) Smaller() []*Program {
	var all []*Program
	for i, body := range smaller(p.body) {
		q := *p
		q.body, q.Variant = body, i+1
		all = append(all, &q)
	}
	return all
}
