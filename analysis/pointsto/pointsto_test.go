package pointsto

import (
	"bufio"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// Each program in testdata ends with a WANT block. A place has the name that a comment //@ NAME
// gives to its line; an object has the name of its place, followed by those of the call sites of
// its context. Unnamed lines are L12.
//
//	p: o1 o2            the operands of print, and of channel operations, at p point to exactly these objects
//	p: !o               ... not to this one, whatever else
//	p | q, p !| q       the operands at p and q may alias, or may not
//	calls p: f g        the functions that are called at p, through the library marked with ~; calls p: !f likewise
//	unreached: f        functions that are not reached
//	receivers o: p@c    the operations on a channel object, with their contexts; senders, closers, foreign likewise
//	families: o1 o2     all named objects that are families
//	reach p: o1 !o2     what can be reached from the operands at p includes o1 and not o2
//	types p: T          the dynamic types of the operands at p
func TestWant(t *testing.T) {
	files, err := filepath.Glob("testdata/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			p := analyse(t, file)
			if len(p.wants) == 0 {
				t.Fatal("no WANT block")
			}
			for _, w := range p.wants {
				if problem := p.check(w); problem != "" {
					t.Errorf("%s: %s\n\t%s", file, w, problem)
				}
			}
		})
	}
}

// program is an analysed file with names.
type program struct {
	r     *Result
	fset  *token.FileSet
	file  string
	names map[int]string // of lines
	wants []string
}

func analyse(t testing.TB, file string) *program {
	t.Helper()
	loaded, err := load.Load(load.Config{Patterns: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	p := &program{r: Analyze(ConfigOf(loaded)), fset: loaded.Fset, file: filepath.Base(file),
		names: map[int]string{}}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, want := bufio.NewScanner(f), false
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if _, name, ok := strings.Cut(line, "//@ "); ok {
			p.names[n] = strings.TrimSpace(name)
		}
		if want && strings.TrimSpace(strings.TrimPrefix(line, "//")) != "" {
			p.wants = append(p.wants, strings.TrimSpace(strings.TrimPrefix(line, "//")))
		}
		want = want || line == "// WANT:"
	}
	return p
}

func (p *program) name(pos token.Pos) string {
	at := p.fset.Position(pos)
	if name := p.names[at.Line]; name != "" && filepath.Base(at.Filename) == p.file {
		return name
	}
	return place(p.fset, pos)
}

func (p *program) within(name string, in *Instance) string {
	if in != nil {
		for _, site := range in.Context() {
			name += "@" + p.name(site.Pos())
		}
	}
	return name
}

// object names o: a place and a context, or a package-level name.
func (p *program) object(o *Object) string {
	switch o.Kind {
	case Global, Func:
		return o.Value.Name()
	case Unknown:
		if o.opaque {
			return "outside"
		}
		return "unknown:" + strings.TrimPrefix(o.Type.String(), "command-line-arguments.")
	case Library:
		if o.Value == nil {
			return "errors"
		}
		if _, ok := o.Value.(*ssa.Parameter); ok {
			return "parameter"
		}
	}
	return p.within(p.name(o.Pos()), o.In)
}

func (p *program) objects(s Set) []string {
	var out []string
	for _, l := range s.Locations() {
		name := p.object(l.Object)
		if l.Offset > 0 {
			name += l.Path()
		}
		out = append(out, name)
	}
	return sorted(out)
}

func sorted(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// operands is what the print statements and channel operations at a place point to.
func (p *program) operands(name string) (s Set, found bool) {
	s = p.r.empty()
	for _, in := range p.r.a.reached {
		for _, b := range in.Func.Blocks {
			for _, instr := range b.Instrs {
				c, ok := instr.(*ssa.Call)
				if !ok || p.name(instr.Pos()) != name {
					continue
				}
				if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "print" {
					found = true
					for _, v := range c.Call.Args {
						s.include(p.r.PointsToIn(in, v))
					}
				}
			}
		}
	}
	for _, op := range p.r.channelOps() {
		if p.name(op.instr.Pos()) == name {
			found = true
			s.include(p.r.targets(op))
		}
	}
	return s, found
}

// check returns what is wrong with a line of a WANT block.
func (p *program) check(line string) string {
	if a, b, ok := strings.Cut(line, " !| "); ok {
		return p.checkAlias(a, b, false)
	}
	if a, b, ok := strings.Cut(line, " | "); ok {
		return p.checkAlias(a, b, true)
	}
	head, rest, ok := strings.Cut(line, ":")
	if !ok {
		return "not a WANT line"
	}
	verb, arg, ok := strings.Cut(head, " ")
	if !ok {
		verb, arg = "", head
	}
	got, problem := p.fact(verb, arg)
	if problem != "" {
		return problem
	}
	return compare(strings.Fields(rest), got, verb == "reach")
}

// compare holds a list against what is wanted: exactly the same, unless it has negatives or is
// open.
func compare(want, got []string, open bool) string {
	exact := !open
	for _, w := range want {
		no, negative := strings.CutPrefix(w, "!")
		exact = exact && !negative
		if negative == slices.Contains(got, no) {
			return "got " + strings.Join(got, " ")
		}
	}
	if exact && !slices.Equal(sorted(slices.Clone(want)), got) {
		return "got " + strings.Join(got, " ")
	}
	return ""
}

func (p *program) checkAlias(a, b string, want bool) string {
	s, ok1 := p.operands(a)
	t, ok2 := p.operands(b)
	switch {
	case !ok1 || !ok2:
		return "no such place"
	case s.Intersects(t) != want:
		return "got " + strings.Join(p.objects(s), " ") + " and " + strings.Join(p.objects(t), " ")
	}
	return ""
}

// fact returns what a verb asks for, sorted.
func (p *program) fact(verb, arg string) (got []string, problem string) {
	switch {
	case arg == "unreached":
		return p.unreached(), ""
	case arg == "families":
		return p.families(), ""
	case verb == "calls":
		return p.calls(arg), ""
	case verb == "receivers" || verb == "senders" || verb == "closers" || verb == "foreign":
		return p.channel(verb, arg)
	}
	s, ok := p.operands(arg)
	if !ok {
		return nil, "no such place"
	}
	switch verb {
	case "types":
		for _, t := range s.DynamicTypes() {
			got = append(got, strings.ReplaceAll(t.String(), "command-line-arguments.", ""))
		}
		return sorted(got), ""
	case "reach":
		s = p.r.Reach(s)
	}
	return p.objects(s), ""
}

func (p *program) calls(at string) []string {
	var got []string
	for _, in := range p.r.a.reached {
		for _, site := range p.sites(in.Func, at) {
			for _, e := range p.r.CalleesIn(in, site) {
				name := shortName(e.Callee.Func)
				if e.Library {
					name = "~" + name
				}
				got = append(got, name)
			}
		}
	}
	return sorted(got)
}

// sites returns the calls of fn at a place.
func (p *program) sites(fn *ssa.Function, at string) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if site, ok := instr.(ssa.CallInstruction); ok && p.name(site.Pos()) == at {
				out = append(out, site)
			}
		}
	}
	return out
}

func shortName(fn *ssa.Function) string {
	return strings.ReplaceAll(strings.ReplaceAll(fn.RelString(nil), "command-line-arguments.", ""),
		"*", "")
}

func (p *program) unreached() []string {
	var got []string
	pkg := p.r.a.Source[0]
	for _, m := range pkg.Members {
		if fn, ok := m.(*ssa.Function); ok && len(p.r.Instances(fn)) == 0 {
			got = append(got, fn.Name())
		}
	}
	return sorted(got)
}

func (p *program) families() []string {
	var got []string
	once := p.r.once()
	for _, o := range p.r.a.cells.all[1:] {
		if o.Kind != tagged && o.Value != nil && p.names[p.fset.Position(o.Pos()).Line] != "" &&
			family(o, once) {
			got = append(got, p.object(o))
		}
	}
	return sorted(got)
}

func (p *program) channel(verb, arg string) (got []string, problem string) {
	problem = "no such channel"
	for _, o := range p.r.a.cells.all[1:] {
		if o.Kind == tagged || p.object(o) != arg {
			continue
		}
		problem = ""
		for _, op := range p.r.operations(o, verb) {
			got = append(got, p.within(p.name(op.instr.Pos()), op.in))
		}
	}
	return sorted(got), problem
}
